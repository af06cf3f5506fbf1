import type { Ad } from '../../../../client/routes.ts';
import { Facts } from '../../../parts/facts.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';
import { Landing } from './campaign-facts.tsx';
import { NamedLink } from './named-link.tsx';

/** What an ad is made of. */
export function AdFacts({ row }: { row: Ad }) {
  const t = useTexts(inventory);
  return (
    <Facts
      rows={[
        [t.adGroup, <NamedLink key="group" of="adgroup" id={row.adgroup_id} />],
        [t.creative, <NamedLink key="creative" of="creative" id={row.creative_id} />],
        [t.titleField, row.title],
        [t.description, row.description],
        [t.brand, row.brand_name],
        [t.button, row.button_text],
        [t.displayUrl, row.display_url],
        [t.landing, row.landing_url === null ? t.asCampaign : <Landing url={row.landing_url} />],
        [t.weight, row.weight],
      ]}
    />
  );
}
