import { Alert, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Facts } from '../../../../parts/facts.tsx';
import { Failed } from '../../../../parts/failed.tsx';
import { type Column, Rows } from '../../../../parts/list-page.tsx';
import { Money } from '../../../../parts/money.tsx';
import { Section } from '../../../../parts/section.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { type RefundPlan, refundPlan } from '../../../../queries/operator/refund.ts';
import { refund } from '../../../../texts/refund.ts';
import { PART_COLUMNS, type Words } from './-part-columns.tsx';

const TYPING_MS = 300;
type Part = RefundPlan['parts'][number] & { id: number; currency: string };

const COLUMNS: readonly Column<Part, Words>[] = [
  ...PART_COLUMNS,
  { key: 'received', title: (t) => t.received, cell: (part) => <When at={part.received_at} /> },
];

/** Which receipts would go back and how, for what is typed so far. */
export function Plan(asked: { advertiser: number | null; amount: number | null }) {
  const t = useTexts(refund);
  const [advertiser] = useDebouncedValue(asked.advertiser, TYPING_MS);
  const [amount] = useDebouncedValue(asked.amount, TYPING_MS);
  const isWhole = advertiser !== null && Number(advertiser) > 0;
  const { data, error, refetch } = useQuery({
    ...refundPlan(Number(advertiser), amount === null || amount <= 0 ? null : amount),
    enabled: isWhole,
  });
  if (!isWhole) return null;
  if (error !== null) return <Failed error={error} again={() => void refetch()} />;
  if (data === undefined) return null;
  const { currency } = data;
  const parts = data.parts.map((part, at) => ({ ...part, id: at, currency }));
  const said =
    data.refundable === 0 ? t.planNone : data.amount > data.refundable ? t.planTooMuch : t.planStep;
  const money = (nanos: number) => <Money amount={nanos} currency={currency} />;
  return (
    <Section title={t.plan}>
      <Stack gap="sm">
        <Facts
          rows={[
            [t.available, money(data.available)],
            ...(data.pending_conversions === 0
              ? []
              : [[t.pendingConversions, money(data.pending_conversions)] as const]),
            [t.refundable, money(data.refundable)],
            [t.amount, money(data.amount)],
          ]}
        />
        {parts.length > 0 ? (
          <Rows label={t.plan} rows={parts} columns={COLUMNS} texts={t} rowKey={({ id }) => id} />
        ) : (
          <Alert color="yellow" variant="light">
            {said}
          </Alert>
        )}
      </Stack>
    </Section>
  );
}
