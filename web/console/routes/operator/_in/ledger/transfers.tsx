import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { TRANSFER_TYPES } from '../../../../../../domain/ledger/postings.ts';
import { Filters } from '../../../../parts/filters.tsx';
import { type Column, List, type ListQuery } from '../../../../parts/list-page.tsx';
import { Money } from '../../../../parts/money.tsx';
import { NONE } from '../../../../parts/none.tsx';
import { Older } from '../../../../parts/older.tsx';
import { Page } from '../../../../parts/page.tsx';
import { numberOf, oneOf, stated } from '../../../../parts/search.ts';
import { type Same, useTexts } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { type LedgerTransfer, transfers } from '../../../../queries/operator/money.ts';
import { finance } from '../../../../texts/finance.ts';
import { ledgerTexts } from '../../../../texts/ledger.ts';
import { operator } from '../../../../texts/operator.ts';
import { titles } from '../../../../texts/titles.ts';
import { LedgerAccountPick } from '../-shown/picks.tsx';
import { LedgerAccountName } from '../-shown/ledger-account.tsx';
import { SubjectLink } from '../-shown/subject-link.tsx';

type Words = Same<(typeof finance)['en']>;

const COLUMNS: readonly Column<LedgerTransfer, Words>[] = [
  // The first column has room for a name: a moment needs it, a number does not.
  { key: 'at', title: (t) => t.at, cell: (row) => <When at={row.created_at} /> },
  { key: 'id', title: (t) => t.id, cell: ({ id }) => <span className="words">{id}</span> },
  {
    key: 'type',
    title: (t) => t.kind,
    cell: ({ type }) => <Kind name={type} />,
  },
  { key: 'debit', title: (t) => t.debit, cell: ({ debit }) => <LedgerAccountName code={debit} /> },
  {
    key: 'credit',
    title: (t) => t.credit,
    cell: ({ credit }) => <LedgerAccountName code={credit} />,
  },
  {
    key: 'amount',
    title: (t) => t.amount,
    isNumber: true,
    amount: ({ amount }) => amount,
    cell: (row, _t, decimals) => (
      <Money amount={row.amount} currency={row.currency} decimals={decimals} />
    ),
  },
  {
    key: 'batch',
    title: (t) => t.batch,
    cell: (row) => (
      <span className="words">
        <Kind name={row.batch_kind} /> {row.batch_id}
      </span>
    ),
  },
  {
    key: 'subject',
    title: (t) => t.subject,
    cell: (row) =>
      row.subject === null ? NONE : <SubjectLink subject={row.subject} to={figuresOf(row)} />,
  },
];

/** Of a campaign's money: what the campaigns of its advertiser cost on that day. */
function figuresOf({ subject, debit, credit, created_at: at }: LedgerTransfer): string | null {
  const [, advertiser] = /^adv:(\d+):/.exec(debit) ?? /^adv:(\d+):/.exec(credit) ?? [];
  if (subject?.type !== 'campaign' || advertiser === undefined) return null;
  const day = at.slice(0, 10);
  return `/operator/reports?advertiser_id=${advertiser}&by=campaign&range=own&from=${day}&to=${day}&zone_name=UTC`;
}

function Kind({ name }: { name: string }) {
  return <span className="words">{useTexts(ledgerTexts).kind(name)}</span>;
}

export const Route = createFileRoute('/operator/_in/ledger/transfers')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      cursor: numberOf(raw['cursor']),
      account_id: numberOf(raw['account_id']),
      batch_id: numberOf(raw['batch_id']),
      type: oneOf(TRANSFER_TYPES, raw['type']),
    }),
  staticData: { title: (language) => titles[language].operatorTransfers, views: 'transfers' },
  component: Transfers,
});

function Transfers() {
  const t = useTexts(finance);
  const names = useTexts(operator);
  const words = useTexts(ledgerTexts);
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const { data } = useQuery(transfers(search));
  return (
    <Page title={names.transfers} crumbs={[{ text: names.ledger, to: '/operator/ledger' }]}>
      <Filters
        values={search}
        filters={[
          { kind: 'own', name: 'account_id', label: t.account, field: LedgerAccountPick },
          { kind: 'text', name: 'batch_id', label: t.batch },
          {
            kind: 'choice',
            name: 'type',
            label: t.kind,
            options: TRANSFER_TYPES.map((value) => ({ value, label: words.kind(value) })),
          },
        ]}
        onChange={(change) =>
          void navigate({
            search: (was) => stated({ ...was, ...change, cursor: undefined }) as never,
          })
        }
      />
      <List
        label={names.transfers}
        query={transfers(search) as unknown as ListQuery<LedgerTransfer>}
        columns={COLUMNS}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.noTransfers }}
        searchEmpty={Object.keys(search).length > 0 ? { title: t.noneFound } : null}
        onPage={null}
      />
      <Older
        to="/operator/ledger/transfers"
        search={search}
        next={data?.next_cursor ?? null}
        words={t}
      />
    </Page>
  );
}
