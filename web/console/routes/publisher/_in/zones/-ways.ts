/** In which ways a zone's code may be had, as the page's address names them. */
export const WAYS = ['script', 'iframe', 'vast', 'prebid', 'request', 'policy'] as const;
export type Way = (typeof WAYS)[number];
