import { text, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const bookChecks = table('book_checks', {
  name: text(),
  figure: text(),
  checkedAt: time(),
  tookMs: whole(),
});
export type BookCheckRow = Row<typeof bookChecks>;
