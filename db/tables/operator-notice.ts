import { OPERATOR_ROLES } from '../../domain/operator.ts';
import { NOTICE_KINDS, NOTICE_SUBJECTS, type NoticeParams } from '../../domain/operator-notices.ts';
import { id, json, ref, text, time, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const operatorNotices = table('operator_notices', {
  id: id(),
  /** Whose role is told; null where one operator is. */
  role: word(OPERATOR_ROLES).orNull(),
  operatorId: ref().orNull(),
  kind: word(NOTICE_KINDS),
  subjectType: word(NOTICE_SUBJECTS),
  subjectId: ref(),
  params: json<NoticeParams>().byDefault(),
  dedupeKey: text(),
  createdAt: time().byDefault(),
});
export type OperatorNoticeRow = Row<typeof operatorNotices>;
