import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { type AiKind, type CopyVariant, oneLine } from '../../domain/creative/generation.ts';
import { conflict } from '../../domain/errors.ts';
import {
  AI_JOB_WORKFLOW,
  type AiItemInput,
  type AiItemOutcome,
  type AiJobEnd,
  type AiJobInput,
  aiJobWorkflowId,
} from '../../workflows/contracts/ai-job.ts';
import type { ActivityDeps } from '../deps.ts';
import { type AiJob, type AiRequest, heartbeating, type Made, makeItem } from './ai-generation.ts';
import { insertMedia } from './media.ts';
import { openOperation, reportOperation } from '../core/operations.ts';
import { referenceFaults, refuse } from './inventory-lifecycle.ts';
import { runStep } from '../core/run-once.ts';

export interface NewAiJob {
  advertiserId: number;
  kind: AiKind;
  request: AiRequest;
}

/** More wait for a result than anybody looks at; the next may come when one has ended. */
export const AI_JOBS_OPEN_MAX = 10;
const NAME_LENGTH_MAX = 100;

export function createAiJobActivities(deps: ActivityDeps) {
  const { db, providers } = deps;
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
        const { rows } = await runner(db, tx).query<{ id: string }>(
          `INSERT INTO ai_jobs (advertiser_id, kind, request) VALUES ($1, $2, $3) RETURNING id`,
          [advertiserId, kind, JSON.stringify(request)],
        );
        const jobId = Number(rows[0]?.id);
        return { operationId: await startJob(deps, tx, { jobId, advertiserId, kind, request }) };
      });
    },

    /**
     * One part, written once under (job, item): a part that is there is not made again, and of two
     * attempts that both end the first to commit is kept. Heartbeats, so that a lost worker or a
     * cancel is noticed. Raises validation_failed when the provider refuses the prompt.
     */
    async generateAiItem(input: AiItemInput): Promise<AiItemOutcome> {
      const job = await readJob(deps, input);
      if (job.done) return 'STORED';
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

    /** Stores how it ended, once, and ends the operation with it. */
    async endAiJob(end: AiJobEnd): Promise<void> {
      await inTransaction(db, async (tx) => {
        const sql = runner(db, tx);
        const { rows } = await sql.query<{ id: string; kind: AiKind }>(
          `UPDATE ai_jobs SET status = $2, finished_at = now()
           WHERE id = $1 AND status = 'OPEN' RETURNING id, kind`,
          [end.jobId, end.status],
        );
        const [job] = rows;
        if (job === undefined) return;
        const status = { DONE: 'succeeded', FAILED: 'failed', CANCELLED: 'cancelled' } as const;
        const result = await resultOf(deps, tx, { jobId: end.jobId, kind: job.kind });
        await reportOperation(deps, tx, aiJobWorkflowId(end), {
          status: status[end.status],
          phase: end.status.toLowerCase(),
          ...(end.note === undefined ? {} : { note: end.note }),
          result,
          ...(end.error === undefined
            ? {}
            : { error: { error: end.error, note: end.note ?? null } }),
        });
      });
    },
  };
}

