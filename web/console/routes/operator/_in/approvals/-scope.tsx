import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMarks, useTexts } from '../../../../parts/texts.ts';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { formatDay, When } from '../../../../parts/time.tsx';
import { reversalOf } from '../../../../queries/operator/reversal.ts';
import { reversal } from '../../../../texts/reversal.ts';
import { PartyLink } from '../-party/party-link.tsx';
import { PageLink } from '../-shown/page-link.tsx';

/** Of which events a reversal is, a line each, as its own page says it. */
export function Scope({ id }: { id: number }) {
  const t = useTexts(reversal);
  const { colon } = useMarks();
  const { language } = usePreferences();
  const { data } = useQuery(reversalOf(id));
  if (data === undefined) return null;
  const { from, to, publisher_id: whose, site_id: site, zone_id: zone, day } = data.scope;
  const called = data.publishers.find((each) => each.id === whose)?.name ?? null;
  const { batch_id: batch } = data.scope;
  const lines: readonly (readonly [string, ReactNode] | null)[] = [
    from === null ? null : [t.from, <When key="from" at={from} />],
    to === null ? null : [t.to, <When key="to" at={to} />],
    whose === null
      ? null
      : [t.publisher, <PartyLink key="whose" side="publisher" id={whose} name={called} />],
    site === null
      ? null
      : [
          t.site,
          <PageLink key="site" to={`/operator/inventory/site/${site}`}>
            {site}
          </PageLink>,
        ],
    zone === null
      ? null
      : [
          t.zone,
          <PageLink key="zone" to={`/operator/inventory/zone/${zone}`}>
            {zone}
          </PageLink>,
        ],
    batch === null ? null : [t.batch, batch],
    day === null ? null : [t.day, formatDay(day, language)],
  ];
  return (
    <Stack gap={0}>
      {lines.map(
        (line) =>
          line !== null && (
            <Text key={line[0]} component="div">
              {line[0]}
              {colon}
              {line[1]}
            </Text>
          ),
      )}
    </Stack>
  );
}
