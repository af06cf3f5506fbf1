import { Alert, Card, Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import type { Books } from '../../../../client/routes.ts';
import { Failed } from '../../../parts/failed.tsx';
import { Page } from '../../../parts/page.tsx';
import { usePreferences } from '../../../parts/preferences.tsx';
import { useMarks, useTexts, wordOf } from '../../../parts/texts.ts';
import { When } from '../../../parts/time.tsx';
import { books } from '../../../queries/operator/money.ts';
import { bookFiguresInChinese } from '../../../texts/book-figures-zh.ts';
import { bookChecks } from '../../../texts/book-checks.ts';
import { common } from '../../../texts/common.ts';
import { finance } from '../../../texts/finance.ts';
import { operator } from '../../../texts/operator.ts';
import { titles } from '../../../texts/titles.ts';
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
  return (
    <Page
      title={useTexts(operator).books}
      lead={data === undefined ? undefined : <When at={data.as_of} />}
      actions={[again]}
    >
      {error !== null && <Failed error={error} again={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={320} />}
      {data !== undefined && (
        <>
          <Alert color={data.ok ? 'teal' : 'red'} variant="light" role="status">
            {data.ok ? t.booksOk : t.booksBad}{' '}
            {!data.ok && <Runbook page="books-not-clean" about={t.booksBad} />}
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
  const t = useTexts(finance);
  const { colon } = useMarks();
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
        </div>
        <Text size="sm" c={color} fw={check.ok ? 400 : 700}>
          {check.ok ? t.holds : t.broken} · {t.figure}
          {colon}
          {check.figure}
        </Text>
      </Group>
    </Card>
  );
}
