import { Button, Group, Kbd, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type Ref, type RefObject, useLayoutEffect, useRef } from 'react';
import { blockersOf } from '../../../../../may/operator.ts';
import { Failed } from '../../../../../parts/failed.tsx';
import { useSecondsLeft } from '../../../../../parts/keys.tsx';
import { Menu, MenuItem } from '../../../../../parts/menu.tsx';
import { RowButton } from '../../../../../parts/row-button.tsx';
import { useMarks, useTexts, wordOf } from '../../../../../parts/texts.ts';
import type { TaskPage } from '../../../../../queries/operator/task.ts';
import { common } from '../../../../../texts/common.ts';
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

/** Where no key is pressed. */
const PHONE = '(max-width: 35.99em)';
const IN_ROW = 2;
/** Yes, no, and what leaves it as it is. */
const ORDER = ['a', 'r', 'w'];

export const keyOf = (decision: string): string | undefined => KEYS[decision];
export const isNo = (decision: string): boolean => keyOf(decision) === 'r';
const placeOf = ({ decision }: Choice): number => ORDER.indexOf(keyOf(decision) ?? '');

interface BarProps {
  task: TaskPage;
  refusal: string | null;
  deciding: Deciding;
  note: string;
  onNote: (note: string) => void;
  onDecide: (decision: string) => void;
  onNext: () => void;
}

/** What can be decided, always in sight; while a decision waits, how to take it back. */
export function DecisionBar(props: BarProps) {
  const { task, refusal, deciding } = props;
  const t = useTexts(review);
  const { gap } = useMarks();
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const blocked = (decision: string): string | null => {
    const codes = blockersOf(decision, task.findings);
    return codes.length === 0
      ? null
      : `${t.why.blocked}${gap}${codes.map((code) => wordOf(t.codes, code)).join(' ')}`;
  };
  const why = refusal ?? task.decisions.map(blocked).find((reason) => reason !== null) ?? null;
  const bar = useBarFocus(deciding.pending !== null);
  const field = useRef<HTMLInputElement>(null);
  if (deciding.pending !== null) return <Countdown bar={bar} deciding={deciding} />;
  const note = refusal === null && <NoteField {...props} field={field} />;
  const choices = task.decisions.map((decision) => ({
    decision,
    refusal: refusal ?? blocked(decision),
  }));
  return (
    <>
      {isPhone && note}
      <section ref={bar} tabIndex={-1} className={classes['bar']} aria-label={t.decisionOf}>
        <Stack gap="xs">
          {deciding.error !== null && <Failed error={deciding.error} />}
          {why !== null && <Text size={isPhone ? 'xs' : 'sm'}>{why}</Text>}
          {isPhone ? (
            <PhoneRow {...props} choices={choices} onWrite={() => field.current?.focus()} />
          ) : (
            <Group gap="xs" align="flex-end">
              {note}
              {choices.map((choice) => (
                <DecisionButton key={choice.decision} {...props} {...choice} />
              ))}
              <Button variant="subtle" rightSection={<Kbd size="xs">n</Kbd>} onClick={props.onNext}>
                {t.next}
              </Button>
            </Group>
          )}
        </Stack>
      </section>
    </>
  );
}

function NoteField({
  task,
  note,
  onNote,
  field,
}: Pick<BarProps, 'task' | 'note' | 'onNote'> & { field: Ref<HTMLInputElement> }) {
  const label = useNoteLabel(task.kind);
  return (
    <TextInput
      ref={field}
      label={label}
      value={note}
      maxLength={2_000}
      onChange={(event) => onNote(event.currentTarget.value)}
      flex="1 1 14rem"
    />
  );
}

/** What is written beside a decision; of some kinds it is what the money went under. */
function useNoteLabel(kind: TaskPage['kind']): string {
  const t = useTexts(review);
  const references: Readonly<Record<string, string>> = {
    payout_unknown: t.reference,
    deposit_refund: t.sentReference,
  };
  return references[kind] ?? t.note;
}

interface Choice {
  decision: string;
  refusal: string | null;
}

/** One line, so that what is decided about is seen: yes and no, and the rest in a menu. */
function PhoneRow({
  task,
  refusal,
  deciding,
  choices,
  onDecide,
  onNext,
  onWrite,
}: BarProps & { choices: readonly Choice[]; onWrite: () => void }) {
  const t = useTexts(review);
  const c = useTexts(common);
  const label = useNoteLabel(task.kind);
  const first = choices.toSorted((one, other) => placeOf(one) - placeOf(other));
  return (
    <div className={classes['row']}>
      {first.slice(0, IN_ROW).map((choice) => (
        <DecisionButton key={choice.decision} {...choice} deciding={deciding} onDecide={onDecide} />
      ))}
      <Menu
        button={(target) => (
          <RowButton look="icon" aria-label={c.more} {...target}>
            <span aria-hidden>⋯</span>
          </RowButton>
        )}
      >
        {first.slice(IN_ROW).map(({ decision, refusal: why }) => (
          <MenuItem
            key={decision}
            aria-disabled={why !== null}
            aria-haspopup={isNo(decision) ? 'dialog' : undefined}
            title={why ?? undefined}
            onClick={() => {
              if (why === null) onDecide(decision);
            }}
          >
            {wordOf(t.decisions, decision)}
          </MenuItem>
        ))}
        {/* The menu gives the focus back to its button first. */}
        {refusal === null && (
          <MenuItem onClick={() => requestAnimationFrame(onWrite)}>{label}</MenuItem>
        )}
        <MenuItem onClick={onNext}>{t.next}</MenuItem>
      </Menu>
    </div>
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
function DecisionButton({
  decision,
  refusal,
  deciding: { isSending },
  onDecide,
}: Choice & Pick<BarProps, 'deciding' | 'onDecide'>) {
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
      <div className={classes['row']}>
        <Text fw={600} role="status" aria-live="off">
          {t.sentIn(what, left)}
        </Text>
        <Button variant="default" onClick={undo} rightSection={<Kbd size="xs">Esc</Kbd>}>
          {t.undo}
        </Button>
        <Button onClick={send} rightSection={<Kbd size="xs">n</Kbd>}>
          {t.sendNow}
        </Button>
      </div>
    </section>
  );
}
