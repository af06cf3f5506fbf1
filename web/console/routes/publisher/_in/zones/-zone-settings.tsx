import type { ReactNode } from 'react';
import type { Zone } from '../../../../../client/routes.ts';
import { Facts } from '../../../../parts/facts.tsx';
import { Money } from '../../../../parts/money.tsx';
import { Section } from '../../../../parts/section.tsx';
import { type Same, useMarks, useTexts } from '../../../../parts/texts.ts';
import { common } from '../../../../texts/common.ts';
import { zone } from '../../../../texts/zone.ts';
import { hasRefresh, popupFieldsOf, positionOf } from './-zone-values.ts';

type Words = Same<(typeof zone)['en']>;
type Row = readonly [string, ReactNode];

/** How a zone is set, in words. */
export function ZoneSettings({ row }: { row: Zone }) {
  const t = useTexts(zone);
  const c = useTexts(common);
  const marks = useMarks();
  const yes = (is: boolean): string => (is ? c.yes : c.no);
  return (
    <Section title={t.settings}>
      <Facts
        rows={[
          [t.key, row.zone_key],
          [t.device, t.devices[row.device]],
          [t.pricing, row.pricing_types.replaceAll(',', marks.comma)],
          [t.floorShort, <Money key="cpm" amount={row.floor_price_cpm} />],
          [t.floorShortCpc, <Money key="cpc" amount={row.floor_price_cpc} />],
          ...(hasRefresh(row.type)
            ? [[t.refresh, row.refresh === 0 ? t.refreshOff : t.refreshEach(row.refresh)] as const]
            : []),
          ...overlayRows(row, t),
          ...popupRows(row, t, yes),
          ...otherRows(row, t, yes),
        ]}
      />
    </Section>
  );
}

/** When it comes, with the time or the share of the page that it waits for. */
function triggerRows({ trigger }: Zone, t: Words): Row[] {
  if (trigger === null) return [];
  const { type, delay_seconds: delay, scroll_percent: percent } = trigger;
  const row: Row = [t.trigger, t.triggers[type]];
  if (type === 'DELAY') return [row, [t.delay, t.seconds(delay)]];
  return type === 'SCROLL' ? [row, [t.scroll, t.scrolled(percent)]] : [row];
}

const overlayRows = (row: Zone, t: Words): Row[] => [
  ...triggerRows(row, t),
  ...(row.frequency === null
    ? []
    : [
        [
          t.frequencyTitle,
          `${row.frequency.impressions} / ${t.windows(row.frequency.window_seconds)}`,
        ] as const,
      ]),
];

function popupRows({ type, popup }: Zone, t: Words, yes: (is: boolean) => string): Row[] {
  if (popup === null) return [];
  const rows = {
    position: [t.position, positionOf(type, popup.position, t)],
    close_delay_seconds: [t.closeDelay, t.seconds(popup.close_delay_seconds)],
    overlay: [t.overlay, yes(popup.overlay)],
    close_button: [t.closeButton, yes(popup.close_button)],
  } as const;
  return popupFieldsOf(type, popup).map((field) => rows[field]);
}

const otherRows = (row: Zone, t: Words, yes: (is: boolean) => string): Row[] => [
  ...(row.couplet === null
    ? []
    : [
        [t.minScreen, row.couplet.min_screen_width] as const,
        [t.offsetTop, row.couplet.offset_top] as const,
        [t.offsetSide, row.couplet.offset_side] as const,
        [t.closeButton, yes(row.couplet.close_button)] as const,
      ]),
  ...(row.rewarded === null
    ? []
    : [
        [t.watch, t.seconds(row.rewarded.watch_seconds)] as const,
        [
          t.skippable,
          row.rewarded.skippable_after_seconds === 0
            ? yes(false)
            : t.seconds(row.rewarded.skippable_after_seconds),
        ] as const,
        [t.rewardAmount, `${row.rewarded.reward_amount} ${row.rewarded.reward_type}`] as const,
        [t.callback, row.reward_callback_url] as const,
      ]),
];
