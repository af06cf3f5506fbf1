import { numberOf, oneOf, stated, textOf } from '../../../../parts/search.ts';

export const STATUSES = ['ACTIVE', 'SUSPENDED'] as const;

/** What the lists of both kinds of accounts hold in their address. */
export const partySearch = (raw: Record<string, unknown>) =>
  stated({
    page: numberOf(raw['page']),
    keyword: textOf(raw['keyword']),
    status: oneOf(STATUSES, raw['status']),
  });

/** Which page of its lists an account's own page shows. */
export const listsOfParty = (
  raw: Record<string, unknown>,
): { history?: number; documents?: number } =>
  stated({ history: numberOf(raw['history']), documents: numberOf(raw['documents']) });
