import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import express, { Router } from 'express';
import { pino } from 'pino';
import supertest from 'supertest';
import * as yup from 'yup';
import { nothing, record, words } from '../../../api/http/response-shapes.ts';
import { consoleCors } from '../../../api/http/cors.ts';
import { errorHandler } from '../../../api/http/errors.ts';
import { openApiOf } from '../../../api/openapi/openapi.ts';
import { requestId } from '../../../api/http/request-id.ts';
import { requestLog } from '../../../api/http/request-log.ts';
import { route } from '../../../api/http/route.ts';
import { checkBody } from '../../../api/http/read.ts';
import { conflict, DomainError } from '../../../domain/errors.ts';
import { createStand, type Stand } from '../../support/stand.ts';
import { makeOperator } from '../../support/make/account.ts';
import { type Caller, dataOf } from '../../support/call.ts';
import { testApp } from '../../support/mounts.ts';

/** What every route of the consoles does, whatever it is for (interface 2.1). */
let stand: Stand;
let owner: Caller;

beforeAll(async () => {
  stand = await createStand();
  owner = await stand.newAdvertiser();
  for (let at = 0; at < 12; at += 1) await owner.post('/trackers', { name: `Tracker ${at}` });
});
afterAll(async () => await stand.close());

interface Raw {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
}

/** Bytes as they are on the wire. */
async function raw(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Raw> {
  return await new Promise((resolve, reject) => {
    const asking = httpRequest({ port: stand.port, path, method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const { statusCode = 0, headers: got } = answer;
        resolve({ status: statusCode, headers: got, bytes: Buffer.concat(chunks) });
      });
    });
    asking.on('error', reject);
    asking.end();
  });
}

const bearer = () => ({ Authorization: `Bearer ${owner.token}` });

describe('what was sent is of another type', () => {
  it.each([
    ['text', '"a tracker"'],
    ['a number', '5'],
    ['null', 'null'],
    ['a list', '[{"name":"A tracker"}]'],
  ])('a body that is %s · says that an object is expected', async (_what, body) => {
    const answer = await supertest(`http://localhost:${stand.port}`)
      .post('/api/advertiser/trackers')
      .set({ ...bearer(), 'Content-Type': 'application/json' })
      .send(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ message: 'A JSON object is expected.' });
  });

  it('fields of other types · are named in plain words, each once, and what was sent is not shown', () => {
    const schema = yup.object({
      name: yup.string().oneOf(['a', 'b']).required(),
      count: yup.number().min(1),
      isOn: yup.boolean(),
      kinds: yup.array().of(yup.string().oneOf(['a']).required()),
      place: yup.object({ width: yup.number().integer() }),
      share: yup.number().typeError('must be a share'),
    });
    const body = {
      name: ['secret'],
      count: 'secret',
      isOn: 'secret',
      kinds: [5],
      place: { width: '5' },
      share: 'half',
    };
    const faults = (sent: object): unknown => {
      try {
        return checkBody(sent, schema);
      } catch (error) {
        return error instanceof DomainError ? error.errors : error;
      }
    };
    expect(faults(body)).toEqual(
      expect.arrayContaining([
        { field: 'name', code: 'type', message: 'name must be text' },
        { field: 'count', code: 'type', message: 'count must be a number' },
        { field: 'isOn', code: 'type', message: 'isOn must be true or false' },
        { field: 'kinds[0]', code: 'type', message: 'kinds[0] must be text' },
        { field: 'place.width', code: 'type', message: 'place.width must be a number' },
        { field: 'share', code: 'type', message: 'must be a share' },
      ]),
    );
    expect(faults(body)).toHaveLength(6);
    expect(faults({ name: 'a', kinds: 'a', place: 7 })).toEqual(
      expect.arrayContaining([
        { field: 'kinds', code: 'type', message: 'kinds must be a list' },
        { field: 'place', code: 'type', message: 'place must be an object' },
      ]),
    );
  });
});

