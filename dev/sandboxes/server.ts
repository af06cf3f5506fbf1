import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type Answer, type Asked, HANGS } from './desk.ts';

export type Handler = (asked: Asked) => Promise<Answer | typeof HANGS> | Answer | typeof HANGS;

/** Routes by the longest prefix of a path; the last one is the page. */
export function serveSandboxes(routes: readonly (readonly [prefix: string, Handler])[]): Server {
  return createServer((req, res) => {
    const url = new URL(req.url ?? '/', 'http://sandbox');
    const handler = routes.find(([prefix]) => url.pathname.startsWith(prefix))?.[1];
    void (async () => {
      const asked = {
        method: req.method ?? 'GET',
        url,
        headers: plain(req.headers),
        body: await bodyOf(req),
      };
      const answer = (await handler?.(asked)) ?? {
        status: 404,
        type: 'text/plain',
        body: 'nobody',
      };
      if (answer === HANGS) {
        req.socket.destroy();
        return;
      }
      res.writeHead(answer.status, { 'content-type': answer.type, ...answer.headers });
      res.end(answer.body);
    })();
  });
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

const plain = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
