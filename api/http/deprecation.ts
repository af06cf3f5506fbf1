import type { Response } from 'express';

/** A route that is going away (docs/decisions/0006): whole UTC days, `YYYY-MM-DD`. */
export interface Deprecation {
  since: string;
  /** From this day on it may be gone. */
  sunset: string;
  /** What to call instead, as `POST /api/advertiser/media/upload`. */
  instead?: string;
}

/** So that whoever looks at the headers once a quarter still has a quarter left. */
const NOTICE_DAYS_MIN = 180;
const DAY_MS = 86_400_000;

/**
 * Sets the headers that a client's tools read: Deprecation (RFC 9745), Sunset (RFC 8594) and the
 * page that explains. Raises when the notice is shorter than promised: a fault of ours, found when
 * the route is made and not when it is called.
 */
export function announcement({ since, sunset }: Deprecation): (res: Response) => void {
  const from = Date.parse(`${since}T00:00:00Z`);
  const until = Date.parse(`${sunset}T00:00:00Z`);
  if (!(until - from >= NOTICE_DAYS_MIN * DAY_MS)) {
    throw new Error(`deprecated since ${since}, gone on ${sunset}: not ${NOTICE_DAYS_MIN} days`);
  }
  const headers = {
    Deprecation: `@${from / 1_000}`,
    Sunset: new Date(until).toUTCString(),
    Link: '</docs>; rel="deprecation"; type="text/html"',
  };
  return (res) => {
    res.set(headers);
  };
}

/** The same for readers of the document. */
export const deprecationText = ({ since, sunset, instead }: Deprecation): string =>
  `Deprecated since ${since}; gone on ${sunset} or later.${instead === undefined ? '' : ` Use ${instead}.`}`;
