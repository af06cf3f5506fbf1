import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { findOperation } from '../../db/queries/operations.ts';
import {
  AI_COUNT_MAX,
  AI_PROMPT_LENGTH_MAX,
  AI_SIDE_MAX,
  AI_SIDE_MIN,
  AI_VIDEO_SECONDS_DEFAULT,
  AI_VIDEO_SECONDS_MAX,
  type AiKind,
  type AiRequest,
  ASPECT_RATIOS,
  sizeFaults,
  sizeOf,
  TONES,
} from '../../domain/creative/generation.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import type { ConsoleDeps } from '../deps.ts';
import { id, lines } from '../http/fields.ts';
import { goesOn, route } from '../http/route.ts';
import { acceptedShape, operationShape, presentOperation } from '../present/operation.ts';

const RULE = 'interface 4.4, 2.5';

const wishFields = {
  prompt: lines(AI_PROMPT_LENGTH_MAX).matches(/\S/, 'must say something').required(),
  /** How many pictures, videos or texts. */
  n: yup.number().integer().min(1).max(AI_COUNT_MAX),
  tone: yup.string().oneOf(TONES),
};
const side = () => yup.number().integer().min(AI_SIDE_MIN).max(AI_SIDE_MAX);
const pictureFields = {
  ...wishFields,
  width: side(),
  height: side(),
  aspect_ratio: yup.string().oneOf(ASPECT_RATIOS),
  source_media_id: id().nullable(),
};
const imageBody = yup.object(pictureFields);
const videoBody = yup.object({
  ...pictureFields,
  duration_s: yup.number().integer().min(1).max(AI_VIDEO_SECONDS_MAX),
});
/** BCP 47 as far as ads are written: `de`, `pt-BR`, `zh-Hant`. */
const copyBody = yup.object({
  ...wishFields,
  language: yup
    .string()
    .matches(/^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$/, 'must be a language such as de or pt-BR'),
});

/** Each asks a generator for one job: 202 with the operation to watch. */
export function addGenerators(router: Router, deps: ConsoleDeps): void {
  const accepted = { answer: acceptedShape, statuses: [202], rule: RULE } as const;

  router.post(
    '/ai-image',
    route(
      { ...accepted, summary: 'Generate images', body: imageBody },
      async ({ body, caller, res }) => {
        const request = pictureOf('IMAGE', body);
        return await begin(deps, { advertiserId: caller.id, kind: 'IMAGE', request, res });
      },
    ),
  );

  router.post(
    '/ai-video',
    route(
      { ...accepted, summary: 'Generate videos', body: videoBody },
      async ({ body, caller, res }) => {
        const durationS = body.duration_s ?? AI_VIDEO_SECONDS_DEFAULT;
        const request = { ...pictureOf('VIDEO', body), durationS };
        return await begin(deps, { advertiserId: caller.id, kind: 'VIDEO', request, res });
      },
    ),
  );

  router.post(
    '/ai-copy',
    route(
      { ...accepted, summary: 'Generate texts of ads', body: copyBody },
      async ({ body, caller, res }) => {
        const request = { ...wishOf(body), language: body.language ?? 'en' };
        return await begin(deps, { advertiserId: caller.id, kind: 'COPY', request, res });
      },
    ),
  );
}

/** Of what was asked for above; on the address where it is watched. */
export function generatorCancelRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  router.post(
    '/:id/cancel',
    route(
      {
        summary: 'Cancel a job of the generator that has not ended',
        rule: RULE,
        answer: operationShape,
        refusals: ['state_conflict'],
      },
      async ({ id: operationId, caller }) => {
        await deps.activities.cancelAiJob({ advertiserId: caller.id, operationId });
        const key = { id: operationId, accountId: caller.id };
        const operation = await findOperation(runner(deps.db), key);
        if (operation === undefined) throw notFound();
        return presentOperation(operation);
      },
    ),
  );
  return router;
}

function wishOf(body: yup.InferType<typeof copyBody> | yup.InferType<typeof imageBody>): AiRequest {
  return {
    prompt: body.prompt.trim(),
    count: body.n ?? 1,
    tone: body.tone ?? null,
    width: null,
    height: null,
    durationS: null,
    sourceMediaId: null,
    language: null,
  };
}

function pictureOf(kind: AiKind, body: yup.InferType<typeof imageBody>): AiRequest {
  const { width, height, aspect_ratio: aspectRatio } = body;
  const faults = sizeFaults(kind, { width, height, aspectRatio });
  if (faults.length > 0) throw invalid(...faults);
  return {
    ...wishOf(body),
    ...sizeOf(kind, { width, height, aspectRatio }),
    sourceMediaId: body.source_media_id ?? null,
  };
}

interface Beginning {
  advertiserId: number;
  kind: AiKind;
  request: AiRequest;
  res: Parameters<typeof goesOn>[0];
}

async function begin(deps: ConsoleDeps, { advertiserId, kind, request, res }: Beginning) {
  const { operationId } = await deps.activities.requestAiJob({ advertiserId, kind, request });
  const key = { id: operationId, accountId: advertiserId };
  const operation = await findOperation(runner(deps.db), key);
  if (operation === undefined) throw new Error(`operation ${operationId} vanished`);
  goesOn(res, `/api/advertiser/operations/${operationId}`);
  return { operation: presentOperation(operation) };
}
