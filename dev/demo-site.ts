import { createServer } from 'node:http';
import { type DemoTold, demoAnswer } from './demo-pages.ts';
import { isRecord, parse } from './services/records.ts';

/** A publisher's web server for the demo, beside the platform and with no part of it. */
const port = Number(process.env['DEMO_PORT']);
const baseUrl = process.env['BASE_URL'] ?? '';
const stateFile = process.env['DEMO_STATE'] ?? '';

createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://demo.invalid');
  // Written by the seed while this server runs, hence read for each request.
  const told: DemoTold = parse(stateFile, isRecord) ?? {};
  const answer = demoAnswer(pathname, told, baseUrl);
  response.writeHead(answer === undefined ? 404 : 200, {
    'Content-Type': answer?.type ?? 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  response.end(answer?.body ?? 'There is no such page.');
}).listen(port, '127.0.0.1');
