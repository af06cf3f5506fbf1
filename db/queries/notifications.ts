import { ref } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { notifications } from '../tables/notification.ts';
import { notificationSettings } from '../tables/notification-setting.ts';
import { totalOf } from './page-total.ts';

const SHOWN = select(
  columnsOf(notifications, 'n', [
    'id',
    'kind',
    'subjectType',
    'subjectId',
    'params',
    'createdAt',
    'readAt',
  ]),
);
export type ShownNotification = RowOf<typeof SHOWN>;

export interface NotificationFilter {
  accountId: number;
  kind?: string | undefined;
  status?: 'read' | 'unread' | undefined;
  /** Those after this id: what has come since somebody looked. */
  since?: number | undefined;
  /** Those before this id. */
  cursor?: number | undefined;
  limit: number;
  offset: number;
}

const FILTER = `n.account_id = $1 AND n.shown AND ($2::text IS NULL OR n.kind = $2)
  AND ($3::text IS NULL OR (n.read_at IS NULL) = ($3 = 'unread')) AND ($4::bigint IS NULL OR n.id > $4)`;

/** Newest first. */
export async function listNotifications(
  sql: SqlRunner,
  filter: NotificationFilter,
): Promise<{ items: ShownNotification[]; total: number }> {
  const bound = [
    filter.accountId,
    filter.kind ?? null,
    filter.status ?? null,
    filter.since ?? null,
  ];
  const items = await readRows(
    sql,
    SHOWN,
    `SELECT ${SHOWN.list} FROM notifications n
     WHERE ${FILTER} AND ($5::bigint IS NULL OR n.id < $5) ORDER BY n.id DESC LIMIT $6 OFFSET $7`,
    [...bound, filter.cursor ?? null, filter.limit, filter.offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: items.length },
    { text: `SELECT count(*) AS total FROM notifications n WHERE ${FILTER}`, values: bound },
  );
  return { items, total };
}

const UNREAD = select({ unread: ref().of('count(*)') });

export async function countUnread(sql: SqlRunner, accountId: number): Promise<number> {
  const row = await readRow(
    sql,
    UNREAD,
    `SELECT ${UNREAD.list} FROM notifications n
     WHERE n.account_id = $1 AND n.shown AND n.read_at IS NULL`,
    [accountId],
  );
  return row?.unread ?? 0;
}

const SETTINGS = select(columnsOf(notificationSettings, 's'));
export type StoredNotificationSettings = RowOf<typeof SETTINGS>;

/** Undefined while everything is as it is by default. */
export async function findNotificationSettings(
  sql: SqlRunner,
  accountId: number,
): Promise<StoredNotificationSettings | undefined> {
  return await readRow(
    sql,
    SETTINGS,
    `SELECT ${SETTINGS.list} FROM notification_settings s WHERE s.account_id = $1`,
    [accountId],
  );
}