/** Under a lock on the account, so that parallel requests stand in line. */
async function refuseTooMany(
  deps: ActivityDeps,
  tx: Transaction,
  advertiserId: number,
): Promise<void> {
  const sql = runner(deps.db, tx);
  await sql.query('SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [advertiserId]);
  const { rows } = await sql.query<{ open: string }>(
    `SELECT count(*) AS open FROM ai_jobs WHERE advertiser_id = $1 AND status = 'OPEN'`,
    [advertiserId],
  );
  if (Number(rows[0]?.open) >= AI_JOBS_OPEN_MAX) {
    throw conflict(`At most ${AI_JOBS_OPEN_MAX} jobs at once: wait for one to end.`);
  }
}

async function startJob(
  deps: ActivityDeps,
  tx: Transaction,
  { jobId, advertiserId, kind, request }: NewAiJob & { jobId: number },
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
  await deps.outbox.enqueue(tx, {
    kind: 'workflow_start',
    dedupeKey: `start:${workflowId}`,
    payload: {
      workflowId,
      type: AI_JOB_WORKFLOW,
      taskQueue: 'media',
      input,
      summary: `Generate ${kind.toLowerCase()} for job ${jobId}`,
    },
  });
  return operationId;
}

interface ReadJob extends AiJob {
  /** The part that was asked about is stored. */
  done: boolean;
}

async function readJob(deps: ActivityDeps, { jobId, item }: AiItemInput): Promise<ReadJob> {
  const { rows } = await runner(deps.db).query<
    Omit<ReadJob, 'advertiserId'> & { advertiser_id: string }
  >(
    `SELECT j.advertiser_id, j.kind, j.request, j.status, r.item IS NOT NULL AS done, m.path AS source
     FROM ai_jobs j LEFT JOIN ai_results r ON r.job_id = j.id AND r.item = $2
     LEFT JOIN media m ON m.id = (j.request->>'sourceMediaId')::bigint
     WHERE j.id = $1`,
    [jobId, item],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`there is no job ${jobId}`);
  const { advertiser_id, ...job } = row;
  return { ...job, advertiserId: Number(advertiser_id) };
}

interface Storing {
  input: AiItemInput;
  job: AiJob;
  made: Made;
}

/** The job's row first: a cancel and a second attempt stand in line behind it. */
async function storeItem(
  deps: ActivityDeps,
  tx: Transaction,
  { input, job, made }: Storing,
): Promise<{ outcome: AiItemOutcome; keptFile: boolean }> {
  const sql = runner(deps.db, tx);
  const { jobId, item } = input;
  const locked = await sql.query<{ status: string }>(
    'SELECT status FROM ai_jobs WHERE id = $1 FOR UPDATE',
    [jobId],
  );
  // A statement of its own: one that waited for the lock would still see what was there before.
  const stored = await sql.query('SELECT item FROM ai_results WHERE job_id = $1 AND item = $2', [
    jobId,
    item,
  ]);
  if (stored.rows.length > 0) return { outcome: 'STORED', keptFile: false };
  if (locked.rows[0]?.status !== 'OPEN') return { outcome: 'VOID', keptFile: false };
  const { advertiserId } = job;
  const name = oneLine(job.request.prompt, NAME_LENGTH_MAX);
  const media =
    made.asset === null
      ? null
      : await insertMedia(
          deps,
          tx,
          { advertiserId, name, sha256: made.sha256 ?? '', source: 'AI' },
          made.asset,
        );
  await sql.query(
    `INSERT INTO ai_results (job_id, item, provider, media_id, variants)
     VALUES ($1, $2, $3, $4, $5) RETURNING job_id`,
    [
      jobId,
      item,
      made.provider,
      media?.id ?? null,
      made.variants === null ? null : JSON.stringify(made.variants),
    ],
  );
  await reportOperation(deps, tx, aiJobWorkflowId({ jobId }), {
    status: 'running',
    phase: 'generating',
    progress: { done: item, total: job.kind === 'COPY' ? 1 : job.request.count },
  });
  return { outcome: 'STORED', keptFile: media?.created === true };
}

/** Also of a job that failed: what was made until then is in the library. */
async function resultOf(
  deps: ActivityDeps,
  tx: Transaction,
  { jobId, kind }: { jobId: number; kind: AiKind },
): Promise<object> {
  const { rows } = await runner(deps.db, tx).query<{
    provider: string;
    media_id: string | null;
    variants: CopyVariant[] | null;
  }>('SELECT provider, media_id, variants FROM ai_results WHERE job_id = $1 ORDER BY item', [
    jobId,
  ]);
  const { ai } = deps.providers;
  const { name, notice } = { IMAGE: ai.image, VIDEO: ai.video, COPY: ai.copy }[kind];
  const provider = rows[0]?.provider ?? name;
  return {
    provider,
    notice: provider === name ? notice : null,
    media_ids: rows.flatMap(({ media_id }) => (media_id === null ? [] : [Number(media_id)])),
    variants: rows.flatMap(({ variants }) => variants ?? []),
  };
}
