import { queryClient } from '../../api.ts';
import type { PaletteEntry } from '../../parts/palette-dialog.tsx';
import * as site from './site.ts';
import * as zone from './zone.ts';

const EACH_MAX = 6;

/** What the palette finds of one's own, by name; `kinds` says of which kind each is. */
export async function findOwn(
  keyword: string,
  kinds: Readonly<Record<'sites' | 'zones', string>>,
): Promise<readonly PaletteEntry[]> {
  const query = { keyword, page_size: EACH_MAX };
  const [sites, zones] = await Promise.all([
    queryClient.fetchQuery(site.list(query)),
    queryClient.fetchQuery(zone.list(query)),
  ]);
  const found = { sites, zones };
  return (['sites', 'zones'] as const).flatMap((kind) =>
    found[kind].items.map(({ id, name }) => ({
      label: name,
      description: kinds[kind],
      to: `/publisher/${kind}/${id}`,
    })),
  );
}
