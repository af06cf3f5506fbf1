import { runner } from '../../db/postgres.ts';
import { listRemovalAppeals, readBilled } from '../../db/queries/removal-appeals.ts';
import { latestUnbilled } from '../../db/queries/unbilled-events.ts';
import type { ConsoleDeps } from '../deps.ts';
import { presentRemovalAppeal } from '../present/removal-appeal.ts';
import { presentBilled, presentSample, type TaskDetail } from '../present/task-detail.ts';

const SAMPLES = 20;

/** What a publisher appeals against, beside what was billed of the same zone and day, and events to look at. */
export async function removalDetail(
  deps: ConsoleDeps,
  { subjectId: id, accountId: publisherId }: { subjectId: number; accountId: number },
): Promise<Pick<TaskDetail, 'removal_appeal'>> {
  const sql = runner(deps.db);
  const key = { id, publisherId, limit: 1, offset: 0 };
  const [appeal] = (await listRemovalAppeals(sql, key)).items;
  if (appeal === undefined) return { removal_appeal: null };
  const { day, reason, zoneId } = appeal;
  const days = { startDate: day, endDate: day };
  const samples = await latestUnbilled(
    sql,
    { ...days, reason, publisherId, zoneId, isReported: true, isJudgedSo: true },
    SAMPLES,
  );
  return {
    removal_appeal: {
      ...presentRemovalAppeal(appeal),
      billed: presentBilled(await readBilled(sql, { day, publisherId, zoneId })),
      samples: samples.map(presentSample),
    },
  };
}
