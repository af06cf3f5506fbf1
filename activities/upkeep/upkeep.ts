import { eventDays } from '../../db/events/event-days.ts';
import type { DayDrop } from '../../db/events/event-log.ts';
import { eventReader } from '../../db/events/event-reader.ts';
import { inTransaction, runner } from '../../db/postgres.ts';
import { loadSettings } from '../../db/settings.ts';
import { VIEWER_MARK_KEPT_MS } from '../../domain/tracking/marks.ts';
import { TABLES } from '../../db/tables/index.ts';
import type { ActivityDeps } from '../deps.ts';
import { deleteUnsubmittedDocuments } from '../accounts/kyc-documents.ts';
import { lapseRecoveries } from '../accounts/recovery-ends.ts';
import { removeExpiredExports } from '../reports/exports.ts';
import { lapseClaims } from '../publisher/claim-lapse.ts';
import { tellSharesOfAll } from '../publisher/share-notices.ts';
import { tellOfLateConversions } from '../tracking/late-conversions.ts';
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
  passwordResets: number;
  mails: number;
  exports: number;
  uploads: number;
  /** Absent in rounds that were kept from before. */
  notifications?: number;
  operatorNotices?: number;
  trackerTests?: number;
  webhookDeliveries?: number;
  pages?: number;
  sessions?: number;
  knownDevices?: number;
  factorChallenges?: number;
  securityAlerts?: number;
  emailConfirmations?: number;
  operatorInvitations?: number;
  recoveriesLapsed?: number;
  factorRecoveries?: number;
  kycDocuments?: number;
  claimsLapsed?: number;
  lateAdvertisers?: number;
  sharesTold?: number;
  flowFindings?: number;
  reconcilerRuns?: number;
  unnamedFiles?: UnnamedFiles;
}

const PARTITION_DAYS_AHEAD = 9;
/** Facts are there while what they were paid for can be taken back: a day's earnings mature after its end. */
const FACTS_KEPT_BEYOND_MATURITY_DAYS = 2;
/** Longer than any seal holds, so that every event meets those of its bid before it. */
const INBOX_DAYS_MIN = 3;
/** No upload takes an hour: what lies longer was left by a process that died. */
const UPLOAD_KEEP_MS = 3_600_000;
/** Rows per DELETE, so that no statement holds many locks for long. */
const DELETE_LIMIT = 20_000;
const DELETE_ROUNDS_MAX = 100;
const OLD_NEWS = "created_at < now() - interval '180 days'";

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
        revokedTokens: await deleteRows(deps, 'revokedTokens', 'expires_at < now()'),
        idempotencyKeys: await deleteRows(
          deps,
          'idempotencyKeys',
          "first_at < now() - interval '24 hours'",
        ),
        // An hour longer than the keys that they belong to.
        requestSteps: await deleteRows(
          deps,
          'effects',
          "key LIKE 'request:%' AND created_at < now() - interval '25 hours'",
        ),
        // A notice to serving is worthless an hour later; flows' messages are kept for looking back.
        outbox: await deleteRows(
          deps,
          'outbox',
          `done_at < now() - interval '7 days'
             OR (kind = 'publish' AND done_at < now() - interval '1 hour')`,
        ),
        exports: await removeExpiredExports(deps),
        uploads: await deps.providers.mediaStore.sweepIncoming(UPLOAD_KEEP_MS),
        claimsLapsed: await lapseClaims(deps),
        ...(await tell(deps)),
        ...(await deleteOldLinks(deps)),
        mails: await deleteRows(deps, 'mails', "ended_at < now() - interval '30 days'"),
        notifications: await deleteRows(deps, 'notifications', OLD_NEWS),
        operatorNotices: await deleteRows(deps, 'operatorNotices', OLD_NEWS),
        trackerTests: await deleteRows(
          deps,
          'trackerTests',
          "created_at < now() - interval '30 days'",
        ),
        webhookDeliveries: await deleteRows(
          deps,
          'webhookDeliveries',
          "created_at < now() - interval '30 days' AND status <> 'PENDING'",
        ),
        sessions: await deleteRows(deps, 'sessions', "expires_at < now() - interval '30 days'"),
        // As long as their cookie.
        knownDevices: await deleteRows(
          deps,
          'knownDevices',
          "last_seen_at < now() - interval '180 days'",
        ),
        factorChallenges: await deleteRows(deps, 'factorChallenges', 'expires_at < now()'),
        recoveriesLapsed: await lapseRecoveries(deps),
        factorRecoveries: await deleteRows(
          deps,
          'factorRecoveries',
          "ended_at < now() - interval '180 days'",
        ),
        // Longer than events are kept, and than a conversion may come after its click.
        pages: await deleteRows(deps, 'pages', "seen_on < (now() AT TIME ZONE 'UTC')::date - 180"),
        ...(await dropOldInbox(deps)),
        kycDocuments: await deleteUnsubmittedDocuments(deps),
        ...(await deleteReconciled(deps)),
        // Last, so that a disk that does not answer keeps nothing else from being done.
        unnamedFiles: await removeUnnamedFiles(deps),
      };
    },
  };
}

