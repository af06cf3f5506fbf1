import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import packedStatic from 'express-static-gzip';
import { preloading } from './console-preloads.ts';
import type { ConsoleDeps } from './deps.ts';

const NONCE_BYTES = 16;
/** Stands in the built page where the server writes each answer's nonce. */
const NONCE_PLACE = '__NONCE__';

/**
 * Only the console's own scripts and styles run, named by their path; its frames come from where media
 * lie. Pictures and films may be anybody's: a VAST document names its own.
 */
const policyOf = ({ nonce, own, cdn }: { nonce: string; own: string; cdn: string }): string =>
  [
    "default-src 'none'",
    `script-src ${own} 'nonce-${nonce}'`,
    `style-src ${own} 'nonce-${nonce}'`,
    "connect-src 'self'",
    `font-src ${own}`,
    "img-src 'self' data: blob: https: http:",
    "media-src 'self' blob: https: http:",
    `frame-src 'self' blob: ${cdn}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The frame in which strangers' code is looked at: an origin of its own, wherever it is opened. */
const SANDBOX_POLICY =
  "sandbox allow-scripts; default-src * data: blob: 'unsafe-inline' 'unsafe-eval'; frame-ancestors 'self'";

/** What is not a file is one of the console's own pages. */
const CONSOLE_PAGE = /^\/(index\.html|(advertiser|publisher|operator)(\/[\w-]+)*\/?)?$/;

/** What was never the name of a file. */
const NO_FILE = /^(\/[\w-]+)+\/?$/;

/** What pages of publishers load, and the consoles, as built by web/build.ts. */
export function consolePages(
  webDir: string,
  { urls }: Pick<ConsoleDeps['config'], 'urls'>,
): Router {
  const router = Router();
  const root = path.resolve(webDir);
  for (const script of ['sdk.js', 'prebid-adapter.js']) {
    router.get(`/${script}`, (_req, res) => {
      // Any site may load it; pages pin no version, so it is revalidated often (interface 9).
      res.set('Access-Control-Allow-Origin', '*').set('Cache-Control', 'public, max-age=300');
      res.sendFile(script, { root });
    });
  }
  router.use(
    page(/^\/$/, (_req, res) => {
      res.redirect(302, '/console/');
    }),
  );
  router.use('/console', safely, consoleFiles(path.join(root, 'console'), urls.cdn));
  return router;
}

function consoleFiles(root: string, cdn: string): Router {
  const router = Router();
  const sources = { root, cdn, preload: preloading(root) };
  router.use(
    '/assets',
    (_req, res, next) => {
      // Their names carry a hash of what they hold.
      res.set('Cache-Control', 'public, max-age=31536000, immutable');
      next();
    },
    packedStatic(path.join(root, 'assets'), {
      index: false,
      enableBrotli: true,
      orderPreference: ['br', 'gz'],
      serveStatic: { fallthrough: false },
    }),
  );
  router.use(
    page(/^\/sandbox\.html$/, (_req, res) => {
      res.set('Content-Security-Policy', SANDBOX_POLICY).removeHeader('X-Frame-Options');
      res.sendFile('sandbox.html', { root });
    }),
  );
  router.use(page(CONSOLE_PAGE, async (req, res) => await sendPage(req, res, sources)));
  router.use(express.static(root, { index: false, redirect: false }));
  // Somebody who mistyped is told so in words.
  router.use(page(NO_FILE, async (req, res) => await sendPage(req, res.status(404), sources)));
  return router;
}

/** For people, and no route of the API: what is used, not mounted, needs no line in the document. */
const page =
  (at: RegExp, answer: (req: Request, res: Response) => void | Promise<void>): RequestHandler =>
  async (req, res, next) => {
    if (['GET', 'HEAD'].includes(req.method) && at.test(req.path)) await answer(req, res);
    else next();
  };

interface PageSources {
  root: string;
  cdn: string;
  preload: ReturnType<typeof preloading>;
}

async function sendPage(
  req: Request,
  res: Response,
  { root, cdn, preload }: PageSources,
): Promise<void> {
  const page = await readFile(path.join(root, 'index.html'), 'utf8');
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  res
    .set('Content-Security-Policy', policyOf({ nonce, own: ownPath(req), cdn }))
    .set('Cache-Control', 'no-store')
    .type('html')
    .send((await preload(page, req.path)).replaceAll(NONCE_PLACE, nonce));
}

/** Where the page itself came from; what no host name can be is none of ours. */
function ownPath(req: Request): string {
  const host = req.get('host') ?? '';
  return /^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i.test(host)
    ? `${req.protocol}://${host}/console/assets/`
    : "'none'";
}

const safely: RequestHandler = (_req, res, next) => {
  res.set('X-Content-Type-Options', 'nosniff').set('Referrer-Policy', 'no-referrer');
  next();
};
