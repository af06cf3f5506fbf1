import type { ConversionSource } from '../../domain/tracking/attribution.ts';
import type { Reporter } from '../../domain/tracking/conversion-findings.ts';
import { violatedConstraint } from '../postgres.ts';
import {
  bigintArray,
  boolArray,
  integerArray,
  jsonbArray,
  textArray,
  timeArray,
} from '../schema/binary-array.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { TRACKER_OF_CLICK } from './conversions.ts';

/** A report as the statement takes it; what is null is as the tracker says, or the house. */
export interface StoredReport {
  code: string | null;
  clickId: string | null;
  /** Null: one of its kind per click. */
  dedupeKey: string | null;
  eventType: string | null;
  /** Decimal text */
  valueNanos: string | null;
  currency: string | null;
  source: ConversionSource;
  isSigned: boolean;
  reporter: Reporter | null;
  /** RFC 3339 */
  createdAt: string | null;
}

/** What became of a report; `id` is its public one, null when it was refused. */
export type ReportOutcome =
  | { id: number; isDuplicate: boolean }
  | { id: null; refusal: 'unknown_code' | 'unsigned' };

/**
 * Two that meet on one key in the same moment: the one that lost looks for the other's row, and tries again
 * when that is gone by then. A public id that is taken is drawn anew.
 */
const TRIES_MAX = 5;

/**
 * Stores reports as RECEIVED, in one statement: durable when it answers, decided later. A report of a
 * key that is there answers its row; one that is signed then speaks for it.
 */
export async function storeReports(
  sql: SqlRunner,
  reports: readonly StoredReport[],
): Promise<ReportOutcome[]> {
  const outcomes = new Map<number, ReportOutcome>();
  for (let attempt = 0; outcomes.size < reports.length && attempt < TRIES_MAX; attempt += 1) {
    const left = reports.flatMap((report, n) => (outcomes.has(n) ? [] : [{ ...report, n }]));
    const statement = left.some(({ isSigned }) => isSigned) ? STORE_SIGNED : STORE;
    const isLast = attempt === TRIES_MAX - 1;
    const rows = await storedBy(sql, { statement, values: arraysOf(left), isLast });
    if (rows === undefined) continue;
    const before = await idsBefore(sql, rows.filter(isThere));
    const made = new Set<string>();
    for (const row of rows) {
      const outcome = outcomeOf(row, { made, before });
      if (outcome !== undefined) outcomes.set(row.n, outcome);
    }
  }
  return reports.map((_report, n) => {
    const outcome = outcomes.get(n);
    if (outcome === undefined) throw new Error('a conversion was neither stored nor found');
    return outcome;
  });
}

/** Undefined when a public id was taken, as long as there is another try. */
async function storedBy(
  sql: SqlRunner,
  { statement, values, isLast }: { statement: string; values: Buffer[]; isLast: boolean },
): Promise<StoredRow[] | undefined> {
  try {
    return (await sql.query<StoredRow>(statement, values)).rows;
  } catch (error) {
    if (isLast || violatedConstraint(error) !== 'conversions_public_id') throw error;
    return undefined;
  }
}

/** A report as the statement understood it. */
interface StoredRow extends ReportKey {
  isKnown: boolean;
  isUnsigned: boolean;
  madeId: string | null;
}

interface ReportKey {
  n: number;
  trackerId: string | null;
  clickId: string | null;
  dedupeKey: string;
}

/** Neither refused nor stored: somebody else has its key. */
const isThere = ({ isKnown, isUnsigned, madeId }: StoredRow): boolean =>
  isKnown && !isUnsigned && madeId === null;

function outcomeOf(
  row: StoredRow,
  { made, before }: { made: Set<string>; before: ReadonlyMap<number, number> },
): ReportOutcome | undefined {
  if (!row.isKnown) return { id: null, refusal: 'unknown_code' };
  if (row.isUnsigned) return { id: null, refusal: 'unsigned' };
  if (row.madeId !== null) {
    const isDuplicate = made.has(row.madeId);
    made.add(row.madeId);
    return { id: Number(row.madeId), isDuplicate };
  }
  const id = before.get(row.n);
  return id === undefined ? undefined : { id, isDuplicate: true };
}

const sameKey = (a: string, b: string): string =>
  `COALESCE(${a}.click_id, '') = COALESCE(${b}.click_id, '')
   AND COALESCE(${a}.tracker_id, 0) = COALESCE(${b}.tracker_id, 0) AND ${a}.dedupe_key = ${b}.dedupe_key`;

