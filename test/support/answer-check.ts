import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { Express } from 'express';
import { type MountedRoute, mountedRoutes } from '../../api/openapi/route-list.ts';
import { openApiOf } from '../../api/openapi/openapi.ts';
import { createDocumentCheck } from './document-check.ts';

/** Answers that broke their contract, as sentences to read. */
export type Breaches = string[];

interface Known extends MountedRoute {
  pattern: RegExp;
}

/**
 * Holds every answer of a test server against the OpenAPI document of its application: a status that
 * the route does not name, a field that its shape does not know, and every wrong type is a breach.
 * So each test of the API is a test of the contract as well.
 */
export function checkAnswers(server: Server, app: Express): Breaches {
  const breaches: Breaches = [];
  const { faultIn, routes } = checkOf(app);

  server.prependListener('request', (req: IncomingMessage, res: ServerResponse) => {
    const route = routeOf(routes, req.method ?? '', req.url ?? '');
    if (route === undefined) return;
    const body = keepBody(res);
    const type = keepType(res);
    res.on('finish', () => {
      const fault = faultIn({
        ...route,
        status: res.statusCode,
        type: type(),
        value: () => JSON.parse(decoded(res, body()).toString('utf8')) as unknown,
      });
      if (fault !== null)
        breaches.push(`${route.method} ${route.path} ${res.statusCode}: ${fault}`);
    });
  });
  return breaches;
}

interface Check {
  routes: Known[];
  faultIn: ReturnType<typeof createDocumentCheck>;
}

/**
 * Of applications with other routes; those of one process mostly have the same, and writing their document costs a
 * quarter of a second. Contracts are made with their routers, so the same route is known by what it says of itself.
 */
const CHECKS: Check[] = [];

function checkOf(app: Express): Check {
  const routes = knownRoutes(app);
  const known = CHECKS.find((each) => isSame(each.routes, routes));
  if (known !== undefined) return known;
  const made = { routes, faultIn: createDocumentCheck(openApiOf(app)) };
  CHECKS.push(made);
  return made;
}

const isSame = (left: readonly Known[], right: readonly Known[]): boolean =>
  left.length === right.length &&
  left.every(({ method, path, contract }, at) => {
    const other = right[at];
    return (
      method === other?.method &&
      path === other.path &&
      contract?.summary === other.contract?.summary &&
      contract?.rule === other.contract?.rule &&
      String(contract?.statuses) === String(other.contract?.statuses)
    );
  });

/** Routes with a contract, to be found by the address of a request. */
const knownRoutes = (app: Express): Known[] =>
  mountedRoutes(app)
    .filter(({ contract }) => contract !== undefined)
    .map((route) => ({ ...route, pattern: patternOf(route.path) }));

/** The first one that fits, as Express chooses. */
function routeOf(routes: readonly Known[], method: string, url: string): Known | undefined {
  const path = url.split('?', 1)[0] ?? '';
  return routes.find((route) => route.method === method && route.pattern.test(path));
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}/?$`);

function decoded(res: ServerResponse, bytes: Buffer): Buffer {
  const encoding = res.getHeader('Content-Encoding');
  if (encoding === 'gzip') return gunzipSync(bytes);
  if (encoding === 'deflate') return inflateSync(bytes);
  return encoding === 'br' ? brotliDecompressSync(bytes) : bytes;
}

/** The hot surfaces hand their headers to writeHead, which keeps none of them to be read. */
function keepType(res: ServerResponse): () => string {
  let written: unknown;
  const writeHead = res.writeHead.bind(res) as (...args: unknown[]) => ServerResponse;
  res.writeHead = (...args: unknown[]) => {
    for (const [name, value] of Object.entries(args.findLast(isHeaders) ?? {})) {
      if (name.toLowerCase() === 'content-type') written = value;
    }
    return writeHead(...args);
  };
  return () => {
    const type = written ?? res.getHeader('Content-Type');
    return typeof type === 'string' ? (type.split(';', 1)[0] ?? '') : '';
  };
}

const isHeaders = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Bytes as they leave, whoever writes them. */
function keepBody(res: ServerResponse): () => Buffer {
  const chunks: Buffer[] = [];
  const keep = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk === 'string') {
      chunks.push(
        Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'),
      );
    } else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  const write = res.write.bind(res) as (...args: unknown[]) => boolean;
  const end = res.end.bind(res) as (...args: unknown[]) => ServerResponse;
  res.write = (...args: unknown[]) => {
    keep(args[0], args[1]);
    return write(...args);
  };
  res.end = (...args: unknown[]) => {
    keep(args[0], args[1]);
    return end(...args);
  };
  return () => Buffer.concat(chunks);
}
