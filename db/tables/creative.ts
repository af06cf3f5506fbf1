import { DISPLAY_TYPES } from '../../domain/inventory.ts';
import { auditLifecycle, ownerLifecycle } from '../../domain/lifecycle/review.ts';
import { id, json, ref, state, text, time, whole, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';
import type { ReviewReason } from './json.ts';

export const creatives = table('creatives', {
  id: id(),
  advertiserId: ref(),
  name: text(),
  creativeType: word([
    'image',
    'native',
    'text',
    'html',
    'html5',
    'rich_media',
    'video',
    'vast',
  ]).byDefault(),
  type: word(DISPLAY_TYPES).byDefault(),
  latestRevision: whole().byDefault(),
  approvedRevision: whole().orNull(),
  status: state(ownerLifecycle).byDefault(),
  auditStatus: state(auditLifecycle).byDefault(),
  auditReasons: json<ReviewReason[]>().orNull(),
  auditRound: whole().byDefault(),
  version: whole().byDefault(),
  createdAt: time().byDefault(),
  updatedAt: time().byDefault(),
});
export type CreativeRow = Row<typeof creatives>;
