import type { EventKind } from '../../domain/tracking/facts.ts';
import { day, json, ref, text, time, uuid, whole, xid8 } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const eventInbox = table(
  'event_inbox',
  {
    day: day(),
    id: uuid(),
    shard: whole(),
    xid: xid8().byDefault(),
    seq: ref().byDefault(),
    kind: text<EventKind>(),
    receivedAt: time(),
    facts: json<object>(),
  },
  { key: ['day', 'id'] },
);
export type EventInboxRow = Row<typeof eventInbox>;
