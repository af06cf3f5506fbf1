import express, { Router } from 'express';
import path from 'node:path';

/** The page SDK and the consoles, as built by web/build.ts. */
export function consolePages(webDir: string): Router {
  const router = Router();
  const root = path.resolve(webDir);
  router.get('/sdk.js', (_req, res) => {
    // Any site may load it; pages pin no version, so it is revalidated often (interface 9).
    res.set('Access-Control-Allow-Origin', '*').set('Cache-Control', 'public, max-age=300');
    res.sendFile('sdk.js', { root });
  });
  router.use(
    '/console',
    (_req, res, next) => {
      res.set(
        'Content-Security-Policy',
        "default-src 'self'; img-src 'self' data: https: http:; frame-src 'self'; frame-ancestors 'none'",
      );
      res.set('X-Content-Type-Options', 'nosniff').set('Referrer-Policy', 'no-referrer');
      next();
    },
    express.static(path.join(root, 'console'), { index: 'index.html', maxAge: 0 }),
  );
  return router;
}
