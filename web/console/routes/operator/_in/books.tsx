import { Alert, Card, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Loading } from '../../../parts/loading.tsx';
import type { Books } from '../../../../client/routes.ts';
import { Failed } from '../../../parts/failed.tsx';
import { Page } from '../../../parts/page.tsx';
import { numberFormat } from '../../../parts/formats.ts';
import { formatExact } from '../../../parts/money.tsx';
import { usePreferences } from '../../../parts/preferences.tsx';
import { useTexts, wordOf } from '../../../parts/texts.ts';
import { When } from '../../../parts/time.tsx';
import { books } from '../../../queries/operator/money.ts';
import {
  bookAdvice,
  type BookTopic,
  bookTopicOf,
  concernsMoney,
} from '../../../texts/book-advice.ts';
import { bookFiguresInChinese } from '../../../texts/book-figures-zh.ts';
import { bookChecks } from '../../../texts/book-checks.ts';
import { common } from '../../../texts/common.ts';
import { finance } from '../../../texts/finance.ts';
import { operator } from '../../../texts/operator.ts';
import { titles } from '../../../texts/titles.ts';
import { PageLink } from './-shown/page-link.tsx';
import { Runbook } from './-shown/runbook.tsx';

const BAD = 'var(--mantine-color-error)';

export const Route = createFileRoute('/operator/_in/books')({
  staticData: { title: (language) => titles[language].operatorBooks },
  component: BooksPage,
});

/** Every invariant with its figure; what does not hold stands first. */
function BooksPage() {
  const t = useTexts(finance);
  const c = useTexts(common);
  const { data, error, refetch, isFetching } = useQuery(books);
  const again = {
    label: t.runAgain,
    refusal: isFetching ? c.loading : null,
    run: async () => await refetch(),
  };
  const isMoney = data?.checks.some(({ ok, name }) => !ok && concernsMoney(bookTopicOf(name)));
  const said = data?.ok === true ? t.booksOk : isMoney === true ? t.booksBad : t.booksOdd;
  return (
    <Page
      title={useTexts(operator).books}
      lead={data === undefined ? undefined : <When at={data.as_of} />}
      actions={[again]}
    >
      {error !== null && <Failed error={error} again={() => void refetch()} />}
      {data === undefined && error === null && <Loading height={320} />}
      {data !== undefined && (
        <>
          <Alert color={data.ok ? 'teal' : 'red'} variant="light" role="status">
            {said} {!data.ok && <Runbook page="books-not-clean" about={said} />}
          </Alert>
          {data.checks
            .toSorted((a, b) => Number(a.ok) - Number(b.ok))
            .map((check) => (
              <Check key={check.name} check={check} />
            ))}
        </>
      )}
    </Page>
  );
}

function Check({ check }: { check: Books['checks'][number] }) {
  const { language } = usePreferences();
  const color = check.ok ? undefined : BAD;
  return (
    <Card withBorder padding="sm">
      <Group justify="space-between" align="flex-start">
        <div style={{ flex: '1 1 14rem' }}>
          <Text size="sm" fw={600}>
            {wordOf(bookChecks[language], check.name)}
          </Text>
          <Text size="xs" c={color ?? 'dimmed'}>
            {(language === 'zh' ? bookFiguresInChinese[check.name] : undefined) ?? check.detail}
          </Text>
          {!check.ok && <Advice topic={bookTopicOf(check.name)} />}
        </div>
        <Figure check={check} color={color} />
      </Group>
    </Card>
  );
}

function Figure({ check, color }: { check: Books['checks'][number]; color: string | undefined }) {
  const t = useTexts(finance);
  const { language } = usePreferences();
  const { amount, figure, ok } = check;
  const shown = amount === null ? countIn(figure, language) : formatExact(amount, language);
  return (
    <Text size="sm" c={color} fw={ok ? 400 : 700}>
      {ok ? t.holds : t.broken} · <span className="number">{shown}</span>
    </Text>
  );
}

/** A check that had no answer says so instead of a number. */
const countIn = (figure: string, language: string): string =>
  /^-?\d+$/.test(figure) ? numberFormat(language).format(BigInt(figure)) : figure;

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
