import { Text } from '@mantine/core';
import type { AdvertiserBalance } from '../../../../client/routes.ts';
import { Money } from '../../../parts/money.tsx';
import { RowLink } from '../../../parts/row-link.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { moneyTexts } from '../../../texts/advertiser/money.ts';
import classes from './balance-cards.module.css';

const UNPAID = '/advertiser/money?tab=deposits&status=PENDING';

/** Without Mantine's grid and cards: the home that begins with it is near its budget. */
export function BalanceCards({ balance }: { balance: AdvertiserBalance }) {
  const t = useTexts(moneyTexts);
  const figures: { name: string; amount: number; to?: string }[] = [
    { name: t.available, amount: balance.available },
    { name: t.held, amount: balance.held },
    { name: t.arriving, amount: balance.arriving_deposits },
    // Only who has ordered is told that it waits for them, and which it is.
    ...(balance.unpaid_deposits > 0
      ? [{ name: t.unpaid, amount: balance.unpaid_deposits, to: UNPAID }]
      : []),
    { name: t.spentToday, amount: balance.spend_today },
  ];
  return (
    <div className={classes['cards']}>
      {figures.map(({ name, amount, to }) => (
        <div key={name} className={classes['card']}>
          <Text size="sm" c="dimmed">
            {to === undefined ? name : <RowLink to={to}>{name}</RowLink>}
          </Text>
          <Text size="xl" fw={600} component="div">
            <Money amount={amount} currency={balance.currency} />
          </Text>
        </div>
      ))}
    </div>
  );
}
