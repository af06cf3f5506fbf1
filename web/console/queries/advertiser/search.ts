import { queryClient } from '../../api.ts';
import type { PaletteEntry } from '../../parts/palette-dialog.tsx';
import * as adGroup from './ad-group.ts';
import * as ad from './ad.ts';
import * as campaign from './campaign.ts';
import * as creative from './creative.ts';
import { PAGES } from './inventory-pages.ts';
import type { Level } from './inventory.ts';

const EACH_MAX = 3;

/** What the palette finds of one's own, by name; `kinds` says of which kind each is. */
export async function findOwn(
  keyword: string,
  kinds: Readonly<Record<Level, string>>,
): Promise<readonly PaletteEntry[]> {
  const query = { keyword, page_size: EACH_MAX };
  const [campaigns, adGroups, ads, creatives] = await Promise.all([
    queryClient.fetchQuery(campaign.list(query)),
    queryClient.fetchQuery(adGroup.list(query)),
    queryClient.fetchQuery(ad.list(query)),
    queryClient.fetchQuery(creative.list(query)),
  ]);
  const found = { campaign: campaigns, adgroup: adGroups, ad: ads, creative: creatives };
  return (Object.keys(found) as Level[]).flatMap((level) =>
    found[level].items.map(({ id, name }) => ({
      label: name,
      description: kinds[level],
      to: `${PAGES[level]}/${id}`,
    })),
  );
}
