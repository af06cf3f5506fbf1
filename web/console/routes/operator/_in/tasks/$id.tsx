import { Grid, Skeleton, Text } from '@mantine/core';
import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { mayDecide } from '../../../../may/operator.ts';
import { Failed } from '../../../../parts/failed.tsx';
import { Keys } from '../../../../parts/keys.tsx';
import { Page } from '../../../../parts/page.tsx';
import { textOf } from '../../../../parts/search.ts';
import { State } from '../../../../parts/state.tsx';
import { useTexts, wordOf } from '../../../../parts/texts.ts';
import { profile } from '../../../../queries/operator/account.ts';
import {
  one,
  reasonsFor,
  type TaskKind,
  type TaskPage,
} from '../../../../queries/operator/task.ts';
import { common } from '../../../../texts/common.ts';
import { desk } from '../../../../texts/desk.ts';
import { operator } from '../../../../texts/operator.ts';
import { review } from '../../../../texts/review.ts';
import { Aside } from './-review/aside.tsx';
import { DecisionBar, isNo, keyOf } from './-review/decision-bar.tsx';
import { useRefusalWords } from './-review/refusal-words.ts';
import { RejectForm } from './-review/reject-form.tsx';
import { SubjectView } from './-review/subject-view.tsx';
import { useDecision } from './-review/use-decision.ts';
import { useHold } from './-review/use-hold.ts';
import { useNext } from './-review/use-next.ts';

const REFRESH_MS = 15_000;

export const Route = createFileRoute('/operator/_in/tasks/$id')({
  /** Of what kind the next one is to be; absent is any. */
  validateSearch: (raw: Record<string, unknown>): { kind?: TaskKind } => {
    const kind = textOf(raw['kind']) as TaskKind | undefined;
    return kind === undefined ? {} : { kind };
  },
  loader: ({ context: { queryClient }, params: { id } }) => {
    void queryClient.prefetchQuery(one(Number(id)));
    void queryClient.prefetchQuery(profile);
  },
  staticData: { title: (language) => operator[language].task },
  component: ReviewPage,
});

function ReviewPage() {
  const { id } = Route.useParams();
  const { kind } = Route.useSearch();
  const t = useTexts(common);
  const { data: me } = useQuery(profile);
  const {
    data: task,
    error,
    refetch,
  } = useQuery({
    ...one(Number(id)),
    // Another operator may take or decide it while one looks.
    refetchInterval: ({ state }) => (state.data?.status === 'open' ? REFRESH_MS : false),
  });
  if (error !== null && task === undefined)
    return <Failed error={error} again={() => void refetch()} />;
  if (task === undefined || me === undefined)
    return <Skeleton height={400} aria-label={t.loading} />;
  return <Review key={task.id} task={task} me={me} kind={kind} />;
}

function Review({
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

  const decide = (decision: string): void => {
    if (refusal !== null || deciding.pending !== null || deciding.isSending) return;
    if (isNo(decision)) setRefusing(decision);
    else deciding.start({ decision, ...(note.trim() === '' ? {} : { note: note.trim() }) });
    next.prepare();
  };
  const byKey = (key: string): void => {
    const decision = task.decisions.find((each) => keyOf(each) === key);
    if (decision !== undefined) decide(decision);
  };
  const goOn = (): void => (deciding.pending === null ? next.skip() : deciding.send());
  return (
    <Page
      title={task.summary}
      beside={<State state={task.status} />}
      crumbs={[{ text: t.desk, to: '/operator' }]}
      lead={`${t.task(task.id)} · ${wordOf(useTexts(desk).kinds, task.kind)}`}
    >
      <ReviewKeys onKey={byKey} undo={deciding.undo} goOn={goOn} />
      {task.decision !== null && <Decided decision={task.decision} />}
      {task.status === 'void' && <Text>{t.void}</Text>}
      <Grid>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <SubjectView task={task} />
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
          note={note}
          onCancel={() => setRefusing(null)}
          onDecide={(body) => {
            setRefusing(null);
            deciding.start(body);
          }}
        />
      )}
    </Page>
  );
}

function ReviewKeys(props: { onKey: (key: string) => void; undo: () => void; goOn: () => void }) {
  const { onKey, undo, goOn } = props;
  const t = useTexts(review);
  const navigate = Route.useNavigate();
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

function Decided({ decision }: { decision: NonNullable<TaskPage['decision']> }) {
  const t = useTexts(review);
  const reasons = decision.reasons.map(({ code, note }) => note ?? code).join(', ');
  return (
    <Text>
      {t.decided(wordOf(t.decisions, decision.decision), decision.operator)}
      {reasons !== '' && ` · ${reasons}`}
      {decision.note !== null && ` · ${decision.note}`}
    </Text>
  );
}
