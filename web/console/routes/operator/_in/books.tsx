import { Alert, Skeleton, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Failed } from '../../../parts/failed.tsx';
import { Page } from '../../../parts/page.tsx';
import { useTexts, wordOf } from '../../../parts/texts.ts';
import { When } from '../../../parts/time.tsx';
import { books } from '../../../queries/operator/money.ts';
import { common } from '../../../texts/common.ts';
import { finance } from '../../../texts/finance.ts';
import { operator } from '../../../texts/operator.ts';

const BAD = 'var(--mantine-color-error)';

export const Route = createFileRoute('/operator/_in/books')({
  staticData: { title: (language) => operator[language].books },
  component: BooksPage,
});

/** Every invariant with its figure; what does not hold stands first. */
function BooksPage() {
  const t = useTexts(finance);
  const c = useTexts(common);
  const { data, error, refetch, isFetching } = useQuery(books);
  const again = {
    label: c.tryAgain,
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
            {data.ok ? t.booksOk : t.booksBad}
          </Alert>
          <Table.ScrollContainer minWidth={0}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t.check}</Table.Th>
                  <Table.Th>{t.status}</Table.Th>
                  <Table.Th className="number">{t.figure}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.checks
                  .toSorted((a, b) => Number(a.ok) - Number(b.ok))
                  .map((check) => (
                    <Table.Tr key={check.name}>
                      <Table.Td>
                        <Text size="sm" fw={600}>
                          {wordOf(t.checks, check.name)}
                        </Text>
                        <Text size="xs" c={check.ok ? 'dimmed' : BAD}>
                          {check.detail}
                        </Text>
                      </Table.Td>
                      <Table.Td>
                        <Text size="sm" c={check.ok ? undefined : BAD} fw={check.ok ? 400 : 700}>
                          {check.ok ? t.holds : t.broken}
                        </Text>
                      </Table.Td>
                      <Table.Td className="number">{check.figure}</Table.Td>
                    </Table.Tr>
                  ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </>
      )}
    </Page>
  );
}
