import { Group, Stack, Text, Timeline } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { CANCELLED_BY_PLATFORM } from '../../../domain/lifecycle/withdrawal.ts';
import type { Answer } from '../../client/client.ts';
import { read, type ReadName } from '../api.ts';
import { serverAnswer } from '../texts/server-answer.ts';
import { states } from '../texts/states.ts';
import { timelines } from '../texts/timeline.ts';
import { followed, hasEnded } from './followed-timeline.ts';
import { Section } from './section.tsx';
import { type Same, useTexts, wordOf } from './texts.ts';
import { Since, When } from './time.tsx';

type Words = Same<(typeof timelines)['en']>;
type Step = Answer<'GET /api/advertiser/timeline'>['timeline'][number];
type Subject = 'creative' | 'site' | 'deposit' | 'withdrawal' | 'kyc' | 'balance_refund';

const NOTHING: readonly ReadName[] = [];

const ROUTES = {
  advertiser: 'GET /api/advertiser/timeline',
  publisher: 'GET /api/publisher/timeline',
  admin: 'GET /api/admin/timeline',
} as const;

/** Where one thing stands: what was done, what is waited for, whose turn it is and by when. */
export function SubjectTimeline({
  realm,
  subject,
  id,
  stale = NOTHING,
}: {
  realm: keyof typeof ROUTES;
  subject: Subject;
  id: number;
  /** What is read anew at each of its steps. */
  stale?: readonly ReadName[];
}) {
  const t = useTexts(timelines);
  const queries = useQueryClient();
  const { data } = useQuery({
    ...read(ROUTES[realm], { query: { subject_type: subject, subject_id: id } }),
    ...followed,
  });
  const steps = data?.timeline.map(({ step, state }) => `${step} ${state}`).join();
  const isOver = data !== undefined && hasEnded(data.timeline);
  const seen = useRef(steps);
  // The rest of the page says what was so at the step before.
  useEffect(() => {
    const before = seen.current;
    seen.current = steps;
    if (before === steps) return;
    // At first the page says the same, unless it ended between the two.
    if (before === undefined && !isOver) return;
    for (const name of stale) void queries.invalidateQueries({ queryKey: [name] });
  }, [isOver, queries, stale, steps]);
  if (data === undefined || data.timeline.length === 0) return null;
  const timeline = data.timeline.filter(
    (step, at, all) => isTold(step, at, all) && !isSaid(subject, step, all[at - 1]),
  );
  const past: Readonly<Record<string, string>> = { ...t.steps, ...t.done };
  const cutShort = { ...past, ...t.cutShort };
  const wordsOf = (step: Step, next: Step | undefined): Readonly<Record<string, string>> => {
    if (step.state !== 'DONE') return t.steps;
    return isCutShort(step, next) ? cutShort : past;
  };
  const done = timeline.filter(({ state }) => state === 'DONE').length;
  return (
    <Section title={t.title}>
      <div aria-live="polite">
        <Timeline
          role="list"
          aria-label={t.title}
          active={done - 1}
          bulletSize={14}
          lineWidth={2}
          styles={{ itemTitle: { lineHeight: 1.4 } }}
        >
          {timeline.map((step, at) => (
            <Timeline.Item
              key={`${step.step} ${step.since} ${step.note ?? ''}`}
              title={wordOf(wordsOf(step, timeline[at + 1]), step.step)}
              role="listitem"
              aria-current={step.state === 'NOW' ? 'step' : undefined}
            >
              <Details step={step} isOwn={realm !== 'admin'} notes={notesOf(subject, step, t)} />
            </Timeline.Item>
          ))}
        </Timeline>
      </div>
    </Section>
  );
}

/** One that went on as the same, in other hands and with nothing said, is told once. */
const isTold = ({ step, state, note }: Step, at: number, all: readonly Step[]): boolean =>
  state !== 'DONE' || note !== null || all[at + 1]?.step !== step;

const ENDS_AS: Readonly<Record<string, string>> = { approve: 'APPROVED', reject: 'REJECTED' };

const CUT_SHORT = new Set(['CANCELLED', CANCELLED_BY_PLATFORM, 'VOID']);

/** Waited for, and ended before: nobody decided, and no time has passed. */
const isCutShort = ({ note }: Step, next: Step | undefined): boolean =>
  note === null && next?.step === 'ended' && CUT_SHORT.has(next.note ?? '');

/** The end that a decision was; of a payout it says where the money went as well. */
const isSaid = (subject: Subject, { step, note }: Step, before: Step | undefined): boolean =>
  subject !== 'withdrawal' &&
  step === 'ended' &&
  before?.step === 'decision' &&
  note !== null &&
  ENDS_AS[before.note ?? ''] === note;

/** A payout is paid or not, and its money goes back: words of decisions would say something else. */
function notesOf(subject: Subject, { step }: Step, t: Words): Readonly<Record<string, string>> {
  if (subject !== 'withdrawal') return {};
  if (step === 'ended') return t.ends;
  return step === 'paying' || step === 'sending' ? t.orders : {};
}

/** `isOwn`: whoever reads it is the account. `notes`: words that are the step's own. */
function Details({
  step,
  isOwn,
  notes,
}: {
  step: Step;
  isOwn: boolean;
  notes: Readonly<Record<string, string>>;
}) {
  const t = useTexts(timelines);
  const saidAs = useNoteWords();
  const isNow = step.state === 'NOW';
  const turn = isOwn && step.turn === 'OWNER' ? t.yourTurn : t.turn(wordOf(t.turns, step.turn));
  const facts = [
    ...(isNow ? [turn] : []),
    ...(isNow && step.ahead !== null ? [t.ahead(step.ahead)] : []),
    ...(isNow && (step.attempts ?? 0) > 0 ? [t.attempts(step.attempts ?? 0)] : []),
    ...(step.task_id === null ? [] : [t.task(step.task_id)]),
    ...(step.note === null ? [] : [notes[step.note] ?? saidAs(step.note)]),
  ];
  return (
    <Stack gap={2}>
      {facts.length > 0 && <Text size="sm">{facts.join(' · ')}</Text>}
      <Group gap="md">
        <Text size="xs" c="dimmed">
          {isNow && `${t.since} `}
          <When at={isNow ? step.since : (step.until ?? step.since)} />
        </Text>
        {step.next_try_at !== null && (
          <Text size="xs" c="dimmed">
            {t.nextTry} <Since at={step.next_try_at} />
          </Text>
        )}
        {step.due_at !== null && (
          <Text size="xs" c="dimmed">
            {t.due} <When at={step.due_at} />
          </Text>
        )}
      </Group>
    </Stack>
  );
}

/** What is noted beside a step: a decision, a state, or what a look at somebody's server has found. */
export function useNoteWords(): (note: string) => string {
  const t = useTexts(timelines);
  const words = useTexts(states);
  const { http, refusals } = useTexts(serverAnswer);
  return (note) =>
    note.startsWith('HTTP_')
      ? http(note.slice('HTTP_'.length))
      : wordOf({ ...refusals, ...words, ...t.notes }, note);
}
