import { Alert, Text } from '@mantine/core';
import { useTexts } from '../../../../../parts/texts.ts';
import type { TaskPage } from '../../../../../queries/operator/task.ts';
import { payoutWord } from '../../../../../texts/payout-word.ts';
import { Evidence } from '../../-shown/evidence.tsx';
import { Runbook } from '../../-shown/runbook.tsx';
import { useReasonWords } from '../../-shown/reason-words.ts';

/** Asked for a second word that nothing was paid: nothing is carried out here, the first person's word is judged. */
export const isSecondWord = ({ heading }: TaskPage): boolean =>
  heading !== null && 'second' in heading && heading.second === true;

/** What the first person said, with the reason, the note and the evidence. */
export function FirstWord({ task: { kind, other_tasks: others, detail } }: { task: TaskPage }) {
  const t = useTexts(payoutWord);
  const reasonsOf = useReasonWords(kind);
  const word = others.find((each) => each.decision?.decision === 'confirm_failed')?.decision;
  if (word === null || word === undefined) return <Alert color="yellow">{t.secondHelp}</Alert>;
  const why = [reasonsOf(word.reasons), word.note].filter((each) => each !== null && each !== '');
  return (
    <Alert color="yellow" variant="light" title={t.firstWord(word.operator)}>
      {why.length > 0 && <Text size="sm">{why.join(' · ')}</Text>}
      {word.evidence === null ? (
        <Text size="sm">{t.noEvidence}</Text>
      ) : (
        <Evidence file={word.evidence} />
      )}
      {detail.withdrawal?.payout?.bank_status === 'TAKEN' && (
        <Text size="sm" fw={600}>
          {t.bankHasIt}
        </Text>
      )}
      <Text size="sm">
        {t.secondHelp} <Runbook page="unknown-payout" about={t.secondHelp} />
      </Text>
    </Alert>
  );
}
