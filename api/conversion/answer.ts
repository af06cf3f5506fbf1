import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ConversionReport } from '../../activities/tracking/conversion-report.ts';
import { DomainError } from '../../domain/errors.ts';
import { isTestClick } from '../../domain/tracking/tracker-test.ts';
import type { ConsoleDeps } from '../deps.ts';
import { asRefusal } from '../http/errors.ts';
import { AnswerHead } from '../http/answer-head.ts';
import { byteText, endWith } from '../http/byte-text.ts';
import { sendPixel } from '../http/pixel.ts';
import { NO_PAGE } from '../http/safe-headers.ts';
import { inShortTurn } from '../http/turn.ts';
import type { ReadViewer } from '../viewer.ts';
import { CLICK_NAMES, type Params, queryParams, readReport, reporterOf } from './params.ts';

/** What conversions take, in a process that serves no console as well. */
export interface ConversionDeps extends Pick<
  ConsoleDeps,
  'activities' | 'pixelConversions' | 'log'
> {
  readViewer: ReadViewer;
}

type Source = ConversionReport['source'];

const TEST_MESSAGE = 'test: would be accepted';
/** Any page may report, and nothing of it is kept on the way. */
const HEAD = new AnswerHead({
  'Access-Control-Allow-Origin': '*',
  'Cache-Control': 'no-store',
  'Content-Type': 'application/json; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': NO_PAGE,
  'Referrer-Policy': 'no-referrer',
});

/** `url` is relative to /track. False when it is none of these GETs: then nothing was done. */
export type ConversionAnswer = (req: IncomingMessage, res: ServerResponse, url: string) => boolean;

/** The GETs, by Node's own request and response: past the routers or through them (docs/decisions/0013). */
export function conversionAnswer(deps: ConversionDeps): ConversionAnswer {
  return (req, res, url) => {
    if (req.method !== 'GET') return false;
    const cut = url.indexOf('?');
    const asked = cut < 0 ? url : url.slice(0, cut);
    // As the routers read a POST: one slash at its end says nothing.
    const path = asked.endsWith('/') ? asked.slice(0, -1) : asked;
    const exchange = () => ({ req, res, params: queryParams(url) });
    if (path === '/conversion.gif') inShortTurn(() => answerPixel(deps, exchange()));
    else if (path === '/conversion') inShortTurn(() => answerReport(deps, exchange(), 'api'));
    else if (path === '/postback') inShortTurn(() => answerReport(deps, exchange(), 'postback'));
    else return false;
    return true;
  };
}

export interface ReportExchange {
  req: IncomingMessage;
  res: ServerResponse;
  params: Params;
}

/** Flat, {code, msg, conversion_id}, with conversion_id 0 when nothing was stored. Never rejects. */
export async function answerReport(
  deps: ConversionDeps,
  exchange: ReportExchange,
  source: Source,
): Promise<void> {
  try {
    const report = await readOrNote(deps, exchange, source);
    const { conversionId, isDuplicate, isTest } = await deps.activities.recordConversion(report);
    const msg = isTest === true ? TEST_MESSAGE : isDuplicate ? 'duplicate' : 'ok';
    sendFlat(exchange.res, 200, { code: 0, msg, conversion_id: conversionId });
  } catch (error) {
    sendFlatRefusal(deps, exchange.res, error);
  }
}

export function sendFlatRefusal(
  { log }: Pick<ConversionDeps, 'log'>,
  res: ServerResponse,
  error: unknown,
): void {
  const refusal = asRefusal(error);
  if (refusal.status >= 500) log.error({ err: error }, 'conversion was not stored');
  sendFlat(res, refusal.status, { code: refusal.code, msg: refusal.message, conversion_id: 0 });
}

function sendFlat(
  res: ServerResponse,
  status: number,
  body: { code: number; msg: string; conversion_id: number },
): void {
  const text = byteText(JSON.stringify(body));
  HEAD.write(res, status, text.length);
  endWith(res, text);
}

async function answerPixel(deps: ConversionDeps, exchange: ReportExchange): Promise<void> {
  if (await isPixelKept(deps, exchange)) sendPixel(exchange.res);
  // Neither stored nor on the disk: nothing may look as if it were.
  else exchange.res.writeHead(503).end();
}

/**
 * A page's image cannot show a refusal: it is logged and the answer stays the GIF. While
 * PostgreSQL is away the report waits on the local disk. False only when that failed too.
 */
async function isPixelKept(deps: ConversionDeps, exchange: ReportExchange): Promise<boolean> {
  let report: ConversionReport | undefined;
  try {
    report = await readOrNote(deps, exchange, 'pixel');
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

/** What cannot be read is refused, and told to the test whose click it names. */
async function readOrNote(
  { activities, readViewer }: ConversionDeps,
  { req, params }: ReportExchange,
  source: Source,
): Promise<ConversionReport> {
  try {
    return { ...readReport(params, source), reporter: reporterOf(readViewer, req) };
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
