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

export function createClient(prefix: string): ApiClient {
  const client: ApiClient = {
    token: '',
    call: async <Data>(method: string, path: string, body?: unknown): Promise<Data> => {
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
      if (!response.ok) {
        throw new ApiRefusal(
          response.status,
          `${method} ${prefix}${path}: HTTP ${response.status} ${text}`,
        );
      }
      return (JSON.parse(text) as { data: Data }).data;
    },
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
