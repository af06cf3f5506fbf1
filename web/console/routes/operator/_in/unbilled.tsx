import { Group, Select } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { REASONS } from '../../../../../domain/tracking/facts.ts';
import { DayRangeFields } from '../../../parts/day-range.tsx';
import { Filters } from '../../../parts/filters.tsx';
import type { Column } from '../../../parts/list-page.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { Page } from '../../../parts/page.tsx';
import { dayOf } from '../../../parts/report-range.ts';
import { numberOf, oneOf, stated } from '../../../parts/search.ts';
import { NONE } from '../../../parts/none.tsx';
import { type Same, useTexts } from '../../../parts/texts.ts';
import { UnbilledView } from '../../../parts/unbilled-view.tsx';
import { type Unbilled, unbilledEvents } from '../../../queries/operator/unbilled.ts';
import { titles } from '../../../texts/titles.ts';
import { unbilled } from '../../../texts/unbilled.ts';
import { PartyLink } from './-party/party-link.tsx';
import { Latest } from './-platform/latest-unbilled.tsx';
import { AdvertiserPick, PublisherPick } from './-shown/picks.tsx';

type Words = Same<(typeof unbilled)['en']>;

type By = keyof Words['bys'];
const BYS: Readonly<Record<By, string>> = {
  day: 'date,reason',
  dayPublisher: 'date,reason,publisher',
  dayAdvertiser: 'date,reason,advertiser',
  publisher: 'reason,publisher',
  advertiser: 'reason,advertiser',
};
const BY_NAMES = Object.keys(BYS) as By[];

export const Route = createFileRoute('/operator/_in/unbilled')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      start_date: dayOf(raw['start_date']),
      end_date: dayOf(raw['end_date']),
      by: oneOf(BY_NAMES, raw['by']),
      reason: oneOf(REASONS, raw['reason']),
      publisher_id: numberOf(raw['publisher_id']),
      advertiser_id: numberOf(raw['advertiser_id']),
    }),
  staticData: { title: (language) => titles[language].operatorUnbilled },
  component: UnbilledPage,
});

const party = (side: 'publisher' | 'advertiser'): Column<Unbilled, Words> => ({
  key: side,
  title: (t) => t[side],
  cell: (row) => {
    const { [`${side}_id` as const]: id, [`${side}_name` as const]: name } = row;
    return id === null ? NONE : <PartyLink side={side} id={id} name={name} />;
  },
});
const PARTIES = [party('publisher'), party('advertiser')];

function UnbilledPage() {
  const t = useTexts(unbilled);
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const change = (next: object): void =>
    void navigate({ search: (was) => stated({ ...was, ...next }) as never });
  const { by = 'day', ...filters } = search;
  const groupBy = BYS[by];
  return (
    <Page title={t.title} lead={t.lead}>
      <Group gap="sm" align="flex-end">
        <DayRangeFields from={t.from} to={t.to} value={search} onChange={change} />
        <Select
          label={t.by}
          size="sm"
          data={BY_NAMES.map((value) => ({ value, label: t.bys[value] }))}
          value={by}
          onChange={(next) => change({ by: next ?? undefined })}
          allowDeselect={false}
        />
        <Filters
          values={search}
          filters={[
            {
              kind: 'choice',
              name: 'reason',
              label: t.reason,
              options: REASONS.map((value) => ({ value, label: t.reasons[value] })),
            },
            { kind: 'own', name: 'publisher_id', label: t.publisher, field: PublisherPick },
            { kind: 'own', name: 'advertiser_id', label: t.advertiser, field: AdvertiserPick },
          ]}
          onChange={change}
        />
      </Group>
      <Loaded query={unbilledEvents({ ...filters, group_by: groupBy })} height={400}>
        {(sums) => (
          <UnbilledView sums={sums} between={PARTIES.filter(({ key }) => groupBy.includes(key))} />
        )}
      </Loaded>
      <Latest search={filters} />
    </Page>
  );
}
