import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import type { Site } from '../../../../../client/routes.ts';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { useMarks, useTexts } from '../../../../parts/texts.ts';
import { lastWeek, zoneStats } from '../../../../queries/publisher/report.ts';
import { zone } from '../../../../texts/zone.ts';

const HOSTS_MAX = 5;
const UNKNOWN = 'UNKNOWN';

/** Where a zone's ads were shown, as far as the pages said so: their hosts are known, no more. */
export function PagesSeen({ id, site }: { id: number; site: Site | undefined }) {
  const t = useTexts(zone);
  const { comma } = useMarks();
  const { data } = useQuery(zoneStats(id, { ...lastWeek(), group_by: 'page_host' }));
  const hosts = (data?.items ?? [])
    .toSorted((one, other) => other.impressions + other.removed - one.impressions - one.removed)
    .flatMap(({ page_host: host }) => (host === undefined || host === UNKNOWN ? [] : [host]))
    .slice(0, HOSTS_MAX);
  if (hosts.length === 0) return null;
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {t.shownOn}{' '}
      {hosts.map((host, at) => (
        <Fragment key={host}>
          {at > 0 && comma}
          <Host host={host} domain={site?.domain ?? null} />
        </Fragment>
      ))}{' '}
      <ButtonLink
        to="/publisher/reports"
        search={{ zone_id: id, by: 'page_host', range: 'week' }}
        size="compact-sm"
        variant="default"
      >
        {t.byPage}
      </ButtonLink>
    </Text>
  );
}

/** Anybody can ask with a zone's key from any page: only the site's own leads there. */
function Host({ host, domain }: { host: string; domain: string | null }) {
  const bare = domain?.replace(/^www\./, '');
  if (bare === undefined || (host !== bare && !host.endsWith(`.${bare}`))) return <bdi>{host}</bdi>;
  return (
    <Anchor size="sm" href={`https://${host}/`} target="_blank" rel="noreferrer noopener">
      {host} ↗
    </Anchor>
  );
}
