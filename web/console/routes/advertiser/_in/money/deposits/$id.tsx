import { Alert, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Deposit } from '../../../../../../client/routes.ts';
import { useWrite } from '../../../../../api.ts';
import { mayCancel } from '../../../../../may/deposit.ts';
import { ActionButton } from '../../../../../parts/action.tsx';
import { ButtonLink } from '../../../../../parts/button-link.tsx';
import { Facts } from '../../../../../parts/facts.tsx';
import { Loaded } from '../../../../../parts/loaded.tsx';
import { Money } from '../../../../../parts/money.tsx';
import { Page } from '../../../../../parts/page.tsx';
import { idParams } from '../../../../../parts/search.ts';
import { State } from '../../../../../parts/state.tsx';
import { SubjectTimeline } from '../../../../../parts/subject-timeline.tsx';
import { useTexts } from '../../../../../parts/texts.ts';
import { When } from '../../../../../parts/time.tsx';
import { cancel, one } from '../../../../../queries/advertiser/deposit.ts';
import { common } from '../../../../../texts/common.ts';
import { moneyTexts } from '../../../../../texts/advertiser/money.ts';
import { titles } from '../../../../../texts/titles.ts';
import { HowToPay } from './-how-to-pay.tsx';

/** An order has no operation of its own to wait on: it is read again while it is under way. */
const FOLLOW_MS = 2_000;
const OPEN = new Set<Deposit['status']>(['PENDING', 'CONFIRMING', 'REVIEW']);

export const Route = createFileRoute('/advertiser/_in/money/deposits/$id')({
  params: idParams,
  loader: ({ context: { queryClient }, params: { id } }) => {
    void queryClient.prefetchQuery(one(id));
  },
  staticData: { title: (language) => titles[language].moneyTopUp },
  component: DepositPage,
});

function DepositPage() {
  const { id } = Route.useParams();
  const query = {
    ...one(id),
    refetchInterval: ({ state }: { state: { data?: Deposit | undefined } }) =>
      state.data !== undefined && OPEN.has(state.data.status) ? FOLLOW_MS : false,
  };
  return (
    <Loaded query={query} isPage>
      {(row) => <Shown row={row} />}
    </Loaded>
  );
}

function Shown({ row }: { row: Deposit }) {
  const t = useTexts(moneyTexts);
  const c = useTexts(common);
  const { mutateAsync } = useWrite(cancel);
  const refusal = mayCancel(row.status);
  const isOpen = OPEN.has(row.status);
  const network = row.payment?.network ?? null;
  return (
    <Page
      title={t.deposit(row.id)}
      beside={<State state={row.status} words={t.depositStates[row.status]} />}
      lead={isOpen ? t.live : undefined}
      crumbs={[{ text: t.title, to: '/advertiser/money' }]}
      main={
        isOpen ? (
          <ActionButton
            variant="default"
            action={{
              label: t.cancel,
              refusal: refusal === null ? null : t[refusal],
              confirm: { title: t.cancelTitle, body: t.cancelBody, keep: c.keep },
              run: async () => await mutateAsync({ path: { id: row.id } }),
              done: t.cancelled,
            }}
          />
        ) : (
          <ButtonLink
            to="/advertiser/money"
            search={
              row.status === 'PAID'
                ? {}
                : { amount: row.amount, payment_method: row.payment_method }
            }
            variant="default"
          >
            {t.orderNew}
          </ButtonLink>
        )
      }
    >
      <Alert color={row.status === 'PAID' ? 'teal' : isOpen ? 'blue' : 'gray'} variant="light">
        <Text size="sm" aria-live="polite">
          {row.status === 'REVIEW' && row.returning > 0 ? t.isReturning : t.waitsFor[row.status]}{' '}
          {!isOpen && row.status !== 'PAID' && row.received > row.returned && t.cameLate}
        </Text>
      </Alert>
      {row.status === 'PENDING' && <HowToPay row={row} />}
      <SubjectTimeline realm="advertiser" subject="deposit" id={row.id} />
      <Facts
        rows={[
          [t.amount, <Money key="amount" amount={row.amount} currency={row.currency} />],
          [t.received, <Money key="received" amount={row.received} currency={row.currency} />],
          ...(row.returning > 0 ? [moneyFact(t.returning, row.returning, row.currency)] : []),
          ...(row.returned > 0 ? [moneyFact(t.returned, row.returned, row.currency)] : []),
          [t.method, t.methods[row.payment_method]],
          ...(network === null ? [] : [[t.network, t.networks[network]] as const]),
          [t.reference, row.reference],
          [t.created, <When key="created" at={row.created_at} />],
          [t.paidAt, <When key="paid" at={row.paid_at} />],
        ]}
      />
    </Page>
  );
}

const moneyFact = (name: string, amount: number, currency: string): [string, ReactNode] => [
  name,
  <Money key={name} amount={amount} currency={currency} />,
];
