import { Alert, Group, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import type { Withdrawal } from '../../../../../client/routes.ts';
import { CANCELLED_BY_PLATFORM } from '../../../../../../domain/lifecycle/withdrawal.ts';
import { useWrite } from '../../../../api.ts';
import { stateOf } from '../../../../may/payout.ts';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { Facts } from '../../../../parts/facts.tsx';
import { Loaded } from '../../../../parts/loaded.tsx';
import { Money } from '../../../../parts/money.tsx';
import { Page } from '../../../../parts/page.tsx';
import { idParams } from '../../../../parts/search.ts';
import { ReviewReasons } from '../../../../parts/review-reasons.tsx';
import { State } from '../../../../parts/state.tsx';
import { SubjectTimeline } from '../../../../parts/subject-timeline.tsx';
import { useMarks, useTexts } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { cancel, one, PAID } from '../../../../queries/publisher/withdrawal.ts';
import { common } from '../../../../texts/common.ts';
import { withdrawal } from '../../../../texts/withdrawal.ts';
import { titles } from '../../../../texts/titles.ts';
import { TaxReason } from './-tax-reason.tsx';

const BAD: readonly Withdrawal['status'][] = ['FAILED', 'RETURNED', 'REJECTED'];
const WAITS: readonly Withdrawal['status'][] = ['RISK_HOLD', 'UNKNOWN'];

export const Route = createFileRoute('/publisher/_in/payouts/$id')({
  params: idParams,
  loader: async ({ context: { queryClient }, params: { id } }) => {
    await queryClient.prefetchQuery(one(id));
  },
  staticData: { title: (language) => titles[language].withdrawal },
  component: WithdrawalPage,
});

function WithdrawalPage() {
  const { id } = Route.useParams();
  return (
    <Loaded query={one(id)} height={300} isPage>
      {(row) => <Shown row={row} />}
    </Loaded>
  );
}

function Shown({ row }: { row: Withdrawal }) {
  const t = useTexts(withdrawal);
  const c = useTexts(common);
  const { gap, stop } = useMarks();
  const { mutateAsync } = useWrite(cancel);
  const { currency } = row;
  const state = stateOf(row);
  const tone = BAD.includes(row.status) ? 'red' : WAITS.includes(row.status) ? 'yellow' : 'blue';
  return (
    <Page
      title={t.number(row.id)}
      beside={<State state={state} />}
      crumbs={[{ text: t.title, to: '/publisher/payouts' }]}
      actions={[
        {
          label: t.cancel,
          refusal: row.cancellable ? null : t.tooLate,
          confirm: { title: t.cancelTitle, body: t.cancelBody, keep: c.keep },
          run: async () => await mutateAsync({ path: { id: row.id } }),
          done: t.cancelled,
          danger: true,
        },
      ]}
    >
      <Alert color={tone} variant="light" maw="44rem">
        <Text size="sm">
          {state === CANCELLED_BY_PLATFORM ? t.byPlatform : t.what[row.status]}
          {row.status === 'PAID' && `${gap}${t.paidBy[row.payment_method]}`}
        </Text>
        {BAD.includes(row.status) && (
          <Group mt="xs">
            <ButtonLink to="/publisher/payouts/new" size="compact-sm" variant="default">
              {t.again}
            </ButtonLink>
          </Group>
        )}
        {row.status === 'APPROVED' && row.not_before !== null && (
          <Text size="sm">
            {t.notBefore} <When at={row.not_before} />
            {stop}
            {gap}
            {t.heldUntil}
          </Text>
        )}
      </Alert>
      <ReviewReasons realm="publisher" subject="withdrawal" reasons={row.reasons} />
      <Facts
        rows={[
          [t.amount, <Money key="amount" amount={row.amount} currency={currency} />],
          [t.fee, <Money key="fee" amount={row.fee} currency={currency} />],
          [t.tax, <Money key="tax" amount={row.tax} currency={currency} />],
          [t.arrives, <Money key="arrives" amount={row.arrival_amount} currency={currency} />],
          [t.channel, t.channels[row.payment_method]],
          [t.to, row.account],
          [t.requested, <When key="at" at={row.created_at} />],
          [t.notBefore, <When key="before" at={row.not_before} />],
          [t.paidAt, <When key="paid" at={row.paid_at} />],
          [t.reference, row.reference],
        ]}
      />
      <TaxReason reason={row.tax_reason} />
      <SubjectTimeline realm="publisher" subject="withdrawal" id={row.id} stale={PAID} />
    </Page>
  );
}
