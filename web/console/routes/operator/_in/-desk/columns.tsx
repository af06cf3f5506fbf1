import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Column } from '../../../../parts/list-page.tsx';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { State } from '../../../../parts/state.tsx';
import { type Same, useTexts } from '../../../../parts/texts.ts';
import { relative, Since } from '../../../../parts/time.tsx';
import { RowLink } from '../../../../parts/row-link.tsx';
import { profile } from '../../../../queries/operator/account.ts';
import type { TaskRow } from '../../../../queries/operator/task.ts';
import { TaskHands } from '../-shown/task-hands.tsx';
import { useTaskTitle } from '../-shown/task-title.ts';
import { desk } from '../../../../texts/desk.ts';

type Words = Same<(typeof desk)['en']>;

export const TASK_COLUMNS: readonly Column<TaskRow, Words>[] = [
  {
    key: 'what',
    title: (t) => t.what,
    cell: (task) => <TaskLink task={task} />,
  },
  { key: 'kind', title: (t) => t.kind, cell: ({ kind }, t) => t.kinds[kind] },
  { key: 'status', title: (t) => t.status, cell: ({ status }) => <State state={status} /> },
  { key: 'due', title: (t) => t.due, cell: (row) => <Due task={row} /> },
  { key: 'opened', title: (t) => t.opened, cell: (row) => <Since at={row.opened_at} /> },
  { key: 'holder', title: (t) => t.holder, cell: (row) => <Holder task={row} /> },
  { key: 'hands', title: (t) => t.hands, cell: (row) => <Hands task={row} /> },
];

/** Rows are known by their task where keys move over them. */
function TaskLink({ task }: { task: TaskRow }) {
  const titleOf = useTaskTitle();
  return (
    <RowLink to={`/operator/tasks/${task.id}`} data-task={task.id}>
      {titleOf(task)}
    </RowLink>
  );
}

export function Hands({ task }: { task: TaskRow }) {
  return <TaskHands task={task} of={useTaskTitle()(task)} />;
}

export function Due({ task }: { task: Pick<TaskRow, 'due_at' | 'overdue' | 'status'> }) {
  const t = useTexts(desk);
  const { language } = usePreferences();
  if (task.due_at === null) return <span>{t.noDue}</span>;
  const when = relative(task.due_at, language);
  if (task.overdue) {
    return (
      <Text span size="sm" c="var(--mantine-color-error)" fw={600}>
        {t.overdue(when)}
      </Text>
    );
  }
  return task.status === 'open' ? (
    <span className="one-line">{t.dueIn(when)}</span>
  ) : (
    <Since at={task.due_at} />
  );
}

/** Whoever works on it now, was given it, or has decided it. */
export function Holder({ task }: { task: Pick<TaskRow, 'lease' | 'assignee' | 'decision'> }) {
  const t = useTexts(desk);
  const { data: me } = useQuery(profile);
  const { lease, assignee, decision } = task;
  if (decision !== null) return <span>{t.decidedBy(decision.operator)}</span>;
  if (lease !== null) {
    return <span>{lease.operator_id === me?.id ? t.you : t.worksOnIt(lease.username)}</span>;
  }
  if (assignee !== null) {
    return <span>{assignee.id === me?.id ? t.you : t.assignedTo(assignee.username ?? '')}</span>;
  }
  return (
    <Text span size="sm" c="dimmed">
      {t.nobody}
    </Text>
  );
}
