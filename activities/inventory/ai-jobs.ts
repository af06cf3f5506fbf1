import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { moveRow, moveRows, NOW } from '../../db/schema/move.ts';
import { columnsOf, leftJoined, prefixed, readRow, select } from '../../db/schema/selection.ts';
import { type AiJobRow, aiJobs } from '../../db/tables/ai-job.ts';
import { aiResults } from '../../db/tables/ai-result.ts';
import { media } from '../../db/tables/media.ts';
import { type AiKind, oneLine } from '../../domain/creative/generation.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import {
  aiJobStart,
  type AiItemInput,
  type AiItemOutcome,
  type AiJobEnd,
  type AiJobInput,
  aiJobWorkflowId,
} from '../../workflows/contracts/ai-job.ts';
import { startFlow } from '../core/outbox.ts';
import type { ActivityDeps } from '../deps.ts';
import { type AiWork, heartbeating, type Made, makeItem } from './ai-generation.ts';
import { insertMedia } from './media.ts';
import { openOperation, reportOperation } from '../core/operations.ts';
import { referenceFaults, refuse } from './inventory-lifecycle.ts';
import { runStep } from '../core/run-once.ts';

export type NewAiJob = Pick<AiJobRow, 'advertiserId' | 'kind' | 'request'>;

/** More wait for a result than anybody looks at; the next may come when one has ended. */
export const AI_JOBS_OPEN_MAX = 10;
const NAME_LENGTH_MAX = 100;

export function createAiJobActivities(deps: ActivityDeps) {
  const { db, providers } = deps;
  const { aiJobs: AiJobs } = db.models;
  return {
    /**
     * Row, operation and flow in one transaction; answers the operation to watch. Raises 422 on
     * source_media_id, and state_conflict while AI_JOBS_OPEN_MAX others are open.
     */
    async requestAiJob({
      advertiserId,
      kind,
      request,
    }: NewAiJob): Promise<{ operationId: number }> {
      return await runStep(db, 'ai_job.request', async (tx) => {
        const id = request.sourceMediaId;
        const reference = {
          field: 'source_media_id',
          table: 'media',
          id,
          mediaType: 'IMAGE',
        } as const;
        refuse(await referenceFaults(deps, tx, { advertiserId, references: [reference] }));
        await refuseTooMany(deps, tx, advertiserId);
        const job = await AiJobs.create({ advertiserId, kind, request }, { transaction: tx });
        return { operationId: await startJob(deps, tx, job) };
      });
    },

    /**
     * One part, written once under (job, item): a part that is there is not made again, and of two
     * attempts that both end the first to commit is kept. Heartbeats, so that a lost worker or a
     * cancel is noticed. Raises validation_failed when the provider refuses the prompt.
     */
    async generateAiItem(input: AiItemInput): Promise<AiItemOutcome> {
      const job = await readJob(deps, input);
      if (job.storedItem !== null) return 'STORED';
      if (job.status !== 'OPEN') return 'VOID';
      const made = await heartbeating(input, async (call) => await makeItem(deps, job, call));
      const outcome = await inTransaction(
        db,
        async (tx) => await storeItem(deps, tx, { input, job, made }),
      );
      // Bytes that are not the ones of the stored row: another attempt, or the same asset twice.
      if (made.asset !== null && !outcome.keptFile) {
        await providers.mediaStore.remove(made.asset.path);
      }
      return outcome.outcome;
    },

    /**
     * By its owner, while it is open: its place among AI_JOBS_OPEN_MAX is free at once, what was made until then
     * is kept, and what its provider still answers is thrown away. Raises not_found for another's
     * operation, and state_conflict for one that has ended or is no job of the generator.
     */
    async cancelAiJob({ advertiserId, operationId }: AiJobCancel): Promise<void> {
      await runStep(db, 'ai_job.cancel', async (tx) => {
        const operation = await db.models.operations.findOne({
          where: { id: operationId, accountId: advertiserId },
          transaction: tx,
        });
        if (operation === null) throw notFound();
        const { subjectType, subjectId } = operation;
        if (subjectType !== 'ai_job' || subjectId === null) {
          throw conflict('Only a job of the generator can be cancelled.');
        }
        const job = await moveRow(runner(db, tx), aiJobs, {
          state: 'status',
          action: 'cancel',
          where: { id: subjectId, advertiserId },
          set: { finishedAt: NOW },
        });
        await reportEnd(deps, tx, job, { jobId: job.id, status: 'CANCELLED' });
        const workflowId = aiJobWorkflowId({ jobId: job.id });
        await deps.outbox.enqueue(tx, {
          kind: 'workflow_cancel',
          dedupeKey: `cancel:${workflowId}`,
          payload: { workflowId },
        });
      });
    },

    /** Stores how it ended, once, and ends the operation with it. */
    async endAiJob(end: AiJobEnd): Promise<void> {
      await inTransaction(db, async (tx) => {
        const [job] = await moveRows(runner(db, tx), aiJobs, {
          state: 'status',
          action: ACTIONS[end.status],
          where: { id: end.jobId, status: 'OPEN' },
          set: { finishedAt: NOW },
        });
        if (job !== undefined) await reportEnd(deps, tx, job, end);
      });
    },
  };
}

export interface AiJobCancel {
  advertiserId: number;
  operationId: number;
}

