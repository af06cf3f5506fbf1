import { Stack, Title } from '@mantine/core';
import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { Member } from '../../../../../client/routes.ts';
import { type Column, List, type ListQuery } from '../../../../parts/list-page.tsx';
import { Facts } from '../../../../parts/facts.tsx';
import { Person } from '../../../../parts/person.tsx';
import { type Same, useTexts } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import type { MembersPage } from '../../../../queries/operator/party.ts';
import { team } from '../../../../texts/team.ts';

type Words = Same<(typeof team)['en']>;

const COLUMNS: readonly Column<Member, Words>[] = [
  { key: 'who', title: (t) => t.name, cell: (row) => <Person person={row} /> },
  { key: 'role', title: (t) => t.role, cell: (row, t) => t.roleNames[row.role] },
  { key: 'state', title: (t) => t.state, cell: (row, t) => t.states[row.status] },
  { key: 'joined', title: (t) => t.joined, cell: (row) => <When at={row.joined_at} /> },
  { key: 'login', title: (t) => t.lastLogin, cell: (row) => <When at={row.last_login_at} /> },
];

/** Who works in an account. They are the account's to change, so here they are only seen. */
export function Members({ query }: { query: unknown }) {
  const t = useTexts(team);
  const { data } = useQuery(query as UseQueryOptions<MembersPage>);
  return (
    <Stack gap="xs">
      <Title order={2}>{t.title}</Title>
      {data !== undefined && (
        <Facts
          rows={[
            [t.owner, <Person key="o" person={data.owner} />],
            [t.lastLogin, <When key="l" at={data.owner.last_login_at} />],
          ]}
        />
      )}
      <List
        label={t.title}
        query={query as ListQuery<Member>}
        columns={COLUMNS}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.none }}
        searchEmpty={null}
        onPage={null}
      />
    </Stack>
  );
}
