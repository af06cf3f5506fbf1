import { ownAddress } from '../support/address.ts';

/** A client of the public API, as an advertiser, publisher or operator would write one. */
export interface Answer<Data> {
  status: number;
  code: number;
  message: string;
  data: Data;
}

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
