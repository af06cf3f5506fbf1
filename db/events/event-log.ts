import type { EventFacts, EventKind } from '../../domain/tracking/facts.ts';
import { freshBytes } from '../../domain/tracking/fresh-bytes.ts';

/** One tracking event as it was received. The id is made once, so that a retried append is the same event. */
export interface LoggedEvent {
  /** UUID, time-ordered (v7) */
  id: string;
  kind: EventKind;
  shard: number;
  receivedAt: Date;
  facts: EventFacts;
  /** kind `click` only: the clicks row that commits together with the event. */
  pendingClick?: PendingClick | undefined;
}

export interface PendingClick {
  /** clicks.id, equal to the event's id */
  id: string;
  /** 32 hex, random: public id for attribution */
  clickId: string;
  verifyWithinSeconds: number;
}

export interface EventLog {
  /** Resolves when the event is durable: committed, or fdatasync'ed to the local spool. */
  append(event: LoggedEvent): Promise<void>;
  /** What waits: for health. */
  stats(): { pending: number; spooled: number };
  close(): Promise<void>;
}

/** UUID v7: ordered by time, so that inserts stay at the right edge of the index. */
export function newEventId(now: Date): string {
  const bytes = freshBytes(16);
  bytes.writeUIntBE(now.getTime(), 0, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