async function reportEnd(
  deps: ActivityDeps,
  tx: Transaction,
  job: { id: number; kind: AiKind },
  end: AiJobEnd,
): Promise<void> {
  await reportOperation(deps, tx, aiJobWorkflowId(end), {
    status: ENDS[end.status],
    phase: end.status.toLowerCase(),
    ...(end.note === undefined ? {} : { note: end.note }),
    result: await resultOf(deps, tx, job),
    ...(end.error === undefined ? {} : { error: { error: end.error, note: end.note ?? null } }),
  });
}

const ACTIONS = { DONE: 'finish', FAILED: 'fail', CANCELLED: 'cancel' } as const;
/** The same, as an operation says it. */
const ENDS = { DONE: 'succeeded', FAILED: 'failed', CANCELLED: 'cancelled' } as const;

/** Under a lock on the account, so that parallel requests stand in line. */
async function refuseTooMany(
  deps: ActivityDeps,
  tx: Transaction,
  advertiserId: number,
): Promise<void> {
  const { accounts: Accounts, aiJobs: AiJobs } = deps.db.models;
  await Accounts.findByPk(advertiserId, {
    attributes: ['id'],
    transaction: tx,
    lock: tx.LOCK.NO_KEY_UPDATE,
  });
  const where = { advertiserId, status: 'OPEN' } as const;
  if ((await AiJobs.count({ where, transaction: tx })) >= AI_JOBS_OPEN_MAX) {
    throw conflict(`At most ${AI_JOBS_OPEN_MAX} jobs at once: wait for one to end.`);
  }
}

async function startJob(
  deps: ActivityDeps,
  tx: Transaction,
  { id: jobId, advertiserId, kind, request }: NewAiJob & { id: number },
): Promise<number> {
  // A set of texts is one answer of a model.
  const input: AiJobInput = { jobId, items: kind === 'COPY' ? 1 : request.count };
  const workflowId = aiJobWorkflowId(input);
  const operationId = await openOperation(deps, tx, {
    accountId: advertiserId,
    kind: `ai_${kind.toLowerCase()}`,
    subject: { type: 'ai_job', id: jobId },
    workflowId,
  });
  await startFlow(deps, tx, aiJobStart(input), { accountId: advertiserId });
  return operationId;
}

const JOB_OF_PART = select({
  ...columnsOf(aiJobs, 'j', ['advertiserId', 'kind', 'request', 'status']),
  ...leftJoined(prefixed('stored', columnsOf(aiResults, 'r', ['item']))),
  ...leftJoined({ source: media.columns.path.of('m.path') }),
});

async function readJob(deps: ActivityDeps, { jobId, item }: AiItemInput) {
  const job = await readRow(
    runner(deps.db),
    JOB_OF_PART,
    `SELECT ${JOB_OF_PART.list}
     FROM ai_jobs j LEFT JOIN ai_results r ON r.job_id = j.id AND r.item = $2
     LEFT JOIN media m ON m.id = (j.request->>'sourceMediaId')::bigint
     WHERE j.id = $1`,
    [jobId, item],
  );
  if (job === undefined) throw new Error(`there is no job ${jobId}`);
  return job;
}

interface Storing {
  input: AiItemInput;
  job: AiWork;
  made: Made;
}

/** The job's row first: a cancel and a second attempt stand in line behind it. */
async function storeItem(
  deps: ActivityDeps,
  tx: Transaction,
  { input, job, made }: Storing,
): Promise<{ outcome: AiItemOutcome; keptFile: boolean }> {
  const { aiJobs: AiJobs, aiResults: AiResults } = deps.db.models;
  const { jobId, item } = input;
  const locked = await AiJobs.findByPk(jobId, { transaction: tx, lock: tx.LOCK.UPDATE });
  // A statement of its own: one that waited for the lock would still see what was there before.
  const stored = await AiResults.findOne({ where: { jobId, item }, transaction: tx });
  if (stored !== null) return { outcome: 'STORED', keptFile: false };
  if (locked?.status !== 'OPEN') return { outcome: 'VOID', keptFile: false };
  const { advertiserId } = job;
  const name = oneLine(job.request.prompt, NAME_LENGTH_MAX);
  const asset =
    made.asset === null
      ? null
      : await insertMedia(
          deps,
          tx,
          { advertiserId, name, sha256: made.sha256 ?? '', source: 'AI' },
          made.asset,
        );
  const { provider, variants } = made;
  const mediaId = asset?.id ?? null;
  await AiResults.create({ jobId, item, provider, mediaId, variants }, { transaction: tx });
  await reportOperation(deps, tx, aiJobWorkflowId({ jobId }), {
    status: 'running',
    phase: 'generating',
    progress: { done: item, total: job.kind === 'COPY' ? 1 : job.request.count },
  });
  return { outcome: 'STORED', keptFile: asset?.created === true };
}

/** Also of a job that failed: what was made until then is in the library. */
async function resultOf(
  deps: ActivityDeps,
  tx: Transaction,
  { id: jobId, kind }: { id: number; kind: AiKind },
): Promise<object> {
  const parts = await deps.db.models.aiResults.findAll({
    where: { jobId },
    order: [['item', 'ASC']],
    transaction: tx,
  });
  const { ai } = deps.providers;
  const { name, notice } = { IMAGE: ai.image, VIDEO: ai.video, COPY: ai.copy }[kind];
  const provider = parts[0]?.provider ?? name;
  return {
    provider,
    notice: provider === name ? notice : null,
    media_ids: parts.flatMap(({ mediaId }) => mediaId ?? []),
    variants: parts.flatMap(({ variants }) => variants ?? []),
  };
}
