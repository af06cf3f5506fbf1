import { Button, Group, Text } from '@mantine/core';
import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { OWNER_STATUSES, SITE_AUDIT_STATUSES } from '../../../../../../domain/lifecycle/review.ts';
import { Filters } from '../../../../parts/filters.tsx';
import { type Column, List, type PageOf } from '../../../../parts/list-page.tsx';
import { Page } from '../../../../parts/page.tsx';
import { RowLink } from '../../../../parts/row-link.tsx';
import { listSearch, numberOf, oneOf, stated } from '../../../../parts/search.ts';
import { useSearchChange } from '../../../../parts/search-change.ts';
import { State } from '../../../../parts/state.tsx';
import { type Same, useTexts, wordOf } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import {
  ADVERTISED,
  INVENTORY_TYPES,
  type InventoryItem,
  ofAdvertiser,
  ofPublisher,
  PLACED,
} from '../../../../queries/operator/inventory.ts';
import { operatorInventory } from '../../../../texts/operator-inventory.ts';
import { states } from '../../../../texts/states.ts';
import { titles } from '../../../../texts/titles.ts';
import { PartyLink } from '../-party/party-link.tsx';

// oxlint-disable-next-line typescript/no-explicit-any -- keys of queries are of many shapes
type ListQuery = UseQueryOptions<PageOf<InventoryItem>, Error, PageOf<InventoryItem>, any>;
type Words = Same<(typeof operatorInventory)['en']>;

const COLUMNS: readonly Column<InventoryItem, Words>[] = [
  {
    key: 'name',
    title: (t) => t.name,
    cell: ({ type, id, name }) => (
      <RowLink to={`/operator/inventory/${type}/${id}`}>{name}</RowLink>
    ),
  },
  { key: 'status', title: (t) => t.status, cell: ({ status }) => <State state={status} /> },
  { key: 'review', title: (t) => t.review, cell: (row) => <State state={row.audit_status} /> },
  {
    key: 'delivery',
    title: (t) => t.delivery,
    cell: (row) => <State state={row.delivery_status} />,
  },
  { key: 'created', title: (t) => t.created, cell: (row) => <When at={row.created_at} /> },
];

export const Route = createFileRoute('/operator/_in/inventory/')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      ...listSearch(raw),
      subject_type: oneOf(INVENTORY_TYPES, raw['subject_type']),
      account_id: numberOf(raw['account_id']),
      status: oneOf(OWNER_STATUSES, raw['status']),
      audit_status: oneOf(SITE_AUDIT_STATUSES, raw['audit_status']),
    }),
  staticData: { title: (language) => titles[language].operatorInventory },
  component: Inventory,
});

function Inventory() {
  const t = useTexts(operatorInventory);
  const { account_id: account, subject_type: type = 'campaign' } = Route.useSearch();
  return account === undefined ? (
    <Page title={wordOf(t.lists, type)}>
      <Text>{t.noAccount}</Text>
    </Page>
  ) : (
    <OfAccount account={account} type={type} />
  );
}

function OfAccount({ account, type }: { account: number; type: InventoryItem['type'] }) {
  const t = useTexts(operatorInventory);
  const s = useTexts(states);
  const {
    subject_type: _type,
    account_id: _account,
    page,
    sort: _sort,
    ...filters
  } = Route.useSearch();
  const change = useSearchChange();
  const place = oneOf(PLACED, type);
  const side = place === undefined ? 'advertiser' : 'publisher';
  const query: ListQuery =
    place === undefined
      ? ofAdvertiser(account, oneOf(ADVERTISED, type) ?? 'campaign', { ...filters, page })
      : ofPublisher(account, place, { ...filters, page });
  const { data } = useQuery(query);
  const kinds = side === 'publisher' ? PLACED : ADVERTISED;
  const choices = (words: readonly string[]) =>
    words.map((value) => ({ value, label: wordOf(s, value) }));
  return (
    <Page
      title={wordOf(t.lists, type)}
      lead={<PartyLink side={side} id={account} name={data?.items[0]?.account_name ?? null} />}
    >
      <Group gap="xs" role="group" aria-label={t.kind}>
        {kinds.map((each) => (
          <Button
            key={each}
            size="compact-md"
            variant={each === type ? 'filled' : 'default'}
            aria-pressed={each === type}
            onClick={() => change({ subject_type: each, page: undefined })}
          >
            {t.lists[each]}
          </Button>
        ))}
      </Group>
      <Filters
        values={filters}
        filters={[
          { kind: 'text', name: 'keyword', label: t.name },
          { kind: 'choice', name: 'status', label: t.status, options: choices(OWNER_STATUSES) },
          {
            kind: 'choice',
            name: 'audit_status',
            label: t.review,
            options: choices(SITE_AUDIT_STATUSES),
          },
        ]}
        onChange={change}
      />
      <List
        label={wordOf(t.lists, type)}
        query={query}
        columns={COLUMNS}
        texts={t}
        rowKey={(row) => row.id}
        empty={{ title: t.none }}
        searchEmpty={Object.keys(filters).length === 0 ? null : { title: t.noneFound }}
        onPage={(next) => change({ page: next })}
      />
    </Page>
  );
}