/** Public ids of the rows that have these keys, by `n`. A look of its own: few reports come twice. */
async function idsBefore(
  sql: SqlRunner,
  keys: readonly ReportKey[],
): Promise<ReadonlyMap<number, number>> {
  if (keys.length === 0) return new Map();
  const { rows } = await sql.query<{ n: number; id: string }>(
    `SELECT k.n, v.public_id AS id
     FROM unnest($1::int[], $2::bigint[], $3::text[], $4::text[]) AS k (n, tracker_id, click_id, dedupe_key)
     JOIN conversions v ON ${sameKey('v', 'k')}`,
    [
      integerArray(keys.map(({ n }) => n)),
      bigintArray(keys.map(({ trackerId }) => trackerId)),
      textArray(keys.map(({ clickId }) => clickId)),
      textArray(keys.map(({ dedupeKey }) => dedupeKey)),
    ],
  );
  return new Map(rows.map(({ n, id }) => [n, Number(id)]));
}

const KEY = `(COALESCE(click_id, ''), COALESCE(tracker_id, 0), dedupe_key)`;

/** What the advertiser's server says of a report that a page made before. */
const CONFIRMED = `, confirmed AS (
    UPDATE conversions v SET is_signed = true, value_nanos = d.value_nanos, currency = d.currency,
      source = d.source, findings = '[]', decide_by = NULL, due_at = CASE v.status WHEN 'PENDING' THEN now() END
    FROM named d
    WHERE d.is_signed AND NOT v.is_signed AND v.status IN ('RECEIVED', 'PENDING') AND ${sameKey('v', 'd')}
  )`;

/**
 * In the order of their keys, so that two statements that hold one another's keys wait in one order. The
 * event's type is the tracker's where its code was named; `conversion` in legacy mode
 * (interface 4.14).
 * Asked beforehand is the index of the keys alone: each other one would be one more search for every report, though a
 * public id is taken once in a hundred million million. Within a transaction all are: it could not be tried again.
 */
const storing = (hasSigned: boolean): string => `
  WITH input AS (
    SELECT * FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[],
        $8::text[], $9::boolean[], $10::jsonb[], $11::timestamptz[])
      AS i (n, code, click_id, dedupe_key, event_type, value_nanos, currency, source, is_signed, reporter, created_at)
  ), named AS (
    SELECT i.n, i.click_id, i.source, i.is_signed, i.reporter, t.id AS tracker_id, t.advertiser_id,
      i.code IS NULL OR t.id IS NOT NULL AS is_known,
      COALESCE(t.require_sig, false) AND NOT i.is_signed AS is_unsigned,
      COALESCE(i.dedupe_key, 'event:' || COALESCE(i.event_type, t.event_type, 'conversion')) AS dedupe_key,
      COALESCE(i.event_type, CASE WHEN i.code IS NOT NULL THEN t.event_type END, 'conversion') AS event_type,
      COALESCE(i.value_nanos, t.conversion_value_nanos, 0) AS value_nanos,
      COALESCE(i.currency, 'USD') AS currency, COALESCE(i.created_at, now()) AS created_at
    FROM input i LEFT JOIN LATERAL (
      SELECT t.* FROM trackers t WHERE t.tracking_code = i.code AND t.status = 'ACTIVE'
      UNION ALL ${TRACKER_OF_CLICK} WHERE i.code IS NULL AND k.click_id = i.click_id
    ) t ON true
  ), made AS (
    INSERT INTO conversions (tracker_id, advertiser_id, click_id, dedupe_key, event_type, value_nanos,
      currency, status, source, is_signed, reporter, created_at)
    SELECT tracker_id, advertiser_id, click_id, dedupe_key, event_type, value_nanos, currency, 'RECEIVED',
      source, is_signed, reporter, created_at
    FROM named WHERE is_known AND NOT is_unsigned ORDER BY tracker_id, click_id, dedupe_key, n
    ON CONFLICT ${hasSigned ? '' : KEY} DO NOTHING RETURNING public_id, tracker_id, click_id, dedupe_key
  )${hasSigned ? CONFIRMED : ''}
  SELECT d.n, d.is_known AS "isKnown", d.is_unsigned AS "isUnsigned", m.public_id AS "madeId",
    d.tracker_id AS "trackerId", d.click_id AS "clickId", d.dedupe_key AS "dedupeKey"
  FROM named d LEFT JOIN made m ON ${sameKey('m', 'd')} ORDER BY d.n`;
const STORE = storing(false);
const STORE_SIGNED = storing(true);

const arraysOf = (reports: readonly (StoredReport & { n: number })[]): Buffer[] => [
  integerArray(reports.map(({ n }) => n)),
  textArray(reports.map(({ code }) => code)),
  textArray(reports.map(({ clickId }) => clickId)),
  textArray(reports.map(({ dedupeKey }) => dedupeKey)),
  textArray(reports.map(({ eventType }) => eventType)),
  bigintArray(reports.map(({ valueNanos }) => valueNanos)),
  textArray(reports.map(({ currency }) => currency)),
  textArray(reports.map(({ source }) => source)),
  boolArray(reports.map(({ isSigned }) => isSigned)),
  jsonbArray(reports.map(({ reporter }) => (reporter === null ? null : JSON.stringify(reporter)))),
  timeArray(reports.map(({ createdAt }) => createdAt)),
];
