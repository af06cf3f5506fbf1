import { Text } from '@mantine/core';
import { useTexts } from '../../../../../parts/texts.ts';
import type { TaskPage } from '../../../../../queries/operator/task.ts';
import { subject } from '../../../../../texts/subject.ts';
import { ReversalPreview } from '../../-shown/reversal-preview.tsx';

/** What a second person decides on. */
export function ReversalView({ detail: { reversal } }: { detail: TaskPage['detail'] }) {
  const s = useTexts(subject);
  if (reversal === null) return <Text c="dimmed">{s.gone}</Text>;
  return <ReversalPreview reversal={reversal} />;
}
