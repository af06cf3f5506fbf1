import { columnsOf, leftJoined, type RowOf, select } from '../schema/selection.ts';
import { CREATIVE_CONTENT, creativeRevisions } from '../tables/creative-revision.ts';
import { media } from '../tables/media.ts';
import { REVIEW_OF_REVISION, type RevisionScreen } from './revisions.ts';

const { path } = media.columns;

/** What a viewer gets of a revision `r`, with the files of what it names. */
export const CONTENT_COLUMNS = {
  ...columnsOf(creativeRevisions, 'r', CREATIVE_CONTENT),
  ...leftJoined({
    imagePath: path.of('m1.path'),
    imagePath2: path.of('m2.path'),
    videoPath: path.of('m3.path'),
    iconPath: path.of('m4.path'),
    html5Path: path.of('m5.path'),
  }),
};
export const CONTENT_JOINS = `
  LEFT JOIN media m1 ON m1.id = r.image_media_id LEFT JOIN media m2 ON m2.id = r.image_media_id_2
  LEFT JOIN media m3 ON m3.id = r.video_media_id LEFT JOIN media m4 ON m4.id = r.icon_media_id
  LEFT JOIN media m5 ON m5.id = r.html5_media_id`;

const contentColumns = select(CONTENT_COLUMNS);
export type CreativeContentRow = RowOf<typeof contentColumns>;

/** One version of what a creative shows, and what its review said. */
const REVISION = select({
  ...columnsOf(creativeRevisions, 'r', ['revision', 'auditStatus', 'auditReasons', 'createdAt']),
  ...REVIEW_OF_REVISION,
  ...CONTENT_COLUMNS,
});
export type CreativeRevisionScreenRow = RowOf<typeof REVISION>;

export const CREATIVE_REVISIONS: RevisionScreen<CreativeRevisionScreenRow> = {
  type: 'creative',
  owners: 'creatives',
  revisions: 'creative_revisions',
  ownerId: 'creative_id',
  selection: REVISION,
  joins: CONTENT_JOINS,
};
