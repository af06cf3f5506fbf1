import { Button, Group, Kbd, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { Failed } from '../../../../../parts/failed.tsx';
import { useSecondsLeft } from '../../../../../parts/keys.tsx';
import { useTexts, wordOf } from '../../../../../parts/texts.ts';
import type { TaskPage } from '../../../../../queries/operator/task.ts';
import { review } from '../../../../../texts/review.ts';
import classes from './decision-bar.module.css';
import type { Deciding } from './use-decision.ts';

const KEYS: Readonly<Record<string, string>> = {
  approve: 'a',
  credit: 'a',
  confirm_paid: 'a',
  reject: 'r',
  refund: 'r',
  confirm_failed: 'r',
  keep_waiting: 'w',
};

export const keyOf = (decision: string): string | undefined => KEYS[decision];
export const isNo = (decision: string): boolean => keyOf(decision) === 'r';

/** What can be decided, always in sight; while a decision waits, how to take it back. */
export function DecisionBar(props: {
  task: TaskPage;
  refusal: string | null;
  deciding: Deciding;
  note: string;
  onNote: (note: string) => void;
  onDecide: (decision: string) => void;
  onNext: () => void;
}) {
  const { task, refusal, deciding, note, onNote, onDecide, onNext } = props;
  const t = useTexts(review);
  if (deciding.pending !== null) return <Countdown deciding={deciding} />;
  return (
    <section className={classes['bar']} aria-label={t.decisionOf}>
      <Stack gap="xs">
        {deciding.error !== null && <Failed error={deciding.error} />}
        {refusal !== null && <Text size="sm">{refusal}</Text>}
        <Group gap="xs" align="flex-end">
          {refusal === null && (
            <TextInput
              label={task.kind === 'payout_unknown' ? t.reference : t.note}
              value={note}
              maxLength={2_000}
              onChange={(event) => onNote(event.currentTarget.value)}
              flex="1 1 14rem"
            />
          )}
          {task.decisions.map((decision) => (
            <Tooltip key={decision} label={refusal ?? ''} disabled={refusal === null} multiline>
              <Button
                variant={keyOf(decision) === 'a' ? 'filled' : 'default'}
                color={keyOf(decision) === 'a' ? 'blue' : undefined}
                data-disabled={refusal !== null || undefined}
                aria-disabled={refusal !== null}
                aria-description={refusal ?? undefined}
                aria-haspopup={isNo(decision) ? 'dialog' : undefined}
                loading={deciding.isSending}
                rightSection={<Kbd size="xs">{keyOf(decision)}</Kbd>}
                onClick={() => {
                  if (refusal === null) onDecide(decision);
                }}
              >
                {wordOf(t.decisions, decision)}
              </Button>
            </Tooltip>
          ))}
          <Button variant="subtle" rightSection={<Kbd size="xs">n</Kbd>} onClick={onNext}>
            {t.next}
          </Button>
        </Group>
      </Stack>
    </section>
  );
}

function Countdown({ deciding: { pending, undo, send } }: { deciding: Deciding }) {
  const t = useTexts(review);
  const left = useSecondsLeft(pending?.until ?? null);
  const what = wordOf(t.decisions, pending?.body.decision);
  return (
    <section className={classes['bar']} aria-label={t.decisionOf}>
      <Group gap="sm">
        <Text fw={600} role="status" aria-live="off">
          {t.sentIn(what, left)}
        </Text>
        <Button variant="default" onClick={undo} rightSection={<Kbd size="xs">Esc</Kbd>}>
          {t.undo}
        </Button>
        <Button onClick={send} rightSection={<Kbd size="xs">n</Kbd>}>
          {t.sendNow}
        </Button>
      </Group>
    </section>
  );
}
