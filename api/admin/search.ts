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
import { readableKinds } from '../../domain/task-rules.ts';
import type { ConsoleDeps } from '../deps.ts';
import { text } from '../http/fields.ts';
import { likePattern } from '../http/pagination.ts';
import {
  idOf,
  idOrNullOf,
  listOf,
  oneOf,
  record,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { route } from '../http/route.ts';

const WORDS_MAX = 100;
/** Fewer letters are in every name, and no index finds them. */
const WORDS_MIN = 3;
const HITS_MAX = 20;

const TYPES_MAX = 400;

const typesOf = (value: string): string[] => value.split(',').map((word) => word.trim());
const query = yup.object({
  q: text(WORDS_MAX).required(),
  /** Several, as `advertiser,publisher`; absent is whatever has a page. */
  types: text(TYPES_MAX)
    .test(
      'types',
      `must be some of: ${SEARCHED_TYPES.join(', ')}`,
      (value) =>
        value === undefined ||
        typesOf(value).every((word) => SEARCHED_TYPES.some((type) => type === word)),
    )
    .meta({ kind: 'word' }),
});

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
          /** Null: the platform's own. */
          account_id: idOrNullOf(),
        },
        'SearchHit',
      ),
    ),
  },
  'SearchHits',
);

const INVENTORY: readonly SearchedType[] = [
  'campaign',
  'adgroup',
  'ad',
  'creative',
  'site',
  'zone',
];
const ACCOUNTS: readonly SearchedType[] = ['advertiser', 'publisher'];
/** What is said of money to whoever may not see it: that it is under way, and whose it is. */
const FLOWS: readonly SearchedType[] = ['deposit_flow', 'withdrawal_flow'];
/** Without a page of their own: found for those lists that are narrowed by them. */
const ASKED_FOR: readonly SearchedType[] = ['ledger_account', 'operator'];
const OF_MONEY = SEARCHED_TYPES.filter((type) => !FLOWS.includes(type) && type !== 'operator');

/** Each role finds what its other pages let it read; of tasks, the kinds that it reads. */
const FOUND_BY: Readonly<Record<OperatorRole, readonly SearchedType[]>> = {
  ADMIN: [...OF_MONEY, 'operator'],
  FINANCE: OF_MONEY,
  SUPPORT: [...ACCOUNTS, ...INVENTORY, ...FLOWS, 'task'],
  REVIEWER: [...INVENTORY, 'task'],
};

/** interface 5.2: one field that leads everywhere. */
export function searchRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  router.get(
    '/',
    route(
      {
        summary: 'Find accounts, what they run, tasks, orders of money and bank statements',
        rule: 'interface 5.2',
        roles: ['REVIEWER', 'FINANCE', 'SUPPORT'],
        query,
        answer: hitsShape,
      },
      async ({ query: { q, types }, caller }) => {
        const hits = await searchEverything(
          runner(deps.db),
          askOf(q.trim(), caller.role as OperatorRole, types),
        );
        const best = hits.toSorted((a, b) => distance(a, q) - distance(b, q)).slice(0, HITS_MAX);
        return { items: best.map(presentHit) };
      },
    ),
  );
  return router;
}

/** `WD-12` is what banks are told of withdrawal 12, and `#12` is how people write a number. */
function askOf(q: string, role: OperatorRole, asked: string | undefined): SearchAsk {
  const wanted = asked === undefined ? undefined : typesOf(asked);
  const types = (FOUND_BY[role] ?? []).filter(
    (type) => wanted?.includes(type) ?? !ASKED_FOR.includes(type),
  );
  const taskKinds = readableKinds(role);
  const [, mark, digits] = /^(wd-|#)?([1-9]\d{0,14})$/i.exec(q) ?? [];
  const number = digits === undefined ? null : Number(digits);
  if (mark !== undefined) {
    const named = mark === '#' ? types : types.filter((type) => type.startsWith('withdrawal'));
    return { types: named, number, pattern: null, words: q, taskKinds };
  }
  const pattern = q.length < WORDS_MIN ? null : likePattern(q);
  return { types, number, pattern, words: q, taskKinds };
}

/** 0 is the thing itself, 1 begins with the words, 2 has them somewhere. */
function distance({ id, title, subtitle }: SearchHit, q: string): 0 | 1 | 2 {
  const wanted = q.toLowerCase();
  const names = [title, ...(subtitle ?? '').split(' · ')].map((name) => name.toLowerCase());
  // `12` and `#12` are one number.
  const numbers = [`${id}`, `#${id}`];
  if ([...numbers, ...names].some((name) => name === wanted || name === `#${wanted}`)) return 0;
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
