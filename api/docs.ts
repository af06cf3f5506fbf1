import express, { Router } from 'express';
import path from 'node:path';
import { bare, describeOpen, json, refusal } from './contracts/open.ts';

/** Scripts, styles and data come from here alone; the pages can be read on a machine without a net. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The contract as documents, as web/build.ts left them: `/openapi.json` is docs/openapi.yaml, so
 * every process shows the whole platform, whichever surfaces it serves; `/docs` shows it to people,
 * `/docs/interface` the rules that it cites.
 */
export function docsPages(webDir: string): Router {
  const router = Router();
  const root = path.resolve(webDir);
  router.get('/openapi.json', (_req, res) => {
    // Client generators on any page may read it.
    res.set('Access-Control-Allow-Origin', '*').set('Cache-Control', 'public, max-age=300');
    res.sendFile('openapi.json', { root });
  });
  router.use(
    '/docs',
    (_req, res, next) => {
      res.set('Content-Security-Policy', PAGE_POLICY);
      res.set('X-Content-Type-Options', 'nosniff').set('Referrer-Policy', 'no-referrer');
      next();
    },
    express.static(path.join(root, 'docs'), {
      index: 'index.html',
      extensions: ['html'],
      maxAge: 0,
    }),
  );
  return describeOpen(router, [
    {
      method: 'GET',
      path: '/openapi.json',
      contract: {
        summary: 'Read this document',
        rule: 'interface 2.1',
        raw: {
          200: json('OpenAPI 3.1.'),
          206: json('The part that `Range` asks for.'),
          304: bare('Not changed since the ETag or date that was sent.'),
          400: refusal('A header is not of its form.'),
          404: refusal('It was not built.'),
          412: refusal('A precondition does not hold.'),
          416: refusal('`Range` begins behind the end.'),
        },
      },
    },
  ]);
}
