import { Alert, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Words } from '../../../../../parts/appeal.tsx';
import { usePreferences } from '../../../../../parts/preferences.tsx';
import { useTexts } from '../../../../../parts/texts.ts';
import { reasonsFor, type TaskPage } from '../../../../../queries/operator/task.ts';
import { appealTexts } from '../../../../../texts/appeal.ts';

/** Of a round that its owner asked for: what they say, and the rejection that they say it against. */
export function AppealNote({ task }: { task: TaskPage }) {
  const t = useTexts(appealTexts);
  const { language } = usePreferences();
  const { data } = useQuery(reasonsFor(task.kind));
  const [present, before] = task.detail.history;
  if (task.status !== 'open' || present === undefined || present.appeal === null) return null;
  const reasons = (before?.reasons ?? []).map(({ code, note }) => {
    const title = data?.items.find((each) => each.code === code)?.title[language] ?? code;
    return note === undefined || note === '' ? title : `${title} (${note})`;
  });
  return (
    <Alert color="blue" variant="light" title={t.ofOwner} mb="md">
      <Stack gap="xs">
        <Words text={present.appeal} />
        {reasons.length > 0 && (
          <Text size="sm">
            {t.against}: {reasons.join(', ')}
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
