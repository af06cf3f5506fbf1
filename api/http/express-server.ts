import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** Slow or silent clients are cut off; the listener stays free for others. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

interface ServerOptions {
  /** Asked before the app; true when it answers the request itself. */
  takes?: (req: IncomingMessage, res: ServerResponse) => boolean;
  /** Reached over https: every answer says to stay there (interface 2.1). Over http nothing may say so. */
  isSealed?: boolean;
}

const STAY_SEALED = `max-age=${365 * 24 * 3_600}; includeSubDomains`;

/**
 * Express sets the prototype of every request and response, which makes V8 give up on both: most
 * of a request's time. Here Node creates them with the prototype that Express is going to set, so
 * its call changes nothing (measured 3 to 5 times faster; guarded by test/api/http/express-server.test.ts
 * and the bench). Mounted sub-apps would set prototypes again: use Routers.
 */
export function createExpressServer(app: Express, options: ServerOptions = {}): Server {
  const { takes, isSealed = false } = options;
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  if (isSealed) Response.prototype.writeHead = writeSealedHead;
  adopt(Request.prototype, app.request, app);
  adopt(Response.prototype, app.response, app);
  app.request = Request.prototype as unknown as Express['request'];
  app.response = Response.prototype as unknown as Express['response'];
  const server = createServer(
    { IncomingMessage: Request, ServerResponse: Response as typeof ServerResponse },
    (req, res) => {
      if (takes?.(req, res) === true) leaveUnread(req);
      else app(req, res);
    },
  );
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  return server;
}

/**
 * A request without a body is a stream all the same, which Node brings to its end after the answer: seven steps of
 * the event loop, a twelfth of what a small answer costs. Where Express is not asked, nobody waits for that end.
 */
function leaveUnread(req: IncomingMessage): void {
  const { headers } = req;
  if ((headers['content-length'] ?? headers['transfer-encoding']) !== undefined) return;
  // Node's own sign that somebody else takes care of what it would read and throw away.
  (req as { _consuming?: boolean })._consuming = true;
  req.push = pushNoEnd;
}

function pushNoEnd(this: IncomingMessage, chunk: unknown, encoding?: BufferEncoding): boolean {
  return chunk === null ? false : IncomingMessage.prototype.push.call(this, chunk, encoding);
}

function adopt(prototype: object, express: object, app: Express): void {
  Object.setPrototypeOf(prototype, express);
  // Express puts `app` on its own prototypes; the chain above would find the factory's otherwise.
  Object.defineProperty(prototype, 'app', {
    configurable: true,
    enumerable: true,
    writable: true,
    value: app,
  });
}

/** Beside the headers that are given at once: one that was set before would make Node set all of them singly. */
function writeSealedHead(this: ServerResponse, status: number, ...rest: unknown[]): ServerResponse {
  const [headers] = rest;
  if (rest.length === 1 && typeof headers === 'object' && !Array.isArray(headers)) {
    const all = { ...headers, 'Strict-Transport-Security': STAY_SEALED };
    return ServerResponse.prototype.writeHead.call(this, status, all);
  }
  this.setHeader('Strict-Transport-Security', STAY_SEALED);
  return ServerResponse.prototype.writeHead.apply(this, [status, ...rest] as [number]);
}
