import { ENGLISH } from '../../domain/creative/ad-words.ts';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { adDocument } from '../../domain/creative/markup.ts';
import type { FormatCase } from './format-cases.ts';
import { type Listener, startListener } from './listener.ts';

/** A publisher's pages over the real SDK, with an ad server that answers each zone the ad it is told. */
export interface FormatPages extends Listener {
  /** Answers the address of a page that has these ads, one below the other. */
  page(cases: readonly FormatCase[], head?: string): string;
}

export async function buildSdk(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(process.cwd(), 'web/sdk/main.ts')],
    bundle: true,
    format: 'iife',
    target: 'es2020',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

export async function startFormatPages(sdk: string): Promise<FormatPages> {
  const pages = new Map<string, string>();
  const ads = new Map<string, FormatCase>();
  const film = readFileSync(path.join(process.cwd(), 'test/fixtures/video/tone.webm'));
  const listener = await startListener((req, res) => {
    const url = new URL(req.url ?? '/', listener.url);
    const answer = (type: string, body: string | Buffer): void => {
      res.writeHead(200, { 'Content-Type': type, 'Access-Control-Allow-Origin': '*' }).end(body);
    };
    const [, folder = '', name = '', last = ''] = url.pathname.split('/');
    if (folder === 'page') return answer('text/html', pages.get(name) ?? '');
    if (folder === 'sdk.js') return answer('text/javascript', sdk);
    if (folder === 'film.webm') return answer('video/webm', film);
    if (folder === 'pictures') return answer('image/svg+xml', drawing(name));
    if (folder === 'track') return answer('image/gif', '');
    const key = folder === 'ad' && name === 'render' ? (url.pathname.split('/')[4] ?? '') : last;
    const one = ads.get(key === '' ? (url.searchParams.get('zone') ?? '') : key);
    if (one === undefined) return void res.writeHead(404).end();
    if (name === 'render') return answer('text/html', documentOf(one, key, listener.url));
    return answer(
      'application/json',
      answerOf(one, url.searchParams.get('zone') ?? '', listener.url),
    );
  });
  return {
    ...listener,
    page: (cases, head = '') => {
      const slots = cases.map((one, index) => {
        const zone = `zone_${pages.size}x${index}`;
        ads.set(zone, one);
        return `<section title="${one.name}"><div data-adp-zone="${zone}"></div></section>`;
      });
      const page = `<meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}
<style>body{margin:8px;background:#e8eaed;font:12px sans-serif}section{margin:0 0 8px}section::before{content:attr(title);display:block}</style>
${slots.join('\n')}<script async src="/sdk.js"></script>`;
      const name = String(pages.size);
      pages.set(name, `<!doctype html>${page}`);
      return `${listener.url}/page/${name}`;
    },
  };
}

const documentOf = ({ markup }: FormatCase, id: string, base: string): string =>
  adDocument({
    ...markup,
    clickUrl: `${base}/track/click/${id}`,
    pixelUrl: `${base}/track/impression/${id}`,
    progressUrl: null,
  });

function answerOf(one: FormatCase, id: string, base: string): string {
  const { width, height } = one.markup;
  const ad = {
    id,
    creative_id: Number(id.replaceAll(/\D/g, '')),
    type: one.display,
    width,
    height,
    impression_url: `${base}/track/impression/${id}`,
  };
  const zone = { type: one.zoneType, refresh: 0 };
  return JSON.stringify({
    code: 0,
    data: { zone, ads: [ad], labels: ENGLISH, qa_k: 'k', _ts: Math.floor(Date.now() / 1_000) },
  });
}

/** Its frame and its circle show whether it is whole and of its own shape. */
function drawing(name: string): string {
  const [width = 1, height = 1] = name.split(/[x.]/).map(Number);
  const middle = `cx="${width / 2}" cy="${height / 2}" r="${Math.min(width, height) / 3}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect x="8" y="8" width="${width - 16}" height="${height - 16}" fill="#aecbfa" stroke="#174ea6" stroke-width="16"/><circle ${middle} fill="#fdd663"/></svg>`;
}
