import type { SearchHit } from '../../../client/routes.ts';
import { INVENTORY_TYPES } from './inventory.ts';
import { api } from '../../api.ts';
import type { PaletteSearch } from '../../parts/palette-dialog.tsx';
import type { PickSource } from '../../parts/pick.tsx';
import { type Same, wordOf } from '../../parts/texts.ts';
import type { desk } from '../../texts/desk.ts';
import type { foundTexts } from '../../texts/found.ts';
import type { states } from '../../texts/states.ts';

const SEARCH = 'GET /api/admin/search';

export type FoundType = SearchHit['type'];

interface Words {
  found: Same<(typeof foundTexts)['en']>;
  states: Same<(typeof states)['en']>;
  desk: Same<(typeof desk)['en']>;
}

/** What has a page of its own; of the rest, their tasks are shown. */
const PAGES: Readonly<Partial<Record<FoundType, string>>> = {
  advertiser: 'advertisers',
  publisher: 'publishers',
  task: 'tasks',
  deposit: 'deposits',
  withdrawal: 'withdrawals',
  deposit_flow: 'operations',
  withdrawal_flow: 'operations',
  statement: 'statements',
};

export const pageOf = (type: FoundType, id: number): string => {
  if (INVENTORY_TYPES.some((each) => each === type)) return `/operator/inventory/${type}/${id}`;
  const folder = PAGES[type];
  return folder === undefined
    ? `/operator?subject_type=${type}&subject_id=${id}`
    : `/operator/${folder}/${id}`;
};

const hitsOf = async (q: string, types?: string): Promise<readonly SearchHit[]> => {
  const query = types === undefined ? { q } : { q, types };
  return (await api(SEARCH).call(SEARCH, { query })).items;
};

/** `Advertiser 12`; what is only under way has the number in its title. */
const called = ({ type, id }: SearchHit, { found }: Words): string =>
  type.endsWith('_flow')
    ? wordOf(found.types, type)
    : found.numbered(wordOf(found.types, type), id);

/** An order's reference says nothing to whoever looks for its payer or its amount. */
const moreOf = ({ subtitle, status }: SearchHit, { states }: Words): string[] => [
  ...(subtitle === null ? [] : [subtitle]),
  wordOf(states, status),
];

/** A request's id and a click's look alike; what an ad was sealed into is longer. Nothing else is called so. */
const EVENT_ID = /^[0-9a-f]{32}$/i;
const TRACK_ID = /^[\w.~-]{64,512}$/;

const tracesOf = (id: string, { found }: Words): Awaited<ReturnType<PaletteSearch>> => {
  const by = EVENT_ID.test(id) ? (['request_id', 'click_id'] as const) : (['track_id'] as const);
  return by.map((name) => ({
    label: found.traces[name],
    description: `${id.slice(0, 12)}…`,
    to: `/operator/events?${name}=${encodeURIComponent(id)}`,
  }));
};

/** What the palette finds, by name or number; of what a complaint names, its fate. */
export const foundIn =
  (words: Words, mayTrace: boolean): PaletteSearch =>
  async (text) => {
    const id = text.trim();
    if (mayTrace && (EVENT_ID.test(id) || TRACK_ID.test(id))) return tracesOf(id, words);
    return (await hitsOf(text)).map((hit) => ({
      label: hit.title,
      description: [
        called(hit, words),
        hit.type === 'task' ? wordOf(words.desk.kinds, hit.subtitle) : hit.subtitle,
        hit.type === 'statement' ? null : wordOf(words.states, hit.status),
      ]
        .filter((each) => each !== null)
        .join(' · '),
      to: pageOf(hit.type, hit.id),
    }));
  };

/** What a list can be narrowed by: found by name or number, sent as its number. */
export const pickFrom = (words: Words, types: readonly FoundType[]): PickSource => {
  const asked = types.join(',');
  const labelOf = (hit: SearchHit): string =>
    [hit.title, called(hit, words), ...(hit.type === 'deposit' ? moreOf(hit, words) : [])].join(
      ' · ',
    );
  return {
    key: `pick ${SEARCH} ${asked}`,
    find: async (text) =>
      (await hitsOf(text, asked)).map((hit) => ({
        value: String(hit.id),
        label: labelOf(hit),
        type: hit.type,
      })),
    // One number may be an operator's and an account's.
    nameOf: async (value) => (await hitsOf(`#${value}`, asked)).map(labelOf).join(' / '),
  };
};
