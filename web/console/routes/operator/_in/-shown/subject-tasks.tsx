import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Ask } from '../../../../../client/client.ts';
import { State } from '../../../../parts/state.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { RowLink } from '../../../../parts/row-link.tsx';
import { list } from '../../../../queries/operator/task.ts';
import { finance } from '../../../../texts/finance.ts';
import { useTaskTitle } from './task-title.ts';
import { Holder } from '../-desk/columns.tsx';

type Query = NonNullable<Ask<'GET /api/admin/tasks'>['query']>;

/** What was asked about one thing, and who answered. */
export function SubjectTasks({ type, id }: { type: Query['subject_type']; id: number }) {
  const t = useTexts(finance);
  const titleOf = useTaskTitle();
  const { data } = useQuery(list({ subject_type: type, subject_id: id, sort: '-opened_at' }));
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Stack gap="xs">
      <Title order={2}>{t.tasks}</Title>
      {data.items.map((task) => (
        <Text key={task.id} size="sm" component="div">
          <RowLink to={`/operator/tasks/${task.id}`}>{titleOf(task)}</RowLink>{' '}
          <State state={task.status} /> <Holder task={task} />
        </Text>
      ))}
    </Stack>
  );
}
