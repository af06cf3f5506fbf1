import { Stack, Text } from '@mantine/core';
import { Reasons } from '../../../../../parts/reasons.tsx';
import { useSaid } from '../../../../../parts/said.ts';
import { useMarks, useTexts, wordOf } from '../../../../../parts/texts.ts';
import type { TaskRow } from '../../../../../queries/operator/task.ts';
import { review } from '../../../../../texts/review.ts';
import { subject } from '../../../../../texts/subject.ts';

const TONES = { blocker: 'red', notice: 'yellow', info: 'blue' } as const;

/** What the automatic checks saw, the worst first. */
export function Findings({ findings }: { findings: TaskRow['findings'] }) {
  const t = useTexts(review);
  const marks = useMarks();
  const { fields } = useTexts(subject);
  const said = useSaid();
  if (findings.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t.noFindings}
      </Text>
    );
  }
  return (
    <Stack gap="xs">
      {(['blocker', 'notice', 'info'] as const).map((severity) => (
        <Reasons
          key={severity}
          tone={TONES[severity]}
          title={t.severity[severity]}
          reasons={findings
            .filter((finding) => finding.severity === severity)
            .map(({ code, field, note }) => ({
              key: `${code} ${field ?? ''} ${note ?? ''}`,
              text: `${field === undefined ? '' : `${wordOf(fields, field)}${marks.colon}`}${wordOf(t.codes, code)}`,
              fix: note === undefined ? undefined : <code>{said(note)}</code>,
            }))}
        />
      ))}
    </Stack>
  );
}
