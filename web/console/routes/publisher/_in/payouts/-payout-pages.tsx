import { SubPages } from '../../../../parts/sub-pages.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { withdrawal } from '../../../../texts/withdrawal.ts';

/** The pages about money. */
export function PayoutPages() {
  const t = useTexts(withdrawal);
  return (
    <SubPages
      label={t.pages}
      pages={[
        { to: '/publisher/payouts', text: t.withdrawals },
        { to: '/publisher/payouts/accounts', text: t.accounts },
        { to: '/publisher/payouts/transactions', text: t.transactions },
      ]}
    />
  );
}
