import { inTransaction, runner } from '../../db/postgres.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import type { ActivityDeps } from '../deps.ts';
import { recheckSites, type RecheckReport } from '../publisher/site-recheck.ts';
import { deleteUnsubmittedDocuments } from '../accounts/kyc-documents.ts';
import { expireKyc } from '../accounts/kyc-status.ts';
import { removeExpiredExports } from '../reports/exports.ts';
import { removeUnnamedFiles, type UnnamedFiles } from './upkeep-files.ts';

export interface UpkeepReport {
  partitionsMade: number;
  partitionsDropped: string[];
  marks: number;
  revokedTokens: number;
  idempotencyKeys: number;
  requestSteps: number;
  outbox: number;
  sites: RecheckReport;
  kycExpired: number;
  passwordResets: number;
  mails: number;
  exports: number;
  uploads: number;
  /** Absent in rounds that were kept from before. */
  kycDocuments?: number;
  unnamedFiles?: UnnamedFiles;
}

const PARTITION_DAYS_AHEAD = 9;
const INBOX_KEEP_DAYS = 3;
/** No upload takes an hour: what lies longer was left by a process that died. */
const UPLOAD_KEEP_MS = 3_600_000;
/** Rows per DELETE, so that no statement holds many locks for long. */
const DELETE_LIMIT = 20_000;
const DELETE_ROUNDS_MAX = 100;

export function createUpkeepActivities(deps: ActivityDeps) {
  return {
    /** Room ahead, what has expired behind. Each step is harmless twice. */
    async runUpkeep(): Promise<UpkeepReport> {
      return {
        partitionsMade: await makePartitions(deps),
        // Marks whose events still wait to be judged are kept: the oldest waiting event is the clock.
        marks: await deleteInRounds(
          deps,
          `DELETE FROM event_marks WHERE ctid = ANY(ARRAY(
             SELECT ctid FROM event_marks
             WHERE expires_at < LEAST(now(), COALESCE((SELECT min(i.received_at) FROM settlement_cursors c
               CROSS JOIN LATERAL (SELECT received_at FROM event_inbox
                 WHERE shard = c.shard AND (xid, seq) > (c.xid, c.seq) ORDER BY xid, seq LIMIT 1) i), now()))
             LIMIT $1)) RETURNING 1`,
        ),
        revokedTokens: await deleteInRounds(
          deps,
          `DELETE FROM revoked_tokens WHERE jti IN (
             SELECT jti FROM revoked_tokens WHERE expires_at < now() LIMIT $1) RETURNING 1`,
        ),
        idempotencyKeys: await deleteInRounds(
          deps,
          `DELETE FROM idempotency_keys WHERE ctid = ANY(ARRAY(
             SELECT ctid FROM idempotency_keys WHERE first_at < now() - interval '24 hours' LIMIT $1)) RETURNING 1`,
        ),
        // An hour longer than the keys that they belong to.
        requestSteps: await deleteInRounds(
          deps,
          `DELETE FROM effects WHERE key IN (
             SELECT key FROM effects WHERE key LIKE 'request:%'
               AND created_at < now() - interval '25 hours' LIMIT $1) RETURNING 1`,
        ),
        // A notice to serving is worthless an hour later; flows' messages are kept for looking back.
        outbox: await deleteInRounds(
          deps,
          `DELETE FROM outbox WHERE id IN (
             SELECT id FROM outbox WHERE done_at < now() - interval '7 days'
                OR (kind = 'publish' AND done_at < now() - interval '1 hour') LIMIT $1) RETURNING 1`,
        ),
        exports: await removeExpiredExports(deps),
        uploads: await deps.providers.mediaStore.sweepIncoming(UPLOAD_KEEP_MS),
        kycExpired: await expireKyc(deps),
        passwordResets: await deleteInRounds(
          deps,
          `DELETE FROM password_resets WHERE id IN (
             SELECT id FROM password_resets WHERE expires_at < now() - interval '1 day' LIMIT $1) RETURNING 1`,
        ),
        mails: await deleteInRounds(
          deps,
          `DELETE FROM mails WHERE id IN (
             SELECT id FROM mails WHERE ended_at < now() - interval '30 days' LIMIT $1) RETURNING 1`,
        ),
        partitionsDropped: await dropOldInbox(deps),
        kycDocuments: await deleteUnsubmittedDocuments(deps),
        // Late, because it waits for other people's servers.
        sites: await recheckSites(deps),
        // Last, so that a disk that does not answer keeps nothing else from being done.
        unnamedFiles: await removeUnnamedFiles(deps),
      };
    },
  };
}

async function makePartitions(deps: ActivityDeps): Promise<number> {
  return await inTransaction(deps.db, async (tx) => {
    const { rows } = await runner(deps.db, tx).query<{ made: number }>(
      'SELECT ensure_event_partitions(current_date - 1, $1) AS made',
      [PARTITION_DAYS_AHEAD],
    );
    return rows[0]?.made ?? 0;
  });
}

async function deleteInRounds(deps: ActivityDeps, statement: string): Promise<number> {
  let deleted = 0;
  for (let round = 0; round < DELETE_ROUNDS_MAX; round += 1) {
    const { rows } = await runner(deps.db).query(statement, [DELETE_LIMIT]);
    deleted += rows.length;
    if (rows.length < DELETE_LIMIT) break;
  }
  return deleted;
}

/** Inbox days that are old and wholly settled. Judged events stay in `events`. */
async function dropOldInbox(deps: ActivityDeps): Promise<string[]> {
  const { rows } = await runner(deps.db).query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'event_inbox'::regclass
       AND c.relname < 'event_inbox_' || to_char(current_date - $1::int, 'YYYYMMDD')
     ORDER BY c.relname`,
    [INBOX_KEEP_DAYS],
  );
  const dropped: string[] = [];
  for (const { name } of rows) {
    if (await dropIfSettled(deps, name)) dropped.push(name);
  }
  return dropped;
}

async function dropIfSettled(deps: ActivityDeps, partition: string): Promise<boolean> {
  // The name goes into a statement that takes no parameters.
  if (!/^event_inbox_\d{8}$/.test(partition)) return false;
  return await inTransaction(deps.db, async (tx) => {
    const sql = runner(deps.db, tx);
    // Appends to other days must not queue behind this lock for long.
    await sql.query("SET LOCAL lock_timeout = '2s'");
    await sql.query(`LOCK TABLE ${partition} IN ACCESS EXCLUSIVE MODE`);
    if (await waitsIn(sql, partition)) {
      deps.log.warn({ partition }, 'old inbox partition still has unsettled events');
      return false;
    }
    await sql.query(`ALTER TABLE event_inbox DETACH PARTITION ${partition}`);
    await sql.query(`DROP TABLE ${partition}`);
    return true;
  });
}

async function waitsIn(sql: SqlRunner, partition: string): Promise<boolean> {
  const { rows } = await sql.query<{ waits: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM ${partition} i LEFT JOIN settlement_cursors c USING (shard)
       WHERE c.shard IS NULL OR (i.xid, i.seq) > (c.xid, c.seq)) AS waits`,
  );
  return rows[0]?.waits ?? true;
}
