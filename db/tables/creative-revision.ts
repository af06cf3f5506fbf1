import { revisionLifecycle } from '../../domain/lifecycle/review.ts';
import { id, json, ref, state, text, time, whole } from '../schema/column.ts';
import { type Patch, propertiesBut, type Row, table } from '../schema/table.ts';
import type { ReviewReason } from './json.ts';

export const creativeRevisions = table('creative_revisions', {
  id: id(),
  creativeId: ref(),
  revision: whole(),
  width: whole().orNull(),
  height: whole().orNull(),
  sizeId: ref().orNull(),
  imageMediaId: ref().orNull(),
  imageMediaId2: ref().orNull(),
  videoMediaId: ref().orNull(),
  iconMediaId: ref().orNull(),
  htmlCode: text().orNull(),
  vastXml: text().orNull(),
  vastUrl: text().orNull(),
  clickUrl: text().orNull(),
  auditStatus: state(revisionLifecycle).byDefault(),
  auditReasons: json<ReviewReason[]>().orNull(),
  createdAt: time().byDefault(),
  html5MediaId: ref().orNull(),
});
export type CreativeRevisionRow = Row<typeof creativeRevisions>;

/** What a viewer sees: a new revision has content of its own. */
export const CREATIVE_CONTENT = propertiesBut(creativeRevisions, [
  'id',
  'creativeId',
  'revision',
  'auditStatus',
  'auditReasons',
  'createdAt',
]);
type ContentName = (typeof CREATIVE_CONTENT)[number];
export type CreativeContent = Pick<CreativeRevisionRow, ContentName>;
export type CreativeContentPatch = Patch<typeof creativeRevisions, ContentName>;
