import type { CopyVariant } from '../../domain/creative/generation.ts';
import { json, ref, text, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const aiResults = table(
  'ai_results',
  {
    jobId: ref(),
    item: whole(),
    provider: text(),
    mediaId: ref().orNull(),
    variants: json<CopyVariant[]>().orNull(),
    createdAt: time().byDefault(),
  },
  { key: ['jobId', 'item'] },
);
export type AiResultRow = Row<typeof aiResults>;
