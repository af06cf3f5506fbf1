import { Alert, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Loading } from '../../../parts/loading.tsx';
import { Failed } from '../../../parts/failed.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { Page } from '../../../parts/page.tsx';
import { Reasons } from '../../../parts/reasons.tsx';
import { State } from '../../../parts/state.tsx';
import { useMarks, useTexts, wordOf } from '../../../parts/texts.ts';
import { Since, When } from '../../../parts/time.tsx';
import { REFRESH_MS } from '../../../parts/refresh.ts';
import { health, type PlatformHealth } from '../../../queries/operator/platform.ts';
import { operator } from '../../../texts/operator.ts';
import { Datacenters } from './-platform/datacenters.tsx';
import { FlowLists } from './-platform/flow-lists.tsx';
import { FlowFindings } from './-platform/flow-findings.tsx';
import { Problem } from './-platform/problem.tsx';
import { titles } from '../../../texts/titles.ts';
import { PageLink } from './-shown/page-link.tsx';
import { platform } from '../../../texts/platform.ts';
import { queues } from '../../../texts/queues.ts';

export const Route = createFileRoute('/operator/_in/health')({
  staticData: { title: (language) => titles[language].operatorHealth },
  component: HealthPage,
});

function HealthPage() {
  const t = useTexts(platform);
  const { data, error, refetch } = useQuery({ ...health, refetchInterval: REFRESH_MS });
  return (
    <Page
      title={useTexts(operator).health}
      lead={data === undefined ? undefined : <When at={data.as_of} />}
    >
      {error !== null && <Failed error={error} again={() => void refetch()} />}
      {data === undefined && error === null && <Loading height={320} />}
      {data !== undefined && (
        <>
          {data.problems.length === 0 ? (
            <Alert color="teal" variant="light" role="status">
              {t.healthOk}
            </Alert>
          ) : (
            <Reasons
              tone="red"
              title={t.healthBad}
              reasons={data.problems.map((key) => ({
                key,
                text: t.problems[key],
                fix: <Problem of={key} health={data} />,
              }))}
            />
          )}
          <Backlogs health={data} />
          <Queues health={data} />
          <FlowFindings health={data} />
          <FlowLists health={data} />
          <DeadLetters health={data} />
          <Datacenters health={data} />
        </>
      )}
    </Page>
  );
}

function Backlogs({ health: { outbox, events, mail, tasks } }: { health: PlatformHealth }) {
  const t = useTexts(platform);
  const { comma } = useMarks();
  const rows = [
    { key: 'outbox', name: t.parts.outbox, waiting: `${outbox.waiting}`, at: outbox.oldest_at },
    {
      key: 'events',
      name: t.parts.events,
      waiting: `${events.waiting}${events.more ? '+' : ''}`,
      at: events.oldest_at,
    },
    { key: 'mail', name: t.parts.mail, waiting: `${mail.waiting}`, at: mail.oldest_at },
    {
      name: <PageLink to="/operator">{t.parts.tasks}</PageLink>,
      key: 'tasks',
      waiting:
        tasks.overdue > 0 ? `${tasks.open}${comma}${t.overdue(tasks.overdue)}` : `${tasks.open}`,
      at: tasks.oldest_due_at,
    },
  ];
  return (
    <Stack gap="xs">
      <Title order={2}>{t.waiting}</Title>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.waitsOf}</Table.Th>
            <Table.Th className="number">{t.waits}</Table.Th>
            <Table.Th>{t.oldest}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, name, waiting, at }) => (
            <Table.Tr key={key}>
              <Table.Td className="breaks">{name}</Table.Td>
              <Table.Td className="number">{waiting}</Table.Td>
              <Table.Td>
                <Since at={at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}

/** Who takes the work of each queue. */
function Queues({ health: { temporal } }: { health: PlatformHealth }) {
  const t = useTexts(platform);
  const marks = useMarks();
  const names = useTexts(queues);
  return (
    <Stack gap="xs">
      <Title order={2}>{t.queues}</Title>
      <span>
        {t.temporal}
        {marks.colon}
        <State state={temporal.state} />
      </span>
      {temporal.queues.length > 0 && (
        <Table horizontalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.queue}</Table.Th>
              <Table.Th className="number">{t.flows}</Table.Th>
              <Table.Th className="number">{t.calls}</Table.Th>
              <Table.Th>{t.lastSeen}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {temporal.queues.map((queue) => (
              <Table.Tr key={queue.queue}>
                <Table.Td className="words">
                  {wordOf(names, queue.queue)}
                  <Text size="xs" c="dimmed" component="div">
                    <code>{queue.queue}</code>
                  </Text>
                </Table.Td>
                <Table.Td className="number">{queue.workflow_pollers}</Table.Td>
                <Table.Td className="number">{queue.activity_pollers}</Table.Td>
                <Table.Td className="words">
                  <Since at={queue.last_seen_at} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  );
}

function DeadLetters({ health: { dead_letters: dead } }: { health: PlatformHealth }) {
  const t = useTexts(platform);
  const isNone = Object.values(dead).every((count) => count === 0);
  return (
    <Stack gap="xs">
      <Title order={2}>{t.deadLetters}</Title>
      {isNone ? (
        <span>{t.noDead}</span>
      ) : (
        <Facts
          rows={(['outbox', 'postbacks', 'reward_callbacks', 'mails'] as const).map((name) => [
            t.parts[name],
            dead[name],
          ])}
        />
      )}
    </Stack>
  );
}
