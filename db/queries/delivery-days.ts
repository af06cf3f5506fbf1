import { day, json, nanos, ref, time } from '../schema/column.ts';
import { columnsOf, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { auditLog, type FieldChange } from '../tables/audit-entry.ts';

/** `budget:<campaign>:<day>` is the key under which a spent daily budget is told once (settlement-notices.ts). */
const DAY = select({
  day: day().of('d.day'),
  impressions: ref().of('COALESCE(r.impressions, 0)'),
  spendNanos: nanos().of('COALESCE(r.spend_nanos, 0)'),
  capNanos: nanos().orNull().of('b.cap_nanos'),
  budgetSpentAt: time().orNull().of('n.created_at'),
});
export type DeliveryDayRow = RowOf<typeof DAY>;

export interface DeliveryDaysKey {
  id: number;
  advertiserId: number;
  /** Days of UTC, both included: budgets are counted by it. */
  startDate: string;
  endDate: string;
}

/** What a campaign did on each of these days, and the cap that the last charge of the day was held to. */
export const readDeliveryDays = async (
  sql: SqlRunner,
  { id, advertiserId, startDate, endDate }: DeliveryDaysKey,
): Promise<DeliveryDayRow[]> =>
  await readRows(
    sql,
    DAY,
    `SELECT ${DAY.list}
     FROM (SELECT generate_series($3::date, $4::date, interval '1 day')::date AS day) d
     LEFT JOIN (
       SELECT (hour AT TIME ZONE 'UTC')::date AS day, sum(impressions) AS impressions, sum(spend_nanos) AS spend_nanos
       FROM rollup_ad_hours
       WHERE advertiser_id = $2 AND campaign_id = $1
         AND hour >= $3::date::timestamp AT TIME ZONE 'UTC'
         AND hour < ($4::date + 1)::timestamp AT TIME ZONE 'UTC'
       GROUP BY 1) r ON r.day = d.day
     LEFT JOIN budget_days b ON b.scope = 'campaign' AND b.scope_id = $1 AND b.day = d.day
     LEFT JOIN notifications n ON n.account_id = $2
       AND n.dedupe_key = 'budget:' || $1::bigint || ':' || to_char(d.day, 'YYYY-MM-DD')
     ORDER BY d.day`,
    [id, advertiserId, startDate, endDate],
  );

const CHANGED = select({
  ...columnsOf(auditLog, 'l', ['createdAt']),
  changes: json<FieldChange[]>().of(`l.detail -> 'changes'`),
});

/** What was changed of a campaign since a day began, oldest first. */
export const readChangesSince = async (
  sql: SqlRunner,
  { id, advertiserId, startDate }: DeliveryDaysKey,
): Promise<RowOf<typeof CHANGED>[]> =>
  await readRows(
    sql,
    CHANGED,
    `SELECT ${CHANGED.list} FROM audit_log l
     WHERE l.account_id = $2 AND l.subject_type = 'campaign' AND l.subject_id = $1
       AND l.created_at >= $3::date::timestamp AT TIME ZONE 'UTC' AND l.detail ? 'changes'
     ORDER BY l.id`,
    [id, advertiserId, startDate],
  );
