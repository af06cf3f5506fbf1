import type * as yup from 'yup';
import type { ShownNotice } from '../../db/queries/operator-notices.ts';
import { NOTICE_KINDS, NOTICE_SUBJECTS, noticeText } from '../../domain/operator-notices.ts';
import { idOf, mapOf, oneOf, record, time, timeOrNull, words } from '../http/response-shapes.ts';

/** interface 5.9 */
export const operatorNoticeShape = record(
  {
    id: idOf(),
    kind: oneOf(NOTICE_KINDS),
    subject: record({ type: oneOf(NOTICE_SUBJECTS), id: idOf() }),
    params: mapOf(),
    /** The same in one line of English. */
    text: words(),
    created_at: time(),
    read_at: timeOrNull(),
  },
  'OperatorNotice',
);

export const presentOperatorNotice = (
  row: ShownNotice,
): yup.InferType<typeof operatorNoticeShape> => ({
  id: row.id,
  kind: row.kind,
  subject: { type: row.subjectType, id: row.subjectId },
  params: row.params,
  text: noticeText(row.kind, row.subjectId, row.params),
  created_at: row.createdAt.toISOString(),
  read_at: row.readAt?.toISOString() ?? null,
});
