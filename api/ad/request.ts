import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '../../domain/errors.ts';
import { envelope } from '../http/envelope.ts';
import { sendError, sendJson } from './answer.ts';
import { presentAd, presentZone } from './item.ts';
import { readParams } from './params.ts';
import { newRequestId, serve, type ServeDeps } from './serve.ts';

const NO_AD = 'No ad available';

/** GET and POST /ad/request, GET /ad/request/{zone_id} (interface 4.13). */
export async function answerAdRequest(
  deps: ServeDeps,
  io: { req: IncomingMessage; res: ServerResponse },
  zoneInPath?: string,
): Promise<void> {
  const requestId = newRequestId();
  try {
    const params = await readParams(io.req, zoneInPath);
    const served = await serve(deps, io.req, { params, requestId, channel: 'page' }, presentAd);
    const data = {
      request_id: requestId,
      zone: presentZone(served.zone),
      ads: served.ads,
      qa_k: served.sessionKey,
      _rand: deps.sessionKeys.randOf(served.sessionKey),
      _ts: Math.floor(served.now.getTime() / 1_000),
      _v: params.version === 0 ? 1 : params.version,
    };
    sendJson(io.res, 200, envelope(data, served.ads.length === 0 ? NO_AD : 'ok'));
    served.countShown();
  } catch (error) {
    if (io.req.destroyed && !io.req.complete) return;
    if (!(error instanceof DomainError)) {
      deps.log.error({ err: error, request_id: requestId }, 'ad request failed');
    }
    sendError(io.res, error, requestId);
  }
}
