import { id, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const reconcilerRuns = table('reconciler_runs', {
  id: id(),
  startedAt: time(),
  endedAt: time().byDefault(),
  openRows: whole(),
  executions: whole(),
  healed: whole(),
  raised: whole(),
});
export type ReconcilerRunRow = Row<typeof reconcilerRuns>;
