import { Progress, Stack, Text, Timeline as MantineTimeline } from '@mantine/core';
import { unheard } from '../texts/unheard.ts';
import { Failed } from './failed.tsx';
import { hasEnded, type Operation } from './live.ts';
import { usePreferences } from './preferences.tsx';
import { State } from './state.tsx';
import { useTexts } from './texts.ts';
import { formatTime, When } from './time.tsx';

/** What has happened so far and what is waited for now; announced as it changes. */
export function Timeline({
  operation,
  error = null,
  seenAt,
  phases = {},
  noteAs = (note) => note,
}: {
  operation: Pick<Operation, 'status' | 'timeline' | 'progress'>;
  error?: Error | null;
  seenAt?: number;
  /** Words of its phases. */
  phases?: Readonly<Record<string, string>>;
  /** Words of what is noted beside them. */
  noteAs?: (note: string) => string;
}) {
  const t = useTexts(unheard);
  const { language, timeZone } = usePreferences();
  const done = doneOf(operation.progress);
  return (
    <Stack gap="xs" aria-live="polite">
      <div>
        <State state={operation.status} />
      </div>
      {done !== undefined && !hasEnded(operation) && (
        <Progress value={done} aria-label={operation.status} />
      )}
      <MantineTimeline active={operation.timeline.length} bulletSize={14} lineWidth={2}>
        {operation.timeline.map(({ at, phase, note }) => (
          <MantineTimeline.Item key={`${at} ${phase} ${note ?? ''}`} title={phases[phase] ?? phase}>
            {note !== null && <Text size="sm">{noteAs(note)}</Text>}
            <Text size="xs" c="dimmed">
              <When at={at} />
            </Text>
          </MantineTimeline.Item>
        ))}
      </MantineTimeline>
      {error !== null && <Failed error={error} />}
      {error !== null && seenAt !== undefined && seenAt > 0 && (
        <Text size="xs" c="dimmed">
          {t.staleSince(formatTime(new Date(seenAt).toISOString(), language, timeZone))}
        </Text>
      )}
    </Stack>
  );
}

/** Percent, where the operation counts. */
function doneOf(progress: unknown): number | undefined {
  const { done, total } = (progress ?? {}) as {
    done?: unknown;
    total?: unknown;
  };
  if (typeof done !== 'number' || typeof total !== 'number' || total <= 0) return undefined;
  return Math.min(100, (done / total) * 100);
}
