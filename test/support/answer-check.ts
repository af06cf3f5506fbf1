import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Express } from 'express';
import { parseAmount } from '../../domain/money.ts';
import { type MountedRoute, mountedRoutes } from '../../api/http/mounted.ts';
import { openApiOf, templateOf } from '../../api/http/openapi.ts';

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
  const document = openApiOf(app);
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  addFormats.default(ajv);
  ajv.addFormat('amount', { type: 'number', validate: isAmount });
  ajv.addSchema(document, 'doc');
  const validators = new Map<string, ValidateFunction>();
  const routes: Known[] = mountedRoutes(app)
    .filter(({ contract }) => contract !== undefined)
    .map((route) => ({ ...route, pattern: patternOf(route.path) }));

  server.prependListener('request', (req: IncomingMessage, res: ServerResponse) => {
    const path = (req.url ?? '').split('?', 1)[0] ?? '';
    const route = routes.find(({ method, pattern }) => method === req.method && pattern.test(path));
    if (route === undefined) return;
    const body = keepBody(res);
    res.on('finish', () => {
      const fault = faultOf(route, res, body());
      if (fault !== null)
        breaches.push(`${route.method} ${route.path} ${res.statusCode}: ${fault}`);
    });
  });
  return breaches;

  function faultOf(route: Known, res: ServerResponse, bytes: Buffer): string | null {
    const at = `${templateOf(route.path).replaceAll('/', '~1')}/${route.method.toLowerCase()}`;
    const operation = document.paths[templateOf(route.path)]?.[route.method.toLowerCase()];
    const responses = operation?.['responses'] as Record<string, Documented> | undefined;
    const response = responses?.[String(res.statusCode)];
    if (response === undefined) return 'a status that the document does not name';
    if (response.content === undefined) return null;
    const type = String(res.getHeader('Content-Type') ?? '').split(';', 1)[0] ?? '';
    const content = response.content[type];
    if (content === undefined) return `a content type that the document does not name: ${type}`;
    if (type !== 'application/json' || content.schema === undefined) return null;
    const pointer = `doc#/paths/${encodeURIComponent(at).replaceAll('%2F', '/')}/responses/${res.statusCode}/content/application~1json/schema`;
    let validate = validators.get(pointer);
    if (validate === undefined) {
      validate = ajv.compile({ $ref: pointer });
      validators.set(pointer, validate);
    }
    const value: unknown = JSON.parse(decoded(res, bytes).toString('utf8'));
    return validate(value) ? null : ajv.errorsText(validate.errors, { dataVar: '' });
  }
}

interface Documented {
  content?: Record<string, { schema?: object }>;
}

const isAmount = (value: number): boolean => parseAmount(Math.abs(value)) !== undefined;

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}/?$`);

function decoded(res: ServerResponse, bytes: Buffer): Buffer {
  const encoding = res.getHeader('Content-Encoding');
  if (encoding === 'gzip') return gunzipSync(bytes);
  if (encoding === 'deflate') return inflateSync(bytes);
  return encoding === 'br' ? brotliDecompressSync(bytes) : bytes;
}

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
