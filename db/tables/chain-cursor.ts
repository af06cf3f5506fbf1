import { ref, text, time } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const chainCursors = table(
  'chain_cursors',
  {
    network: text(),
    block: ref(),
    blockHash: text(),
    updatedAt: time().byDefault(),
  },
  { key: ['network'] },
);
export type ChainCursorRow = Row<typeof chainCursors>;
