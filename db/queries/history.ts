import { json, text } from '../schema/column.ts';
import { columnsOf, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { auditLog, type FieldChange } from '../tables/audit-entry.ts';
import type { ReviewReason } from '../tables/json.ts';
import { totalOf } from './page-total.ts';

/** Subjects of an account's history, and what each is called by its owner; null has no name. */
const NAMES = {
  advertiser: null,
  publisher: null,
  campaign: 'SELECT name FROM campaigns',
  adgroup: 'SELECT name FROM ad_groups',
  ad: 'SELECT name FROM ads',
  creative: 'SELECT name FROM creatives',
  media: 'SELECT name FROM media',
  tracker: 'SELECT name FROM trackers',
  deposit: 'SELECT reference FROM deposits',
  site: 'SELECT name FROM sites',
  zone: 'SELECT name FROM zones',
  withdrawal: null,
  bank_card: null,
  document: null,
  webhook: "SELECT substring(url from '//([^/?#]+)') FROM webhook_endpoints",
} as const;
export const HISTORY_SUBJECTS = Object.keys(NAMES) as (keyof typeof NAMES)[];

const NAME = `CASE l.subject_type ${Object.entries(NAMES)
  .flatMap(([type, from]) =>
    from === null ? [] : `WHEN '${type}' THEN (${from} WHERE id = l.subject_id)`,
  )
  .join(' ')} END`;

/** Of the log, what its owner may see: neither an operator's name nor any other detail. */
const ENTRY = select({
  ...columnsOf(auditLog, 'l', [
    'id',
    'actorType',
    'action',
    'subjectType',
    'subjectId',
    'createdAt',
  ]),
  subjectName: text().orNull().of(NAME),
  /** Who of the account it was: a member, else its owner. */
  personName: text()
    .orNull()
    .of('CASE WHEN l.member_id IS NULL THEN COALESCE(a.nickname, a.username) ELSE m.name END'),
  personEmail: text().orNull().of('CASE WHEN l.member_id IS NULL THEN a.email ELSE m.email END'),
  changes: json<FieldChange[]>().orNull().of(`l.detail -> 'changes'`),
  reasons: json<ReviewReason[]>().orNull().of(`l.detail -> 'reasons'`),
});
export type HistoryEntry = RowOf<typeof ENTRY>;

export interface HistoryFilter {
  accountId: number;
  subjectType?: string | undefined;
  subjectId?: number | undefined;
  /** Whole UTC days, both ends included. */
  startDate?: string | undefined;
  endDate?: string | undefined;
  /** Entries before this id. */
  cursor?: number | undefined;
  limit: number;
  offset: number;
}

/** What operators agree on among themselves is not told; what it leads to is an entry of its own. */
const FILTER = `l.account_id = $1 AND l.subject_type <> 'approval'
  AND ($2::text IS NULL OR l.subject_type = $2) AND ($3::bigint IS NULL OR l.subject_id = $3)
  AND ($4::date IS NULL OR l.created_at >= $4::date::timestamp AT TIME ZONE 'UTC')
  AND ($5::date IS NULL OR l.created_at < ($5::date + 1)::timestamp AT TIME ZONE 'UTC')`;

/** Newest first. */
export async function listHistory(
  sql: SqlRunner,
  filter: HistoryFilter,
): Promise<{ items: HistoryEntry[]; total: number }> {
  const bound = [
    filter.accountId,
    filter.subjectType ?? null,
    filter.subjectId ?? null,
    filter.startDate ?? null,
    filter.endDate ?? null,
  ];
  const items = await readRows(
    sql,
    ENTRY,
    `SELECT ${ENTRY.list}
     FROM (SELECT * FROM audit_log l WHERE ${FILTER} AND ($6::bigint IS NULL OR l.id < $6)
       ORDER BY l.id DESC LIMIT $7 OFFSET $8) l
     LEFT JOIN accounts a ON l.actor_type = 'ACCOUNT' AND a.id = l.actor_id AND a.id = l.account_id
     LEFT JOIN members m ON m.id = l.member_id AND m.account_id = l.account_id
     ORDER BY l.id DESC`,
    [...bound, filter.cursor ?? null, filter.limit, filter.offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: items.length },
    { text: `SELECT count(*) AS total FROM audit_log l WHERE ${FILTER}`, values: bound },
  );
  return { items, total };
}
