import { Fieldset, SimpleGrid } from '@mantine/core';
import { useWatch } from 'react-hook-form';
import type { AdFormat } from '../../../../../client/routes.ts';
import {
  ManyField,
  MoneyField,
  NumberField,
  SelectField,
  TextField,
} from '../../../../parts/fields.tsx';
import { PickField } from '../../../../parts/pick-field.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { sitePick } from '../../../../queries/publisher/picks.ts';
import { adSizes } from '../../../../texts/ad-size.ts';
import { zone } from '../../../../texts/zone.ts';
import { SettingFields } from './-setting-fields.tsx';
import type { ZoneType } from './-zone-types.ts';
import { formatsOf, hasRefresh, hasSize, type ZoneValues } from './-zone-values.ts';

const DEVICES = ['ALL', 'DESKTOP', 'MOBILE', 'TABLET', 'TV'] as const;
const PRICING = ['CPC', 'CPM', 'CPA', 'CPV', 'CPS'] as const;
const REFRESH = [0, 30, 60, 120, 300, 600] as const;

const OPEN_SITES = sitePick({ audit_status: 'APPROVED', status: 'ACTIVE' });

/** The fields that a zone of this type has, and no others. */
export function ZoneFields({
  type,
  formats,
  isNew = false,
}: {
  type: ZoneType;
  formats: readonly AdFormat[];
  /** A zone that exists keeps its site. */
  isNew?: boolean;
}) {
  const t = useTexts(zone);
  return (
    <>
      {isNew && <PickField name="site_id" label={t.site} source={OPEN_SITES} required />}
      <TextField name="name" label={t.name} help={t.nameHelp} required maxLength={120} />
      {hasSize(type) && <Size formats={formatsOf(formats, type)} />}
      <SettingFields type={type} />
      <Fieldset legend={t.floorTitle}>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <MoneyField name="floor_price_cpm" label={t.floorCpm} help={t.floorLead} min={0} />
          <MoneyField name="floor_price_cpc" label={t.floorCpc} help={t.floorLead} min={0} />
        </SimpleGrid>
      </Fieldset>
      <Fieldset legend={t.moreTitle}>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <SelectField
            name="device"
            label={t.device}
            options={DEVICES.map((value) => ({ value, label: t.devices[value] }))}
          />
          {hasRefresh(type) && <Refresh />}
          <ManyField
            name="pricing_types"
            label={t.pricing}
            help={t.pricingHelp}
            options={PRICING.map((value) => ({ value, label: value }))}
          />
        </SimpleGrid>
      </Fieldset>
    </>
  );
}

/** One of the usual sizes, or one of the owner's own. */
function Size({ formats }: { formats: readonly AdFormat[] }) {
  const t = useTexts(zone);
  const { name: called } = useTexts(adSizes);
  const size = useWatch<ZoneValues, 'size_id'>({ name: 'size_id' });
  const isOwn = size === null || size === undefined;
  return (
    <>
      {formats.length > 0 && (
        <SelectField
          name="size_id"
          label={t.size}
          numeric
          none={t.sizeOwn}
          options={formats.map(({ id, name, width, height }) => ({
            value: String(id),
            label: `${width} × ${height} · ${called(name)}`,
          }))}
        />
      )}
      {isOwn && (
        <SimpleGrid cols={2}>
          <NumberField name="width" label={t.width} min={1} max={4096} required />
          <NumberField name="height" label={t.height} min={1} max={4096} required />
        </SimpleGrid>
      )}
    </>
  );
}

function Refresh() {
  const t = useTexts(zone);
  const now = useWatch<ZoneValues, 'refresh'>({ name: 'refresh' });
  const choices = [...new Set([...REFRESH, now])].toSorted((one, other) => one - other);
  return (
    <SelectField
      name="refresh"
      label={t.refresh}
      help={t.refreshHelp}
      numeric
      options={choices.map((value) => ({
        value: String(value),
        label: value === 0 ? t.refreshOff : t.refreshEach(value),
      }))}
    />
  );
}
