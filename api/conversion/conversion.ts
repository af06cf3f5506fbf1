import cors from 'cors';
import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  Router,
} from 'express';
import type { ConversionReport } from '../../activities/tracking/conversion-report.ts';
import { DomainError, ERRORS } from '../../domain/errors.ts';
import { NANOS_PER_UNIT, parseAmount } from '../../domain/money.ts';
import { signedText } from '../../domain/tracking/postback.ts';
import { isTestClick } from '../../domain/tracking/tracker-test.ts';
import type { ConsoleDeps } from '../deps.ts';
import { asRefusal } from '../http/errors.ts';
import { sendPixel } from '../http/pixel.ts';
import { requestId } from '../http/request-id.ts';
import { requestLog } from '../http/request-log.ts';

/** What conversions take, in a process that serves no console as well. */
export type ConversionDeps = Pick<ConsoleDeps, 'activities' | 'pixelConversions' | 'log'>;

const BODY_MAX = '16kb';
const BODY_PARAMS_MAX = 50;
const VALUE_NANOS_MAX = 1_000_000n * NANOS_PER_UNIT;
const CODE_CHARS_MAX = 100;
const CLICK_ID_CHARS_MAX = 200;
const TRANSACTION_ID_CHARS_MAX = 200;
const EVENT_CHARS_MAX = 64;
const CLICK_NAMES = ['click_id', 'clickid', 'cid'] as const;
const TEST_MESSAGE = 'test: would be accepted';

/**
 * interface 4.14, mounted at /track: conversion and postback by query, form or JSON, and the GIF.
 * Answers are flat, {code, msg, conversion_id}, with conversion_id 0 when nothing was stored.
 */
export function conversionRoutes(deps: ConversionDeps): Router {
  const router = Router();
  const paths = ['/conversion', '/conversion.gif', '/postback'];
  const report = recorder(deps);
  router.use(paths, requestId, requestLog(deps.log));
  router.use(paths, cors({ origin: '*', methods: ['GET', 'POST'], maxAge: 86_400 }));
  // Express would run a GET handler for HEAD, and asking for headers converts nobody.
  router.head(paths, (_req, res) => {
    res.status(200).end();
  });

  router.get('/conversion.gif', async (req, res) => {
    if (await isPixelKept(deps, req.query)) sendPixel(res);
    // Neither stored nor on the disk: nothing may look as if it were.
    else res.status(503).end();
  });

  const parsers = [
    express.json({ limit: BODY_MAX }),
    express.urlencoded({ extended: false, limit: BODY_MAX, parameterLimit: BODY_PARAMS_MAX }),
  ];
  router.get('/conversion', report('api'));
  router.post('/conversion', parsers, report('api'));
  router.get('/postback', report('postback'));
  router.post('/postback', parsers, report('postback'));
  router.use(paths, flatErrors(deps));
  return router;
}

/**
 * A page's image cannot show a refusal: it is logged and the answer stays the GIF. While
 * PostgreSQL is away the report waits on the local disk. False only when that failed too.
 */
async function isPixelKept(deps: ConversionDeps, query: Params): Promise<boolean> {
  let report: ConversionReport | undefined;
  try {
    report = await readOrNote(deps.activities, query, 'pixel');
    await deps.activities.recordConversion(report);
    return true;
  } catch (error) {
    if (error instanceof DomainError || report === undefined) {
      deps.log.debug({ err: error }, 'pixel conversion was refused');
      return true;
    }
    deps.log.warn({ err: error }, 'pixel conversion goes to the spool');
  }
  try {
    await deps.pixelConversions.keep(report);
    return true;
  } catch (error) {
    deps.log.error({ err: error }, 'pixel conversion was lost: the spool failed');
    return false;
  }
}

const recorder =
  ({ activities }: ConversionDeps) =>
  (source: ConversionReport['source']): RequestHandler =>
  async (req, res) => {
    const report = await readOrNote(activities, paramsOf(req), source);
    const { conversionId, isDuplicate, isTest } = await activities.recordConversion(report);
    res.set('Cache-Control', 'no-store');
    const msg = isTest === true ? TEST_MESSAGE : isDuplicate ? 'duplicate' : 'ok';
    res.json({ code: 0, msg, conversion_id: conversionId });
  };

