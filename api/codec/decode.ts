import cors from 'cors';
import express, { type RequestHandler, Router } from 'express';
import * as yup from 'yup';
import { createPayloadCodec } from '../../activities/core/payload-codec.ts';
import { DomainError, invalid } from '../../domain/errors.ts';
import type { ConsoleDeps } from '../deps.ts';
import { identityOf } from '../http/auth.ts';
import { requestIdOf } from '../http/request-id.ts';
import { requireRole } from '../http/roles.ts';
import { unstored } from '../http/safe-headers.ts';
import { DECODING_ROLES, readPass } from './pass.ts';

/** A page of a history: its payloads are ids, sealed. */
const BODY_MAX = '4mb';
const PAYLOADS_MAX = 2_000;

const bytes = () => yup.string().matches(/^[A-Za-z0-9+/]*={0,2}$/, 'must be base64');
/** Payloads as Temporal writes them in JSON. */
const bodyShape = yup.object({
  payloads: yup
    .array()
    .of(
      yup.object({
        metadata: yup.lazy((value: object | undefined) =>
          yup.object(Object.fromEntries(Object.keys(value ?? {}).map((name) => [name, bytes()]))),
        ),
        data: bytes(),
      }),
    )
    .max(PAYLOADS_MAX)
    .required(),
});

/**
 * `POST /codec/decode`, as Temporal's pages ask a codec server: opens what the platform sealed, for the
 * operator whose pass the browser has (pass.ts), and writes down that it did. Keys never leave. Only the
 * pages of TEMPORAL_UI_URL may ask: a pass goes along by itself, so the origin is held here as well.
 */
export function codecRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const { uiUrl } = deps.config.temporal;
  const origin = uiUrl === null ? null : new URL(uiUrl).origin;
  router.use(
    unstored,
    cors({
      origin: origin ?? false,
      credentials: true,
      methods: ['POST'],
      allowedHeaders: ['Content-Type', 'X-Namespace'],
    }),
    onlyFrom(origin),
    readPass(deps),
    deps.auth.require('admin'),
    express.json({ limit: BODY_MAX }),
  );
  router.post('/decode', decode(deps));
  return router;
}

const onlyFrom = (origin: string | null): RequestHandler => {
  return (req, _res, next) => {
    if (origin === null || req.get('Origin') !== origin) throw new DomainError('not_found');
    next();
  };
};

function decode(deps: ConsoleDeps): RequestHandler {
  const keys = deps.config.keys.flow;
  const codec = keys.length === 0 ? null : createPayloadCodec(keys);
  return async (req, res) => {
    const identity = identityOf(req);
    if (identity.mustEnrol) throw new DomainError('second_factor_missing');
    requireRole(identity, req.method, DECODING_ROLES);
    const payloads = await payloadsIn(req.body);
    const plain = codec === null ? payloads : await openAll(codec, payloads);
    await deps.activities.recordDecoding({
      operatorId: identity.id,
      payloads: payloads.length,
      requestId: requestIdOf(req),
    });
    res.json({
      payloads: plain.map(({ metadata, data }) => ({
        metadata: Object.fromEntries(
          Object.entries(metadata ?? {}).map(([name, value]) => [name, base64(value)]),
        ),
        data: base64(data ?? new Uint8Array()),
      })),
    });
  };
}

type Codec = ReturnType<typeof createPayloadCodec>;
type Payloads = Parameters<Codec['decode']>[0];

async function payloadsIn(body: unknown): Promise<Payloads> {
  try {
    const { payloads } = await bodyShape.validate(body, { strict: true });
    return payloads.map(({ metadata, data = '' }) => ({
      metadata: Object.fromEntries(
        Object.entries(metadata as Record<string, string>).map(([name, value]) => [
          name,
          Buffer.from(value, 'base64'),
        ]),
      ),
      data: Buffer.from(data, 'base64'),
    }));
  } catch (error) {
    if (!(error instanceof yup.ValidationError)) throw error;
    throw invalid({ field: error.path ?? 'payloads', code: 'format', message: error.message });
  }
}

/** One that was altered, or sealed with a key that is not here, is the asker's to know of. */
async function openAll(codec: Codec, payloads: Payloads): Promise<Payloads> {
  try {
    return await codec.decode(payloads);
  } catch {
    throw invalid({ field: 'payloads', code: 'format', message: 'not sealed by this platform' });
  }
}

const base64 = (value: Uint8Array): string => Buffer.from(value).toString('base64');
