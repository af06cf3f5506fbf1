import { Stack, Text, Title } from '@mantine/core';
import { Facts } from '../../../../../parts/facts.tsx';
import { Money } from '../../../../../parts/money.tsx';
import { OutsideLink } from '../../../../../parts/outside-link.tsx';
import { State } from '../../../../../parts/state.tsx';
import { useTexts } from '../../../../../parts/texts.ts';
import type { TaskPage } from '../../../../../queries/operator/task.ts';
import { subject } from '../../../../../texts/subject.ts';
import { useKindWords } from '../../-shown/kind-words.ts';

type Detail = TaskPage['detail'];

export function SiteView({ detail: { site } }: { detail: Detail }) {
  const t = useTexts(subject);
  const kinds = useKindWords();
  const f = t.fields;
  if (site === null) return <Text c="dimmed">{t.gone}</Text>;
  const address = site.url ?? (site.domain === null ? null : `https://${site.domain}/`);
  return (
    <Facts
      rows={[
        [f.name, site.name],
        [f.domain, site.domain],
        [f.url, <OutsideLink key="u" url={address} label={t.openElsewhere} />],
        [f.verify_status, <State key="v" state={site.verify_status} />],
        [f.verify_method, kinds.site(site.verify_method)],
        [f.media_type, kinds.site(site.media_type)],
        [f.app_package, site.app_package],
        [f.icp, site.icp],
        [f.description, site.description],
      ]}
    />
  );
}

/** A zone on its site. */
export function ZoneView({ detail }: { detail: Detail }) {
  const t = useTexts(subject);
  const kinds = useKindWords();
  const f = t.fields;
  const { zone, site } = detail;
  if (zone === null) return <Text c="dimmed">{t.gone}</Text>;
  return (
    <Stack gap="md">
      <Facts
        rows={[
          [f.name, zone.name],
          [f.type, kinds.ad(zone.type)],
          [f.size, `${zone.width} × ${zone.height}`],
          [f.position, zone.position],
          [f.device, kinds.device(zone.device)],
          [f.pricing_model, zone.pricing_types],
          [
            f.floor,
            <span key="f">
              <Money amount={zone.floor_price_cpc} /> CPC, <Money amount={zone.floor_price_cpm} />{' '}
              CPM
            </span>,
          ],
          [f.refresh, t.seconds(zone.refresh)],
        ]}
      />
      {site !== null && (
        <>
          <Title order={2}>{t.site}</Title>
          <SiteView detail={detail} />
        </>
      )}
    </Stack>
  );
}
