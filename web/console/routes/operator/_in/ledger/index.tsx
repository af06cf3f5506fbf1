import { Anchor } from '@mantine/core';
import { createFileRoute, Link } from '@tanstack/react-router';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { Filters } from '../../../../parts/filters.tsx';
import { linkTo } from '../../../../parts/link-to.ts';
import { type Column, List } from '../../../../parts/list-page.tsx';
import { Money } from '../../../../parts/money.tsx';
import { Page } from '../../../../parts/page.tsx';
import { numberOf, oneOf, stated, textOf } from '../../../../parts/search.ts';
import { useSearchChange } from '../../../../parts/search-change.ts';
import { type Same, useTexts } from '../../../../parts/texts.ts';
import { NONE } from '../../../../parts/none.tsx';
import { type LedgerAccount, ledgerAccounts } from '../../../../queries/operator/money.ts';
import { finance } from '../../../../texts/finance.ts';
import { operator } from '../../../../texts/operator.ts';
import { titles } from '../../../../texts/titles.ts';
import { LedgerAccountName } from '../-shown/ledger-account.tsx';
import { OwnerPick } from '../-shown/picks.tsx';
import { PartyLink } from '../-party/party-link.tsx';

type Words = Same<(typeof finance)['en']>;

const OWNERS = ['ADVERTISER', 'PUBLISHER'] as const;

const COLUMNS: readonly Column<LedgerAccount, Words>[] = [
  { key: 'code', title: (t) => t.code, cell: ({ code }) => <LedgerAccountName code={code} /> },
  {
    key: 'owner',
    title: (t) => t.owner,
    cell: ({ owner }) => <Owner owner={owner} />,
  },
  {
    key: 'balance',
    title: (t) => t.balance,
    isNumber: true,
    amount: ({ balance }) => balance,
    cell: (row, _t, decimals) => (
      <Money amount={row.balance} currency={row.currency} decimals={decimals} />
    ),
  },
  {
    key: 'transfers',
    title: (t) => t.transfers,
    cell: ({ id, code }, t) => (
      <Anchor
        renderRoot={(props) => (
          <Link {...linkTo(`/operator/ledger/transfers?account_id=${id}`)} {...props} />
        )}
        aria-label={`${t.transfers}: ${code}`}
      >
        {t.transfers}
      </Anchor>
    ),
  },
];

/** Somebody by name; of the platform's own accounts nobody. */
function Owner({ owner }: Pick<LedgerAccount, 'owner'>) {
  if (owner === null || owner.id === null) return NONE;
  const side = owner.type === 'ADVERTISER' ? 'advertiser' : 'publisher';
  return <PartyLink side={side} id={owner.id} name={owner.name} />;
}

export const Route = createFileRoute('/operator/_in/ledger/')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      page: numberOf(raw['page']),
      keyword: textOf(raw['keyword']),
      owner_type: oneOf(OWNERS, raw['owner_type']),
      owner_id: numberOf(raw['owner_id']),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(ledgerAccounts(deps));
  },
  staticData: { title: (language) => titles[language].operatorLedger, views: 'ledger' },
  component: Ledger,
});

function Ledger() {
  const t = useTexts(finance);
  const names = useTexts(operator);
  const search = Route.useSearch();
  const change = useSearchChange();
  const { page: _page, ...filters } = search;
  return (
    <Page
      title={names.ledger}
      main={<ButtonLink to="/operator/ledger/transfers">{t.allTransfers}</ButtonLink>}
    >
      <Filters
        values={search}
        filters={[
          { kind: 'text', name: 'keyword', label: t.code },
          {
            kind: 'choice',
            name: 'owner_type',
            label: t.owner,
            options: [
              { value: 'ADVERTISER', label: t.advertiser },
              { value: 'PUBLISHER', label: t.publisher },
            ],
          },
          { kind: 'own', name: 'owner_id', label: t.ownerByName, field: OwnerPick },
        ]}
        onChange={change}
      />
      <List
        label={names.ledger}
        query={ledgerAccounts(search)}
        columns={COLUMNS}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.noAccounts }}
        searchEmpty={Object.keys(filters).length > 0 ? { title: t.noneFound } : null}
        onPage={(page) => change({ page })}
      />
    </Page>
  );
}
