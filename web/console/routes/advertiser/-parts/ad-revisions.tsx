import { Alert, Text } from '@mantine/core';
import type { Ad, AdRevision } from '../../../../client/routes.ts';
import { Facts } from '../../../parts/facts.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { revisions } from '../../../queries/advertiser/ad.ts';
import { creativeTexts } from '../../../texts/advertiser/creative.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';
import { Landing } from './campaign-facts.tsx';
import { type Chosen, ComparedRevisions } from './compared-revisions.tsx';
import { NamedLink } from './named-link.tsx';

/** The names of what viewers see of an ad, by its fields. */
export function useAdNames() {
  const t = useTexts(inventory);
  return {
    creative_id: t.creative,
    title: t.titleField,
    description: t.description,
    brand_name: t.brand,
    button_text: t.button,
    display_url: t.displayUrl,
    landing_url: t.landing,
  };
}

/** What of an ad viewers read, and may read when it is approved. */
export function AdRevisions({ id, ...chosen }: Chosen & { id: number }) {
  const names = useAdNames();
  const fields = Object.keys(names) as (keyof typeof names)[];
  return (
    <Loaded query={revisions(id)} height={240}>
      {({ items }) => (
        <ComparedRevisions
          {...chosen}
          subject="ad"
          all={items}
          names={names}
          seenOf={(each) => Object.fromEntries(fields.map((field) => [field, each[field]]))}
          show={(each) => <AdText ad={each} />}
        />
      )}
    </Loaded>
  );
}

/** What an ad says, shows and leads to. */
function AdText({ ad }: { ad: AdRevision }) {
  const t = useTexts(inventory);
  const names = useAdNames();
  return (
    <Facts
      rows={[
        [names.creative_id, <NamedLink key="creative" of="creative" id={ad.creative_id} />],
        [names.title, ad.title],
        [names.description, ad.description],
        [names.brand_name, ad.brand_name],
        [names.button_text, ad.button_text],
        [names.display_url, ad.display_url],
        [
          names.landing_url,
          ad.landing_url === null ? t.asCampaign : <Landing key="l" url={ad.landing_url} />,
        ],
      ]}
    />
  );
}

/** While newer words are not approved, the older ones serve on; said here where no reason says it. */
export function ServesOn({ row }: { row: Ad }) {
  const c = useTexts(creativeTexts);
  const { approved_revision: approved, revision } = row;
  if (approved === null || approved === revision) return null;
  if (row.delivery_reasons.some((reason) => reason.startsWith('REVISION_'))) return null;
  return (
    <Alert color="blue" variant="light" title={c.reviewTitle}>
      <Text size="sm">{c.servesOn(approved)}</Text>
    </Alert>
  );
}
