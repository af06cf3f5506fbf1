import { Card, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { ButtonLink } from '../../../parts/button-link.tsx';
import { Failed } from '../../../parts/failed.tsx';
import { Money } from '../../../parts/money.tsx';
import { Page } from '../../../parts/page.tsx';
import { Reasons } from '../../../parts/reasons.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { balance, profile } from '../../../queries/advertiser/account.ts';
import { list } from '../../../queries/advertiser/campaign.ts';
import { advertiser } from '../../../texts/advertiser.ts';

export const Route = createFileRoute('/advertiser/_in/')({
  loader: async ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(balance);
    void queryClient.prefetchQuery(list({}));
  },
  staticData: { title: (language) => advertiser[language].home },
  component: Home,
});

function Home() {
  const t = useTexts(advertiser);
  return (
    <Page title={t.home}>
      <ToDo />
      <Balance />
    </Page>
  );
}

/** What stands between this account and ads that run, each with the page that mends it. */
function ToDo() {
  const t = useTexts(advertiser);
  const { data: who } = useQuery(profile);
  const { data: money } = useQuery(balance);
  const { data: campaigns } = useQuery(list({}));
  if (who === undefined || money === undefined || campaigns === undefined) return null;
  const reasons = [
    ...(who.profile_completeness === 'none'
      ? [
          {
            key: 'profile',
            text: t.needsBasic,
            fix: link('/advertiser/profile', t.completeProfile),
          },
        ]
      : []),
    ...(money.available <= 0
      ? [{ key: 'money', text: t.needsMoney, fix: link('/advertiser/money', t.topUp) }]
      : []),
    ...(campaigns.total === 0
      ? [
          {
            key: 'first',
            text: t.needsCampaign,
            fix: link('/advertiser/campaigns/new', t.newCampaign),
          },
        ]
      : []),
    ...campaigns.items
      .filter(({ audit_status: audit }) => audit === 'REJECTED')
      .map(({ id, name }) => ({
        key: `rejected ${id}`,
        text: t.needsFix(name),
        fix: link(`/advertiser/campaigns/${id}`, t.seeWhy),
      })),
  ];
  return reasons.length === 0 ? (
    <Text c="dimmed">{t.nothingNeedsMe}</Text>
  ) : (
    <Reasons title={t.whatNeedsMe} reasons={reasons} />
  );
}

const link = (to: string, text: string) => (
  <ButtonLink to={to} size="compact-sm" variant="default">
    {text}
  </ButtonLink>
);

function Balance() {
  const t = useTexts(advertiser);
  const { data, error, refetch } = useQuery(balance);
  if (error !== null) return <Failed error={error} again={() => void refetch()} />;
  if (data === undefined) return null;
  const lastsDays = data.spend_today > 0 ? data.available / data.spend_today : null;
  const figures = [
    { name: t.available, amount: data.available },
    { name: t.held, amount: data.held },
    { name: t.pending, amount: data.pending_deposits },
    { name: t.spentToday, amount: data.spend_today },
  ];
  return (
    <Stack gap="xs">
      <Title order={2}>{t.balance}</Title>
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        {figures.map(({ name, amount }) => (
          <Card key={name} withBorder padding="sm">
            <Text size="sm" c="dimmed">
              {name}
            </Text>
            <Text size="xl" fw={600}>
              <Money amount={amount} currency={data.currency} />
            </Text>
          </Card>
        ))}
      </SimpleGrid>
      {lastsDays !== null && <Text size="sm">{t.lasts(lastsDays)}</Text>}
    </Stack>
  );
}
