import { setTimeout as delay } from 'node:timers/promises';
import { StandError } from './services/progress.ts';

/** A refusal of the API, in its own words. */
export class ApiRefusal extends Error {
  override name = 'ApiRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A client of one realm of the platform's public API. */
export interface ApiClient {
  token: string;
  /** Answers the envelope's data. Raises ApiRefusal. */
  call<Data>(method: string, path: string, body?: unknown): Promise<Data>;
}

/** What lists answer, as far as the demo reads it. */
export interface Page<Item> {
  items: Item[];
}

const CALL_WITHIN_MS = 20_000;
const TOO_MANY = 429;

export function createClient(prefix: string): ApiClient {
  const client: ApiClient = {
    token: '',
    call: async <Data>(method: string, path: string, body?: unknown): Promise<Data> => {
      for (;;) {
        const answer = await once<Data>(method, path, body);
        if ('data' in answer) return answer.data;
        await delay(answer.waitMs);
      }
    },
  };
  /** Too many in a minute did nothing: it is asked again when it may be. */
  const once = async <Data>(
    method: string,
    path: string,
    body: unknown,
  ): Promise<{ data: Data } | { waitMs: number }> => {
    const isForm = body instanceof FormData;
    const response = await fetch(prefix + path, {
      method,
      headers: {
        ...(client.token === '' ? {} : { Authorization: `Bearer ${client.token}` }),
        ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(CALL_WITHIN_MS),
    });
    const text = await response.text();
    const waitSeconds = Number(response.headers.get('retry-after') ?? 0);
    if (response.status === TOO_MANY && waitSeconds > 0) return { waitMs: waitSeconds * 1_000 };
    if (!response.ok) {
      throw new ApiRefusal(
        response.status,
        `${method} ${prefix}${path}: HTTP ${response.status} ${text}`,
      );
    }
    return { data: (JSON.parse(text) as { data: Data }).data };
  };
  return client;
}

/** Asks until there is an answer. Raises StandError that says what did not come. */
export async function until<Result>(
  what: string,
  ask: () => Promise<Result | undefined>,
  options: { signal: AbortSignal; withinMs?: number },
): Promise<Result> {
  const withinMs = options.withinMs ?? 60_000;
  const deadline = Date.now() + withinMs;
  for (;;) {
    const result = await ask();
    if (result !== undefined) return result;
    if (options.signal.aborted) throw new StandError('interrupted');
    if (Date.now() > deadline) {
      throw new StandError(`The demo was not set up: no ${what} within ${withinMs / 1000} s.`);
    }
    await delay(150);
  }
}
