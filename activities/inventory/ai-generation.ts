import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Context } from '@temporalio/activity';
import type { AiKind, CopyVariant, Tone } from '../../domain/creative/generation.ts';
import { invalid } from '../../domain/errors.ts';
import { type AiItemInput, aiJobWorkflowId } from '../../workflows/contracts/ai-job.ts';
import type { ActivityDeps } from '../deps.ts';
import { type Asset, keepImage, keepVideo } from './media.ts';
import type { AiCall } from '../providers/ai.ts';
import { fitImage } from '../providers/image-codec.ts';
import { sniffVideo } from '../providers/video-probe.ts';

const HEARTBEAT_MS = 5_000;

/** As it is kept in `ai_jobs.request`. */
export interface AiRequest {
  prompt: string;
  count: number;
  tone: Tone | null;
  /** Pictures and videos. */
  width: number | null;
  height: number | null;
  durationS: number | null;
  sourceMediaId: number | null;
  /** Texts. */
  language: string | null;
}

export interface AiJob {
  advertiserId: number;
  kind: AiKind;
  request: AiRequest;
  status: 'OPEN' | 'DONE' | 'FAILED' | 'CANCELLED';
  source: string | null;
}

/** What an earlier attempt remembered comes back with the first heartbeat details. */
export async function heartbeating<Result>(
  { jobId, item }: AiItemInput,
  make: (call: AiCall) => Promise<Result>,
): Promise<Result> {
  const context = Context.current();
  let progress: unknown = context.info.heartbeatDetails;
  const timer = setInterval(() => context.heartbeat(progress), HEARTBEAT_MS);
  try {
    return await make({
      key: `${aiJobWorkflowId({ jobId })}:${item}`,
      signal: context.cancellationSignal,
      remembered: progress,
      remember: (latest) => {
        progress = latest;
        context.heartbeat(latest);
      },
    });
  } finally {
    clearInterval(timer);
  }
}

export interface Made {
  provider: string;
  asset: Asset | null;
  sha256: string | null;
  variants: CopyVariant[] | null;
}

/** Asks the provider and makes its bytes durable, checked like anybody's upload. */
export async function makeItem(deps: ActivityDeps, job: AiJob, call: AiCall): Promise<Made> {
  const { ai } = deps.providers;
  const { prompt, tone, count, language } = job.request;
  if (job.kind === 'COPY') {
    const order = { prompt, tone, count, language: language ?? 'en' };
    const variants = await ai.copy.make(order, call);
    return { provider: ai.copy.name, asset: null, sha256: null, variants };
  }
  const size = { width: job.request.width ?? 0, height: job.request.height ?? 0 };
  const order = { prompt, tone, ...size, source: await sourceOf(deps, job) };
  if (job.kind === 'IMAGE') {
    const bytes = await ai.image.make(order, call);
    const asset = await keepImage(deps, await fitImage(bytes, size));
    return { provider: ai.image.name, asset, sha256: hashOf(bytes), variants: null };
  }
  const durationS = job.request.durationS ?? 0;
  const bytes = await ai.video.make({ ...order, durationS }, call);
  const asset = await keepMadeVideo(deps, bytes);
  return { provider: ai.video.name, asset, sha256: hashOf(bytes), variants: null };
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function sourceOf(deps: ActivityDeps, { source }: AiJob): Promise<Buffer | null> {
  if (source === null) return null;
  const stored = await deps.providers.mediaStore.read(source);
  if (stored === undefined) {
    throw invalid({ field: 'source_media_id', code: 'unknown', message: 'The picture is gone.' });
  }
  return stored;
}

async function keepMadeVideo(deps: ActivityDeps, bytes: Buffer): Promise<Asset> {
  const format = sniffVideo(bytes);
  if (format === undefined) throw new Error('the generator answered no video');
  const { incoming } = deps.providers.mediaStore;
  await mkdir(incoming, { recursive: true });
  const file = path.join(incoming, randomUUID());
  try {
    await writeFile(file, bytes);
    return await keepVideo(deps, file, format);
  } finally {
    await rm(file, { force: true });
  }
}
