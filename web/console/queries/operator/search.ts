import type { SearchHit } from '../../../client/routes.ts';
import { api } from '../../api.ts';

const SEARCH = 'GET /api/admin/search';

/** What has a page of its own; of the rest, their tasks are shown. */
const PAGES: Readonly<Partial<Record<SearchHit['type'], string>>> = {
  advertiser: 'advertisers',
  publisher: 'publishers',
  deposit: 'deposits',
  withdrawal: 'withdrawals',
};

const pageOf = ({ type, id }: SearchHit): string => {
  const folder = PAGES[type];
  return folder === undefined
    ? `/operator?subject_type=${type}&subject_id=${id}`
    : `/operator/${folder}/${id}`;
};

/** What the palette finds, by name or number. */
export async function found(
  q: string,
): Promise<{ label: string; description: string; to: string }[]> {
  const { items } = await api(SEARCH).call(SEARCH, { query: { q } });
  return items.map((hit) => ({
    label: hit.title,
    description: [hit.type, hit.id, hit.subtitle, hit.status]
      .filter((each) => each !== null)
      .join(' · '),
    to: pageOf(hit),
  }));
}
