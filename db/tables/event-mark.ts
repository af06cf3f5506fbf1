import { bytes, time } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

/** When a viewer's last event of a kind was counted for a creative. */
export const eventMarks = table(
  'event_marks',
  {
    key: bytes(),
    seenAt: time(),
  },
  { key: ['key'] },
);
export type EventMarkRow = Row<typeof eventMarks>;

const VIEWER_KEY = /^[0-9a-f]{32}$/;
const CREATIVE_BYTES = 6;

/**
 * `<letter>:<viewer>:<creative>` (domain/tracking/marks.ts) in 23 bytes: the letter, the viewer's key of
 * 32 hex digits, the creative's id. Another viewer's name stands there as it is, after a capital letter.
 */
export function markKeyOf(name: string): Buffer {
  const letter = name.charAt(0);
  const end = name.lastIndexOf(':');
  const viewer = name.slice(2, end);
  const isKey = VIEWER_KEY.test(viewer);
  const creative = Buffer.alloc(CREATIVE_BYTES);
  creative.writeUIntBE(Number(name.slice(end + 1)), 0, CREATIVE_BYTES);
  return Buffer.concat([
    Buffer.from(isKey ? letter : letter.toUpperCase()),
    Buffer.from(viewer, isKey ? 'hex' : 'utf8'),
    creative,
  ]);
}
