import { Alert, Grid, Text } from '@mantine/core';
import { usePrefetchQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { blockersOf, mayDecide } from '../../../../../may/operator.ts';
import { Keys } from '../../../../../parts/keys.tsx';
import { Page } from '../../../../../parts/page.tsx';
import { useSaid } from '../../../../../parts/said.ts';
import { State } from '../../../../../parts/state.tsx';
import { When } from '../../../../../parts/time.tsx';
import { RowLink } from '../../../../../parts/row-link.tsx';
import { useMarks, useTexts, wordOf } from '../../../../../parts/texts.ts';
import type { Evidence } from '../../../../../queries/operator/money.ts';
import { reasonsFor, type TaskKind, type TaskPage } from '../../../../../queries/operator/task.ts';
import { desk } from '../../../../../texts/desk.ts';
import { review } from '../../../../../texts/review.ts';
import { useReasonWords } from '../../-shown/reason-words.ts';
import { useTaskTitle } from '../../-shown/task-title.ts';
import { AppealNote } from './appeal-note.tsx';
import { Aside } from './aside.tsx';
import { DecisionBar, isNo, keyOf } from './decision-bar.tsx';
import { useRefusalWords } from './refusal-words.ts';
import { RejectForm } from './reject-form.tsx';
import { SubjectView } from './subject-view.tsx';
import { useDecision } from './use-decision.ts';
import { useHold } from './use-hold.ts';
import { useNext } from './use-next.ts';

/** Of decisions about money alone: most tasks are not. */
const EvidenceInput = lazy(async () => {
  const { EvidenceInput: input } = await import('../../-shown/evidence-input.tsx');
  return { default: input };
});
const EvidenceShown = lazy(async () => {
  const { Evidence: shown } = await import('../../-shown/evidence.tsx');
  return { default: shown };
});

/** The thing, its checks and its past, and what can be decided. */
export function Review({
  task,
  me,
  kind,
}: {
  task: TaskPage;
  me: { id: number; role: string };
  kind: TaskKind | undefined;
}) {
  const t = useTexts(review);
  const refusal = mayDecide(me, task);
  const words = useRefusalWords(refusal);
  usePrefetchQuery(reasonsFor(task.kind));
  useHold(task, me.id, refusal === null);
  const next = useNext(task.id, kind);
  const deciding = useDecision(task, next.go);
  const [note, setNote] = useState('');
  const [refusing, setRefusing] = useState<string | null>(null);
  const [evidence, setEvidence] = useState<Evidence | null>(null);
  const shown = evidence === null ? {} : { evidence_id: evidence.id };
  const mayShow = task.kind === 'payout_unknown' && refusal === null;

  const decide = (decision: string): void => {
    if (refusal !== null || deciding.pending !== null || deciding.isSending) return;
    if (blockersOf(decision, task.findings).length > 0) return;
    if (isNo(decision)) setRefusing(decision);
    else {
      deciding.start({ decision, ...(note.trim() === '' ? {} : { note: note.trim() }), ...shown });
    }
    next.prepare();
  };
  const byKey = (key: string): void => {
    const decision = task.decisions.find((each) => keyOf(each) === key);
    if (decision !== undefined) decide(decision);
  };
  const goOn = (): void => (deciding.pending === null ? next.skip() : deciding.send());
  return (
    <Page
      title={useTaskTitle()(task)}
      beside={<State state={task.status} />}
      crumbs={[{ text: t.desk, to: '/operator' }]}
      lead={`${t.task(task.id)} · ${wordOf(useTexts(desk).kinds, task.kind)}`}
    >
      <ReviewKeys onKey={byKey} undo={deciding.undo} goOn={goOn} />
      {task.decision !== null && <Decided kind={task.kind} decision={task.decision} />}
      {task.status === 'void' && <Text>{t.void}</Text>}
      <AskedNow task={task} />
      {task.last_try !== null && <LastTry of={task.last_try} />}
      <Grid>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <AppealNote task={task} />
          <SubjectView task={task}>
            {mayShow && refusing === null && (
              <Suspense>
                <EvidenceInput value={evidence} onChange={setEvidence} />
              </Suspense>
            )}
          </SubjectView>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Aside task={task} />
        </Grid.Col>
      </Grid>
      <DecisionBar
        task={task}
        refusal={words}
        deciding={deciding}
        note={note}
        onNote={setNote}
        onDecide={decide}
        onNext={goOn}
      />
      {refusing !== null && (
        <RejectForm
          task={task}
          decision={refusing}
          operatorId={me.id}
          note={note}
          refusal={
            task.decision === null
              ? words
              : t.decided(wordOf(t.decisions, task.decision.decision), task.decision.operator)
          }
          onCancel={() => setRefusing(null)}
          onDecide={(body) => {
            setRefusing(null);
            deciding.start({ ...body, ...shown });
          }}
        >
          {mayShow && (
            <Suspense>
              <EvidenceInput value={evidence} onChange={setEvidence} />
            </Suspense>
          )}
        </RejectForm>
      )}
    </Page>
  );
}

/** A decision that did not come to pass is told here: whoever made it has gone on to the next task. */
function LastTry({ of }: { of: NonNullable<TaskPage['last_try']> }) {
  const t = useTexts(review);
  const said = useSaid();
  const what = wordOf(t.decisions, of.decision);
  return (
    <Alert color={of.refusal === null ? 'blue' : 'yellow'} variant="light" role="status">
      {of.refusal === null
        ? t.beingTaken(of.operator, what)
        : t.tryRefused(of.operator, what, said(of.refusal))}{' '}
      <When at={of.created_at} />
    </Alert>
  );
}

/** What is asked about the same thing since this one was closed: a second person, say, is asked in a task of its own. */
function AskedNow({ task: { status, other_tasks: others } }: { task: TaskPage }) {
  const t = useTexts(review);
  const marks = useMarks();
  const titleOf = useTaskTitle();
  if (status === 'open') return null;
  return others
    .filter((other) => other.status === 'open')
    .map((other) => (
      <Text key={other.id}>
        {t.askedNow}
        {marks.colon}
        <RowLink to={`/operator/tasks/${other.id}`}>{titleOf(other)}</RowLink>
      </Text>
    ));
}

function ReviewKeys(props: { onKey: (key: string) => void; undo: () => void; goOn: () => void }) {
  const { onKey, undo, goOn } = props;
  const t = useTexts(review);
  const navigate = useNavigate();
  return (
    <Keys
      bindings={[
        { key: 'a', label: t.keyApprove, run: () => onKey('a') },
        { key: 'r', label: t.keyReject, run: () => onKey('r') },
        { key: 'w', label: t.keyWait, run: () => onKey('w') },
        { key: 'Escape', label: t.keyUndo, run: undo },
        { key: 'n', label: t.keyNext, run: goOn },
        { key: 'u', label: t.keyBack, run: () => void navigate({ to: '/operator' }) },
      ]}
    />
  );
}

function Decided({
  kind,
  decision,
}: {
  kind: TaskKind;
  decision: NonNullable<TaskPage['decision']>;
}) {
  const t = useTexts(review);
  const reasons = useReasonWords(kind)(decision.reasons);
  return (
    <Text component="div">
      {t.decided(wordOf(t.decisions, decision.decision), decision.operator)}
      {reasons !== '' && ` · ${reasons}`}
      {decision.note !== null && ` · ${decision.note}`}
      {decision.evidence !== null && (
        <div>
          <Suspense>
            <EvidenceShown file={decision.evidence} />
          </Suspense>
        </div>
      )}
    </Text>
  );
}
