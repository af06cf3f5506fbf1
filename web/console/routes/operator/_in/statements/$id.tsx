import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Loading } from '../../../../parts/loading.tsx';
import { useWrite } from '../../../../api.ts';
import { BulkBar, type BulkOutcome } from '../../../../parts/bulk-bar.tsx';
import { Facts } from '../../../../parts/facts.tsx';
import { FailedPage } from '../../../../parts/failed-page.tsx';
import { Filters } from '../../../../parts/filters.tsx';
import { List } from '../../../../parts/list-page.tsx';
import { Page } from '../../../../parts/page.tsx';
import { idParams, numberOf, oneOf, stated } from '../../../../parts/search.ts';
import { useSearchChange } from '../../../../parts/search-change.ts';
import { useTexts } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { useChoice } from '../../../../parts/use-choice.ts';
import {
  linesOf,
  recordLines,
  type StatementLine,
  statementOf,
} from '../../../../queries/operator/statement.ts';
import { statement } from '../../../../texts/statement.ts';
import { Count } from './-count.tsx';
import { titles } from '../../../../texts/titles.ts';
import { columnsOf } from './-columns.tsx';

const STATES = ['PROPOSED', 'UNMATCHED', 'RECORDED', 'EXPLAINED', 'OUT', 'TAKEN_BACK'] as const;

const COUNTS = [
  ['PROPOSED', 'proposed'],
  ['UNMATCHED', 'unmatched'],
  ['RECORDED', 'recorded'],
] as const;

export const Route = createFileRoute('/operator/_in/statements/$id')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      page: numberOf(raw['page']),
      state: oneOf(STATES, raw['state']),
      /** Somebody has just uploaded the same file once more. */
      again: oneOf(['yes'] as const, raw['again']),
    }),
  params: idParams,
  loader: ({ context: { queryClient }, params: { id } }) => {
    void queryClient.prefetchQuery(statementOf(id));
  },
  staticData: { title: (language) => titles[language].operatorStatements },
  component: Statement,
});

function Statement() {
  const t = useTexts(statement);
  const { id } = Route.useParams();
  const { again } = Route.useSearch();
  const { data, error, refetch } = useQuery(statementOf(id));
  if (error !== null && data === undefined)
    return <FailedPage error={error} again={() => void refetch()} />;
  if (data === undefined) return <Loading height={320} />;
  return (
    <Page
      title={t.statement(id)}
      crumbs={[{ text: t.title, to: '/operator/statements' }]}
      lead={data.file_name}
    >
      {again === 'yes' && (
        <Alert color="blue" variant="light" role="status">
          {t.again}
        </Alert>
      )}
      {data.lines > data.added && (
        <Alert color="blue" variant="light">
          {t.known(data.lines - data.added)}
        </Alert>
      )}
      <Facts
        rows={[
          [t.account, data.account],
          [t.when, <When key="w" at={data.created_at} />],
          ...COUNTS.map(
            ([state, key]) =>
              [
                t[key],
                <Count key={key} of={data} state={state} count={data[key]} label={t[key]} />,
              ] as const,
          ),
          [t.outgoing, data.outgoing],
        ]}
      />
      <Lines />
    </Page>
  );
}

/** Those that are proposed may be recorded together; each of the rest is a question of its own. */
function Lines() {
  const t = useTexts(statement);
  const { id } = Route.useParams();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const change = useSearchChange();
  const { mutateAsync } = useWrite(recordLines);
  const query = linesOf(id, stated({ page: search.page, state: search.state }));
  const whyNot = ({ state }: StatementLine) => (state === 'PROPOSED' ? null : t.onlyProposed);
  const choice = useChoice<StatementLine>(query.queryKey, ({ line }) => t.name(line), whyNot);
  return (
    <>
      <Filters
        values={stated({ state: search.state })}
        filters={[
          {
            kind: 'choice',
            name: 'state',
            label: t.state,
            options: STATES.map((value) => ({ value, label: t.states[value] })),
          },
        ]}
        onChange={(change) => {
          void navigate({ search: stated({ ...change, page: undefined }) as never });
        }}
      />
      <List
        label={t.lines}
        query={query}
        columns={columnsOf(id)}
        texts={t}
        rowKey={(row) => row.id}
        empty={{ title: t.noLines }}
        searchEmpty={search.state === undefined ? null : { title: t.noneFound }}
        onPage={(page) => change({ page })}
        choice={choice}
      />
      <BulkBar
        actions={[{ name: 'record', label: t.record }]}
        {...choice}
        run={async ({ ids, dry_run }) =>
          (await mutateAsync({
            path: { id },
            body: { lines: ids.map((each) => ({ id: each })), dry_run },
          })) as BulkOutcome
        }
      />
    </>
  );
}
