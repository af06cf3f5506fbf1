import { Text } from '@mantine/core';
import type { AdvertiserBalance } from '../../../../client/routes.ts';
import { Money } from '../../../parts/money.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { moneyTexts } from '../../../texts/advertiser/money.ts';
import classes from './balance-cards.module.css';

/** Without Mantine's grid and cards: the home that begins with it is near its budget. */
export function BalanceCards({ balance }: { balance: AdvertiserBalance }) {
  const t = useTexts(moneyTexts);
  const figures = [
    { name: t.available, amount: balance.available },
    { name: t.held, amount: balance.held },
    { name: t.pending, amount: balance.pending_deposits },
    { name: t.spentToday, amount: balance.spend_today },
  ];
  return (
    <div className={classes['cards']}>
      {figures.map(({ name, amount }) => (
        <div key={name} className={classes['card']}>
          <Text size="sm" c="dimmed">
            {name}
          </Text>
          <Text size="xl" fw={600} component="div">
            <Money amount={amount} currency={balance.currency} />
          </Text>
        </div>
      ))}
    </div>
  );
}
