import { pipeline } from 'node:stream/promises';
import { type Request, type Response, Router } from 'express';
import { createFileMediaStore, type StoredFile } from '../db/files/media-store.ts';
import { AD_SANDBOX } from '../domain/creative/markup.ts';
import { notFound } from '../domain/errors.ts';
import type { ConsoleDeps } from './deps.ts';
import { nothing } from './http/response-shapes.ts';
import { readRange } from './http/byte-range.ts';
import { describeRoutes, type RouteContract } from './http/route.ts';

/** A name is given once and its bytes never change. */
const CACHE_SECONDS = 365 * 24 * 3_600;

/** Inert when opened as a page of its own. */
const INERT = "default-src 'none'; sandbox";
/**
 * A page of an HTML5 creative runs its code, in an origin of its own, and loads nothing that was not
 * in its zip: what was reviewed is what is shown.
 */
const CREATIVE_PAGE = [
  `sandbox ${AD_SANDBOX}`,
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/**
 * `{cdn_url}/media/…`: what creatives show, and the files of HTML5 creatives. Each is served as
 * exactly the type it was stored as; a player may ask for parts of it.
 */
export function mediaFileRoutes({ config }: Pick<ConsoleDeps, 'config'>): Router {
  const store = createFileMediaStore(config.mediaDir);
  const router = Router();
  router.use(async (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      next();
      return;
    }
    // Names of ours need no decoding; any other spelling of one is not it.
    const file = req.path.slice(1);
    const stored = await store.read(file);
    if (stored === undefined) throw notFound();
    try {
      await send(req, res, { file, stored });
    } finally {
      await stored.close();
    }
  });
  describeRoutes(router, [
    { method: 'GET', path: '/:folder/:file', contract: CONTRACT },
    { method: 'GET', path: '/:folder/:bundle/:file', contract: CONTRACT },
  ]);
  return router;
}

const CONTRACT: RouteContract = {
  summary: 'Load a stored image, video, or file of an HTML5 creative',
  rule: 'interface 0, 2.5',
  open: true,
  answer: nothing(),
  raw: {
    200: { description: 'The file, as the type it was stored as.' },
    206: { description: 'The part that `Range` asks for.' },
    304: { description: '`If-None-Match` names it: its bytes never change.' },
    404: { description: 'No such file.' },
    416: { description: '`Range` begins behind the end.' },
    500: { description: 'Something went wrong on our side.' },
  },
};

async function send(
  req: Request,
  res: Response,
  { file, stored }: { file: string; stored: StoredFile },
): Promise<void> {
  const { bytes, mime } = stored;
  const tag = `"${file}"`;
  res.setHeader('Cache-Control', `public, max-age=${CACHE_SECONDS}, immutable`);
  res.setHeader('ETag', tag);
  // Ads are shown on other people's pages; fonts, players and sandboxed frames ask across origins.
  res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  res.setHeader('Access-Control-Allow-Origin', '*');
  if (req.get('If-None-Match')?.includes(tag) === true) {
    res.status(304).end();
    return;
  }
  res.setHeader('Content-Type', mime);
  res.setHeader('Content-Disposition', 'inline');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Content-Security-Policy', mime.startsWith('text/html') ? CREATIVE_PAGE : INERT);
  res.setHeader('Accept-Ranges', 'bytes');
  const condition = req.get('If-Range');
  const mayCut = req.method === 'GET' && (condition === undefined || condition === tag);
  const range = mayCut ? readRange(req.get('Range'), bytes) : 'whole';
  if (range === 'none') {
    res.status(416).setHeader('Content-Range', `bytes */${bytes}`);
    res.end();
    return;
  }
  if (range !== 'whole') {
    res.status(206);
    res.setHeader('Content-Range', `bytes ${range.start}-${range.end}/${bytes}`);
  }
  const part = range === 'whole' ? { start: 0, end: bytes - 1 } : range;
  res.setHeader('Content-Length', String(bytes === 0 ? 0 : part.end - part.start + 1));
  if (req.method === 'HEAD' || bytes === 0) {
    res.end();
    return;
  }
  try {
    await pipeline(stored.stream(part), res);
  } catch (error) {
    // The viewer went away; the pipeline has closed both ends.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
