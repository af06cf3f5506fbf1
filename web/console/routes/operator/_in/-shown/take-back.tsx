import { Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Receipt } from '../../../../../client/routes.ts';
import { useWrite } from '../../../../api.ts';
import { ActionButton } from '../../../../parts/action.tsx';
import { formatMoney } from '../../../../parts/money.tsx';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { askReceiptBack } from '../../../../queries/operator/money.ts';
import { receipt as texts } from '../../../../texts/receipt.ts';
import { PageLink } from './page-link.tsx';

const REASON_MAX = 500;

/** The way back from a receipt that was written by mistake, where it is seen. */
export function TakeBack({
  receipt: { id, amount, currency, take_back: taken },
}: {
  receipt: Pick<Receipt, 'id' | 'amount' | 'currency' | 'take_back'>;
}) {
  const t = useTexts(texts);
  const { language } = usePreferences();
  const { mutateAsync } = useWrite(askReceiptBack);
  const [reason, setReason] = useState('');
  if (taken.approval_id !== null) {
    return (
      <Text size="sm">
        <PageLink to={`/operator/approvals/${taken.approval_id}`}>
          {t.approvalOf(taken.approval_id)}
        </PageLink>
      </Text>
    );
  }
  return (
    <Stack align="flex-start" mt="xs">
      <ActionButton
        size="compact-sm"
        variant="default"
        action={{
          label: t.takeBack,
          route: 'POST /api/admin/receipts/{id}/take-back',
          refusal: taken.refusal === null ? null : t.refusals[taken.refusal],
          confirm: {
            title: t.takeBackTitle(formatMoney(amount, language, currency)),
            isReady: reason.trim() !== '',
            body: (
              <Stack gap="sm">
                <Text size="sm">{t.takeBackHelp}</Text>
                <Textarea
                  label={t.why}
                  required
                  autosize
                  minRows={2}
                  maxLength={REASON_MAX}
                  value={reason}
                  onChange={(event) => setReason(event.currentTarget.value)}
                />
              </Stack>
            ),
          },
          run: async () => await mutateAsync({ path: { id }, body: { reason: reason.trim() } }),
          done: t.asked,
        }}
      />
    </Stack>
  );
}
