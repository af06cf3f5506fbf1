import { Group, MultiSelect, Select, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { common } from '../../../texts/common.ts';
import { usePreferences } from '../../../parts/preferences.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { list as campaigns } from '../../../queries/advertiser/campaign.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';
import { reportTexts } from '../../../texts/advertiser/report.ts';
import { METRICS } from './metrics.ts';
import {
  daysOf,
  DIMENSIONS,
  DIMENSIONS_MAX,
  dimensionsOf,
  PRESETS,
  type ReportSearch,
} from './report-search.ts';

interface Props {
  search: ReportSearch;
  onChange: (change: Record<string, string | number | undefined>) => void;
}

/** What a report is asked: all of it ends up in the address. */
export function ReportControls({ search, onChange }: Props) {
  const t = useTexts(reportTexts);
  const i = useTexts(inventory);
  const c = useTexts(common);
  const { first, last } = daysOf(search);
  const { range = 'last7', metric = 'spend' } = search;
  return (
    <Group gap="sm" align="flex-end" role="search">
      <Select
        label={t.range}
        w={160}
        data={PRESETS.map((value) => ({ value, label: t.presets[value] }))}
        value={range}
        onChange={(value) =>
          onChange(
            value === 'own'
              ? { range: 'own', from: first, to: last }
              : { range: value ?? undefined, from: undefined, to: undefined },
          )
        }
        allowDeselect={false}
      />
      {range === 'own' && (
        <>
          <TextInput
            type="date"
            label={t.from}
            value={first}
            max={last}
            onChange={(event) => onChange({ from: event.currentTarget.value })}
          />
          <TextInput
            type="date"
            label={t.to}
            value={last}
            min={first}
            onChange={(event) => onChange({ to: event.currentTarget.value })}
          />
        </>
      )}
      <MultiSelect
        label={t.by}
        placeholder={t.byHelp}
        miw={200}
        maw={360}
        data={DIMENSIONS.map((value) => ({ value, label: t.dimensions[value] }))}
        value={dimensionsOf(search.by)}
        maxValues={DIMENSIONS_MAX}
        onChange={(values) => onChange({ by: values.length === 0 ? undefined : values.join(',') })}
        clearButtonProps={{ 'aria-label': c.clear }}
        hidePickedOptions
      />
      <CampaignChoice search={search} onChange={onChange} />
      <ZoneChoice search={search} onChange={onChange} />
      <Select
        label={t.figure}
        w={160}
        data={METRICS.map((value) => ({ value, label: i.metrics[value] }))}
        value={metric}
        onChange={(value) => onChange({ metric: value ?? undefined })}
        allowDeselect={false}
      />
      <Switch
        label={t.compare}
        checked={search.compare === '1'}
        onChange={(event) => onChange({ compare: event.currentTarget.checked ? '1' : undefined })}
        pb={8}
      />
    </Group>
  );
}

function CampaignChoice({ search, onChange }: Props) {
  const t = useTexts(reportTexts);
  const c = useTexts(common);
  const { data } = useQuery(campaigns({ page_size: 100 }));
  return (
    <Select
      label={t.campaign}
      placeholder={t.allCampaigns}
      w={200}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': c.clear }}
      data={(data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      value={search.campaign_id?.toString() ?? null}
      onChange={(value) => onChange({ campaign_id: value === null ? undefined : Number(value) })}
    />
  );
}

/** The reader's zone and the platform's own first, then every other. */
function ZoneChoice({ search, onChange }: Props) {
  const t = useTexts(reportTexts);
  const { timeZone } = usePreferences();
  const zones = [...new Set(['UTC', timeZone, ...Intl.supportedValuesOf('timeZone')])];
  return (
    <Select
      label={t.zone}
      w={190}
      searchable
      limit={50}
      data={zones}
      value={search.zone ?? 'UTC'}
      onChange={(value) => onChange({ zone: value === 'UTC' ? undefined : (value ?? undefined) })}
      allowDeselect={false}
    />
  );
}
