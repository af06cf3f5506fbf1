import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Facts } from '../../../../parts/facts.tsx';
import { type Column, Rows } from '../../../../parts/list-page.tsx';
import { Money } from '../../../../parts/money.tsx';
import { Section } from '../../../../parts/section.tsx';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { type Same, useTexts, wordOf } from '../../../../parts/texts.ts';
import { formatDay, When } from '../../../../parts/time.tsx';
import type { ReversalPage } from '../../../../queries/operator/reversal.ts';
import { reversal } from '../../../../texts/reversal.ts';
import { unbilled } from '../../../../texts/unbilled.ts';
import { PartyLink } from '../-party/party-link.tsx';

type T = Same<(typeof reversal)['en']>;
type Party = ReversalPage['advertisers'][number];

const partyColumns = (side: 'advertiser' | 'publisher'): readonly Column<Party, T>[] => [
  {
    key: 'party',
    title: (t) => t.party,
    cell: ({ id, name }) => <PartyLink side={side} id={id} name={name} />,
  },
  { key: 'events', title: (t) => t.events, isNumber: true, cell: (row) => row.events },
  {
    key: 'amount',
    title: (t) => t.amount,
    isNumber: true,
    cell: (row) => <Money amount={row.amount} />,
  },
  {
    key: 'balance',
    title: (t) => t.balance,
    isNumber: true,
    cell: (row) => <Money amount={row.balance} />,
  },
];

/** What is taken back of whom: what a second person decides on, and what became of it. */
export function ReversalPreview({ reversal: shown }: { reversal: ReversalPage }) {
  const t = useTexts(reversal);
  const { reasons, laterReasons } = useTexts(unbilled);
  const words = { ...reasons, ...laterReasons };
  const { found, reversed, scope } = shown;
  const isBegun = shown.status === 'APPLYING' || shown.status === 'APPLIED';
  const { language } = usePreferences();
  const { publisher_id: whose, day } = scope;
  const called = shown.publishers.find(({ id }) => id === whose)?.name ?? null;
  const where: [string, ReactNode][] = [
    [
      t.publisher,
      whose === null ? null : <PartyLink key="whose" side="publisher" id={whose} name={called} />,
    ],
    [t.site, scope.site_id],
    [t.zone, scope.zone_id],
    [t.batch, scope.batch_id],
    [t.day, day === null ? null : formatDay(day, language)],
  ];
  return (
    <>
      <Facts
        rows={[
          [t.source, t.sources[shown.source]],
          [t.reason, t.reasons[shown.reason]],
          [t.note, shown.note],
          ...(scope.from === null
            ? []
            : ([
                [t.from, <When key="from" at={scope.from} />],
                [t.to, <When key="to" at={scope.to} />],
              ] as const)),
          ...where.filter(([, value]) => value !== null),
          [t.madeBy, shown.made_by],
          [t.decidedBy, shown.decided_by],
          [t.when, <When key="when" at={shown.created_at} />],
          // Of the others nothing is judged again.
          ...(shown.source === 'REJUDGE' ? ([[t.factless, shown.factless]] as const) : []),
          [t.hash, <code key="hash">{shown.content_hash}</code>],
        ]}
      />
      <Sums title={t.found} of={found} />
      {isBegun && <Sums title={t.reversed} of={reversed} />}
      <Section title={t.advertisers}>
        <Rows
          label={t.advertisers}
          rows={shown.advertisers}
          columns={partyColumns('advertiser')}
          texts={t}
          rowKey={({ id }) => id}
        />
      </Section>
      <Section title={t.publishers} lead={t.balanceHelp}>
        <Rows
          label={t.publishers}
          rows={shown.publishers}
          columns={partyColumns('publisher')}
          texts={t}
          rowKey={({ id }) => id}
        />
      </Section>
      <Section title={t.byReason}>
        <Facts
          rows={shown.reasons.map((each) => [
            wordOf(words, each.reason),
            <Text key={each.reason} size="sm" component="span">
              {each.events.toLocaleString('en')} · <Money amount={each.spend} />
            </Text>,
          ])}
        />
      </Section>
    </>
  );
}

function Sums({ title, of }: { title: string; of: ReversalPage['found'] }) {
  const t = useTexts(reversal);
  return (
    <Section title={title}>
      <Facts
        rows={[
          [t.events, of.events.toLocaleString('en')],
          [t.spend, <Money key="spend" amount={of.spend} />],
          [t.earnings, <Money key="earnings" amount={of.earnings} />],
          [t.fee, <Money key="fee" amount={of.fee} />],
        ]}
      />
    </Section>
  );
}
