import { LONG_ROUND } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

const { keepIdentities } = stepsOf(LONG_ROUND, {
  keepIdentities:
    'Remind of identities that end, end what is over, erase what was kept long enough',
});

/** One round, started by its schedule: whom we know, and for how long (interface 5.1). */
export async function identitiesWorkflow(): Promise<void> {
  const { reminded, expired, erased, missing } = await keepIdentities();
  const lost = missing === 0 ? '' : `, ${missing} papers without their file`;
  show({
    stage: 'ended',
    note: `${reminded} reminded, ${expired} expired, ${erased} erased${lost}.`,
  });
}
