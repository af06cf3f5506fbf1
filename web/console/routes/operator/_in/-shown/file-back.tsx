import { Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useWrite } from '../../../../api.ts';
import { ActionButton } from '../../../../parts/action.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import {
  askFileBack,
  type Evidence,
  type WithdrawalPage,
} from '../../../../queries/operator/money.ts';
import { payoutBoard } from '../../../../texts/payout-board.ts';
import { EvidenceInput } from './evidence-input.tsx';
import { PageLink } from './page-link.tsx';

const REASON_MAX = 500;

/** The way back for a bank file that somebody has and the bank did not take; and those that were taken back. */
export function FileBack({
  withdrawal: { id, status, payout, file_take_back: back },
}: {
  withdrawal: Pick<WithdrawalPage, 'id' | 'status' | 'payout' | 'file_take_back'>;
}) {
  const t = useTexts(payoutBoard);
  const { mutateAsync } = useWrite(askFileBack);
  const [reason, setReason] = useState('');
  const [evidence, setEvidence] = useState<Evidence | null>(null);
  const { refusal, approval_id: approval, earlier, orders } = back;
  const file = payout?.file_name ?? '';
  const isOver = status !== 'PROCESSING' || refusal === 'NO_FILE';
  return (
    <Stack gap="xs" align="flex-start">
      {earlier.map((each) => (
        <Text key={each.reference} size="sm">
          {t.takenBack(each.reference)} · <When at={each.at} /> ·{' '}
          <PageLink to={`/operator/approvals/${each.approval_id}`}>
            {t.approvalOf(each.approval_id)}
          </PageLink>
        </Text>
      ))}
      {approval !== null && (
        <Text size="sm">
          {t.backAsked}{' '}
          <PageLink to={`/operator/approvals/${approval}`}>{t.approvalOf(approval)}</PageLink>
        </Text>
      )}
      {approval === null && !isOver && (
        <ActionButton
          size="compact-sm"
          variant="default"
          action={{
            label: t.takeBack,
            route: 'POST /api/admin/withdrawals/{id}/payout-file/take-back',
            refusal: refusal === null ? null : t.backRefusals[refusal],
            danger: true,
            confirm: {
              title: t.takeBackTitle(file),
              isReady: reason.trim() !== '' && evidence !== null,
              body: (
                <Stack gap="sm">
                  <Text size="sm">{t.takeBackHelp}</Text>
                  <Text size="sm">{t.carries(orders)}</Text>
                  <Textarea
                    label={t.whyBack}
                    required
                    autosize
                    minRows={2}
                    maxLength={REASON_MAX}
                    value={reason}
                    onChange={(event) => setReason(event.currentTarget.value)}
                  />
                  <EvidenceInput value={evidence} onChange={setEvidence} hint={t.evidenceNeeded} />
                </Stack>
              ),
            },
            run: async () => {
              if (evidence === null) return;
              const body = { reason: reason.trim(), evidence_id: evidence.id };
              await mutateAsync({ path: { id }, body });
              setReason('');
              setEvidence(null);
            },
            done: t.backDone,
          }}
        />
      )}
    </Stack>
  );
}
