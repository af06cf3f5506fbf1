import { Input, Stack, Text } from '@mantine/core';
import { useId, useState } from 'react';
import { useWrite } from '../../../../api.ts';
import { loadSaid } from '../../../../messages.ts';
import { ActionButton } from '../../../../parts/action.tsx';
import type { Column } from '../../../../parts/list-page.tsx';
import { formatMoney, Money } from '../../../../parts/money.tsx';
import { PickInput } from '../../../../parts/pick.tsx';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { State } from '../../../../parts/state.tsx';
import { type Same, useTexts } from '../../../../parts/texts.ts';
import { formatDay } from '../../../../parts/time.tsx';
import { pickFrom } from '../../../../queries/operator/search.ts';
import { type StatementLine, recordLines } from '../../../../queries/operator/statement.ts';
import { statement } from '../../../../texts/statement.ts';
import { PageLink } from '../-shown/page-link.tsx';
import { useFoundWords } from '../-shown/words-found.ts';
import { RefundLink } from './-refund-link.tsx';
import { Explain } from './-explain.tsx';

type Words = Same<(typeof statement)['en']>;

export const columnsOf = (statementId: number): readonly Column<StatementLine, Words>[] => [
  { key: 'line', title: (t) => t.line, cell: (row) => row.line },
  {
    key: 'day',
    title: (t) => t.day,
    cell: (row) => (
      <Text span inherit style={{ whiteSpace: 'nowrap' }}>
        <Booked on={row.booked_on} />
      </Text>
    ),
  },
  {
    key: 'amount',
    title: (t) => t.amount,
    isNumber: true,
    cell: ({ amount, currency, direction }) => (
      <Money amount={direction === 'IN' ? amount : -amount} currency={currency} />
    ),
  },
  { key: 'payer', title: (t) => t.payer, cell: (row) => <Payment row={row} /> },
  {
    key: 'state',
    title: (t) => t.state,
    cell: ({ state }, t) => <State state={state} words={t.states[state]} />,
  },
  {
    key: 'order',
    title: (t) => t.order,
    cell: ({ order, withdrawal_id: paid, refund_id: refundId, balance_refund_id: of }, t) => {
      if (order !== null)
        return <PageLink to={`/operator/deposits/${order.id}`}>{t.orderOf(order.id)}</PageLink>;
      if (paid !== null)
        return <PageLink to={`/operator/withdrawals/${paid}`}>{t.withdrawalOf(paid)}</PageLink>;
      return refundId === null ? '—' : <RefundLink refundId={refundId} of={of} />;
    },
  },
  { key: 'why', title: (t) => t.why, cell: (row, t) => <Why row={row} t={t} /> },
  {
    key: 'act',
    title: () => '',
    cell: (row) => (
      <Stack gap={4} align="flex-start">
        <RecordFor statementId={statementId} row={row} />
        <Explain statementId={statementId} row={row} />
      </Stack>
    ),
  },
];

function Booked({ on }: { on: string }) {
  return formatDay(on, usePreferences().language);
}

/** As wide as the reference of an order, which is compared by eye. */
const Payment = ({ row: { payer, text, reference } }: { row: StatementLine }) => (
  <Stack gap={0} miw="9rem">
    <span>{payer ?? '—'}</span>
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Text>
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      <code>{reference}</code>
    </Text>
  </Stack>
);

/** Why it is not proposed, and what recording it for the order that it names would bring about. */
function Why({ row, t }: { row: StatementLine; t: Words }) {
  const { reason, effect, state, receipt_id: receipt, explanation, payout } = row;
  if (explanation !== null) return explanation;
  if (state === 'OUT' && payout !== null) {
    if (!payout.fits) return <OtherAmount payout={payout} t={t} />;
    return payout.status === 'PAID' ? t.payoutPaid : t.payoutOpen;
  }
  if (state === 'RECORDED') return receipt === null ? '—' : t.receipt(receipt);
  if (reason === null) return effect === null ? '—' : t.effects[effect];
  return (
    <Stack gap={0}>
      <span>{t.reasons[reason]}</span>
      {effect !== null && (
        <Text size="xs" c="dimmed">
          {t.recordedSo(t.effects[effect])}
        </Text>
      )}
    </Stack>
  );
}

/** A debit that names a withdrawal pays it only where it is as much. */
function OtherAmount(props: { payout: NonNullable<StatementLine['payout']>; t: Words }) {
  const { payout, t } = props;
  return (
    <>
      {t.payoutDiffers} <Money amount={payout.amount} currency={payout.currency} />
    </>
  );
}

/** What was not proposed goes to the order that a person names. */
function RecordFor({ statementId, row }: { statementId: number; row: StatementLine }) {
  const t = useTexts(statement);
  const { mutateAsync } = useWrite(recordLines);
  const { language } = usePreferences();
  const id = useId();
  const [order, setOrder] = useState<number | null>(row.order?.id ?? null);
  const orders = pickFrom(useFoundWords(), ['deposit']);
  if (row.state !== 'UNMATCHED') return null;
  return (
    <ActionButton
      size="compact-sm"
      variant="default"
      action={{
        label: t.recordFor,
        confirm: {
          title: t.recordForTitle(formatMoney(row.amount, language, row.currency)),
          isReady: order !== null,
          body: (
            <Stack gap="xs">
              <Text size="sm">{t.recordForHelp}</Text>
              <Input.Wrapper id={id} label={t.depositId}>
                <PickInput
                  id={id}
                  label={t.depositId}
                  source={orders}
                  value={order === null ? null : String(order)}
                  onPick={(picked) => setOrder(picked === null ? null : Number(picked.value))}
                />
              </Input.Wrapper>
            </Stack>
          ),
        },
        run: async () => {
          const lines = [{ id: row.id, deposit_id: Number(order) }];
          const { items } = await mutateAsync({ path: { id: statementId }, body: { lines } });
          const [refused] = items.filter(({ error }) => error !== null);
          if (refused !== undefined) {
            const said = await loadSaid();
            throw new Error(
              [refused.message ?? '', ...refused.errors.map((each) => each.message)]
                .map(said)
                .join(' '),
            );
          }
        },
        done: t.done,
      }}
    />
  );
}
