import http from 'node:http';

/** One HTTP request as its bytes are: paths and bodies that a tidy client would not send. */
export interface RawRequest {
  method: string;
  /** Path and query, exactly as they go on the wire. */
  path: string;
  token?: string | undefined;
  /** Text or bytes go as they are; anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string> | undefined;
}

export interface RawAnswer {
  request: RawRequest;
  status: number;
  headers: http.IncomingHttpHeaders;
  bytes: Buffer;
  /** Undefined when the answer is no JSON. */
  json: Json | undefined;
}

export interface ErrorData {
  error?: unknown;
  errors?: { field: string; code: string; message: string }[];
  request_id?: unknown;
  items?: unknown[];
  total?: number;
  page_size?: number;
  [name: string]: unknown;
}

export interface Json {
  code?: unknown;
  message?: unknown;
  msg?: unknown;
  data?: ErrorData;
  timestamp?: unknown;
  [name: string]: unknown;
}

export interface RawClient {
  send(request: RawRequest): Promise<RawAnswer>;
  /** Every answer so far. */
  sent(): number;
  /** What was wrong with any answer whatsoever: a 5xx, or an error that is not in the envelope. */
  faults: string[];
  close(): void;
}

/** Each request comes from an address of its own; `before` runs ahead of each. */
export function createRawClient(port: number, before: () => void): RawClient {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
  const faults: string[] = [];
  let sent = 0;
  return {
    faults,
    sent: () => sent,
    send: async (request) => {
      before();
      sent += 1;
      const answer = await exchange({ port, agent, serial: sent }, request);
      const fault = faultOf(answer);
      if (fault !== undefined) faults.push(`${describe(request)}: ${fault}`);
      return answer;
    },
    close: () => {
      agent.destroy();
    },
  };
}

const addressOf = (serial: number): string =>
  `10.${(serial >> 16) & 255}.${(serial >> 8) & 255}.${serial & 255}`;

function bodyOf(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

async function exchange(
  { port, agent, serial }: { port: number; agent: http.Agent; serial: number },
  request: RawRequest,
): Promise<RawAnswer> {
  const body = bodyOf(request.body);
  const headers: Record<string, string> = {
    'X-Forwarded-For': addressOf(serial),
    ...(body === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': String(body.length) }),
    ...(request.token === undefined ? {} : { Authorization: `Bearer ${request.token}` }),
    ...request.headers,
  };
  const { method, path } = request;
  return await new Promise((resolve, reject) => {
    const req = http.request({ port, host: '127.0.0.1', method, path, headers, agent });
    let answered = false;
    req.on('response', (res) => {
      answered = true;
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const { statusCode: status = 0, headers: answerHeaders } = res;
        resolve({ request, status, headers: answerHeaders, bytes, json: jsonOf(bytes) });
      });
    });
    // A refused body is not read to its end, so the connection may end below it.
    req.on('error', (error) => {
      if (!answered) reject(new Error(`${describe(request)}: ${error.message}`, { cause: error }));
    });
    req.end(body);
  });
}

function jsonOf(bytes: Buffer): Json | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Json) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function describe({ method, path, body }: RawRequest): string {
  const text = body === undefined ? '' : ` ${(bodyOf(body) ?? '').toString().slice(0, 160)}`;
  return `${method} ${path.slice(0, 160)}${text}`;
}

const FLAT = /^\/track\/(conversion|postback)\b/;
const NO_ENVELOPE = /^\/(track\/conversion\.gif|ad\/render)\b/;

/** interface 2.1: the status, and `{code, message, data: {error, request_id, ...}, timestamp}`. */
function faultOf({ request, status, json, bytes }: RawAnswer): string | undefined {
  if (status >= 500) return `answered ${status} ${bytes.toString('utf8').slice(0, 200)}`;
  if (status < 400 || request.method === 'HEAD' || NO_ENVELOPE.test(request.path)) return undefined;
  // The parser of Node itself refuses what is no HTTP.
  if (status === 431 && bytes.length === 0) return undefined;
  // People go there: an address that is none is said on a page.
  if (request.path.startsWith('/console/') && bytes.toString('utf8').startsWith('<!doctype html>'))
    return status === 404 ? undefined : `answered ${status} with a page`;
  if (json === undefined) return `${status} without JSON: ${bytes.toString('utf8').slice(0, 80)}`;
  const isFlat = FLAT.test(request.path) && 'msg' in json;
  const problem = isFlat ? flatProblem(json, status) : envelopeProblem(json, status, request);
  return problem === undefined ? undefined : `${problem} in ${JSON.stringify(json).slice(0, 200)}`;
}

function flatProblem(json: Json, status: number): string | undefined {
  if (typeof json.msg !== 'string' || json.msg === '') return 'no msg';
  return codeProblem(json.code, status);
}

const codeProblem = (code: unknown, status: number): string | undefined =>
  typeof code === 'number' && Math.floor(code / 100) === status
    ? undefined
    : `code does not tell status ${status}`;

function envelopeProblem(json: Json, status: number, request: RawRequest): string | undefined {
  const { data, message, timestamp, ...rest } = json;
  const extra = Object.keys(rest).filter((name) => name !== 'code');
  if (extra.length > 0) return `extra ${extra.join(', ')}`;
  if (typeof message !== 'string' || message === '') return 'no message';
  if (/\b(sequelize|syntax error|relation|undefined|node_modules|at \/)/i.test(message)) {
    return 'a message that tells of the inside';
  }
  const isClickVerify = request.method === 'POST' && request.path === '/track/click-verify';
  if (isClickVerify ? timestamp !== undefined : !Number.isInteger(timestamp)) return 'timestamp';
  if (typeof data !== 'object' || data === null) return 'no data';
  if (typeof data.error !== 'string' || !/^[a-z_]+$/.test(data.error)) return 'no error token';
  if (typeof data.request_id !== 'string' || data.request_id === '') return 'no request_id';
  return codeProblem(json.code, status) ?? errorsProblem(data.errors, status);
}

function errorsProblem(errors: ErrorData['errors'], status: number): string | undefined {
  if (status === 422 && (!Array.isArray(errors) || errors.length === 0)) return '422 names nothing';
  for (const error of errors ?? []) {
    const names = Object.keys(error).sort().join();
    if (names !== 'code,field,message') return `a field error of ${names}`;
    if (error.field === '' || error.message === '') return 'a field error that names nothing';
  }
  return undefined;
}

/** Whether a 422 names this field, or a part of it. */
export const names = (answer: RawAnswer, field: string): boolean =>
  (answer.json?.data?.errors ?? []).some(
    (error) =>
      error.field === field ||
      error.field.startsWith(`${field}.`) ||
      error.field.startsWith(`${field}[`),
  );

/** Runs `work` over all items, a few at a time. */
export async function each<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
  width = 6,
): Promise<void> {
  const queue = [...items];
  const next = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: width }, next));
}
