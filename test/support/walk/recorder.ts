import { randomUUID } from 'node:crypto';
import type { Example } from '../../../api/openapi/openapi-responses.ts';
import { ownAddress } from '../address.ts';
import { readable } from './readable.ts';

/** What goes into one request; `params` fill the path, `id` being the usual one. */
export interface Asked {
  id?: number;
  params?: Record<string, string | number>;
  query?: Record<string, string | number>;
  /** Text goes as it is, anything else as JSON. */
  body?: unknown;
  form?: FormData;
  token?: string | undefined;
  headers?: Record<string, string>;
}

/**
 * Asks a running platform as its clients do, and keeps the first success of each route as the
 * example that the document shows.
 */
export class Recorder {
  readonly examples: Record<string, Example> = {};
  /** Steps that did not come to their end, and why. */
  readonly faults: string[] = [];
  readonly #baseUrl: string;
  readonly #address = ownAddress();

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** `route` is `METHOD /path` as mounted. Answers the envelope's data, or the whole body. */
  async ask<Data = unknown>(route: string, asked: Asked = {}): Promise<Data> {
    const [method = '', template = ''] = route.split(' ');
    const address = addressOf(template, asked);
    const response = await fetch(this.#baseUrl + address, {
      method,
      redirect: 'manual',
      headers: {
        ...(asked.token === undefined ? {} : { Authorization: `Bearer ${asked.token}` }),
        ...(asked.body === undefined || typeof asked.body === 'string'
          ? {}
          : { 'Content-Type': 'application/json' }),
        // So that every route's transactions have names (activities/core/run-once.ts): one without raises.
        ...(method === 'POST' ? { 'Idempotency-Key': randomUUID() } : {}),
        'X-Forwarded-For': this.#address,
        ...asked.headers,
      },
      ...(asked.form === undefined ? {} : { body: asked.form }),
      ...(asked.body === undefined
        ? {}
        : { body: typeof asked.body === 'string' ? asked.body : JSON.stringify(asked.body) }),
    });
    const type = response.headers.get('Content-Type')?.split(';', 1)[0] ?? '';
    const answer = await contentOf(response, type);
    if (response.status >= 400) {
      throw new Error(
        `${method} ${address}: ${response.status} ${JSON.stringify(answer).slice(0, 400)}`,
      );
    }
    this.examples[route] ??= {
      status: response.status,
      type,
      ...(asked.body === undefined || typeof asked.body === 'string'
        ? {}
        : { request: readable(asked.body) }),
      answer: readable(answer),
    };
    return (isEnvelope(answer) ? answer.data : answer) as Data;
  }

  /** One part of the walk: what fails in it is told in the end and keeps no other part from running. */
  async step(what: string, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.faults.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

function addressOf(template: string, { id, params = {}, query = {} }: Asked): string {
  const values: Record<string, string | number> = {
    ...(id === undefined ? {} : { id }),
    ...params,
  };
  const path = template.replace(/:(\w+)/g, (_all, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${template} needs ${name}`);
    return encodeURIComponent(String(value));
  });
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return search === '' ? path : `${path}?${search}`;
}

/** JSON and text as they are; null for bytes that say nothing to a reader. */
async function contentOf(response: Response, type: string): Promise<unknown> {
  if (type === 'application/json') return (await response.json()) as unknown;
  const isText = /^text\/|xml|javascript|ndjson|jsonl/.test(type);
  const bytes = Buffer.from(await response.arrayBuffer());
  return isText && bytes.length > 0 ? bytes.toString('utf8') : null;
}

const isEnvelope = (answer: unknown): answer is { data: unknown } =>
  typeof answer === 'object' && answer !== null && 'code' in answer && 'data' in answer;
