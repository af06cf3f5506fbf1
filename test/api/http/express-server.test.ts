import express, { type Express } from 'express';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createExpressServer } from '../../../api/http/express-server.ts';

/**
 * Requests made with Express's prototypes from the start must behave like stock Express to the
 * letter, and Express must find nothing left to change.
 */
function exampleApp(): Express {
  const app = express();
  app.set('trust proxy', 'loopback');
  const router = express.Router();
  router.get(
    '/query',
    (req, res) => void res.json({ query: req.query, ip: req.ip, host: req.hostname }),
  );
  router.get('/redirect', (_req, res) => res.redirect(302, '/elsewhere'));
  router.get('/cookie', (_req, res) => void res.cookie('a', 'b').type('text').send('c'));
  router.get('/throw', () => {
    throw new Error('sync');
  });
  router.get('/reject', async () => {
    await Promise.resolve();
    throw new Error('async');
  });
  router.get('/app', (req, res) => void res.json({ same: req.app === app && res.app === app }));
  router.post('/body', express.json(), (req, res) => void res.status(201).json(req.body));
  router.head('/head', (_req, res) => void res.set('X-Head', '1').end());
  app.use('/r', router);
  app.use(
    (error: Error, _req: express.Request, res: express.Response, next: express.NextFunction) => {
      if (res.headersSent) next(error);
      else res.status(500).json({ error: error.message });
    },
  );
  return app;
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('express server', () => {
  const stock = createServer(exampleApp());
  const tuned = createExpressServer(exampleApp());
  let urls: { stock: string; tuned: string };

  beforeAll(async () => {
    urls = { stock: await listen(stock), tuned: await listen(tuned) };
  });
  afterAll(() => {
    stock.close();
    tuned.close();
  });

  const cases: [name: string, path: string, init: RequestInit][] = [
    ['query', '/r/query?a=1&a=2', { headers: { 'X-Forwarded-For': '203.0.113.9' } }],
    ['redirect', '/r/redirect', { redirect: 'manual' }],
    ['cookie', '/r/cookie', {}],
    ['sync error', '/r/throw', {}],
    ['async error', '/r/reject', {}],
    ['app property', '/r/app', {}],
    [
      'json body',
      '/r/body',
      { method: 'POST', body: '{"a":1}', headers: { 'Content-Type': 'application/json' } },
    ],
    ['head', '/r/head', { method: 'HEAD' }],
    ['options', '/r/query', { method: 'OPTIONS' }],
    ['not found', '/nowhere', {}],
  ];
  test.each(cases)('%s · asked both ways · answers alike', async (_name, path, init) => {
    const seen = await Promise.all(
      [urls.stock, urls.tuned].map(async (url) => {
        const response = await fetch(url + path, init);
        const headers = Object.fromEntries(
          [...response.headers].filter(([name]) => !['date', 'keep-alive'].includes(name)),
        );
        return { status: response.status, headers, body: await response.text() };
      }),
    );
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[1]?.status).toBeGreaterThan(0);
  });

  test('prototype · while a request is handled · is not changed by Express', async () => {
    const app = express();
    let changes = 0;
    const server = createExpressServer(app);
    app.get('/', (req, res) => {
      if (Object.getPrototypeOf(req) !== app.request) changes += 1;
      if (Object.getPrototypeOf(res) !== app.response) changes += 1;
      res.end('ok');
    });
    const created: object[] = [];
    server.prependListener('request', (req) => created.push(Object.getPrototypeOf(req) as object));
    const url = await listen(server);
    await fetch(url);
    server.close();
    expect(changes).toBe(0);
    expect(created[0]).toBe(app.request);
  });
});
