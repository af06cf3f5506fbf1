import type { RequestHandler } from 'express';

/** What has no policy of its own is no page: nothing in it loads, leads or is sent anywhere. */
export const NO_PAGE =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Of every answer but the hot surfaces' (api/ad, api/track), which say the same themselves. */
export const safeHeaders: RequestHandler = (_req, res, next) => {
  res
    .set('X-Content-Type-Options', 'nosniff')
    .set('Content-Security-Policy', NO_PAGE)
    .set('Referrer-Policy', 'no-referrer');
  next();
};

/** What is answered to somebody who is signed in is kept by nobody on the way. */
export const unstored: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};
