import { Group, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Site } from '../../../../../client/routes.ts';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { Section } from '../../../../parts/section.tsx';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { zoneStats } from '../../../../queries/publisher/report.ts';
import { unbilled } from '../../../../texts/unbilled.ts';
import { zone } from '../../../../texts/zone.ts';
import { PagesSeen } from './-pages-seen.tsx';

const DAY_MS = 86_400_000;
const DAYS = 30;
const LOOK_MS = 5_000;

/** Whether the code is where it should be: the first request says so. */
export function Requests({ id, site }: { id: number; site: Site | undefined }) {
  const t = useTexts(zone);
  const { see } = useTexts(unbilled);
  const { language } = usePreferences();
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const now = Date.now();
  const { data } = useQuery({
    ...zoneStats(id, { start_date: day(now - DAYS * DAY_MS), end_date: day(now) }),
    refetchInterval: ({ state }) => ((state.data?.totals.requests ?? 0) === 0 ? LOOK_MS : false),
  });
  if (data === undefined) return null;
  const requests = data.totals.requests ?? 0;
  const isRemoved = data.totals.impressions === 0 && data.totals.removed > 0;
  return (
    <Section title={t.seenTitle}>
      <div aria-live="polite">
        {requests === 0 ? (
          <Group gap="sm" wrap="nowrap">
            <Loader size="xs" aria-hidden />
            <Text size="sm">{t.notSeen}</Text>
          </Group>
        ) : (
          <Text size="sm">
            {t.seen(new Intl.NumberFormat(language).format(requests))}{' '}
            {data.totals.impressions === 0 && !isRemoved && t.seenEmpty}
            {isRemoved && (
              <>
                {t.seenRemoved}{' '}
                <ButtonLink
                  to="/publisher/removed"
                  search={{ zone_id: id }}
                  size="compact-sm"
                  variant="default"
                >
                  {see}
                </ButtonLink>
              </>
            )}
          </Text>
        )}
      </div>
      {requests > 0 && <PagesSeen id={id} site={site} />}
    </Section>
  );
}
