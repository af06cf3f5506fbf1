import { Alert, Card, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Loading } from '../../../parts/loading.tsx';
import type { Books } from '../../../../client/routes.ts';
import { Failed } from '../../../parts/failed.tsx';
import { Page } from '../../../parts/page.tsx';
import { usePreferences } from '../../../parts/preferences.tsx';
import { useTexts, wordOf } from '../../../parts/texts.ts';
import { When } from '../../../parts/time.tsx';
import { books } from '../../../queries/operator/money.ts';
import {
  BOOK_TOPICS,
  bookAdvice,
  type BookTopic,
  bookTopicOf,
  concernsMoney,
} from '../../../texts/book-advice.ts';
import { bookChecks } from '../../../texts/book-checks.ts';
import { common } from '../../../texts/common.ts';
import { finance } from '../../../texts/finance.ts';
import { operator } from '../../../texts/operator.ts';
import { titles } from '../../../texts/titles.ts';
import { BAD, type BookCheck, BookTopicCard, Figure, meaningOf } from './-platform/book-topic.tsx';
import classes from './-platform/book-topic.module.css';
import { PageLink } from './-shown/page-link.tsx';
import { Runbook } from './-shown/runbook.tsx';

export const Route = createFileRoute('/operator/_in/books')({
  staticData: { title: (language) => titles[language].operatorBooks },
  component: BooksPage,
});

/** Every invariant with its figure. */
function BooksPage() {
  const t = useTexts(finance);
  const c = useTexts(common);
  const { data, error, refetch, isFetching } = useQuery(books);
  const again = {
    label: t.runAgain,
    refusal: isFetching ? c.loading : null,
    run: async () => await refetch(),
  };
  return (
    <Page
      title={useTexts(operator).books}
      lead={
        data === undefined ? undefined : (
          <>
            {t.checkedAt} <When at={data.as_of} />
          </>
        )
      }
      actions={[again]}
    >
      {error !== null && <Failed error={error} again={() => void refetch()} />}
      {data === undefined && error === null && <Loading height={320} />}
      {data !== undefined && <Checks books={data} />}
    </Page>
  );
}

/** In one line whether all is well; then what is not, in full; then all of them by what they are about. */
function Checks({ books: { ok, checks } }: { books: Books }) {
  const t = useTexts(finance);
  const bad = checks.filter((check) => !check.ok);
  const isMoney = bad.some(({ name }) => concernsMoney(bookTopicOf(name)));
  const said = ok ? t.booksOk(checks.length) : isMoney ? t.booksBad : t.booksOdd;
  return (
    <>
      <Alert color={ok ? 'teal' : 'red'} variant="light" role="status">
        {said} {!ok && <Runbook page="books-not-clean" about={said} />}
      </Alert>
      {bad.map((check) => (
        <Broken key={check.name} check={check} />
      ))}
      <div className={classes['topics']}>
        {BOOK_TOPICS.map((topic) => (
          <BookTopicCard
            key={topic}
            topic={topic}
            checks={checks.filter(({ name }) => bookTopicOf(name) === topic)}
          />
        ))}
      </div>
    </>
  );
}

function Broken({ check }: { check: BookCheck }) {
  const { language } = usePreferences();
  return (
    <Card withBorder padding="sm">
      <Group justify="space-between" align="flex-start">
        <div style={{ flex: '1 1 14rem' }}>
          <Text size="sm" fw={600}>
            {wordOf(bookChecks[language], check.name)}
          </Text>
          <Text size="xs" c={BAD}>
            {meaningOf(check, language)}
          </Text>
          <Advice topic={bookTopicOf(check.name)} />
        </div>
        <Figure check={check} />
      </Group>
    </Card>
  );
}

/** Where somebody looks first. */
const PAGES = {
  ledger: ['ledger', 'ledger'],
  billing: ['ledger/transfers', 'transfers'],
  settlement: ['health', 'health'],
  payouts: ['withdrawals', 'withdrawals'],
  topUps: ['deposits', 'deposits'],
  bank: ['statements', 'statements'],
  corrections: ['reversals', 'reversals'],
  documents: ['ledger', 'ledger'],
  reports: ['reports', 'reports'],
  papers: ['health', 'health'],
} as const satisfies Record<BookTopic, readonly [string, string]>;

function Advice({ topic }: { topic: BookTopic }) {
  const [page, name] = PAGES[topic];
  const pages = useTexts(operator);
  return (
    <Text size="sm" mt={4}>
      {bookAdvice[usePreferences().language][topic]}{' '}
      <PageLink to={`/operator/${page}`} underline="always">
        {pages[name]}
      </PageLink>
    </Text>
  );
}
