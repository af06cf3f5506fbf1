import { Group, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Operation } from '../../../../client/routes.ts';
import { Loaded } from '../../../parts/loaded.tsx';
import { Section } from '../../../parts/section.tsx';
import { State } from '../../../parts/state.tsx';
import { useTexts, wordOf } from '../../../parts/texts.ts';
import { Since } from '../../../parts/time.tsx';
import { RowLink } from '../../../parts/row-link.tsx';
import { latest } from '../../../queries/advertiser/operation.ts';
import { advertiser } from '../../../texts/advertiser.ts';
import { adsInReview, creativesInReview } from './needed.ts';

const PAGES: Readonly<Record<string, string>> = {
  campaign: '/advertiser/campaigns',
  adgroup: '/advertiser/ad-groups',
  ad: '/advertiser/ads',
  creative: '/advertiser/creatives',
  deposit: '/advertiser/money/deposits',
};

/** Where it is seen as it goes on, and what came of it. */
function placeOf({ id, kind }: Operation): string | undefined {
  if (kind === 'report_export') return `/advertiser/reports?export=${id}`;
  return kind.startsWith('ai_')
    ? `/advertiser/creatives/generate?kind=${kind.slice(3)}&operation=${id}`
    : undefined;
}

/** What goes on by itself: reviews, generated media, exports. */
export function LatestOperations() {
  const t = useTexts(advertiser);
  const { data: creatives } = useQuery(creativesInReview);
  const { data: ads } = useQuery(adsInReview);
  const reviews = Object.entries({ creatives: creatives?.total, ads: ads?.total }).filter(
    (each): each is ['creatives' | 'ads', number] => (each[1] ?? 0) > 0,
  );
  return (
    <Section title={t.operations}>
      <Loaded query={latest}>
        {({ items }) =>
          items.length + reviews.length === 0 ? (
            <Text c="dimmed" size="sm">
              {t.noOperations}
            </Text>
          ) : (
            <List listStyleType="none" spacing="xs">
              {reviews.map(([kind, count]) => (
                <List.Item key={kind}>
                  <Group gap="xs">
                    <State state="REVIEW" />
                    <RowLink to={`/advertiser/${kind}?audit_status=PENDING`}>
                      {t.inReview[kind](count)}
                    </RowLink>
                  </Group>
                </List.Item>
              ))}
              {items.map((operation) => (
                <List.Item key={operation.id}>
                  <Line operation={operation} />
                </List.Item>
              ))}
            </List>
          )
        }
      </Loaded>
    </Section>
  );
}

function Line({ operation }: { operation: Operation }) {
  const t = useTexts(advertiser);
  const { kind, status, subject, updated_at: at } = operation;
  const page = subject === null ? undefined : PAGES[subject.type];
  const place = placeOf(operation);
  const name = wordOf(t.operationKinds, kind);
  return (
    <Group gap="xs">
      <State state={status} />
      {place === undefined ? <Text size="sm">{name}</Text> : <RowLink to={place}>{name}</RowLink>}
      {page !== undefined && subject !== null && (
        <RowLink to={`${page}/${subject.id}`}>#{subject.id}</RowLink>
      )}
      <Text size="xs" c="dimmed">
        <Since at={at} />
      </Text>
    </Group>
  );
}
