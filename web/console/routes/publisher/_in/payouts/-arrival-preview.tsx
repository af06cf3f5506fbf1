import { Card, Stack, Text } from '@mantine/core';
import { useWatch } from 'react-hook-form';
import type { PaymentMethod } from '../../../../../client/routes.ts';
import { arrivalOf } from '../../../../may/payout.ts';
import { Facts } from '../../../../parts/facts.tsx';
import { Money } from '../../../../parts/money.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { withdrawal } from '../../../../texts/withdrawal.ts';
import { usePayoutFault } from './-payout-fault.ts';
import { TaxReason } from './-tax-reason.tsx';
import type { WithdrawValues } from './-withdraw-fields.tsx';

/** What the platform will take and what arrives, before anything is sent. */
export function ArrivalPreview({
  method,
  withdrawable,
}: {
  method: PaymentMethod;
  withdrawable: number;
}) {
  const t = useTexts(withdrawal);
  const faultOf = usePayoutFault(withdrawable);
  const amount = useWatch<WithdrawValues, 'amount'>({ name: 'amount' });
  if (amount === null || amount <= 0) return null;
  const { currency } = method;
  const { fee, tax, arrives } = arrivalOf(amount, method);
  const refusal = faultOf(amount, method);
  return (
    <Card withBorder padding="sm" aria-live="polite">
      <Stack gap="xs">
        <Text fw={600}>{t.previewTitle}</Text>
        {refusal === null ? (
          <Facts
            rows={[
              [t.amount, <Money key="amount" amount={amount} currency={currency} />],
              [t.fee, <Money key="fee" amount={fee} currency={currency} />],
              [
                t.taxIs(String(method.tax_percent)),
                <Money key="tax" amount={tax} currency={currency} />,
              ],
              [
                t.arrives,
                <Text key="arrives" fw={600} component="span">
                  <Money amount={arrives} currency={currency} />
                </Text>,
              ],
            ]}
          />
        ) : (
          <Text size="sm" c="var(--mantine-color-error)">
            {refusal}
          </Text>
        )}
        <TaxReason reason={method.tax_reason} />
        <Text size="xs" c="dimmed">
          {t.previewLead}
        </Text>
      </Stack>
    </Card>
  );
}
