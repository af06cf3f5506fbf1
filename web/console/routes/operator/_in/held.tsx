import { Stack, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { Filters } from '../../../parts/filters.tsx';
import { type Column, List } from '../../../parts/list-page.tsx';
import { Money } from '../../../parts/money.tsx';
import { NONE } from '../../../parts/none.tsx';
import { Page } from '../../../parts/page.tsx';
import { numberOf, oneOf, stated } from '../../../parts/search.ts';
import { useSearchChange } from '../../../parts/search-change.ts';
import { type Same, useMarks, useTexts } from '../../../parts/texts.ts';
import { When } from '../../../parts/time.tsx';
import { type HeldConversion, heldConversions } from '../../../queries/operator/unbilled.ts';
import { conversionFound } from '../../../texts/conversion-found.ts';
import { held } from '../../../texts/held.ts';
import { titles } from '../../../texts/titles.ts';
import { PartyLink } from './-party/party-link.tsx';
import { PageLink } from './-shown/page-link.tsx';
import { AdvertiserPick, PublisherPick } from './-shown/picks.tsx';

type Words = Same<(typeof held)['en']>;

const WAITS = ['window', 'decision', 'late'] as const;
const FINDINGS = [
  'FOREIGN_BROWSER',
  'FOREIGN_ADDRESS',
  'HOST_MISSING',
  'HOST_FOREIGN',
  'BURST',
  'CLICK_CAP',
  'PUBLISHER_CAP',
] as const;

export const Route = createFileRoute('/operator/_in/held')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      page: numberOf(raw['page']),
      waits: oneOf(WAITS, raw['waits']),
      finding: oneOf(FINDINGS, raw['finding']),
      advertiser_id: numberOf(raw['advertiser_id']),
      publisher_id: numberOf(raw['publisher_id']),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(heldConversions(deps));
  },
  staticData: { title: (language) => titles[language].operatorHeld },
  component: Held,
});

const party = (side: 'advertiser' | 'publisher'): Column<HeldConversion, Words> => ({
  key: side,
  title: (t) => t[side],
  cell: (row) => {
    const id = row[`${side}_id`];
    return id === null ? NONE : <PartyLink side={side} id={id} name={row[`${side}_name`]} />;
  },
});

const COLUMNS: readonly Column<HeldConversion, Words>[] = [
  {
    key: 'reported',
    title: (t) => t.reported,
    cell: (row, t) => (
      <Stack gap={2}>
        <When at={row.created_at} />
        <Text size="xs" c="dimmed">
          <Ends row={row} t={t} />
        </Text>
      </Stack>
    ),
  },
  party('publisher'),
  party('advertiser'),
  {
    key: 'campaign',
    title: (t) => t.campaign,
    cell: (row) => <About row={row} />,
  },
  {
    key: 'price',
    title: (t) => t.price,
    isNumber: true,
    amount: ({ price }) => price,
    cell: (row, _t, decimals) => <Money amount={row.price} decimals={decimals} />,
  },
  { key: 'finding', title: (t) => t.finding, cell: (row) => <Found row={row} /> },
  {
    key: 'trace',
    title: (t) => t.trace,
    cell: ({ click_id: click }, t) =>
      click === null ? (
        NONE
      ) : (
        <PageLink to={`/operator/events?click_id=${encodeURIComponent(click)}`}>{t.see}</PageLink>
      ),
  },
];

function About({ row }: { row: HeldConversion }) {
  const marks = useMarks();
  const names = [row.tracker_name, row.campaign_name].filter((name) => name !== null);
  return names.length === 0 ? NONE : names.join(marks.comma);
}

function Ends({ row: { due_at: due, decide_by: decide }, t }: { row: HeldConversion; t: Words }) {
  const marks = useMarks();
  const at = due ?? decide;
  return (
    <>
      {due === null ? t.rejected : t.billed}
      {marks.colon}
      {at === null ? NONE : <When at={at} />}
    </>
  );
}

function Found({ row }: { row: HeldConversion }) {
  const found = useTexts(conversionFound);
  const marks = useMarks();
  return row.findings.length === 0
    ? NONE
    : row.findings.map((finding) => found[finding]).join(marks.comma);
}

function Held() {
  const t = useTexts(held);
  const found = useTexts(conversionFound);
  const search = Route.useSearch();
  const set = useSearchChange();
  const { page: _page, ...filters } = search;
  return (
    <Page title={t.title} lead={t.lead}>
      <Filters
        values={search}
        filters={[
          {
            kind: 'choice',
            name: 'finding',
            label: t.finding,
            options: FINDINGS.map((value) => ({ value, label: found[value] })),
          },
          {
            kind: 'choice',
            name: 'waits',
            label: t.waits,
            options: WAITS.map((value) => ({ value, label: t.waitings[value] })),
          },
          { kind: 'own', name: 'publisher_id', label: t.publisher, field: PublisherPick },
          { kind: 'own', name: 'advertiser_id', label: t.advertiser, field: AdvertiserPick },
        ]}
        onChange={set}
      />
      <List
        label={t.title}
        query={heldConversions(search)}
        columns={COLUMNS}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.empty }}
        searchEmpty={Object.keys(filters).length > 0 ? { title: t.noneFound } : null}
        onPage={(page) => set({ page })}
      />
    </Page>
  );
}
