import supertest from 'supertest';
import type { Realm } from '../../api/http/auth.ts';
import type { TestApp } from './app.ts';

type Method = 'get' | 'post' | 'put' | 'delete';

/** One account or operator at the whole API: every answer is held against its contract as well. */
export interface Caller {
  id: number;
  get(path: string): supertest.Test;
  post(path: string, body?: object): supertest.Test;
  put(path: string, body: object): supertest.Test;
  delete(path: string): supertest.Test;
}

/** Paths are of the caller's realm: `/campaigns`. */
export function callerOf(app: TestApp, realm: Realm, id: number): Caller {
  const token = app.issue(realm, id);
  const send = (method: Method, path: string): supertest.Test =>
    supertest(`http://127.0.0.1:${app.port}`)
      [method](`/api/${realm}${path}`)
      .set('Authorization', `Bearer ${token}`);
  return {
    id,
    get: (path) => send('get', path),
    post: (path, body) => (body === undefined ? send('post', path) : send('post', path).send(body)),
    put: (path, body) => send('put', path).send(body),
    delete: (path) => send('delete', path),
  };
}
