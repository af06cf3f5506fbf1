import { day, nanos, ref, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const budgetDays = table(
  'budget_days',
  {
    scope: word(['campaign', 'adgroup']),
    scopeId: ref(),
    day: day(),
    capNanos: nanos().orNull(),
    spentNanos: nanos().byDefault(),
  },
  { key: ['scope', 'scopeId', 'day'] },
);
export type BudgetDayRow = Row<typeof budgetDays>;
