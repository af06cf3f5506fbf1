import { Radio, Stack, Tabs } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useController, useWatch } from 'react-hook-form';
import {
  DEPOSIT_METHODS,
  DEPOSIT_STATUSES,
  type DepositMethod,
} from '../../../../../../domain/lifecycle/deposit.ts';
import type { TokenNetwork } from '../../../../../../domain/deposit-terms.ts';
import type { DepositMethod as DepositMethodInfo } from '../../../../../client/routes.ts';
import { useWrite } from '../../../../api.ts';
import { MoneyField } from '../../../../parts/fields.tsx';
import { Form } from '../../../../parts/form.tsx';
import { Loaded } from '../../../../parts/loaded.tsx';
import { formatMoney } from '../../../../parts/money.tsx';
import { Page } from '../../../../parts/page.tsx';
import { PageTabs } from '../../../../parts/page-tabs.tsx';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { numberOf, oneOf, stated } from '../../../../parts/search.ts';
import { useSearchChange } from '../../../../parts/search-change.ts';
import { Section } from '../../../../parts/section.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { balance } from '../../../../queries/advertiser/account.ts';
import { create, methods } from '../../../../queries/advertiser/deposit.ts';
import { moneyTexts } from '../../../../texts/advertiser/money.ts';
import { titles } from '../../../../texts/titles.ts';
import { BalanceCards } from '../../-parts/balance-cards.tsx';
import { DepositList, TransactionList } from '../../-parts/money-lists.tsx';
import { TYPES } from '../../-parts/transaction-types.ts';
import { useProfileFirst } from '../../-parts/profile-first.tsx';

const TABS = ['overview', 'deposits', 'transactions'] as const;

export const Route = createFileRoute('/advertiser/_in/money/')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      tab: oneOf(TABS, raw['tab']),
      status: oneOf(DEPOSIT_STATUSES, raw['status']),
      payment_method: oneOf(DEPOSIT_METHODS, raw['payment_method']),
      type: oneOf(TYPES, raw['type']),
      page: numberOf(raw['page']),
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
  const { tab = 'overview', ...search } = Route.useSearch();
  const onChange = useSearchChange();
  return (
    <Page title={t.title}>
      <PageTabs tabs={TABS} names={t.tabs} current={tab}>
        <Tabs.Panel value="overview">
          <Stack>
            <Loaded query={balance}>{(now) => <BalanceCards balance={now} />}</Loaded>
            <Loaded query={methods}>{({ items }) => <TopUp ways={items} />}</Loaded>
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

interface Values {
  amount: number | null;
  payment_method: DepositMethod;
  network: TokenNetwork | null;
}

/** Those that can be used first. */
function TopUp({ ways }: { ways: readonly DepositMethodInfo[] }) {
  const t = useTexts(moneyTexts);
  const navigate = Route.useNavigate();
  const { mutateAsync } = useWrite(create);
  const { run, dialog } = useProfileFirst();
  const offered = ways.toSorted((one, other) => Number(other.usable) - Number(one.usable));
  return (
    <Section title={t.topUp} lead={t.topUpLead}>
      {dialog}
      <Form<Values>
        route="POST /api/advertiser/deposits"
        values={{ amount: null, payment_method: offered[0]?.method ?? 'BANK', network: null }}
        submit={t.order}
        guarded={false}
        send={async ({ amount, network, ...rest }) => {
          const chain = rest.payment_method === 'USDT' && network !== null ? { network } : {};
          const body = { ...rest, ...chain, amount: amount ?? 0 };
          const made = await run(async () => await mutateAsync({ body }));
          await navigate({ to: '/advertiser/money/deposits/$id', params: { id: made.id } });
        }}
      >
        <MoneyField name="amount" label={t.amount} help={t.amountHelp} required />
        <MethodField ways={offered} />
        <NetworkField ways={offered} />
      </Form>
    </Section>
  );
}

/** Every way to pay is shown; one that cannot be used says why. */
function MethodField({ ways }: { ways: readonly DepositMethodInfo[] }) {
  const t = useTexts(moneyTexts);
  const { language } = usePreferences();
  const { field, fieldState } = useController({ name: 'payment_method' });
  return (
    <Radio.Group
      label={t.method}
      value={field.value as string}
      onChange={field.onChange}
      error={fieldState.error?.message}
    >
      <Stack gap="xs" mt={4}>
        {ways.map(({ method, usable, reason, minimum, currency, pay_currency: asked, rate }) => (
          <Radio
            key={method}
            value={method}
            label={t.methods[method]}
            description={
              reason === null
                ? [
                    t.methodHelp[method],
                    t.fromMinimum(formatMoney(minimum, language, currency)),
                    rate === null ? '' : t.asRate(rate, asked),
                  ].join(' ')
                : t.unusable[reason]
            }
            disabled={!usable}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

/** The chain that the tokens come on: theirs is another address on each, and none knows the other's. */
function NetworkField({ ways }: { ways: readonly DepositMethodInfo[] }) {
  const t = useTexts(moneyTexts);
  const chosen = useWatch<Values, 'payment_method'>({ name: 'payment_method' });
  const { field, fieldState } = useController<Values, 'network'>({ name: 'network' });
  const networks = ways.find(({ method }) => method === chosen)?.networks ?? [];
  const [first] = networks;
  if (first === undefined) return null;
  return (
    <Radio.Group
      label={t.network}
      description={t.networkHelp}
      value={field.value ?? first}
      onChange={field.onChange}
      error={fieldState.error?.message}
    >
      <Stack gap="xs" mt={4}>
        {networks.map((network) => (
          <Radio key={network} value={network} label={t.networks[network]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
