import { Stack, Text } from '@mantine/core';
import type { Same } from '../../../../parts/texts.ts';
import { NONE } from '../../../../parts/none.tsx';
import type { OperatorWithdrawal } from '../../../../queries/operator/money.ts';
import type { payoutBoard } from '../../../../texts/payout-board.ts';
import { PageLink } from '../-shown/page-link.tsx';

type Words = Same<(typeof payoutBoard)['en']>;

/** In words, with the way to whoever may do it. */
export function WaitsFor({ row, t }: { row: OperatorWithdrawal; t: Words }) {
  const words = wordsOf(row, t);
  if (words === null) return NONE;
  const { task_id: task, payout } = row;
  const own = `pain.001-${payout?.external_ref}.xml`;
  return (
    <Stack gap={0} miw="11rem">
      {task === null ? (
        <span>{words}</span>
      ) : (
        <PageLink to={`/operator/tasks/${task}`}>{words}</PageLink>
      )}
      {payout?.file_name !== own && (
        <Text size="xs" c="dimmed">
          {payout?.file_name}
        </Text>
      )}
    </Stack>
  );
}

function wordsOf(row: OperatorWithdrawal, t: Words): string | null {
  const { stage, asked_by: by, payout } = row;
  if (payout !== null && by !== null) return t.secondFailed(by);
  switch (stage) {
    case 'REVIEW':
      return t.review;
    case 'RISK_HOLD':
      return t.risk;
    case 'SECOND_APPROVAL':
      return t.second(by ?? '—');
    case 'COOLING':
      return t.cooling;
    case 'BANK_FILE':
      return t.bankFile;
    case 'AT_BANK':
      if (payout?.bank_status === 'REFUSED') return t.refused;
      return payout?.bank_status === 'TAKEN' ? t.taken : t.atBank;
    case 'PROCESSING':
      return row.task_id === null ? t.provider : t.unsent;
    case 'UNKNOWN':
      return row.task_id === null ? t.askedAgain : t.unknown;
    case 'RETURNED':
      return t.back;
    case null:
      return null;
  }
}
