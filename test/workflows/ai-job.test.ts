import { readdirSync } from 'node:fs';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { AiRequest } from '../../domain/creative/generation.ts';
import { composeAi } from '../../activities/providers/ai-compose.ts';
import { AI_JOBS_OPEN_MAX } from '../../activities/inventory/ai-jobs.ts';
import type { AiKind } from '../../domain/creative/generation.ts';
import { type AiItemInput, aiJobWorkflowId } from '../../workflows/contracts/ai-job.ts';
import { type AiSandbox, createAiSandbox } from '../support/ai-sandbox.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createTestFlows, type TestFlows } from '../support/flows.ts';
import { flowDesk } from '../support/flow-desk.ts';
import { captureHistory } from '../support/histories.ts';
import { image } from '../support/images.ts';
import { eventually } from '../support/until.ts';
import { makeAdvertiser } from '../support/make/account.ts';

let database: TestDatabase;
let flows: TestFlows;
let sandbox: AiSandbox;
let advertiserId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  flows = await createTestFlows(database);
}, 90_000);
afterAll(async () => {
  await flows?.close();
  await database?.close();
}, 60_000);
beforeEach(async () => {
  sandbox = createAiSandbox();
  flows.deps.providers.ai = sandbox;
  advertiserId = (await makeAdvertiser(database.db)).id;
});

const generate = async (input: AiItemInput): Promise<string> =>
  await flows.activities.generateAiItem(input);

const REQUEST: AiRequest = {
  prompt: 'A red sofa',
  count: 1,
  tone: null,
  width: 160,
  height: 90,
  durationS: null,
  sourceMediaId: null,
  language: null,
};

