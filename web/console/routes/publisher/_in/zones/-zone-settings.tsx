import type { ReactNode } from 'react';
import type { Zone } from '../../../../../client/routes.ts';
import { Facts } from '../../../../parts/facts.tsx';
import { Money } from '../../../../parts/money.tsx';
import { Section } from '../../../../parts/section.tsx';
import { type Same, useTexts } from '../../../../parts/texts.ts';
import { common } from '../../../../texts/common.ts';
import { zone } from '../../../../texts/zone.ts';

type Words = Same<(typeof zone)['en']>;
type Row = readonly [string, ReactNode];

/** How a zone is set, in words. */
export function ZoneSettings({ row }: { row: Zone }) {
  const t = useTexts(zone);
  const c = useTexts(common);
  const yes = (is: boolean): string => (is ? c.yes : c.no);
  return (
    <Section title={t.settings}>
      <Facts
        rows={[
          [t.key, row.zone_key],
          [t.device, t.devices[row.device]],
          [t.pricing, row.pricing_types.replaceAll(',', ', ')],
          [t.floorCpm, <Money key="cpm" amount={row.floor_price_cpm} />],
          [t.floorCpc, <Money key="cpc" amount={row.floor_price_cpc} />],
          [t.refresh, row.refresh === 0 ? t.refreshOff : t.refreshEach(row.refresh)],
          ...overlayRows(row, t, yes),
          ...otherRows(row, t),
        ]}
      />
    </Section>
  );
}

const overlayRows = (row: Zone, t: Words, yes: (is: boolean) => string): Row[] => [
  ...(row.trigger === null ? [] : [[t.trigger, t.triggers[row.trigger.type]] as const]),
  ...(row.frequency === null
    ? []
    : [
        [
          t.frequencyTitle,
          `${row.frequency.impressions} / ${t.windows(row.frequency.window_seconds)}`,
        ] as const,
      ]),
  ...(row.popup === null
    ? []
    : [
        [t.position, t.positions[row.popup.position]] as const,
        [t.overlay, yes(row.popup.overlay)] as const,
        [t.closeButton, yes(row.popup.close_button)] as const,
      ]),
];

const otherRows = (row: Zone, t: Words): Row[] => [
  ...(row.couplet === null
    ? []
    : [
        [t.minScreen, row.couplet.min_screen_width] as const,
        [t.offsetTop, row.couplet.offset_top] as const,
        [t.offsetSide, row.couplet.offset_side] as const,
      ]),
  ...(row.rewarded === null
    ? []
    : [
        [t.watch, t.seconds(row.rewarded.watch_seconds)] as const,
        [t.rewardAmount, `${row.rewarded.reward_amount} ${row.rewarded.reward_type}`] as const,
        [t.callback, row.reward_callback_url] as const,
      ]),
];
