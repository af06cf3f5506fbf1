import { Stack, Tabs } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { DEPOSIT_METHODS, DEPOSIT_STATUSES } from '../../../../../../domain/lifecycle/deposit.ts';
import { Loaded } from '../../../../parts/loaded.tsx';
import { Page } from '../../../../parts/page.tsx';
import { PageTabs } from '../../../../parts/page-tabs.tsx';
import { numberOf, oneOf, stated } from '../../../../parts/search.ts';
import { useSearchChange } from '../../../../parts/search-change.ts';
import { useTexts } from '../../../../parts/texts.ts';
import { balance } from '../../../../queries/advertiser/account.ts';
import { methods } from '../../../../queries/advertiser/deposit.ts';
import { moneyTexts } from '../../../../texts/advertiser/money.ts';
import { titles } from '../../../../texts/titles.ts';
import { BalanceCards } from '../../-parts/balance-cards.tsx';
import { DepositList, TransactionList } from '../../-parts/money-lists.tsx';
import { TYPES } from '../../-parts/transaction-types.ts';
import { TopUp } from './-top-up.tsx';

const TABS = ['overview', 'deposits', 'transactions'] as const;

/** Of an order that is made once more. */
function amountOf(raw: unknown): number | undefined {
  const amount = typeof raw === 'string' || typeof raw === 'number' ? Number(raw) : Number.NaN;
  return amount > 0 ? amount : undefined;
}

export const Route = createFileRoute('/advertiser/_in/money/')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      tab: oneOf(TABS, raw['tab']),
      status: oneOf(DEPOSIT_STATUSES, raw['status']),
      payment_method: oneOf(DEPOSIT_METHODS, raw['payment_method']),
      type: oneOf(TYPES, raw['type']),
      page: numberOf(raw['page']),
      amount: amountOf(raw['amount']),
    }),
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(balance);
    void queryClient.prefetchQuery(methods);
  },
  staticData: { title: (language) => titles[language].money },
  component: MoneyPage,
});

function MoneyPage() {
  const t = useTexts(moneyTexts);
  const { tab = 'overview', amount, ...search } = Route.useSearch();
  const onChange = useSearchChange();
  return (
    <Page title={t.title}>
      <PageTabs tabs={TABS} names={t.tabs} current={tab}>
        <Tabs.Panel value="overview">
          <Stack>
            <Loaded query={balance}>{(now) => <BalanceCards balance={now} />}</Loaded>
            <Loaded query={methods}>
              {({ items }) => <TopUp ways={items} amount={amount} by={search.payment_method} />}
            </Loaded>
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="deposits">
          <DepositList search={search} onChange={onChange} />
        </Tabs.Panel>
        <Tabs.Panel value="transactions">
          <TransactionList search={search} onChange={onChange} />
        </Tabs.Panel>
      </PageTabs>
    </Page>
  );
}