async function start(kind: AiKind, changes: Partial<AiRequest> = {}) {
  const { operationId } = await flows.activities.requestAiJob({
    advertiserId,
    kind,
    request: { ...REQUEST, ...changes },
  });
  const { rows } = await database.pool.query<{ workflow_id: string; subject_id: string }>(
    'SELECT workflow_id, subject_id FROM operations WHERE id = $1',
    [operationId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('no operation');
  return { operationId, jobId: Number(row.subject_id), workflowId: row.workflow_id };
}

interface Operation {
  status: string;
  kind: string;
  progress: object | null;
  result: { provider: string; notice: string | null; media_ids: number[]; variants: object[] };
  error: object | null;
}

async function operationOf(id: number): Promise<Operation> {
  const { rows } = await database.pool.query<Operation>(
    'SELECT kind, status, progress, result, error FROM operations WHERE id = $1',
    [id],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('no operation');
  return row;
}

const mediaOf = async (): Promise<Record<string, unknown>[]> =>
  (
    await database.pool.query<Record<string, unknown>>(
      `SELECT id, type, source, name, mime, width, height, duration_s::float AS duration_s, path
       FROM media WHERE advertiser_id = $1 ORDER BY id`,
      [advertiserId],
    )
  ).rows;

const storedFiles = (): number => {
  const { incoming } = flows.deps.providers.mediaStore;
  const root = incoming.replace(/\/incoming$/, '');
  return readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  ).length;
};

describe('a job that goes well', () => {
  it('images · asked for three · are three assets of the size, told by the operation', async () => {
    const job = await start('IMAGE', { count: 3 });
    await expect(flows.resultOf(job.workflowId)).resolves.toBe('DONE');
    const media = await mediaOf();
    expect(media).toHaveLength(3);
    for (const row of media) {
      expect(row).toMatchObject({
        type: 'IMAGE',
        source: 'AI',
        name: 'A red sofa',
        mime: 'image/jpeg',
        width: 160,
        height: 90,
      });
    }
    expect(await operationOf(job.operationId)).toEqual({
      kind: 'ai_image',
      status: 'succeeded',
      progress: { done: 3, total: 3 },
      result: {
        provider: 'sandbox',
        notice: null,
        media_ids: media.map((row) => Number(row['id'])),
        variants: [],
      },
      error: null,
    });
    await captureHistory(flows.client, job, 'aiJobWorkflow.images');
  });

  it('a video · is a webm that plays for as long as was asked', async () => {
    const job = await start('VIDEO', { durationS: 2 });
    await expect(flows.resultOf(job.workflowId)).resolves.toBe('DONE');
    expect(await mediaOf()).toMatchObject([
      { type: 'VIDEO', source: 'AI', mime: 'video/webm', width: 160, height: 90, duration_s: 2 },
    ]);
  });

  it('texts · are in the result, and no media', async () => {
    const job = await start('COPY', { count: 4, language: 'de', tone: 'urgent' });
    await expect(flows.resultOf(job.workflowId)).resolves.toBe('DONE');
    const { result } = await operationOf(job.operationId);
    expect(result.variants).toHaveLength(4);
    expect(result.variants[0]).toMatchObject({ button_text: expect.any(String) });
    expect(await mediaOf()).toEqual([]);
  });

  it('the embedded generator · says what it is', async () => {
    flows.deps.providers.ai = composeAi({
      baseUrl: undefined,
      apiKey: undefined,
      imageModel: undefined,
      videoModel: undefined,
      textModel: undefined,
    });
    const job = await start('IMAGE');
    await expect(flows.resultOf(job.workflowId)).resolves.toBe('DONE');
    const { result } = await operationOf(job.operationId);
    expect(result).toMatchObject({
      provider: 'embedded',
      notice: expect.stringContaining('built-in'),
    });
  });
});

describe('a provider in trouble', () => {
  it('fails twice · the same key is tried again, one asset comes of it', async () => {
    sandbox.moods = ['fails', 'fails'];
    const job = await start('IMAGE');
    await expect(flows.resultOf(job.workflowId)).resolves.toBe('DONE');
    const key = `${aiJobWorkflowId(job)}:1`;
    expect(sandbox.calls).toEqual([key, key, key]);
    expect(await mediaOf()).toHaveLength(1);
  });

  it('times out after executing · the answer to the next call is kept, once', async () => {
    sandbox.moods = ['times-out-after-executing'];
    const files = storedFiles();
    const job = await start('IMAGE');
    await expect(flows.resultOf(job.workflowId)).resolves.toBe('DONE');
    expect(sandbox.executed).toHaveLength(2);
    expect(await mediaOf()).toHaveLength(1);
    expect(storedFiles()).toBe(files + 1);
  });

  it('stays away · the job fails, with what was made until then', async () => {
    sandbox.downFor = ':2';
    const first = await start('IMAGE', { count: 3 });
    await expect(flows.resultOf(first.workflowId)).resolves.toBe('FAILED');
    expect(sandbox.calls).toHaveLength(1 + 4);
    const operation = await operationOf(first.operationId);
    expect(operation).toMatchObject({ status: 'failed', error: { error: 'provider_failed' } });
    expect(operation.result.media_ids).toHaveLength(1);
  }, 60_000);

  it('refuses the prompt · is not asked again', async () => {
    sandbox.moods = ['refuses'];
    const job = await start('IMAGE', { count: 2 });
    await expect(flows.resultOf(job.workflowId)).resolves.toBe('FAILED');
    expect(sandbox.calls).toHaveLength(1);
    expect(await operationOf(job.operationId)).toMatchObject({
      status: 'failed',
      error: { error: 'prompt_refused' },
    });
    await captureHistory(flows.client, job, 'aiJobWorkflow.refused');
  });

  it('answers twice · two attempts at once leave one asset and one file', async () => {
    flows.delivery.on = false;
    try {
      const job = await start('IMAGE');
      const files = storedFiles();
      const attempt = async (): Promise<unknown> =>
        await new MockActivityEnvironment().run(generate, { jobId: job.jobId, item: 1 });
      expect(await Promise.all([attempt(), attempt()])).toEqual(['STORED', 'STORED']);
      expect(sandbox.executed).toHaveLength(2);
      expect(await attempt()).toBe('STORED');
      expect(sandbox.executed).toHaveLength(2);
      expect(await mediaOf()).toHaveLength(1);
      expect(storedFiles()).toBe(files + 1);
    } finally {
      flows.delivery.on = true;
      await flows.dispatcher.dispatchDue(100);
    }
  });

  it('hangs · a cancel ends the job, and nothing is stored', async () => {
    sandbox.moods = ['hangs'];
    const job = await start('IMAGE');
    await eventually(() => expect(sandbox.calls).toHaveLength(1));
    await flows.client.workflow.getHandle(job.workflowId).cancel();
    await eventually(async () =>
      expect(await operationOf(job.operationId)).toMatchObject({ status: 'cancelled' }),
    );
    expect(await mediaOf()).toEqual([]);
    await captureHistory(flows.client, job, 'aiJobWorkflow.cancelled');
    const late = new MockActivityEnvironment();
    expect(await late.run(generate, { jobId: job.jobId, item: 1 })).toBe('VOID');
  });
});

describe('cancelled by its owner', () => {
  const cancel = async (operationId: number, by = advertiserId): Promise<void> =>
    await flows.activities.cancelAiJob({ advertiserId: by, operationId });

  it('while its provider works · ends at once, is stopped, and what comes late is thrown away', async () => {
    sandbox.moods = ['works', 'hangs'];
    const job = await start('IMAGE', { count: 3 });
    await eventually(() => expect(sandbox.calls).toHaveLength(2));
    const files = storedFiles();
    await cancel(job.operationId);
    expect(await operationOf(job.operationId)).toMatchObject({
      status: 'cancelled',
      error: null,
      result: { media_ids: [expect.any(Number)] },
    });
    // The flow is told, so that nobody goes on asking the provider.
    await eventually(async () => {
      const { status } = await flows.client.workflow.getHandle(job.workflowId).describe();
      expect(status.name).toBe('CANCELLED');
    });
    expect(sandbox.calls).toHaveLength(2);
    const late = new MockActivityEnvironment();
    expect(await late.run(generate, { jobId: job.jobId, item: 2 })).toBe('VOID');
    expect(await mediaOf()).toHaveLength(1);
    expect(storedFiles()).toBe(files);
    await expect(cancel(job.operationId)).rejects.toMatchObject({ token: 'state_conflict' });
  });

  it('before its flow began · never asks the provider, and frees its place at once', async () => {
    flows.delivery.on = false;
    try {
      const asked = await Promise.all(
        Array.from({ length: AI_JOBS_OPEN_MAX }, async () => await start('IMAGE')),
      );
      await expect(start('IMAGE')).rejects.toMatchObject({ token: 'state_conflict' });
      await cancel(asked[0]?.operationId ?? 0);
      const next = await start('IMAGE');
      flows.delivery.on = true;
      await eventually(async () => {
        await flows.dispatcher.dispatchDue(100);
        expect(await operationOf(next.operationId)).toMatchObject({ status: 'succeeded' });
      });
      expect(sandbox.calls).not.toContain(`${asked[0]?.workflowId}:1`);
    } finally {
      flows.delivery.on = true;
    }
  });

  it('by somebody else, after its end, or no job of the generator · is refused, and changes nothing', async () => {
    const job = await start('IMAGE');
    const stranger = await makeAdvertiser(database.db);
    await expect(cancel(job.operationId, stranger.id)).rejects.toMatchObject({
      token: 'not_found',
    });
    await expect(flows.resultOf(job.workflowId)).resolves.toBe('DONE');
    await expect(cancel(job.operationId)).rejects.toMatchObject({ token: 'state_conflict' });
    expect(await operationOf(job.operationId)).toMatchObject({ status: 'succeeded' });
    const { rows } = await database.pool.query<{ id: string }>(
      `INSERT INTO operations (account_id, kind, workflow_id) VALUES ($1, 'report_export', 'export:x') RETURNING id`,
      [advertiserId],
    );
    await expect(cancel(Number(rows[0]?.id))).rejects.toMatchObject({ token: 'state_conflict' });
  });
});

describe('in Temporal, on a job', () => {
  const desk = flowDesk(() => ({ database, flows }));

  it('terminate, reset · its row is open, so it begins again; each part is made once', async () => {
    sandbox.moods = ['hangs', 'hangs'];
    const job = await start('IMAGE', { count: 2 });
    await eventually(() => expect(sandbox.calls).toHaveLength(1));
    await desk.terminate(job.workflowId);
    await eventually(() => expect(sandbox.calls).toHaveLength(2));
    await desk.reset(job.workflowId);
    await expect(flows.resultOf(job.workflowId)).resolves.toBe('DONE');
    expect(await mediaOf()).toHaveLength(2);
    expect(await operationOf(job.operationId)).toMatchObject({ status: 'succeeded' });
    // Done is done, also for a run that begins anew.
    await desk.reset(job.workflowId);
    await expect(flows.resultOf(job.workflowId)).resolves.toBe('DONE');
    expect(await mediaOf()).toHaveLength(2);
  });
});

describe('a request', () => {
  it('from a picture of somebody else · is 422; from the own one · begins there', async () => {
    const { mediaStore } = flows.deps.providers;
    await mediaStore.put(`ab/${'ab'.repeat(16)}.png`, await image('png', { colour: '#00ff00' }));
    const { rows } = await database.pool.query<{ id: string }>(
      `INSERT INTO media (advertiser_id, type, mime, bytes, sha256, path)
       VALUES ($1, 'IMAGE', 'image/png', 1, 'x', $2) RETURNING id`,
      [advertiserId, `ab/${'ab'.repeat(16)}.png`],
    );
    const sourceMediaId = Number(rows[0]?.id);
    const job = await start('IMAGE', { sourceMediaId });
    await expect(flows.resultOf(job.workflowId)).resolves.toBe('DONE');
    expect(await mediaOf()).toHaveLength(2);
    advertiserId = (await makeAdvertiser(database.db)).id;
    await expect(start('IMAGE', { sourceMediaId })).rejects.toMatchObject({
      token: 'validation_failed',
    });
  });

  it('beyond the open jobs of an account · is refused, also in parallel', async () => {
    flows.delivery.on = false;
    try {
      const asked = Array.from({ length: AI_JOBS_OPEN_MAX + 3 }, async () => await start('IMAGE'));
      const refused = (await Promise.allSettled(asked)).filter(
        ({ status }) => status === 'rejected',
      );
      expect(refused).toHaveLength(3);
    } finally {
      await database.pool.query(
        `UPDATE ai_jobs SET status = 'CANCELLED' WHERE advertiser_id = $1`,
        [advertiserId],
      );
      flows.delivery.on = true;
    }
  });
});
