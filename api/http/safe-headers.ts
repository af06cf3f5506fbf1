import type { RequestHandler } from 'express';

const YEAR_SECONDS = 365 * 24 * 3_600;
/** What has no policy of its own is no page: nothing in it loads, leads or is sent anywhere. */
const NO_PAGE = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Of every answer but the hot surfaces' (api/ad, api/track), which say the same themselves. */
export const safeHeaders = (baseUrl: string): RequestHandler => {
  const isSealed = baseUrl.startsWith('https:');
  return (_req, res, next) => {
    res.set('X-Content-Type-Options', 'nosniff').set('Content-Security-Policy', NO_PAGE);
    if (isSealed)
      res.set('Strict-Transport-Security', `max-age=${YEAR_SECONDS}; includeSubDomains`);
    next();
  };
};

/** What is answered to somebody who is signed in is kept by nobody on the way. */
export const unstored: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};

/** Before what answers plainly: no browser guesses another type. */
export const asSaid: RequestHandler = (_req, res, next) => {
  res.set('X-Content-Type-Options', 'nosniff');
  next();
};
