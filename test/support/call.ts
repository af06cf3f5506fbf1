import supertest, { type Response, type Test } from 'supertest';
import type { Realm } from '../../api/http/auth.ts';
import { ownAddress } from './address.ts';
import type { TestApp } from './app.ts';

type Method = 'get' | 'post' | 'put' | 'delete';

/** Somebody at the whole API: every answer is held against its contract as well. */
export interface AnyCaller {
  get(path: string): Test;
  post(path: string, body?: object): Test;
  put(path: string, body?: object): Test;
  delete(path: string): Test;
  upload(path: string, bytes: Buffer, name?: string, field?: string): Test;
}

/** One account or operator. */
export interface Caller extends AnyCaller {
  id: number;
  token: string;
}

/** Paths are of the caller's realm: `/campaigns`. `before` runs ahead of each call. */
export function callerOf(
  app: TestApp,
  realm: Realm,
  id: number,
  before: () => void = () => undefined,
): Caller {
  const token = app.issue(realm, id);
  return { id, token, ...callerWith(app, realm, token, before) };
}

/** Who shows this token, whoever signed it, or none. Without a realm, paths are of the root. */
export function callerWith(
  app: Pick<TestApp, 'url'>,
  realm: Realm | undefined,
  token: string | undefined,
  before: () => void = () => undefined,
): AnyCaller {
  const root = realm === undefined ? '' : `/api/${realm}`;
  const send = (method: Method, path: string): Test => {
    before();
    const call = supertest(app.url)[method](root + path);
    return token === undefined ? call : call.set('Authorization', `Bearer ${token}`);
  };
  return {
    get: (path) => send('get', path),
    post: (path, body) => send('post', path).send(body),
    put: (path, body) => send('put', path).send(body),
    delete: (path) => send('delete', path),
    upload: (path, bytes, name = 'picture.png', field = 'file') =>
      send('post', path).attach(field, bytes, name),
  };
}

export const dataOf = (response: Response): Record<string, unknown> =>
  (response.body as { data: Record<string, unknown> }).data;

export const idOf = (response: Response): number => Number(dataOf(response)['id']);

/** Wrong fields as `field code`, sorted, of a 422. */
export function faultsOf(response: Response): string[] {
  const { errors = [] } = dataOf(response) as { errors?: { field: string; code: string }[] };
  return errors.map((error) => `${error.field} ${error.code}`).sort();
}

export interface Answer<Data> {
  status: number;
  code: number;
  message: string;
  data: Data;
}

/** A client of a platform that runs by itself, as an advertiser, publisher or operator would write one. */
export class ApiClient {
  readonly prefix: string;
  token: string | undefined;
  readonly #address = ownAddress();

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  async call<Data>(method: string, path: string, body?: unknown): Promise<Answer<Data>> {
    const form = body instanceof FormData;
    const response = await fetch(this.prefix + path, {
      method,
      headers: {
        'X-Forwarded-For': this.#address,
        ...(this.token === undefined ? {} : { Authorization: `Bearer ${this.token}` }),
        ...(body === undefined || form ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
    });
    const envelope = (await response.json()) as Omit<Answer<Data>, 'status'>;
    return { ...envelope, status: response.status };
  }

  /** Fails with the API's own words when the answer is not a success. */
  async must<Data>(method: string, path: string, body?: unknown): Promise<Data> {
    const answer = await this.call<Data>(method, path, body);
    if (answer.code !== 0) {
      throw new Error(
        `${method} ${path}: ${answer.status} ${answer.message} ${JSON.stringify(answer.data)}`,
      );
    }
    return answer.data;
  }

  async login(username: string, password: string): Promise<this> {
    this.token = (
      await this.must<{ token: string }>('POST', '/auth/login', { username, password })
    ).token;
    return this;
  }
}
