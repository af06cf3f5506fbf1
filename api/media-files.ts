import path from 'node:path';
import { Router } from 'express';
import { mediaMime } from '../db/files/media-store.ts';
import { AD_SANDBOX } from '../domain/creative/markup.ts';
import { notFound } from '../domain/errors.ts';
import type { ConsoleDeps } from './deps.ts';
import { nothing } from './http/response-shapes.ts';
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
  const root = path.resolve(config.mediaDir);
  const router = Router();
  router.use((req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      next();
      return;
    }
    // Names of ours need no decoding; any other spelling of one is not it.
    const file = req.path.slice(1);
    const mime = mediaMime(file);
    if (mime === undefined) throw notFound();
    const options = {
      root,
      cacheControl: false,
      lastModified: false,
      headers: headersOf(file, mime),
    };
    res.sendFile(file, options, (error?: SendError) => {
      // The viewer went away.
      if (error === undefined || error.code === 'ECONNABORTED' || error.syscall === 'write') return;
      if (error.status === 412 || error.status === 416) res.status(error.status).end();
      else next(error);
    });
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
    412: { description: '`If-Match` names another.' },
    416: { description: '`Range` begins behind the end.' },
    500: { description: 'Something went wrong on our side.' },
  },
};

type SendError = NodeJS.ErrnoException & { status?: number };

/** Only a file that is there has them. The sender looks after conditions, ranges and lengths. */
const headersOf = (file: string, mime: string): Record<string, string> => ({
  'Cache-Control': `public, max-age=${CACHE_SECONDS}, immutable`,
  ETag: `"${file}"`,
  // Ads are shown on other people's pages; fonts, players and sandboxed frames ask across origins.
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
  'Content-Type': mime,
  'Content-Disposition': 'inline',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': mime.startsWith('text/html') ? CREATIVE_PAGE : INERT,
});
