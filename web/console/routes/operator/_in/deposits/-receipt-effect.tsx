import { Checkbox, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useController, useWatch } from 'react-hook-form';
import { Facts } from '../../../../parts/facts.tsx';
import { Failed } from '../../../../parts/failed.tsx';
import { useFieldLabel } from '../../../../parts/form-faults.tsx';
import { formatMoney, Money } from '../../../../parts/money.tsx';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { receiptEffect, type ReceiptEffect as Effect } from '../../../../queries/operator/money.ts';
import { receipt } from '../../../../texts/receipt.ts';
import { statement } from '../../../../texts/statement.ts';

const TYPING_MS = 300;
const isSum = (amount: number | null): amount is number => amount !== null && amount > 0;

/** Not just what the order waits for: whoever records it says that they have seen that. */
const mustAgree = ({ difference, effect }: Effect): boolean =>
  difference !== 0 || effect === 'SUSPENSE';

/** Of the amount that is typed: how it stands to the order, and what the server says would become of it. */
export function ReceiptEffect({ orderId }: { orderId: number }) {
  const t = useTexts(receipt);
  const client = useQueryClient();
  const amount = useWatch<{ amount: number | null }, 'amount'>({ name: 'amount' });
  const [asked] = useDebouncedValue(amount, TYPING_MS);
  useFieldLabel('confirmed', t.agreement);
  const { field, fieldState } = useController<{ confirmed: number | null }, 'confirmed'>({
    name: 'confirmed',
    rules: {
      validate: async (confirmed) => {
        if (!isSum(amount)) return true;
        // What is agreed to is what holds now, also where nobody has waited for it to be shown.
        const now = await client.fetchQuery({ ...receiptEffect(orderId, amount), staleTime: 0 });
        return !mustAgree(now) || confirmed === amount || t.agreeFirst;
      },
    },
  });
  const { data, error, refetch } = useQuery({
    ...receiptEffect(orderId, asked ?? 0),
    enabled: isSum(asked),
  });
  if (!isSum(amount)) return null;
  if (error !== null) return <Failed error={error} again={() => void refetch()} />;
  if (data?.amount !== amount) return <Awaited />;
  return (
    <Stack gap="sm">
      <Shown effect={data} />
      {mustAgree(data) && (
        <Checkbox
          ref={field.ref}
          name={field.name}
          label={<Agreement effect={data} />}
          checked={field.value === amount}
          onChange={(event) => field.onChange(event.currentTarget.checked ? amount : null)}
          error={field.value === amount ? undefined : fieldState.error?.message}
        />
      )}
    </Stack>
  );
}

/** As tall as what comes: by then the focus may be on a field below, which must not be moved out of sight. */
function Awaited() {
  const t = useTexts(receipt);
  const names = [t.ordered, t.receivedSoFar, t.thisPayment, t.difference];
  return (
    <Facts rows={[...names.map((name): [string, string] => [name, '…']), [t.will, t.looking]]} />
  );
}

function Shown({ effect }: { effect: Effect }) {
  const t = useTexts(receipt);
  const { effects } = useTexts(statement);
  const { currency } = effect;
  return (
    <div role="status">
      <Facts
        rows={[
          [t.ordered, <Money key="o" amount={effect.ordered} currency={currency} />],
          [t.receivedSoFar, <Money key="r" amount={effect.received} currency={currency} />],
          [t.thisPayment, <Money key="a" amount={effect.amount} currency={currency} />],
          [t.difference, <Difference key="d" effect={effect} />],
          [t.will, effects[effect.effect]],
        ]}
      />
    </div>
  );
}

function Difference({ effect: { difference, currency } }: { effect: Effect }) {
  const t = useTexts(receipt);
  const { language } = usePreferences();
  if (difference === 0) return t.none;
  const sum = formatMoney(Math.abs(difference), language, currency);
  return difference < 0 ? t.less(sum) : t.more(sum);
}

function Agreement({ effect }: { effect: Effect }) {
  const t = useTexts(receipt);
  const { language } = usePreferences();
  const { difference, currency } = effect;
  if (difference === 0) return t.agreeNotOpen;
  const sum = formatMoney(Math.abs(difference), language, currency);
  return t.agreeDiffers(difference < 0 ? t.less(sum) : t.more(sum));
}
