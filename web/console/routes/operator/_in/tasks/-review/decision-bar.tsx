import { Button, Group, Kbd, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { type Ref, type RefObject, useLayoutEffect, useRef } from 'react';
import { blockersOf } from '../../../../../may/operator.ts';
import { Failed } from '../../../../../parts/failed.tsx';
import { useSecondsLeft } from '../../../../../parts/keys.tsx';
import { useMarks, useTexts, wordOf } from '../../../../../parts/texts.ts';
import type { TaskPage } from '../../../../../queries/operator/task.ts';
import { review } from '../../../../../texts/review.ts';
import classes from './decision-bar.module.css';
import type { Deciding } from './use-decision.ts';

const KEYS: Readonly<Record<string, string>> = {
  approve: 'a',
  uphold: 'a',
  credit: 'a',
  confirm_paid: 'a',
  sent_back: 'a',
  send_again: 'w',
  give_back: 'r',
  retry: 'a',
  reject: 'r',
  refund: 'r',
  confirm_failed: 'r',
  end: 'r',
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
  const { gap } = useMarks();
  const blocked = (decision: string): string | null => {
    const codes = blockersOf(decision, task.findings);
    return codes.length === 0
      ? null
      : `${t.why.blocked}${gap}${codes.map((code) => wordOf(t.codes, code)).join(' ')}`;
  };
  const references: Readonly<Record<string, string>> = {
    payout_unknown: t.reference,
    deposit_refund: t.sentReference,
  };
  const why = refusal ?? task.decisions.map(blocked).find((reason) => reason !== null) ?? null;
  const bar = useBarFocus(deciding.pending !== null);
  if (deciding.pending !== null) return <Countdown bar={bar} deciding={deciding} />;
  return (
    <section ref={bar} tabIndex={-1} className={classes['bar']} aria-label={t.decisionOf}>
      <Stack gap="xs">
        {deciding.error !== null && <Failed error={deciding.error} />}
        {why !== null && <Text size="sm">{why}</Text>}
        <Group gap="xs" align="flex-end">
          {refusal === null && (
            <TextInput
              label={references[task.kind] ?? t.note}
              value={note}
              maxLength={2_000}
              onChange={(event) => onNote(event.currentTarget.value)}
              flex="1 1 14rem"
            />
          )}
          {task.decisions.map((decision) => (
            <DecisionButton
              key={decision}
              decision={decision}
              refusal={refusal ?? blocked(decision)}
              isSending={deciding.isSending}
              onDecide={onDecide}
            />
          ))}
          <Button variant="subtle" rightSection={<Kbd size="xs">n</Kbd>} onClick={onNext}>
            {t.next}
          </Button>
        </Group>
      </Stack>
    </section>
  );
}

/** The button that was pressed has gone with the others: the next one is a Tab away, before a decision and while it waits. */
function useBarFocus(isWaiting: boolean): RefObject<HTMLElement | null> {
  const bar = useRef<HTMLElement>(null);
  const before = useRef(isWaiting);
  // Before the page would go on at the first button that stands there: a second Enter must send nothing.
  useLayoutEffect(() => {
    if (before.current === isWaiting) return;
    before.current = isWaiting;
    if (document.activeElement === document.body) bar.current?.focus({ preventScroll: true });
  }, [isWaiting]);
  return bar;
}

/** Disabled with its reason, never hidden. */
function DecisionButton(props: {
  decision: string;
  refusal: string | null;
  isSending: boolean;
  onDecide: (decision: string) => void;
}) {
  const { decision, refusal, isSending, onDecide } = props;
  const t = useTexts(review);
  return (
    <Tooltip label={refusal ?? ''} disabled={refusal === null} multiline maw={360}>
      <Button
        variant={keyOf(decision) === 'a' ? 'filled' : 'default'}
        color={keyOf(decision) === 'a' ? 'blue' : undefined}
        data-disabled={refusal !== null || undefined}
        aria-disabled={refusal !== null}
        aria-description={refusal ?? undefined}
        aria-haspopup={isNo(decision) ? 'dialog' : undefined}
        loading={isSending}
        rightSection={<Kbd size="xs">{keyOf(decision)}</Kbd>}
        onClick={() => {
          if (refusal === null) onDecide(decision);
        }}
      >
        {wordOf(t.decisions, decision)}
      </Button>
    </Tooltip>
  );
}

function Countdown({
  bar,
  deciding: { pending, undo, send },
}: {
  bar: Ref<HTMLElement>;
  deciding: Deciding;
}) {
  const t = useTexts(review);
  const left = useSecondsLeft(pending?.until ?? null);
  const what = wordOf(t.decisions, pending?.body.decision);
  return (
    <section ref={bar} tabIndex={-1} className={classes['bar']} aria-label={t.decisionOf}>
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