describe('packing', () => {
  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ])('a list for a caller that takes %s · smaller, and the same when unpacked', async (...row) => {
    const [encoding, unpack] = row;
    const path = '/api/advertiser/trackers?page_size=10';
    const plain = await raw(path, bearer());
    const packed = await raw(path, { ...bearer(), 'Accept-Encoding': encoding });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(packed.headers['content-encoding']).toBe(encoding);
    expect(String(packed.headers['vary'])).toContain('Accept-Encoding');
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 3);
    const same = (bytes: Buffer) => (JSON.parse(bytes.toString('utf8')) as { data: unknown }).data;
    expect(same(unpack(packed.bytes))).toEqual(same(plain.bytes));
  });

  it('a small answer, a hot surface · is left as it is', async () => {
    const asked = { 'Accept-Encoding': 'gzip, br' };
    for (const path of [
      '/api/advertiser/deposits/balance',
      '/ad/request?zone_id=1',
      '/track/impression/none',
      '/health/ready',
    ]) {
      const answer = await raw(path, { ...bearer(), ...asked });
      expect(answer.headers['content-encoding']).toBeUndefined();
    }
  });
});

describe('other origins', () => {
  const CONSOLE = 'https://console.example';
  const hosted = () => {
    const server = express();
    server.use(consoleCors([CONSOLE]), (_req, res) => {
      res.json({});
    });
    return supertest(server);
  };

  it('a console that is named · may send what the API reads and read what it tells', async () => {
    const asked = await hosted()
      .options('/api/x')
      .set('Origin', CONSOLE)
      .set('Access-Control-Request-Method', 'PUT')
      .set('Access-Control-Request-Headers', 'authorization,if-match');
    expect(asked.status).toBe(204);
    expect(asked.headers).toMatchObject({
      'access-control-allow-origin': CONSOLE,
      'access-control-allow-methods': 'GET,POST,PUT,DELETE',
      'access-control-max-age': '600',
    });
    for (const name of ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match']) {
      expect(asked.headers['access-control-allow-headers']).toContain(name);
    }
    const answer = await hosted().get('/api/x').set('Origin', CONSOLE);
    for (const name of ['ETag', 'Location', 'Retry-After', 'RateLimit-Remaining', 'X-Request-Id']) {
      expect(answer.headers['access-control-expose-headers']).toContain(name);
    }
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    expect(answer.headers['vary']).toContain('Origin');
  });

  it.each(['https://evil.example', 'https://console.example.evil.example', 'null'])(
    '%s · gets no permission',
    async (origin) => {
      const answer = await hosted().get('/api/x').set('Origin', origin);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    },
  );

  it('nobody named, as by default · no origin is allowed in any realm', async () => {
    for (const realm of ['advertiser', 'publisher', 'admin']) {
      const answer = await raw(`/api/${realm}/auth/profile`, { Origin: 'https://evil.example' });
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it.each([
    ['GET', '/ad/request?zone_id=1'],
    ['OPTIONS', '/ad/request'],
    ['GET', '/track/impression/none'],
    ['OPTIONS', '/track/click-verify'],
    ['GET', '/track/conversion?click_id=none'],
    ['OPTIONS', '/track/conversion'],
    ['GET', '/track/conversion.gif?c=none'],
    ['GET', '/sdk.js'],
    ['GET', '/prebid-adapter.js'],
  ])('open surface · %s %s · any page may read it, without credentials', async (method, path) => {
    const answer = await raw(path, { Origin: 'https://page.example' }, method);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  });
});

describe('request_id', () => {
  it('a success · has it in a header; a refusal also in its body; no two alike', async () => {
    const fine = await owner.get('/trackers');
    const refused = await owner.get('/trackers/0');
    const unread = await raw('/api/advertiser/none');
    const ids = [
      fine.headers['x-request-id'],
      dataOf(refused)['request_id'],
      unread.headers['x-request-id'],
    ];
    expect(dataOf(refused)['request_id']).toBe(refused.headers['x-request-id']);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("a caller's own header · is not taken for it", async () => {
    const answer = await owner.get('/trackers').set('X-Request-Id', 'mine');
    expect(answer.headers['x-request-id']).not.toContain('mine');
  });

  it('one line of the log · carries it with status and path, and nothing that was sent', async () => {
    const lines: Record<string, unknown>[] = [];
    const log = pino(
      {},
      { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) },
    );
    const server = express();
    server.use(requestId, requestLog(log));
    server.get('/api/fault', () => {
      throw new Error('broken pipe dream');
    });
    server.use(errorHandler(log));
    const secret = randomBytes(8).toString('hex');
    const answer = await supertest(server)
      .get(`/api/fault?token=${secret}`)
      .set('Authorization', `Bearer ${secret}`);
    expect(answer.status).toBe(500);
    const id = answer.headers['x-request-id'];
    expect(answer.body.data.request_id).toBe(id);
    expect(lines.map((line) => [line['msg'], line['request_id']])).toEqual([
      ['request failed', id],
      ['request', id],
    ]);
    expect(lines[1]).toMatchObject({ method: 'GET', path: '/api/fault', status: 500 });
    expect(JSON.stringify(lines)).not.toContain(secret);
    expect(JSON.stringify(answer.body)).not.toContain('pipe dream');
  });

  it("an operator's write · is found in the audit log by it", async () => {
    const admin = stand.as('admin', (await makeOperator(stand.database.db, 'ADMIN')).id);
    const put = await admin.put('/settings/ad.first_price', { value: true });
    const { items } = dataOf(await admin.get('/audit-log?page_size=1')) as {
      items: Record<string, unknown>[];
    };
    expect(items[0]).toMatchObject({
      action: 'setting.put',
      request_id: put.headers['x-request-id'],
    });
  });
});

describe('a route that is going away', () => {
  const going = { since: '2026-01-01', sunset: '2026-07-01', instead: 'GET /api/x/new' };
  const old = () => {
    const router = Router();
    const about = { summary: 'Old', rule: 'interface 9', open: true } as const;
    const contract = { ...about, answer: record({ it: words() }) };
    router.get(
      '/old',
      route({ ...contract, deprecated: going }, async () => ({ it: 'works' })),
    );
    router.get(
      '/refusing',
      route({ ...contract, answer: nothing(), deprecated: going }, () => {
        throw conflict('No.');
      }),
    );
    router.get(
      '/new',
      route(contract, async () => ({ it: 'works' })),
    );
    return testApp({ '/api/x': router });
  };

  it.each([
    ['/api/x/old', 200],
    ['/api/x/refusing', 409],
    ['/api/x/old?colour=red', 422],
  ])('%s · %i · works on, and tells since when and until when', async (path, status) => {
    const answer = await supertest(old()).get(path);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      deprecation: '@1767225600',
      sunset: 'Wed, 01 Jul 2026 00:00:00 GMT',
      link: '</docs>; rel="deprecation"; type="text/html"',
    });
  });

  it('one that stays · tells nothing of the kind', async () => {
    const { headers } = await supertest(old()).get('/api/x/new');
    expect(headers['deprecation']).toBeUndefined();
    expect(headers['sunset']).toBeUndefined();
  });

  it('the document · strikes it out, with its dates and what to call instead', () => {
    const { paths } = openApiOf(old());
    expect(paths['/api/x/old']?.['get']).toMatchObject({
      deprecated: true,
      'x-sunset': '2026-07-01',
      description: expect.stringContaining('Use GET /api/x/new.'),
    });
    expect(paths['/api/x/new']?.['get']).not.toHaveProperty('deprecated');
  });

  it.each([
    ['2026-01-01', '2026-06-29'],
    ['2026-07-01', '2026-01-01'],
    ['soon', '2026-07-01'],
  ])('with notice from %s to %s · is a fault when it is made', (since, sunset) => {
    const contract = { summary: 'Old', rule: 'interface 9', answer: nothing() };
    const make = () =>
      route({ ...contract, deprecated: { since, sunset } }, async () => await Promise.resolve({}));
    expect(make).toThrow('not 180 days');
  });
});
