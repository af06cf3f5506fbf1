import { Badge, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import type { BankCard } from '../../../../../../client/routes.ts';
import { useWrite } from '../../../../../api.ts';
import { isUsable } from '../../../../../may/payout.ts';
import { ActionButton } from '../../../../../parts/action.tsx';
import { ButtonLink } from '../../../../../parts/button-link.tsx';
import { countryName } from '../../../../../parts/countries.ts';
import { ifMatch } from '../../../../../parts/edit-form.tsx';
import { Loaded } from '../../../../../parts/loaded.tsx';
import { Page } from '../../../../../parts/page.tsx';
import { usePreferences } from '../../../../../parts/preferences.tsx';
import { useTexts } from '../../../../../parts/texts.ts';
import { When } from '../../../../../parts/time.tsx';
import { cards, makeDefault, removeCard } from '../../../../../queries/publisher/withdrawal.ts';
import { withdrawal } from '../../../../../texts/withdrawal.ts';
import { titles } from '../../../../../texts/titles.ts';
import { useAccountLead } from './-account-wait.ts';
import { PayoutPages } from '../-payout-pages.tsx';

export const Route = createFileRoute('/publisher/_in/payouts/accounts/')({
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(cards);
  },
  staticData: { title: (language) => titles[language].withdrawalAccounts },
  component: Accounts,
});

function Accounts() {
  const t = useTexts(withdrawal);
  const add = <ButtonLink to="/publisher/payouts/accounts/new">{t.addAccount}</ButtonLink>;
  return (
    <Page
      title={t.accounts}
      lead={useAccountLead()}
      crumbs={[{ text: t.title, to: '/publisher/payouts' }]}
      main={add}
    >
      <PayoutPages />
      <Loaded query={cards}>
        {({ items }) =>
          items.length === 0 ? (
            <Text>{t.noAccounts}</Text>
          ) : (
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              {items.map((card) => (
                <Account key={card.id} card={card} />
              ))}
            </SimpleGrid>
          )
        }
      </Loaded>
    </Page>
  );
}

function Account({ card }: { card: BankCard }) {
  const t = useTexts(withdrawal);
  const { language } = usePreferences();
  const { mutateAsync } = useWrite(removeCard);
  const choose = useWrite(makeDefault);
  return (
    <Card withBorder padding="md" component="article">
      <Stack gap={4}>
        <Group justify="space-between" gap="xs">
          <Text fw={600}>{card.account}</Text>
          {card.is_default && <Badge variant="default">{t.default}</Badge>}
        </Group>
        <Text size="sm">
          {[card.account_holder, card.bank_name, countryName(card.country, language), card.currency]
            .filter((part) => part !== null)
            .join(' · ')}
        </Text>
        <Group justify="space-between" mt="xs">
          <Text size="sm" c="dimmed" component="div">
            {isUsable(card) ? (
              t.usable
            ) : (
              <>
                {t.usableFrom} <When at={card.usable_from} />
              </>
            )}
          </Text>
          <Group gap="xs">
            {!card.is_default && (
              <ActionButton
                size="compact-sm"
                variant="default"
                action={{
                  label: t.toDefault,
                  of: card.account,
                  run: async () =>
                    await choose.mutateAsync({
                      path: { id: card.id },
                      body: { is_default: true },
                      headers: ifMatch(card.version),
                    }),
                  done: t.isDefaultNow,
                }}
              />
            )}
            <ActionButton
              size="compact-sm"
              variant="default"
              action={{
                label: t.remove,
                of: card.account,
                confirm: { title: t.removeTitle, body: t.removeBody },
                run: async () =>
                  await mutateAsync({ path: { id: card.id }, headers: ifMatch(card.version) }),
                done: t.removed,
              }}
            />
          </Group>
        </Group>
      </Stack>
    </Card>
  );
}
