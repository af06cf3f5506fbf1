import { LONG_ROUND } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

const { sendDueReports } = stepsOf(LONG_ROUND, {
  sendDueReports: 'Begin the reports that are due',
});

/** One round, started by its schedule: reports that are due are written, and their readers told (interface 5.24). */
export async function reportSchedulesWorkflow(): Promise<void> {
  const { begun, ended, passed, failed } = await sendDueReports();
  show({
    stage: 'ended',
    note: `${begun} reports begun, ${ended} told or refused at once, ${passed} passed over, ${failed} failed.`,
  });
}
