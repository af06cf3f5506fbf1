import type { NotificationKind, NotificationParams } from '../../domain/notifications.ts';
import { flag, id, json, ref, text, time } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const notifications = table('notifications', {
  id: id(),
  accountId: ref(),
  kind: text<NotificationKind>(),
  subjectType: text().orNull(),
  subjectId: ref().orNull(),
  params: json<NotificationParams>().byDefault(),
  shown: flag().byDefault(),
  dedupeKey: text().orNull(),
  createdAt: time().byDefault(),
  readAt: time().orNull(),
});
export type NotificationRow = Row<typeof notifications>;
