import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Campaign } from '../../../../client/routes.ts';
import { ButtonLink } from '../../../parts/button-link.tsx';
import { numberFormat } from '../../../parts/formats.ts';
import { Loaded } from '../../../parts/loaded.tsx';
import { usePreferences } from '../../../parts/preferences.tsx';
import { Section } from '../../../parts/section.tsx';
import { useMarks, useTexts } from '../../../parts/texts.ts';
import { type ZoneReach as Reach, zoneReach } from '../../../queries/advertiser/zone-reach.ts';
import { zoneReachTexts } from '../../../texts/advertiser/zone-reach.ts';
import { AddPictures } from './add-pictures.tsx';
import classes from './zone-reach.module.css';

/**
 * How many zones each rule of the auction leaves a campaign, and what would win the lost ones. The button for
 * more pictures stands above, where it stays when the size that was missing is there.
 */
export function ZoneReach({ row }: { row: Campaign }) {
  const t = useTexts(zoneReachTexts);
  const query = zoneReach(row.id);
  return (
    <Section title={t.title} lead={t.lead} beside={<AddPictures row={row} />}>
      <Loaded query={{ ...query, queryKey: [...query.queryKey, row.version] }} height={160}>
        {(reach) => <Steps reach={reach} row={row} />}
      </Loaded>
    </Section>
  );
}

function Steps({ reach, row }: { reach: Reach; row: Campaign }) {
  const t = useTexts(zoneReachTexts);
  const model = row.pricing_model;
  const price = reach.at_price;
  return (
    <>
      <ol className={classes['steps']} aria-label={t.title}>
        <Step name={t.open} zones={reach.open} of={reach.open} />
        <Step name={t.kind} zones={reach.of_kind} of={reach.open} />
        <Step name={t.size} zones={reach.of_size} of={reach.open}>
          {reach.of_size < reach.of_kind && <Missing sizes={reach.missing_sizes} />}
        </Step>
        <Step name={t.pricing(model)} zones={reach.of_pricing} of={reach.open} />
        {price !== null && (
          <Step name={t.price} zones={price} of={reach.open}>
            {price < reach.of_pricing && (
              <ButtonLink
                to="/advertiser/campaigns/$id"
                params={{ id: row.id }}
                search={{ edit: 1 }}
                changes="PUT /api/advertiser/campaigns/{id}"
                size="compact-xs"
                variant="default"
              >
                {t.changeBid}
              </ButtonLink>
            )}
          </Step>
        )}
      </ol>
      {price === null && (
        <Text size="xs" c="dimmed">
          {t.learned(model)}
        </Text>
      )}
    </>
  );
}

function Step(props: { name: string; zones: number; of: number; children?: ReactNode }) {
  const { name, zones, of, children } = props;
  const { language } = usePreferences();
  return (
    <li className={classes['step']}>
      <span>{name}</span>
      <span className={classes['count']}>{numberFormat(language).format(zones)}</span>
      <span className={classes['bar']} aria-hidden>
        <span style={{ width: `${of === 0 ? 0 : (zones / of) * 100}%` }} />
      </span>
      {children !== undefined && children !== false && (
        <span className={classes['remedy']}>{children}</span>
      )}
    </li>
  );
}

/** The sizes of zones that are lost for theirs alone. */
function Missing({ sizes }: { sizes: Reach['missing_sizes'] }) {
  const t = useTexts(zoneReachTexts);
  const { comma } = useMarks();
  if (sizes.length === 0) return null;
  const said = sizes.map(({ width, height, zones }) =>
    t.missingSize(`${width}\u00a0×\u00a0${height}`, zones),
  );
  return (
    <>
      {t.missing} {said.join(comma)}
    </>
  );
}
