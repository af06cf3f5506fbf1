import { Alert, Stack, Text } from '@mantine/core';
import { Words } from '../../../../../parts/appeal.tsx';
import { useMarks, useTexts } from '../../../../../parts/texts.ts';
import type { TaskPage } from '../../../../../queries/operator/task.ts';
import { appealTexts } from '../../../../../texts/appeal.ts';
import { review } from '../../../../../texts/review.ts';
import { useReasonWords } from '../../-shown/reason-words.ts';

/** Of a round that somebody asked for: what its owner says, and against which rejection; or an operator who stopped it. */
export function AppealNote({ task }: { task: TaskPage }) {
  const t = useTexts(appealTexts);
  const marks = useMarks();
  const whyNot = useReasonWords(task.kind);
  const { recalled } = useTexts(review);
  const [present, before] = task.detail.history;
  if (task.status !== 'open' || present === undefined) return null;
  if (present.recall !== null) {
    return (
      <Alert color="red" variant="light" title={recalled} mb="md">
        <Words text={present.recall} />
      </Alert>
    );
  }
  if (present.appeal === null) return null;
  const reasons = whyNot(before?.reasons ?? []);
  return (
    <Alert color="blue" variant="light" title={t.ofOwner} mb="md">
      <Stack gap="xs">
        <Words text={present.appeal} />
        {reasons !== '' && (
          <Text size="sm">
            {t.against}
            {marks.colon}
            {reasons}
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
