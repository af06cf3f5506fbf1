import { Alert, Text } from '@mantine/core';
import { fileEnd } from '../../../../../may/payout.ts';
import { useTexts, wordOf } from '../../../../../parts/texts.ts';
import type { OperatorWithdrawal } from '../../../../../queries/operator/money.ts';
import { payoutWord } from '../../../../../texts/payout-word.ts';
import { Runbook } from '../../-shown/runbook.tsx';

type Payout = OperatorWithdrawal['payout'];

/** What is to be done before somebody says what became of a payout: by where its order is, and what the bank has said. */
export function PayoutHelp({ payout }: { payout: Payout }) {
  const t = useTexts(payoutWord);
  const isUnsent = payout?.state === 'READY';
  const help = t[helpOf(payout)];
  return (
    <Alert color="yellow" variant="light">
      <Text size="sm">
        {help} <Runbook page={isUnsent ? 'unsent-payout' : 'unknown-payout'} about={help} />
      </Text>
      {isUnsent && payout.last_outcome !== null && (
        <Text size="sm">{wordOf(t.unsent, payout.last_outcome)}</Text>
      )}
    </Alert>
  );
}

function helpOf(
  payout: Payout,
): 'fileHelp' | 'refusedHelp' | 'takenHelp' | 'unsentHelp' | 'unknownHelp' {
  if (payout?.state === 'READY') return 'unsentHelp';
  const end = fileEnd(payout);
  if (end === 'none') return 'unknownHelp';
  if (end === null) return 'fileHelp';
  return end === 'taken' ? 'takenHelp' : 'refusedHelp';
}
