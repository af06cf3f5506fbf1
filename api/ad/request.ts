import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '../../domain/errors.ts';
import { timedHex } from '../../domain/tracking/timed-id.ts';
import { type ByteText, byteText } from '../http/byte-text.ts';
import { sendError, sendJson } from './answer.ts';
import { presentAs, presentZone } from './item.ts';
import { type AdParams, readParams } from './params.ts';
import type { ServableZone } from './servable-ads.ts';
import { serve, type Served, type ServeDeps } from './serve.ts';
import { type Soon, whenThere } from './soon.ts';

const NO_AD = 'No ad available';
const presentJson = presentAs('json');

/** GET and POST /ad/request, GET /ad/request/{zone_id} (interface 4.13). */
export function answerAdRequest(
  deps: ServeDeps,
  io: { req: IncomingMessage; res: ServerResponse },
  zoneInPath?: string,
): Soon<void> {
  const requestId = timedHex(deps.clock());
  const refuse = (error: unknown): void => {
    if (io.req.destroyed && !io.req.complete) return;
    if (!(error instanceof DomainError)) {
      deps.log.error({ err: error, request_id: requestId }, 'ad request failed');
    }
    sendError(io.res, error, requestId);
  };
  const answer = (params: AdParams): Soon<void> => {
    const ask = { params, requestId, channel: 'page' } as const;
    return whenThere(serve(deps, io.req, ask, presentJson), (served) => {
      sendJson(io.res, 200, answerText(deps, served, params.version));
      served.countShown();
    });
  };
  try {
    const answering = whenThere(readParams(io.req, zoneInPath), answer);
    return answering instanceof Promise ? answering.catch(refuse) : undefined;
  } catch (error) {
    refuse(error);
    return undefined;
  }
}

/** The envelope of interface 2.1 around `data`, as JSON.stringify would write it. */
function answerText(deps: ServeDeps, served: Served<ByteText>, version: number): ByteText {
  const { requestId, sessionKey, ads, labels, now } = served;
  const message = ads.length === 0 ? NO_AD : 'ok';
  const rand = deps.sessionKeys.randOf(sessionKey);
  const seconds = Math.floor(now.getTime() / 1_000);
  return `{"code":0,"message":"${message}","data":{"request_id":"${requestId}","zone":${zoneText(
    served.zone,
  )},"ads":[${ads.join(',')}],"labels":${labels.json},"qa_k":"${sessionKey}","_rand":"${rand}","_ts":${seconds},"_v":${
    version === 0 ? 1 : version
  }},"timestamp":${Math.floor(Date.now() / 1_000)}}` as ByteText;
}

const zoneTexts = new WeakMap<ServableZone, ByteText>();

/** A zone never changes in place, so its text is made once. */
function zoneText(zone: ServableZone): ByteText {
  const known = zoneTexts.get(zone);
  if (known !== undefined) return known;
  const text = byteText(JSON.stringify(presentZone(zone)));
  zoneTexts.set(zone, text);
  return text;
}
