import { Card, Text, Title } from '@mantine/core';
import { Words } from '../../../../../parts/appeal.tsx';
import { State } from '../../../../../parts/state.tsx';
import { useMarks, useTexts } from '../../../../../parts/texts.ts';
import { When } from '../../../../../parts/time.tsx';
import type { TaskKind, TaskPage } from '../../../../../queries/operator/task.ts';
import { review } from '../../../../../texts/review.ts';
import { useReasonWords } from '../../-shown/reason-words.ts';

/** Rounds of review, newest first: who decided, with which reasons, and what was said to begin one. */
export function ReviewRounds({
  kind,
  history,
}: {
  kind: TaskKind;
  history: TaskPage['detail']['history'];
}) {
  const t = useTexts(review);
  const marks = useMarks();
  const whyNot = useReasonWords(kind, history.length > 0);
  if (history.length === 0) return null;
  return (
    <Card withBorder padding="sm" component="section">
      <Title order={2}>{t.history}</Title>
      {history.map((round) => (
        <Text key={round.round} size="sm" component="div" mt={4}>
          {t.round(round.round)}
          {marks.colon}
          <State state={round.status} />{' '}
          {round.decided_by !== null && (round.decided_by === 'AUTO' ? t.byMachine : t.byOperator)}{' '}
          <When at={round.decided_at ?? round.created_at} />
          {round.reasons.length > 0 && <> · {whyNot(round.reasons)}</>}
          {round.appeal !== null && <Words text={round.appeal} />}
          {round.recall !== null && (
            <>
              {' '}
              · {t.recalled}
              <Words text={round.recall} />
            </>
          )}
        </Text>
      ))}
    </Card>
  );
}
