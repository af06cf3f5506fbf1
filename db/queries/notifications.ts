import { ref } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { notifications } from '../tables/notification.ts';
import { notificationSettings } from '../tables/notification-setting.ts';
import { totalOf } from './page-total.ts';

/** When whoever asks came to the account, where that is a member ($2): what was before, and that they came, is no news to them. */
const JOINED = '(SELECT whose.joined_at FROM members whose WHERE whose.id = $2::bigint)';

const SHOWN = select({
  ...columnsOf(notifications, 'n', [
    'id',
    'kind',
    'subjectType',
    'subjectId',
    'params',
    'createdAt',
  ]),
  readAt: notifications.columns.readAt.of(
    `COALESCE(n.read_at, CASE WHEN n.created_at <= ${JOINED} THEN ${JOINED} END)`,
  ),
});
export type ShownNotification = RowOf<typeof SHOWN>;

export interface NotificationFilter {
  accountId: number;
  /** Of a member who asks. */
  memberId: number | null;
  kind?: string | undefined;
  status?: 'read' | 'unread' | undefined;
  /** Those after this id: what has come since somebody looked. */
  since?: number | undefined;
  /** Those before this id. */
  cursor?: number | undefined;
  limit: number;
  offset: number;
}

const UNREAD_OF = `(n.read_at IS NULL AND n.created_at > COALESCE(${JOINED}, '-infinity'))`;

const FILTER = `n.account_id = $1 AND n.shown AND ($3::text IS NULL OR n.kind = $3)
  AND ($4::text IS NULL OR ${UNREAD_OF} = ($4 = 'unread')) AND ($5::bigint IS NULL OR n.id > $5)`;

/** Newest first. */
export async function listNotifications(
  sql: SqlRunner,
  filter: NotificationFilter,
): Promise<{ items: ShownNotification[]; total: number }> {
  const bound = [
    filter.accountId,
    filter.memberId,
    filter.kind ?? null,
    filter.status ?? null,
    filter.since ?? null,
  ];
  const items = await readRows(
    sql,
    SHOWN,
    `SELECT ${SHOWN.list} FROM notifications n
     WHERE ${FILTER} AND ($6::bigint IS NULL OR n.id < $6) ORDER BY n.id DESC LIMIT $7 OFFSET $8`,
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

export async function countUnread(
  sql: SqlRunner,
  { accountId, memberId }: Pick<NotificationFilter, 'accountId' | 'memberId'>,
): Promise<number> {
  const row = await readRow(
    sql,
    UNREAD,
    `SELECT ${UNREAD.list} FROM notifications n
     WHERE n.account_id = $1 AND n.shown AND ${UNREAD_OF}`,
    [accountId, memberId],
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
