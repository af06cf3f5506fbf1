import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { isRecord, parse } from './services/records.ts';

/**
 * A publisher's web server for the demo: the page of web/demo with its zone filled in, the file that
 * proves who owns the site, and the advertiser's shop to which a click leads.
 */
const port = Number(process.env['DEMO_PORT']);
const baseUrl = process.env['BASE_URL'] ?? '';
const stateFile = process.env['DEMO_STATE'] ?? '';
const folder = path.join(process.cwd(), 'web/demo');

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

const SHOP = `<!doctype html><meta charset="utf-8"><title>Harbour Rope</title>
<body style="font:17px/1.6 sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem">
<h1>Harbour Rope</h1><p>The advertiser's landing page: this is where a verified click arrives.</p>`;

createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://demo.invalid');
  const answer = page(pathname);
  response.writeHead(answer === undefined ? 404 : 200, {
    'Content-Type': answer?.type ?? 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  response.end(answer?.body ?? 'There is no such page.');
}).listen(port, '127.0.0.1');

function page(pathname: string): { type: string; body: string | Buffer } | undefined {
  const state = readState();
  if (pathname === '/.well-known/adplatform.txt') {
    return { type: 'text/plain; charset=utf-8', body: state.verification };
  }
  if (pathname === '/sold') return { type: 'text/plain; charset=utf-8', body: 'Thank you' };
  if (pathname === '/shop') return { type: 'text/html; charset=utf-8', body: SHOP };
  const file = path.join(folder, pathname === '/' ? 'index.html' : path.normalize(pathname));
  const type = TYPES[path.extname(file)];
  if (type === undefined || !file.startsWith(folder + path.sep) || !existsSync(file))
    return undefined;
  if (!type.startsWith('text/html')) return { type, body: readFileSync(file) };
  const values: Record<string, string> = {
    ZONE_KEY: state.zoneKey,
    SDK_URL: baseUrl,
    BASE_URL: baseUrl,
  };
  const body = readFileSync(file, 'utf8').replace(
    /\{\{([A-Z_]+)\}\}/g,
    (whole, name: string) => values[name] ?? whole,
  );
  return { type, body };
}

/** Written by the seed while this server runs, hence read for each request. */
function readState(): { verification: string; zoneKey: string } {
  const state = parse(stateFile, isRecord) ?? {};
  const text = (name: string) => (typeof state[name] === 'string' ? state[name] : '');
  return { verification: text('verification'), zoneKey: text('zone_key') };
}
