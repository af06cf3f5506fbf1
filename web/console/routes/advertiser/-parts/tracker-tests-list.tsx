import { Button, Group, Text } from '@mantine/core';
import type { TrackerTest } from '../../../../client/routes.ts';
import { Section } from '../../../parts/section.tsx';
import { ServerAnswer } from '../../../parts/server-answer.tsx';
import { useMarks, useTexts } from '../../../parts/texts.ts';
import { When } from '../../../parts/time.tsx';
import { trackerTest } from '../../../texts/advertiser/tracker-test.ts';

/** Tests that are not shown now. */
export function EarlierTests({
  tests,
  onShow,
}: {
  tests: readonly TrackerTest[];
  onShow: (id: number) => void;
}) {
  const t = useTexts(trackerTest);
  const marks = useMarks();
  if (tests.length === 0) return null;
  return (
    <Section title={t.earlier}>
      {tests.map((test) => (
        <Group key={test.id} gap="xs">
          <Button size="compact-sm" variant="subtle" onClick={() => onShow(test.id)}>
            <When at={test.created_at} />
          </Button>
          <Text size="sm">{resultOf(test, t)}</Text>
          {test.postback !== null && (
            <Text size="sm">
              · {t.postback}
              {marks.colon}
              {test.postback.last_outcome === null ? (
                t.calling
              ) : (
                <ServerAnswer outcome={test.postback.last_outcome} />
              )}
            </Text>
          )}
        </Group>
      ))}
    </Section>
  );
}

function resultOf(
  test: TrackerTest,
  t: { notCame: string; accepted: string; refused: string },
): string {
  if (test.outcome === null) return t.notCame;
  return test.outcome === 'ACCEPTED' ? t.accepted : t.refused;
}
