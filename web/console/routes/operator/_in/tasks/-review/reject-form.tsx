import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { Dialog } from '../../../../../parts/dialog.tsx';
import { Failed } from '../../../../../parts/failed.tsx';
import { RefusableButton } from '../../../../../parts/permission.tsx';
import { useMarks, useTexts, wordOf } from '../../../../../parts/texts.ts';
import { type Decision, reasonsFor, type TaskPage } from '../../../../../queries/operator/task.ts';
import { common } from '../../../../../texts/common.ts';
import { review } from '../../../../../texts/review.ts';
import { useTaskTitle } from '../../-shown/task-title.ts';
import { type Chosen, ReasonList } from './reason-list.tsx';
import { useRejectDraft } from './reject-draft.ts';

/** Saying no, with reasons of the catalogue. Their numbers choose, Ctrl+Enter sends. */
export function RejectForm(props: {
  task: TaskPage;
  decision: string;
  operatorId: number;
  note: string;
  /** Why it cannot be said any more: somebody was faster. What was written stays to be read and copied. */
  refusal: string | null;
  onCancel: () => void;
  onDecide: (body: Decision) => void;
  /** What is said beside the reasons. */
  children?: ReactNode;
}) {
  const { task, decision, refusal, onCancel, onDecide } = props;
  const t = useTexts(review);
  const { colon } = useMarks();
  const c = useTexts(common);
  const titleOf = useTaskTitle();
  const { data, error, refetch } = useQuery(reasonsFor(task.kind));
  const [{ chosen, note }, setDraft] = useRejectDraft({
    taskId: task.id,
    decision,
    operatorId: props.operatorId,
    note: props.note,
  });
  const [isAsked, setAsked] = useState(false);
  const reasons = data?.items ?? [];
  const choose = (next: Chosen): void => setDraft((was) => ({ ...was, chosen: next }));
  const isMissing = decision === 'reject' && chosen.size === 0;
  const isUnsaid = chosen.has('OTHER') && chosen.get('OTHER')?.trim() === '';

  const send = (): void => {
    setAsked(true);
    if (refusal === null && !isMissing && !isUnsaid) onDecide(bodyOf(decision, chosen, note));
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    }
    const reason = isWriting(event.target) ? undefined : reasons[Number(event.key) - 1];
    if (reason !== undefined) choose(toggled(chosen, reason.code));
  };
  return (
    <Dialog
      onClose={onCancel}
      title={`${wordOf(t.decisions, decision)}${colon}${titleOf(task)}`}
      size="lg"
      onKeyDown={onKey}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {t.reasonsHelp}
        </Text>
        {error !== null && <Failed error={error} again={() => void refetch()} />}
        <ReasonList
          reasons={reasons}
          chosen={chosen}
          onChoose={choose}
          error={isAsked && isMissing ? t.chooseOne : undefined}
          unsaid={isAsked && isUnsaid ? t.reasonNeeded : undefined}
        />
        <Textarea
          label={task.kind === 'payout_unknown' ? t.reference : t.note}
          value={note}
          maxLength={2_000}
          autosize
          minRows={2}
          onChange={({ currentTarget }) =>
            setDraft((was) => ({ ...was, note: currentTarget.value }))
          }
        />
        {props.children}
        {refusal !== null && (
          <Alert color="orange" variant="light" role="alert">
            {refusal}
          </Alert>
        )}
        <Group justify="flex-end">
          <Text size="xs" c="dimmed">
            {t.sendKeys}
          </Text>
          <Button variant="default" onClick={onCancel}>
            {c.cancel}
          </Button>
          <RefusableButton color="red.8" refusal={refusal} onClick={send}>
            {wordOf(t.decisions, decision)}
          </RefusableButton>
        </Group>
      </Stack>
    </Dialog>
  );
}

const isWriting = (target: EventTarget): boolean =>
  target instanceof HTMLElement && target.matches('textarea, input:not([type="checkbox"])');

function toggled(chosen: Chosen, code: string): Chosen {
  const next = new Map(chosen);
  if (!next.delete(code)) next.set(code, '');
  return next;
}

function bodyOf(decision: string, chosen: Chosen, note: string): Decision {
  const reasons = [...chosen].map(([code, said]) =>
    said.trim() === '' ? { code } : { code, note: said.trim() },
  );
  return { decision, reasons, ...(note.trim() === '' ? {} : { note: note.trim() }) };
}
