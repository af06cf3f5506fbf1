import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import {
  type SearchAsk,
  type SearchedType,
  SEARCHED_TYPES,
  searchEverything,
  type SearchHit,
} from '../../db/queries/search.ts';
import type { OperatorRole } from '../../domain/operator.ts';
import type { ConsoleDeps } from '../deps.ts';
import { text } from '../http/fields.ts';
import { likePattern } from '../http/pagination.ts';
import { idOf, listOf, oneOf, record, words, wordsOrNull } from '../http/response-shapes.ts';
import { route } from '../http/route.ts';

const WORDS_MAX = 100;
/** Fewer letters are in every name, and no index finds them. */
const WORDS_MIN = 3;
const HITS_MAX = 20;

const query = yup.object({ q: text(WORDS_MAX).required() });

const hitsShape = record(
  {
    items: listOf(
      record(
        {
          type: oneOf(SEARCHED_TYPES),
          id: idOf(),
          title: words(),
          /** What tells it from others of its name: e-mail, domain, zone key, masked account. */
          subtitle: wordsOrNull(),
          status: words(),
          account_id: idOf(),
        },
        'SearchHit',
      ),
    ),
  },
  'SearchHits',
);

const INVENTORY: readonly SearchedType[] = ['campaign', 'creative', 'site', 'zone'];
const ACCOUNTS: readonly SearchedType[] = ['advertiser', 'publisher'];

/** Each role finds what its other pages let it read. */
const FOUND_BY: Readonly<Record<OperatorRole, readonly SearchedType[]>> = {
  ADMIN: SEARCHED_TYPES,
  FINANCE: SEARCHED_TYPES,
  SUPPORT: [...ACCOUNTS, ...INVENTORY],
  REVIEWER: INVENTORY,
};

/** interface 5.2: one field that leads everywhere. */
export function searchRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  router.get(
    '/',
    route(
      {
        summary: 'Find accounts, campaigns, creatives, sites, zones, deposits and withdrawals',
        rule: 'interface 5.2',
        roles: ['REVIEWER', 'FINANCE', 'SUPPORT'],
        query,
        answer: hitsShape,
      },
      async ({ query: { q }, caller }) => {
        const types = FOUND_BY[caller.role as OperatorRole] ?? [];
        const hits = await searchEverything(runner(deps.db), askOf(q, types));
        const best = hits.toSorted((a, b) => distance(a, q) - distance(b, q)).slice(0, HITS_MAX);
        return { items: best.map(presentHit) };
      },
    ),
  );
  return router;
}

/** `WD-12` is what banks are told of withdrawal 12. */
function askOf(q: string, types: readonly SearchedType[]): SearchAsk {
  const [, mark, digits] = /^(wd-)?([1-9]\d{0,14})$/i.exec(q) ?? [];
  if (mark !== undefined) {
    const withdrawals = types.filter((type) => type === 'withdrawal');
    return { types: withdrawals, id: Number(digits), pattern: null, words: q };
  }
  return {
    types,
    id: digits === undefined ? null : Number(digits),
    pattern: q.length < WORDS_MIN ? null : likePattern(q),
    words: q,
  };
}

/** 0 is the thing itself, 1 begins with the words, 2 has them somewhere. */
function distance({ id, title, subtitle }: SearchHit, q: string): 0 | 1 | 2 {
  const wanted = q.toLowerCase();
  const names = [title, subtitle ?? ''].map((name) => name.toLowerCase());
  if (String(id) === q || names.includes(wanted)) return 0;
  return names.some((name) => name.startsWith(wanted)) ? 1 : 2;
}

const presentHit = (hit: SearchHit): yup.InferType<typeof hitsShape>['items'][number] => ({
  type: hit.type,
  id: hit.id,
  title: hit.title,
  subtitle: hit.subtitle,
  status: hit.status,
  account_id: hit.accountId,
});
