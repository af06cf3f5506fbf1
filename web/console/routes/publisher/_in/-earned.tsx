import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../../parts/loaded.tsx';
import { Money } from '../../../parts/money.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { report } from '../../../queries/publisher/report.ts';
import { balance } from '../../../queries/publisher/withdrawal.ts';
import { publisher } from '../../../texts/publisher.ts';
import { MoneyPath } from './-money-path.tsx';

/** Where each withdrawal says what it waits for. */
const LIST = '/publisher/payouts';

/** What the books say, stage by stage; today's estimate is in front where it is wanted. */
export function Earned({ withToday = false }: { withToday?: boolean }) {
  const t = useTexts(publisher);
  return (
    <Loaded query={balance} height={110}>
      {({ currency, pending, maturing, withdrawable, held, debt, paid_total: paid }) => (
        <MoneyPath
          label={t.earned}
          stages={[
            ...(withToday
              ? [{ key: 'today', name: t.estimated, help: t.estimatedHelp, amount: <Today /> }]
              : []),
            ...[
              { key: 'pending', name: t.pending, help: t.pendingHelp, sum: pending },
              { key: 'maturing', name: t.maturing, help: t.maturingHelp, sum: maturing },
              {
                key: 'withdrawable',
                name: t.withdrawable,
                help: t.withdrawableHelp,
                sum: withdrawable,
              },
              // Only who owes is told that one can.
              ...(debt > 0 ? [{ key: 'debt', name: t.debt, help: t.debtHelp, sum: debt }] : []),
              {
                key: 'held',
                name: t.held,
                help: t.heldHelp,
                sum: held,
                to: withToday ? LIST : undefined,
              },
              { key: 'paid', name: t.paid, help: t.paidHelp, sum: paid },
            ].map(({ sum, ...stage }) => ({
              ...stage,
              amount: <Money amount={sum} currency={currency} />,
            })),
          ]}
        />
      )}
    </Loaded>
  );
}

function Today() {
  const today = new Date().toISOString().slice(0, 10);
  const { data } = useQuery(report({ start_date: today, end_date: today }));
  return <Money amount={data?.totals.revenue ?? null} />;
}
