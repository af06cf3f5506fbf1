import { columnsOf, type RowOf, select } from '../schema/selection.ts';
import { AD_CONTENT, adRevisions } from '../tables/ad-revision.ts';
import { REVIEW_OF_REVISION, type RevisionScreen } from './revisions.ts';

/** One version of what an ad says and where it leads, and what its review said. */
const REVISION = select({
  ...columnsOf(adRevisions, 'r', ['revision', 'auditStatus', 'auditReasons', 'createdAt']),
  ...REVIEW_OF_REVISION,
  ...columnsOf(adRevisions, 'r', AD_CONTENT),
});
export type AdRevisionScreenRow = RowOf<typeof REVISION>;

export const AD_REVISIONS: RevisionScreen<AdRevisionScreenRow> = {
  type: 'ad',
  owners: 'ads',
  revisions: 'ad_revisions',
  ownerId: 'ad_id',
  selection: REVISION,
  joins: '',
};
