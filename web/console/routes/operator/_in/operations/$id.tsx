import { Anchor, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { Loading } from '../../../../parts/loading.tsx';
import { Facts } from '../../../../parts/facts.tsx';
import { FailedPage } from '../../../../parts/failed-page.tsx';
import { hasEnded, useOperation } from '../../../../parts/live.ts';
import { Page } from '../../../../parts/page.tsx';
import { Section } from '../../../../parts/section.tsx';
import { State } from '../../../../parts/state.tsx';
import { SubjectTimeline, useNoteWords } from '../../../../parts/subject-timeline.tsx';
import { useTexts, wordOf } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { Timeline } from '../../../../parts/timeline.tsx';
import type { AnyonesOperation } from '../../../../queries/operator/platform.ts';
import { operator } from '../../../../texts/operator.ts';
import { titles } from '../../../../texts/titles.ts';
import { phases } from '../../../../texts/phase.ts';
import { platform } from '../../../../texts/platform.ts';
import { About, Whose } from '../-platform/operation-words.tsx';
import { Outcome } from '../-platform/outcome.tsx';

export const Route = createFileRoute('/operator/_in/operations/$id')({
  staticData: { title: (language) => titles[language].operatorOperations },
  component: OperationPage,
});

function OperationPage() {
  const t = useTexts(platform);
  const list = useTexts(operator).operations;
  const id = Number(Route.useParams().id);
  const live = useOperation('GET /api/admin/operations/{id}', id);
  const { error, seenAt } = live;
  // The operators' route answers more than an owner's.
  const operation = live.operation as AnyonesOperation | undefined;
  if (operation === undefined) {
    return error === null ? <Loading height={320} /> : <FailedPage error={error} />;
  }
  const { workflow_url: url } = operation;
  return (
    <Page
      title={t.operation(id)}
      beside={<State state={operation.status} />}
      crumbs={[{ text: list, to: '/operator/operations' }]}
      lead={wordOf(t.operationKinds, operation.kind)}
    >
      <Facts
        rows={[
          [t.subject, <About key="s" of={operation} />],
          [t.account, <Whose key="a" of={operation} />],
          [t.begun, <When key="b" at={operation.created_at} />],
          [t.updated, <When key="u" at={operation.updated_at} />],
        ]}
      />
      {url === null ? (
        <Text size="sm" c="dimmed">
          {t.noFlow}
        </Text>
      ) : (
        <Anchor size="sm" href={url} target="_blank" rel="noreferrer noopener">
          {t.flow} ↗
        </Anchor>
      )}
      <Course operation={operation} error={error} seenAt={seenAt} />
      <Outcome title={t.error} value={operation.error} />
      <Outcome title={t.result} value={operation.result} />
    </Page>
  );
}

const TOLD = ['creative', 'site', 'deposit', 'withdrawal', 'kyc'] as const;

/**
 * One timeline: while it goes on that of its subject, which also says whose turn it is and by when;
 * after that, and of what has none, what this operation did.
 */
function Course(props: { operation: AnyonesOperation; error: Error | null; seenAt: number }) {
  const { operation, error, seenAt } = props;
  const t = useTexts(platform);
  const words = useTexts(phases);
  const noteAs = useNoteWords();
  const { subject } = operation;
  const type = TOLD.find((each) => each === subject?.type);
  if (subject !== null && type !== undefined && !hasEnded(operation)) {
    return <SubjectTimeline realm="admin" subject={type} id={subject.id} />;
  }
  return (
    <Section title={t.timeline}>
      <Timeline
        operation={operation}
        error={error}
        seenAt={seenAt}
        phases={words}
        noteAs={noteAs}
      />
    </Section>
  );
}
