import { Stack, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { EmailShown } from '../../../parts/email-shown.tsx';
import { EmailState } from '../../../parts/email-state.tsx';
import { type Column, List } from '../../../parts/list-page.tsx';
import { Page } from '../../../parts/page.tsx';
import { numberOf, stated } from '../../../parts/search.ts';
import { State } from '../../../parts/state.tsx';
import { type Same, useTexts, wordOf } from '../../../parts/texts.ts';
import { When } from '../../../parts/time.tsx';
import { type Operator, operators as read } from '../../../queries/operator/operator.ts';
import { operator } from '../../../texts/operator.ts';
import { operators } from '../../../texts/operators.ts';
import { titles } from '../../../texts/titles.ts';
import { OperatorActions } from './-platform/operator-actions.tsx';
import { InviteOperator, OpenInvitations } from './-platform/operator-invitations.tsx';
import { PageLink } from './-shown/page-link.tsx';

type Words = Same<(typeof operators)['en']>;

const COLUMNS: readonly Column<Operator, Words>[] = [
  { key: 'username', title: (t) => t.username, cell: ({ username }) => username },
  {
    key: 'state',
    title: (t) => t.state,
    cell: ({ status }, t) => <State state={status} words={t.states[status]} />,
  },
  {
    key: 'role',
    title: (t) => t.role,
    cell: ({ role }) => (
      <span className="one-line">
        <Role role={role} />
      </span>
    ),
  },
  {
    key: 'email',
    title: (t) => t.email,
    cell: ({ email, email_confirmed_at: since }) => (
      <>
        <EmailShown email={email} /> <EmailState since={since} />
      </>
    ),
  },
  { key: 'vouched', title: (t) => t.vouched, cell: (row) => <CountsAs of={row} /> },
  {
    key: 'made',
    title: (t) => t.made,
    cell: (row, t) => (
      <Stack gap={0}>
        <When at={row.created_at} />
        <Text size="xs" c="dimmed">
          {row.made_by === null ? t.onMachine : t.madeBy(row.made_by)}
        </Text>
      </Stack>
    ),
  },
  { key: 'actions', title: (t) => t.actions, cell: (row) => <OperatorActions of={row} /> },
];

export const Route = createFileRoute('/operator/_in/operators')({
  validateSearch: (raw: Record<string, unknown>) => stated({ page: numberOf(raw['page']) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(read(deps));
  },
  staticData: { title: (language) => titles[language].operatorOperators },
  component: Operators,
});

function Role({ role }: Pick<Operator, 'role'>) {
  return useTexts(operator).roles[role];
}

function Operators() {
  const t = useTexts(operators);
  const title = useTexts(operator).operators;
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const [isInviting, setInviting] = useState(false);
  return (
    <Page
      title={title}
      lead={t.lead}
      actions={[
        {
          label: t.invite,
          run: () => {
            setInviting(true);
            return Promise.resolve();
          },
        },
      ]}
    >
      <List
        label={title}
        query={read(search)}
        columns={COLUMNS}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.none }}
        searchEmpty={null}
        onPage={(page) => void navigate({ search: (was) => ({ ...was, page }) })}
      />
      <OpenInvitations />
      {isInviting && <InviteOperator close={() => setInviting(false)} />}
    </Page>
  );
}

/** Whose word theirs is, and what waits about them: the second person's page is a press away. */
function CountsAs({ of: { username, counts_as: as, waiting } }: { of: Operator }) {
  const t = useTexts(operators);
  const { roles } = useTexts(operator);
  return (
    <Stack gap={2}>
      {as === username ? t.aPerson : t.asMaker(as)}
      {waiting.map(({ approval_id: id, kind, role }) => (
        <PageLink key={id} to={`/operator/approvals/${id}`}>
          {kind === 'operator_role' ? t.waits[kind](wordOf(roles, role)) : t.waits[kind]}
        </PageLink>
      ))}
    </Stack>
  );
}