/** What cannot be read is refused, and told to the test whose click it names. */
async function readOrNote(
  activities: ConversionDeps['activities'],
  params: Params,
  source: ConversionReport['source'],
): Promise<ConversionReport> {
  try {
    return readReport(params, source);
  } catch (error) {
    const clickId = CLICK_NAMES.map((name) => params[name]).find(
      (text) => typeof text === 'string',
    );
    if (error instanceof DomainError && isTestClick(clickId)) {
      const refusal = { name: error.token, message: error.message };
      await activities.noteUnreadableTest({ clickId, source, refusal });
    }
    throw error;
  }
}

function flatErrors({ log }: ConversionDeps): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    if (res.headersSent) {
      next(error);
      return;
    }
    const refusal = asRefusal(error);
    if (refusal.status >= 500) log.error({ err: error }, 'conversion was not stored');
    res.set('Cache-Control', 'no-store');
    res.status(refusal.status).json({ code: refusal.code, msg: refusal.message, conversion_id: 0 });
  };
}

type Params = Readonly<Record<string, unknown>>;

/** The body's fields win over the query's. */
function paramsOf(req: Request): Params {
  const body: unknown = req.body;
  if (body === undefined) return req.query;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw malformed('A JSON object or a form is expected.');
  }
  return { ...req.query, ...body };
}

/** Unknown parameters are ignored: an advertiser's server sends what it has. */
function readReport(params: Params, source: ConversionReport['source']): ConversionReport {
  const code = first(params, ['code', 'c']);
  // No tracking code is that long, so nothing has to be looked up.
  if (code !== undefined && code.length > CODE_CHARS_MAX) throw new DomainError('not_found');
  const isLegacy = code === undefined;
  const clickId = first(params, CLICK_NAMES);
  return {
    code: code === undefined ? undefined : printable(code),
    clickId: clickId === undefined ? undefined : printable(clickId).slice(0, CLICK_ID_CHARS_MAX),
    valueNanos: readValue(first(params, ['value', 'payout'])),
    currency: readCurrency(first(params, ['currency'])),
    transactionId: readShort(
      params,
      ['txid', 'transaction_id', 'order_id'],
      TRANSACTION_ID_CHARS_MAX,
    ),
    eventType: readShort(params, isLegacy ? ['type', 'event'] : ['event'], EVENT_CHARS_MAX),
    source,
    signature: source === 'pixel' ? undefined : signatureOf(params),
  };
}

/** Over every parameter that came, also those that we do not know. */
function signatureOf(params: Params): ConversionReport['signature'] {
  const texts = Object.entries(params).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : [],
  );
  return { text: signedText(Object.fromEntries(texts)), sig: first(params, ['sig']) };
}

/** The first of the names that is given; an empty text is not. */
function first(params: Params, names: readonly string[]): string | undefined {
  for (const name of names) {
    const sent = params[name];
    const value: unknown = Array.isArray(sent) ? sent.find((each) => each !== '') : sent;
    if (value === undefined || value === null || value === '') continue;
    if (typeof value === 'number' || typeof value === 'string') return String(value);
    throw malformed(`${name} must be text.`);
  }
  return undefined;
}

/** What is not a click_id of ours stays unattributed; it must only be text that can be kept. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');

function readValue(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  const nanos = parseAmount(text);
  if (nanos === undefined || nanos > VALUE_NANOS_MAX) {
    throw malformed('value must be an amount from 0 to 1000000 with at most six decimals.');
  }
  return nanos;
}

function readCurrency(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!/^[A-Za-z]{3}$/.test(text)) throw malformed('currency must be a three-letter code.');
  return text.toUpperCase();
}

function readShort(params: Params, names: string[], charsMax: number): string | undefined {
  const text = first(params, names);
  if (text === undefined) return undefined;
  // oxlint-disable-next-line no-control-regex -- naming the control characters is the point
  if (text.length > charsMax || /[\u0000-\u001f\u007f]/.test(text)) {
    throw malformed(`${names[0] ?? ''} must be readable text of at most ${charsMax} characters.`);
  }
  return text;
}

const malformed = (message: string): DomainError =>
  new DomainError('malformed_request', { message: `${ERRORS.malformed_request[1]} ${message}` });
