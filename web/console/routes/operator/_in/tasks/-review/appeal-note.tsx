import { Alert, Stack, Text } from '@mantine/core';
import { Words } from '../../../../../parts/appeal.tsx';
import { useMarks, useTexts } from '../../../../../parts/texts.ts';
import type { TaskPage } from '../../../../../queries/operator/task.ts';
import { appealTexts } from '../../../../../texts/appeal.ts';
import { useReasonWords } from '../../-shown/reason-words.ts';

/** Of a round that its owner asked for: what they say, and the rejection that they say it against. */
export function AppealNote({ task }: { task: TaskPage }) {
  const t = useTexts(appealTexts);
  const marks = useMarks();
  const whyNot = useReasonWords(task.kind);
  const [present, before] = task.detail.history;
  if (task.status !== 'open' || present === undefined || present.appeal === null) return null;
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
