import { day, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const maturityDays = table(
  'maturity_days',
  {
    day: day(),
    runs: whole().byDefault(),
    lookedAt: time().byDefault(),
  },
  { key: ['day'] },
);
export type MaturityDayRow = Row<typeof maturityDays>;
