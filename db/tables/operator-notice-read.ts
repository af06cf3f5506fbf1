import { ref, time } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const operatorNoticeReads = table('operator_notice_reads', {
  noticeId: ref(),
  operatorId: ref(),
  readAt: time().byDefault(),
});
export type OperatorNoticeReadRow = Row<typeof operatorNoticeReads>;
