import express, { type Express } from 'express';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createExpressServer } from '../../../api/http/express-server.ts';
import { until } from '../../support/until.ts';

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

  /** What a socket brings for these requests until its server has ended it; dates apart. */
  const sentTo = (url: string, requests: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(requests));
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.on('error', reject);
      socket.on('close', () => {
        const text = Buffer.concat(chunks).toString('latin1');
        resolve(text.replaceAll(/\r\n(?:Date|Keep-Alive): [^\r]*/g, ''));
      });
    });

  const get = 'GET /taken HTTP/1.1\r\nHost: h\r\n\r\n';
  const withBody = 'GET /taken HTTP/1.1\r\nHost: h\r\nContent-Length: 7\r\n\r\n0123456';
  const chunked =
    'GET /taken HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n';
  const post = 'POST /taken HTTP/1.1\r\nHost: h\r\nContent-Length: 300000\r\n\r\n'.concat(
    'y'.repeat(300_000),
  );
  const last = 'GET /taken HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';
  test.each([
    ['one', last],
    ['many that do not wait for one another', get.repeat(50) + last],
    ['bodies that nobody reads between others', get + withBody + get + chunked + post + get + last],
    ['HTTP/1.0', 'GET /taken HTTP/1.0\r\n\r\n'],
  ])('taken before Express · %s · answered as by Node itself', async (_name, requests) => {
    const answer = (req: IncomingMessage, res: ServerResponse): boolean => {
      setImmediate(() => {
        res.writeHead(200, { 'Content-Length': 2 }).end(req.method === 'GET' ? 'ok' : 'no');
      });
      return true;
    };
    const taken = createExpressServer(express(), { takes: answer });
    const plain = createServer(answer);
    const [ours, node] = [await listen(taken), await listen(plain)];
    try {
      expect(await sentTo(ours, requests)).toBe(await sentTo(node, requests));
      expect(await sentTo(ours, requests)).toContain('HTTP/1.1 200');
    } finally {
      taken.close();
      plain.close();
    }
  });

  test('taken before Express · its sender goes away · the connection ends, others are answered', async () => {
    let open = 0;
    const held: ServerResponse[] = [];
    const taken = createExpressServer(express(), {
      takes: (req, res) => {
        if (req.url === '/held') held.push(res);
        else res.end('ok');
        return true;
      },
    });
    taken.on('connection', (socket) => {
      open += 1;
      socket.on('close', () => {
        open -= 1;
      });
    });
    const url = await listen(taken);
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
      socket.write('GET /held HTTP/1.1\r\nHost: h\r\n\r\n'),
    );
    await until(() => held.length === 1);
    socket.destroy();
    await until(() => open === 0);
    held[0]?.end('late');
    expect(await (await fetch(`${url}/other`)).text()).toBe('ok');
    taken.closeAllConnections();
    taken.close();
  });
});
