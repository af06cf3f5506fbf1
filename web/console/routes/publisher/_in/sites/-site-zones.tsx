import type { Site, Zone } from '../../../../../client/routes.ts';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { type Column, List } from '../../../../parts/list-page.tsx';
import { useSearchChange } from '../../../../parts/search-change.ts';
import { Section } from '../../../../parts/section.tsx';
import { State } from '../../../../parts/state.tsx';
import { type Same, useTexts } from '../../../../parts/texts.ts';
import { RowLink } from '../../../../parts/row-link.tsx';
import { ofSite } from '../../../../queries/publisher/zone.ts';
import { site } from '../../../../texts/site.ts';
import { zone } from '../../../../texts/zone.ts';
import { sizeOf } from '../zones/-zone-values.ts';

type Words = Same<(typeof zone)['en']>;

const COLUMNS: readonly Column<Zone, Words>[] = [
  {
    key: 'name',
    title: (t) => t.name,
    cell: ({ id, name }) => <RowLink to={`/publisher/zones/${id}`}>{name}</RowLink>,
  },
  { key: 'type', title: (t) => t.type, cell: (row, t) => t.types[row.type].name },
  { key: 'size', title: (t) => t.size, cell: (row) => sizeOf(row) ?? '—' },
  { key: 'ads', title: (t) => t.ads, cell: (row) => <State state={row.delivery_status} /> },
];

export function SiteZones({ row, page }: { row: Site; page: number | undefined }) {
  const change = useSearchChange();
  const t = useTexts(site);
  const z = useTexts(zone);
  const add = (
    <ButtonLink to="/publisher/zones/new" search={{ site_id: row.id }} size="compact-sm">
      {t.newZone}
    </ButtonLink>
  );
  return (
    <Section title={t.zonesTitle} lead={t.zonesLead} beside={add}>
      <List
        label={t.zonesTitle}
        query={ofSite(row.id, page)}
        columns={COLUMNS}
        texts={z}
        rowKey={({ id }) => id}
        empty={{ title: t.noZones }}
        searchEmpty={null}
        onPage={(next) => change({ page: next })}
      />
    </Section>
  );
}