/** Marks whose events still wait to be judged are kept: the oldest waiting event is the clock. */
async function deleteMarks(deps: ActivityDeps): Promise<number> {
  const settledUntil = await eventReader.settledUntil(runner(deps.db), deps.clock());
  const until = [settledUntil?.toISOString() ?? null, VIEWER_MARK_KEPT_MS / 1_000];
  const before = 'LEAST(now(), $2::timestamptz) - make_interval(secs => $3)';
  const marks = await deleteRows(deps, 'eventMarks', `seen_at < ${before}`, ...until);
  return marks + (await deleteRows(deps, 'viewerRates', `minute < ${before}`, ...until));
}

/** Few rows per statement, and few statements: the next round of upkeep takes the rest. */
async function deleteRows(
  deps: ActivityDeps,
  table: keyof typeof TABLES,
  condition: string,
  ...values: unknown[]
): Promise<number> {
  const { name } = TABLES[table];
  let deleted = 0;
  for (let round = 0; round < DELETE_ROUNDS_MAX; round += 1) {
    const { rows } = await runner(deps.db).query(
      `DELETE FROM ${name} WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM ${name} WHERE ${condition} LIMIT $1)) RETURNING 1`,
      [DELETE_LIMIT, ...values],
    );
    deleted += rows.length;
    if (rows.length < DELETE_LIMIT) break;
  }
  return deleted;
}

const tell = async (deps: ActivityDeps) => ({
  lateAdvertisers: await tellOfLateConversions(deps),
  sharesTold: await tellSharesOfAll(deps),
});

const deleteReconciled = async (deps: ActivityDeps) => ({
  flowFindings: await deleteRows(deps, 'flowFindings', "ended_at < now() - interval '30 days'"),
  reconcilerRuns: await deleteRows(deps, 'reconcilerRuns', "ended_at < now() - interval '7 days'"),
});

/** Old days of the inbox go; one with an event that was never judged stays, and is reported. */
type Links = 'passwordResets' | 'securityAlerts' | 'emailConfirmations' | 'operatorInvitations';

/** What letters have linked to. */
async function deleteOldLinks(deps: ActivityDeps): Promise<Required<Pick<UpkeepReport, Links>>> {
  const old = "expires_at < now() - interval '30 days'";
  return {
    passwordResets: await deleteRows(
      deps,
      'passwordResets',
      "expires_at < now() - interval '1 day'",
    ),
    securityAlerts: await deleteRows(deps, 'securityAlerts', old),
    // Longer than an address that was left is kept for its holder.
    emailConfirmations: await deleteRows(deps, 'emailConfirmations', old),
    operatorInvitations: await deleteRows(deps, 'operatorInvitations', old),
  };
}

async function dropOldInbox(
  deps: ActivityDeps,
): Promise<Required<Pick<UpkeepReport, 'partitionsDropped' | 'partitionsKept'>>> {
  const partitionsDropped: string[] = [];
  const partitionsKept: DayDrop[] = [];
  const settings = await loadSettings(runner(deps.db));
  const keepDays = settings['payout.maturity_days'] + FACTS_KEPT_BEYOND_MATURITY_DAYS;
  for (const day of await eventDays.old(runner(deps.db), Math.max(keepDays, INBOX_DAYS_MIN))) {
    const drop = await inTransaction(
      deps.db,
      async (tx) => await eventDays.drop(runner(deps.db, tx), day),
    );
    if (drop.unsettled === 0) {
      partitionsDropped.push(day);
      continue;
    }
    deps.log.warn(
      { partition: day, unsettled: drop.unsettled },
      'old inbox partition is kept: it has events that were never judged',
    );
    partitionsKept.push(drop);
  }
  return { partitionsDropped, partitionsKept };
}
