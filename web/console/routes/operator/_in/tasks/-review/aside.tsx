import { Anchor, Card, Group, Stack, Text, Title } from '@mantine/core';
import { Facts } from '../../../../../parts/facts.tsx';
import { State } from '../../../../../parts/state.tsx';
import { useTexts, wordOf } from '../../../../../parts/texts.ts';
import { Since, When } from '../../../../../parts/time.tsx';
import { RowLink } from '../../../../../parts/row-link.tsx';
import type { TaskPage } from '../../../../../queries/operator/task.ts';
import { operator } from '../../../../../texts/operator.ts';
import { review } from '../../../../../texts/review.ts';
import { Due, Hands, Holder } from '../../-desk/columns.tsx';
import { useTaskTitle } from '../../-shown/task-title.ts';
import { PageLink } from '../../-shown/page-link.tsx';
import { SubjectLink } from '../../-shown/subject-link.tsx';
import { Findings } from './findings.tsx';
import { Notes } from './notes.tsx';
import { ReviewRounds } from './review-rounds.tsx';

/** Money has a page of its own; the rest is all here. */
const LOOKED_AT: ReadonlySet<string> = new Set(['deposit', 'withdrawal', 'reversal']);

/** Beside the thing: what the checks say, whose it is, what was before. */
export function Aside({ task }: { task: TaskPage }) {
  const t = useTexts(review);
  const { roles } = useTexts(operator);
  return (
    <Stack gap="md">
      <Card withBorder padding="sm" component="section">
        <Title order={2}>{t.findings}</Title>
        <Findings findings={task.findings} />
      </Card>
      <Card withBorder padding="sm" component="section">
        <Title order={2}>{t.about}</Title>
        <Facts
          rows={[
            [
              task.decision === null ? t.holder : t.decider,
              <Group key="h" gap="xs" wrap="nowrap">
                {task.decision === null ? <Holder task={task} /> : task.decision.operator}
                <Hands task={task} />
              </Group>,
            ],
            // What has ended is due no more.
            ...(task.status === 'open' ? [[t.due, <Due key="d" task={task} />] as const] : []),
            [t.opened, <Since key="o" at={task.opened_at} />],
            [t.required, wordOf(roles, task.required_role)],
            ...(LOOKED_AT.has(task.subject.type)
              ? [[t.of, <SubjectLink key="s" subject={task.subject} />] as const]
              : []),
          ]}
        />
        {task.maker_id !== null && <Text size="sm">{t.secondPerson}</Text>}
        {task.temporal_url !== null && <OutsideFlow url={task.temporal_url} />}
      </Card>
      <Account task={task} />
      <Notes task={task} />
      <Past task={task} />
    </Stack>
  );
}

function OutsideFlow({ url }: { url: string }) {
  const t = useTexts(review);
  return (
    <Anchor size="sm" href={url} target="_blank" rel="noreferrer noopener">
      {t.flow} ↗
    </Anchor>
  );
}

function Account({ task: { account } }: { task: TaskPage }) {
  const t = useTexts(review);
  if (account === null) return null;
  const folder = account.kind === 'ADVERTISER' ? 'advertisers' : 'publishers';
  return (
    <Card withBorder padding="sm" component="section">
      <Title order={2}>{t.account}</Title>
      <PageLink to={`/operator/${folder}/${account.id}`}>
        {account.company_name ?? account.nickname}
      </PageLink>
      <Facts
        rows={[
          [t.contact, account.contact_name],
          [t.email, account.email],
          [t.state, <State key="s" state={account.status} />],
          [t.identity, <State key="k" state={account.kyc_status} />],
          [t.since, <When key="w" at={account.created_at} />],
        ]}
      />
    </Card>
  );
}

/** Rounds before this one, and other questions about the same thing. */
function Past({ task: { kind, detail, other_tasks: others } }: { task: TaskPage }) {
  const t = useTexts(review);
  const titleOf = useTaskTitle();
  return (
    <>
      <ReviewRounds kind={kind} history={detail.history} />
      {others.length > 0 && (
        <Card withBorder padding="sm" component="section">
          <Title order={2}>{t.otherTasks}</Title>
          {others.map((other) => (
            <Text key={other.id} size="sm" component="div" mt={4}>
              <RowLink to={`/operator/tasks/${other.id}`}>{titleOf(other)}</RowLink>{' '}
              {other.decision === null ? (
                <State state={other.status} />
              ) : (
                t.decided(wordOf(t.decisions, other.decision.decision), other.decision.operator)
              )}
            </Text>
          ))}
        </Card>
      )}
    </>
  );
}
