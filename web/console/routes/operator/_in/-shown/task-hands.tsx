import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useWrite } from '../../../../api.ts';
import { hasRole } from '../../../../may/operator.ts';
import { ActionMenu } from '../../../../parts/action-menu.tsx';
import { useTexts, wordOf } from '../../../../parts/texts.ts';
import { profile } from '../../../../queries/operator/account.ts';
import { assign, type TaskRow } from '../../../../queries/operator/task.ts';
import { desk } from '../../../../texts/desk.ts';
import { operator } from '../../../../texts/operator.ts';

/** With all that a form is made of: not before somebody gives a task away. */
const GiveTask = lazy(async () => {
  const { GiveTask: dialog } = await import('./give-task.tsx');
  return { default: dialog };
});

type Task = Pick<TaskRow, 'id' | 'status' | 'required_role' | 'maker_id' | 'assignee'>;

/** In whose hands a task is: taken, given to a colleague, put back; by whoever may decide it (interface 5.2). */
export function TaskHands({ task, of }: { task: Task; of: string }) {
  const t = useTexts(desk);
  const { roles } = useTexts(operator);
  const { data: me } = useQuery(profile);
  const { mutateAsync } = useWrite(assign);
  const [isGiving, give] = useState(false);
  const { id, status, required_role: role, assignee } = task;
  const notMine = hasRole(me?.role ?? '', role) ? null : t.notYours(wordOf(roles, role));
  const refusal = status === 'open' ? notMine : t.isOver;
  const isOwnStep = task.maker_id !== null && task.maker_id === me?.id;
  return (
    <>
      <ActionMenu
        of={of}
        actions={[
          {
            label: t.give,
            route: assign.route,
            refusal,
            opens: true,
            run: () => Promise.resolve(give(true)),
          },
          {
            label: t.take,
            route: assign.route,
            refusal:
              refusal ??
              (isOwnStep ? t.ownStep : null) ??
              (assignee?.id === me?.id ? t.isYours : null),
            run: async () => await mutateAsync({ path: { id }, body: {} }),
            done: t.taken,
          },
          {
            label: t.putBack,
            route: assign.route,
            refusal: refusal ?? (assignee === null ? t.isNobodys : null),
            run: async () => await mutateAsync({ path: { id }, body: { assignee_id: null } }),
            done: t.isPutBack,
          },
        ]}
      />
      {isGiving && (
        <Suspense>
          <GiveTask id={id} of={of} holder={assignee?.id} close={() => give(false)} />
        </Suspense>
      )}
    </>
  );
}
