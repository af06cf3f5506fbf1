import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { byteText, endWith } from '../../../api/http/byte-text.ts';

/** `plain` answers as Node itself would; the same head and text otherwise. */
const TEXT = 'Grüße, 世界 ✓'.repeat(300);
let server: Server;

beforeAll(async () => {
  server = createServer((req, res) => {
    const text = byteText(TEXT);
    res.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': text.length });
    if (req.url === '/plain') res.end(text, 'latin1');
    else endWith(res, text);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(() => {
  server.close();
});

const sent = (requests: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1', () => socket.write(requests));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      resolve(text.replaceAll(/\r\nDate: [^\r]*/g, '').replaceAll(/\r\nKeep-Alive: [^\r]*/g, ''));
    });
  });

const request = (method: string, path: string, connection: string): string =>
  `${method} ${path} HTTP/1.1\r\nHost: h\r\nConnection: ${connection}\r\n\r\n`;

test.each([
  ['one request', (path: string) => request('GET', path, 'close')],
  ['HEAD', (path: string) => request('HEAD', path, 'close')],
  [
    'requests that do not wait for answers, on one connection',
    (path: string) =>
      request('GET', path, 'keep-alive') +
      request('HEAD', path, 'keep-alive') +
      request('GET', path, 'keep-alive') +
      request('GET', path, 'close'),
  ],
  ['HTTP/1.0', (path: string) => `GET ${path} HTTP/1.0\r\n\r\n`],
])('endWith · %s · what arrives is what Node itself would send', async (_what, requests) => {
  const ours = await sent(requests('/ours'));
  expect(ours).toBe(await sent(requests('/plain')));
  expect(ours).toContain('Content-Length: ');
});

test('endWith · a text beyond Latin-1 · arrives whole', async () => {
  const answer = await sent(request('GET', '/ours', 'close'));
  expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toBe(TEXT);
});
