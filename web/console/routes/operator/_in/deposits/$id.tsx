import { Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Loading } from '../../../../parts/loading.tsx';
import { useWrite } from '../../../../api.ts';
import { Facts } from '../../../../parts/facts.tsx';
import { FailedPage } from '../../../../parts/failed-page.tsx';
import { MoneyField, TextField } from '../../../../parts/fields.tsx';
import { Form } from '../../../../parts/form.tsx';
import { Money } from '../../../../parts/money.tsx';
import { Page } from '../../../../parts/page.tsx';
import { State } from '../../../../parts/state.tsx';
import { SubjectTimeline } from '../../../../parts/subject-timeline.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { told } from '../../../../parts/toast.ts';
import { REFRESH_MS } from '../../../../parts/refresh.ts';
import {
  deposit,
  type DepositPage,
  type Evidence,
  receiptEffect,
  recordReceipt,
} from '../../../../queries/operator/money.ts';
import { finance } from '../../../../texts/finance.ts';
import { operator } from '../../../../texts/operator.ts';
import { titles } from '../../../../texts/titles.ts';
import { PartyLink } from '../-party/party-link.tsx';
import { subject } from '../../../../texts/subject.ts';
import { EvidenceField } from '../-shown/evidence-field.tsx';
import { Receipts } from '../-shown/receipts.tsx';
import { ReceiptEffect } from './-receipt-effect.tsx';
import { SubjectTasks } from '../-shown/subject-tasks.tsx';

const STEPS = ['GET /api/admin/deposits/{id}'] as const;
const OPEN = new Set(['PENDING', 'CONFIRMING', 'REVIEW']);

export const Route = createFileRoute('/operator/_in/deposits/$id')({
  loader: ({ context: { queryClient }, params: { id } }) => {
    void queryClient.prefetchQuery(deposit(Number(id)));
  },
  staticData: { title: (language) => titles[language].operatorDeposits },
  component: Deposit,
});

function Deposit() {
  const t = useTexts(finance);
  const f = useTexts(subject).fields;
  const m = useTexts(finance).methods;
  const list = useTexts(operator).deposits;
  const id = Number(Route.useParams().id);
  const { data, error, refetch } = useQuery({
    ...deposit(id),
    refetchInterval: ({ state }) => (OPEN.has(state.data?.status ?? '') ? REFRESH_MS : false),
  });
  if (error !== null && data === undefined)
    return <FailedPage error={error} again={() => void refetch()} />;
  if (data === undefined) return <Loading height={320} />;
  const network = data.payment?.network ?? null;
  return (
    <Page
      title={t.order(id)}
      beside={<State state={data.status} words={t.depositStates[data.status]} />}
      crumbs={[{ text: list, to: '/operator/deposits' }]}
    >
      <Facts
        rows={[
          [f.amount, <Money key="a" amount={data.amount} currency={data.currency} />],
          [f.received, <Money key="r" amount={data.received} currency={data.currency} />],
          [f.method, m[data.payment_method]],
          ...(network === null ? [] : [[f.network, network] as const]),
          [f.reference, <code key="c">{data.reference}</code>],
          [
            t.advertiser,
            <PartyLink
              key="who"
              side="advertiser"
              id={data.advertiser_id}
              name={data.advertiser_name}
            />,
          ],
          [t.asked, <When key="w" at={data.created_at} />],
          [f.expires_at, <When key="e" at={data.expires_at} />],
        ]}
      />
      <Stack gap="xs">
        <Title order={2}>{t.receipts}</Title>
        <Receipts receipts={data.receipts} />
      </Stack>
      <SubjectTasks type="deposit" id={id} />
      <SubjectTimeline realm="admin" subject="deposit" id={id} stale={STEPS} />
      <RecordReceipt order={data} />
    </Page>
  );
}

interface ReceiptValues {
  amount: number | null;
  reference: string;
  reason: string;
  evidence_id: Evidence | null;
  /** The amount that was agreed to though the order is of another. */
  confirmed: number | null;
}

/** A second form for a second payment: the key changes when one was recorded. */
function RecordReceipt({ order }: { order: DepositPage }) {
  const t = useTexts(finance);
  const client = useQueryClient();
  const { mutateAsync } = useWrite(recordReceipt);
  // Nobody but the operator says that this money came.
  const isTold = order.payment_method === 'OFFLINE';
  return (
    <Stack gap="xs">
      <Title order={2}>{t.recordReceipt}</Title>
      <Text size="sm" c="dimmed">
        {OPEN.has(order.status) ? (isTold ? t.offlineHelp : t.recordHelp) : t.notOpen}
      </Text>
      <Form<ReceiptValues>
        route="POST /api/admin/deposits/{id}/receipts"
        key={order.receipts.length}
        values={{ amount: null, reference: '', reason: '', evidence_id: null, confirmed: null }}
        submit={t.recordReceipt}
        send={async ({ amount, reference, reason, evidence_id: evidence }) => {
          // As it was agreed to; the server keeps to it.
          const { effect } = await client.ensureQueryData(receiptEffect(order.id, amount ?? 0));
          const body = {
            amount: amount ?? 0,
            reference,
            effect,
            ...(isTold ? { reason } : {}),
            ...(evidence === null ? {} : { evidence_id: evidence.id }),
          };
          await mutateAsync({ path: { id: order.id }, body });
          told(t.receiptDone);
        }}
      >
        <MoneyField name="amount" label={t.amount} required />
        <ReceiptEffect orderId={order.id} />
        <TextField
          name="reference"
          label={isTold ? t.ownReference : t.bankReference}
          required
          maxLength={140}
        />
        {isTold && <TextField name="reason" label={t.reason} required maxLength={500} />}
        <EvidenceField required={isTold} />
      </Form>
    </Stack>
  );
}
