import path from 'node:path';
import { Router } from 'express';
import { mediaMime, mediaName } from '../db/files/media-store.ts';
import { runner } from '../db/postgres.ts';
import { isPublished } from '../db/queries/published-media.ts';
import { AD_SANDBOX } from '../domain/creative/markup.ts';
import { notFound } from '../domain/errors.ts';
import type { ConsoleDeps } from './deps.ts';
import { nothing } from './http/response-shapes.ts';
import { describeRoutes, type RouteContract } from './http/route.ts';
import { opensMedia } from './media-addresses.ts';

/** The bytes of a name never change, but they may be taken away. */
const CACHE_PUBLISHED = 'public, max-age=3600';
const CACHE_SIGNED = 'private, max-age=600';
/** How long an answer of the database is believed. */
const BELIEVED_MS = 3_000;
const BELIEVED_MAX = 20_000;

/** Inert when opened as a page of its own. */
const INERT = "default-src 'none'; base-uri 'none'; form-action 'none'; sandbox";
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

/** Where the one who asks would show a page by itself; old browsers, which do not say, find it sandboxed. */
const AS_PAGE = new Set(['document', 'embed', 'object']);

/**
 * `{cdn_url}/media/…`: what creatives show, and the files of HTML5 creatives. Each is served as
 * exactly the type it was stored as; a player may ask for parts of it. What no reviewer has approved is
 * found by signed addresses only (api/media-addresses.ts), and a page only inside another one.
 */
export function mediaFileRoutes(deps: Pick<ConsoleDeps, 'config' | 'db' | 'clock'>): Router {
  const { config } = deps;
  const root = path.resolve(config.mediaDir);
  const isKnown = publishedReader(deps);
  const router = Router();
  router.use(async (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      next();
      return;
    }
    const asked = askedFile(req.path);
    const mime = mediaMime(asked.file);
    if (mime === undefined) throw notFound();
    const { file, seal } = asked;
    const isOpen =
      seal === undefined
        ? await isKnown(mediaName(file))
        : opensMedia(config, { seal, path: file, now: deps.clock() });
    const isPage = mime.startsWith('text/html') || mime.startsWith('image/svg');
    if (!isOpen || (isPage && AS_PAGE.has(req.get('sec-fetch-dest') ?? ''))) throw notFound();
    const framedBy =
      seal === undefined ? undefined : [config.urls.base, ...config.http.consoleOrigins];
    const options = {
      root,
      cacheControl: false,
      lastModified: false,
      headers: headersOf(file, { mime, framedBy }),
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
    { method: 'GET', path: '/signed/:seal/:folder/:file', contract: SIGNED },
    { method: 'GET', path: '/signed/:seal/:folder/:bundle/:file', contract: SIGNED },
  ]);
  return router;
}

/** Names of ours need no decoding; any other spelling of one is not it. */
function askedFile(asked: string): { file: string; seal?: string } {
  const [, seal, file] = /^\/signed\/([^/]+)\/(.+)$/.exec(asked) ?? [];
  return seal === undefined || file === undefined ? { file: asked.slice(1) } : { file, seal };
}

/** Asks the database once in a while; while it is away, what was published stays so. */
function publishedReader({ db }: Pick<ConsoleDeps, 'db'>): (name: string) => Promise<boolean> {
  const known = new Map<string, { is: boolean; until: number }>();
  return async (name) => {
    const held = known.get(name);
    if (held !== undefined && held.until > performance.now()) return held.is;
    try {
      const is = await isPublished(runner(db), name);
      known.delete(name);
      known.set(name, { is, until: performance.now() + BELIEVED_MS });
      if (known.size > BELIEVED_MAX) known.delete(known.keys().next().value ?? '');
      return is;
    } catch (error) {
      if (held?.is === true) return true;
      throw error;
    }
  };
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

const SIGNED: RouteContract = {
  ...CONTRACT,
  summary: 'Load a file that is not published yet, for its owner and its reviewers',
};

type SendError = NodeJS.ErrnoException & { status?: number };

/** Only a file that is there has them. The sender looks after conditions, ranges and lengths. */
const headersOf = (
  file: string,
  { mime, framedBy }: { mime: string; framedBy: readonly string[] | undefined },
): Record<string, string> => ({
  'Cache-Control': framedBy === undefined ? CACHE_PUBLISHED : CACHE_SIGNED,
  ETag: `"${file}"`,
  // Ads are shown on other people's pages; fonts, players and sandboxed frames ask across origins.
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
  'Content-Type': mime,
  'Content-Disposition': 'inline',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy':
    (mime.startsWith('text/html') ? CREATIVE_PAGE : INERT) +
    (framedBy === undefined ? '' : `; frame-ancestors ${framedBy.join(' ')}`),
});
