import { pipeline } from 'node:stream/promises';
import { Router } from 'express';
import { createFileMediaStore } from '../db/media-store.ts';
import { notFound } from '../domain/errors.ts';
import type { ConsoleDeps } from './deps.ts';

/** A name is given once and its bytes never change. */
const CACHE_SECONDS = 365 * 24 * 3_600;

/**
 * `{cdn_url}/media/…`: what creatives show. Served as exactly the type it was encoded to, and inert
 * when opened as a page of its own.
 */
export function mediaFileRoutes({ config }: Pick<ConsoleDeps, 'config'>): Router {
  const store = createFileMediaStore(config.mediaDir);
  const router = Router();
  router.get('/:folder/:file', async (req, res) => {
    const stored = await store.read(`${req.params.folder}/${req.params.file}`);
    if (stored === undefined) throw notFound();
    res.status(200);
    res.setHeader('Content-Type', stored.mime);
    res.setHeader('Content-Length', String(stored.bytes));
    res.setHeader('Content-Disposition', 'inline');
    res.setHeader('Cache-Control', `public, max-age=${CACHE_SECONDS}, immutable`);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
    // Ads are shown on other people's pages.
    res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    if (req.method === 'HEAD') {
      await stored.close();
      res.end();
      return;
    }
    try {
      await pipeline(stored.stream(), res);
    } catch (error) {
      // The viewer went away; the pipeline has closed both ends.
      if (!isAborted(error)) throw error;
    }
  });
  return router;
}

const isAborted = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
