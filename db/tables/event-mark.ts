import type { Mark } from '../../domain/tracking/marks.ts';
import { text, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const eventMarks = table(
  'event_marks',
  {
    kind: text<Mark['kind']>(),
    key: text(),
    seenAt: time(),
    count: whole().byDefault(),
    expiresAt: time(),
  },
  { key: ['kind', 'key'] },
);
export type EventMarkRow = Row<typeof eventMarks>;
