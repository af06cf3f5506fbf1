import type { HealthProblem } from '../../../../../../domain/platform-health.ts';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { useMarks, useTexts, wordOf } from '../../../../parts/texts.ts';
import { formatTime } from '../../../../parts/time.tsx';
import type { PlatformHealth } from '../../../../queries/operator/platform.ts';
import { platform } from '../../../../texts/platform.ts';
import { queues } from '../../../../texts/queues.ts';
import { WhatToDo } from './what-to-do.tsx';

const withoutWorker = ({ temporal }: PlatformHealth) =>
  temporal.queues.filter((each) => each.workflow_pollers === 0 || each.activity_pollers === 0);

const first = (moments: readonly (string | null)[]): string | null =>
  moments.filter((at) => at !== null).toSorted()[0] ?? null;

/** Since when it is so, where the platform keeps that moment. */
const SINCE: Partial<Record<HealthProblem, (health: PlatformHealth) => string | null>> = {
  QUEUE_WITHOUT_WORKER: (health) => first(withoutWorker(health).map((each) => each.last_seen_at)),
  OUTBOX_LATE: ({ outbox }) => outbox.oldest_at,
  EVENTS_LATE: ({ events }) => events.oldest_at,
  MAIL_LATE: ({ mail }) => mail.oldest_at,
  TASKS_OVERDUE: ({ tasks }) => tasks.oldest_due_at,
  FLOWS_ASTRAY: ({ flows }) => first(flows.findings.map(({ since }) => since)),
  RECONCILER_LATE: ({ flows }) => flows.checked_at,
};

/** Since when, of what, and where it stands what to do. */
export function Problem({ of: problem, health }: { of: HealthProblem; health: PlatformHealth }) {
  const t = useTexts(platform);
  const names = useTexts(queues);
  const { gap, comma } = useMarks();
  const { language, timeZone } = usePreferences();
  const at = SINCE[problem]?.(health) ?? null;
  const of = problem === 'QUEUE_WITHOUT_WORKER' ? withoutWorker(health) : [];
  const said = [
    ...(of.length === 0
      ? []
      : [t.ofQueues(of.map(({ queue }) => wordOf(names, queue)).join(comma))]),
    ...(at === null ? [] : [t.since(formatTime(at, language, timeZone))]),
  ];
  return (
    <>
      {said.length > 0 && `${said.join(gap)} `}
      <WhatToDo of={problem} />
    </>
  );
}
