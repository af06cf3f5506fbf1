import { eventDays } from '../../db/events/event-days.ts';
import type { DayDrop } from '../../db/events/event-log.ts';
import { eventReader } from '../../db/events/event-reader.ts';
import { inTransaction, runner } from '../../db/postgres.ts';
import type { ActivityDeps } from '../deps.ts';
import { recheckSites, type RecheckReport } from '../publisher/site-recheck.ts';
import { deleteUnsubmittedDocuments } from '../accounts/kyc-documents.ts';
import { expireKyc } from '../accounts/kyc-status.ts';
import { removeExpiredExports } from '../reports/exports.ts';
import { removeUnnamedFiles, type UnnamedFiles } from './upkeep-files.ts';

export interface UpkeepReport {
  partitionsMade: number;
  partitionsDropped: string[];
  /** Old days of the inbox with events that were never judged. Absent in rounds kept from before. */
  partitionsKept?: DayDrop[];
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
        partitionsMade: await inTransaction(
          deps.db,
          async (tx) => await eventDays.make(runner(deps.db, tx), PARTITION_DAYS_AHEAD),
        ),
        marks: await deleteMarks(deps),
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
        ...(await dropOldInbox(deps)),
        kycDocuments: await deleteUnsubmittedDocuments(deps),
        // Late, because it waits for other people's servers.
        sites: await recheckSites(deps),
        // Last, so that a disk that does not answer keeps nothing else from being done.
        unnamedFiles: await removeUnnamedFiles(deps),
      };
    },
  };
}

/** Marks whose events still wait to be judged are kept: the oldest waiting event is the clock. */
async function deleteMarks(deps: ActivityDeps): Promise<number> {
  const settledUntil = await eventReader.settledUntil(runner(deps.db), deps.clock());
  return await deleteInRounds(
    deps,
    `DELETE FROM event_marks WHERE ctid = ANY(ARRAY(
       SELECT ctid FROM event_marks WHERE expires_at < LEAST(now(), $2::timestamptz) LIMIT $1)) RETURNING 1`,
    settledUntil?.toISOString() ?? null,
  );
}

async function deleteInRounds(
  deps: ActivityDeps,
  statement: string,
  ...values: unknown[]
): Promise<number> {
  let deleted = 0;
  for (let round = 0; round < DELETE_ROUNDS_MAX; round += 1) {
    const { rows } = await runner(deps.db).query(statement, [DELETE_LIMIT, ...values]);
    deleted += rows.length;
    if (rows.length < DELETE_LIMIT) break;
  }
  return deleted;
}

/** Old days of the inbox go; one with an event that was never judged stays, and is told. */
async function dropOldInbox(
  deps: ActivityDeps,
): Promise<Required<Pick<UpkeepReport, 'partitionsDropped' | 'partitionsKept'>>> {
  const partitionsDropped: string[] = [];
  const partitionsKept: DayDrop[] = [];
  for (const day of await eventDays.old(runner(deps.db), INBOX_KEEP_DAYS)) {
    const asked = await inTransaction(
      deps.db,
      async (tx) => await eventDays.drop(runner(deps.db, tx), day),
    );
    if (asked.unsettled === 0) {
      partitionsDropped.push(day);
      continue;
    }
    deps.log.warn(
      { partition: day, unsettled: asked.unsettled },
      'old inbox partition is kept: it has events that were never judged',
    );
    partitionsKept.push(asked);
  }
  return { partitionsDropped, partitionsKept };
}
