import { Card, SimpleGrid, Text } from '@mantine/core';
import type { AdvertiserBalance } from '../../../../client/routes.ts';
import { Money } from '../../../parts/money.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { moneyTexts } from '../../../texts/advertiser/money.ts';

export function BalanceCards({ balance }: { balance: AdvertiserBalance }) {
  const t = useTexts(moneyTexts);
  const figures = [
    { name: t.available, amount: balance.available },
    { name: t.held, amount: balance.held },
    { name: t.pending, amount: balance.pending_deposits },
    { name: t.spentToday, amount: balance.spend_today },
  ];
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      {figures.map(({ name, amount }) => (
        <Card key={name} withBorder padding="sm">
          <Text size="sm" c="dimmed">
            {name}
          </Text>
          <Text size="xl" fw={600} component="div">
            <Money amount={amount} currency={balance.currency} />
          </Text>
        </Card>
      ))}
    </SimpleGrid>
  );
}
