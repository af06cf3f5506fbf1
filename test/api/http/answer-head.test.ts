import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import { createExpressServer } from '../../../api/http/express-server.ts';
import { AnswerHead } from '../../../api/http/answer-head.ts';
import { asciiText, endWith } from '../../../api/http/byte-text.ts';
import { pause } from '../../support/until.ts';

/** `/plain` answers as Node itself would; everything else the same by a head that is kept. */
const HEADERS = { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' } as const;
const head = new AnswerHead(HEADERS);
const TEXTS = ['short', 'longer '.repeat(40), ''];
const STATUSES = [200, 404, 503];

type Before = (req: IncomingMessage, res: ServerResponse) => void;

let before: Before = () => undefined;
let answers = 0;
let server: Server;

beforeAll(async () => {
  server = createServer((req, res) => {
    before(req, res);
    const text = asciiText(TEXTS[answers % TEXTS.length] ?? '');
    const status = STATUSES[answers % STATUSES.length] ?? 200;
    answers += 1;
    if (req.url === '/plain') {
      res.writeHead(status, { ...HEADERS, 'Content-Length': text.length }).end(text);
    } else {
      head.write(res, status, text.length);
      endWith(res, text);
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
beforeEach(() => {
  before = () => undefined;
  answers = 0;
});
afterEach(() => {
  jest.useRealTimers();
});
afterAll(() => {
  server.close();
});

/** What a socket brings for these requests until the server ends it; dates apart. */
function sent(requests: string, port = (server.address() as AddressInfo).port): Promise<string> {
  answers = 0;
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(requests));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  });
}

type Take = (req: IncomingMessage, res: ServerResponse) => boolean;

function keepingLonger(given: Server, seconds = 31): Server {
  given.keepAliveTimeout = seconds * 1_000;
  return given;
}

const undated = (text: string): string => text.replaceAll(/\r\nDate: [^\r]*/g, '');

const request = (
  path: string,
  { method = 'GET', headers = 'Connection: keep-alive' } = {},
): string => `${method} ${path} HTTP/1.1\r\nHost: h\r\n${headers}\r\n\r\n`;
const CLOSE = { headers: 'Connection: close' };

const cases: [string, (path: string) => string][] = [
  ['one that ends its connection', (path) => request(path, CLOSE)],
  [
    'many on one connection, of every status and length twice',
    (path) => request(path).repeat(6) + request(path, CLOSE),
  ],
  [
    'HEAD between others',
    (path) =>
      request(path) + request(path, { method: 'HEAD' }) + request(path) + request(path, CLOSE),
  ],
  ['HTTP/1.0', (path) => `GET ${path} HTTP/1.0\r\n\r\n`],
  [
    'HTTP/1.0 that stays once',
    (path) =>
      `GET ${path} HTTP/1.0\r\nConnection: keep-alive\r\n\r\n` + `GET ${path} HTTP/1.0\r\n\r\n`,
  ],
];

test.each(cases)(
  'AnswerHead · %s · what arrives is what Node would send',
  async (_what, requests) => {
    // Whatever comes first is written by Node and kept.
    await sent(request('/kept').repeat(3) + request('/kept', CLOSE));
    const ours = await sent(requests('/kept'));
    expect(undated(ours)).toBe(undated(await sent(requests('/plain'))));
    expect(ours).toContain('Content-Length: ');
  },
);

test.each<[string, Before]>([
  ['a header that was said before', (_req, res) => void res.setHeader('Connection', 'close')],
  [
    'somebody who asked to see the head',
    (_req, res) => {
      const asNode = res.writeHead.bind(res);
      res.writeHead = ((status: number, headers: object) =>
        asNode(status, { ...headers, 'X-Seen': '1', Connection: 'close' })) as never;
    },
  ],
])('AnswerHead · %s · the head is Node’s', async (_what, change) => {
  await sent(request('/kept').repeat(3) + request('/kept', CLOSE));
  before = change;
  const ours = await sent(request('/kept'));
  expect(undated(ours)).toBe(undated(await sent(request('/plain'))));
  expect(ours).toMatch(/Connection: close/);
});

test('AnswerHead · the next second · the date is the new one', async () => {
  const dateOf = (answer: string): number =>
    Date.parse(/\r\nDate: ([^\r]*)/.exec(answer)?.[1] ?? '');
  const first = dateOf(await sent(request('/kept', CLOSE)));
  const kept = dateOf(await sent(request('/kept') + request('/kept', CLOSE)));
  expect(kept - first).toBeLessThanOrEqual(1_000);
  await pause(2_100, 'a date that is kept is of the second before');
  const both = await sent(request('/kept').repeat(6) + request('/kept', CLOSE));
  const dates = [...both.matchAll(/\r\nDate: ([^\r]*)/g)].map(([, date]) => Date.parse(date ?? ''));
  expect(dates).toHaveLength(7);
  for (const date of dates) {
    expect(date).toBeGreaterThan(first);
    expect(Math.abs(Date.now() - date)).toBeLessThan(3_000);
  }
});

test.each<[string, (answer: Take) => Server, string]>([
  ['connections longer', (answer) => keepingLonger(createServer(answer)), 'timeout=31'],
  [
    'that it is reached over https',
    (answer) => keepingLonger(createExpressServer(express(), { takes: answer, isSealed: true }), 5),
    'Strict-Transport-Security',
  ],
])(
  'AnswerHead · two servers, one of which says %s · each answers its own head',
  async (_what, make, says) => {
    const other = make((_req, res) => {
      head.write(res, 200, 0);
      endWith(res, asciiText(''));
      return true;
    });
    await new Promise<void>((resolve) => {
      other.listen(0, '127.0.0.1', resolve);
    });
    try {
      const { port } = other.address() as AddressInfo;
      await sent(request('/kept') + request('/kept', CLOSE));
      const both = await sent(request('/kept') + request('/kept') + request('/kept', CLOSE), port);
      expect(both.split(says).length).toBeGreaterThan(2);
      expect(await sent(request('/kept') + request('/kept', CLOSE))).not.toContain(says);
    } finally {
      other.close();
    }
  },
);
