import { Alert, Stack, Text, Title } from '@mantine/core';
import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { RelatedAccounts } from '../../../../../client/routes.ts';
import { Failed } from '../../../../parts/failed.tsx';
import { List, type ListQuery } from '../../../../parts/list-page.tsx';
import { useSearchChange } from '../../../../parts/search-change.ts';
import { State } from '../../../../parts/state.tsx';
import { useMarks, useTexts } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import type { AuditEntry } from '../../../../queries/operator/platform.ts';
import { party } from '../../../../texts/party.ts';
import { platform } from '../../../../texts/platform.ts';
import { AUDIT_COLUMNS } from '../-platform/audit-columns.tsx';
import { PageLink } from '../-shown/page-link.tsx';

/** What it did and what was done with it, the newest first. */
export function AccountHistory({
  query,
  page = 1,
}: {
  query: (page: number) => unknown;
  page: number | undefined;
}) {
  const t = useTexts(party);
  const change = useSearchChange();
  return (
    <Stack gap="xs">
      <Title order={2}>{t.history}</Title>
      <List
        label={t.history}
        query={query(page) as ListQuery<AuditEntry>}
        columns={AUDIT_COLUMNS}
        texts={useTexts(platform)}
        rowKey={({ id }) => id}
        empty={{ title: t.noHistory }}
        searchEmpty={null}
        onPage={(next) => change({ history: next })}
      />
    </Stack>
  );
}

/** Above a suspended account: whose doing it was and why, for whoever is asked by its owner or is about to pay them. */
export function WhySuspended({ query }: { query: (page: number) => unknown }) {
  const t = useTexts(party);
  const { data } = useQuery(query(1) as UseQueryOptions<{ items: AuditEntry[] }>);
  const last = data?.items.find(({ action }) => action.endsWith('.suspend'));
  if (last === undefined) return null;
  const { actor, detail, created_at: at } = last;
  const { reason } = detail;
  return (
    <Alert color="red" variant="light">
      {t.suspendedBy(actor.username ?? '—', typeof reason === 'string' ? reason : '—')}{' '}
      <When at={at} />
    </Alert>
  );
}

/** Accounts that may be of the same hand. */
export function Related({ query }: { query: unknown }) {
  const t = useTexts(party);
  const marks = useMarks();
  const { data, error } = useQuery(query as UseQueryOptions<RelatedAccounts>);
  return (
    <Stack gap="xs">
      <Title order={2}>{t.related}</Title>
      {error !== null && <Failed error={error} />}
      {data?.items.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.noRelated}
        </Text>
      )}
      {data?.items.map(({ by, value, account }) => (
        <Text key={`${by} ${value ?? ''} ${account.id}`} size="sm" component="div">
          <PageLink
            underline="always"
            to={`/operator/${account.kind === 'ADVERTISER' ? 'advertisers' : 'publishers'}/${account.id}`}
          >
            {t.numbered(account.company_name ?? account.nickname, account.id)}
          </PageLink>
          {marks.open}
          {account.email}
          {marks.close} <State state={account.status} /> · {t.by[by]}
          {value !== null && (
            <>
              {marks.colon}
              <code>{value}</code>
            </>
          )}
        </Text>
      ))}
    </Stack>
  );
}
