import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { stated } from '../../../parts/search.ts';
import { useTexts } from '../../../parts/texts.ts';
import { list as listSites } from '../../../queries/publisher/site.ts';
import { list as listZones } from '../../../queries/publisher/zone.ts';
import { common } from '../../../texts/common.ts';
import { report } from '../../../texts/report.ts';

export interface Narrowed {
  site_id?: number | undefined;
  zone_id?: number | undefined;
}

/** A report of one site or zone alone. */
export function Narrowing({
  search: { site_id: siteId, zone_id: zoneId },
  onChange,
}: {
  search: Narrowed;
  onChange: (next: Narrowed) => void;
}) {
  const t = useTexts(report);
  const { data: sites } = useQuery(listSites({ page_size: 100 }));
  const { data: zones } = useQuery(listZones({ page_size: 100, ...stated({ site_id: siteId }) }));
  return (
    <>
      <One
        label={t.dimensions.site}
        rows={sites?.items ?? []}
        value={siteId}
        onChange={(id) => onChange({ site_id: id, zone_id: undefined })}
      />
      <One
        label={t.dimensions.zone}
        rows={zones?.items ?? []}
        value={zoneId}
        onChange={(id) => onChange({ zone_id: id })}
      />
    </>
  );
}

function One(props: {
  label: string;
  rows: readonly { id: number; name: string }[];
  value: number | undefined;
  onChange: (id: number | undefined) => void;
}) {
  const { label, rows, value, onChange } = props;
  const c = useTexts(common);
  return (
    <Select
      label={label}
      placeholder={c.all}
      data={rows.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value?.toString() ?? null}
      onChange={(next) => onChange(next === null ? undefined : Number(next))}
      clearable
      clearButtonProps={{ 'aria-label': c.clear }}
      searchable
      w={170}
    />
  );
}
