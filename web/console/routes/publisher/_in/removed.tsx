import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { REASONS } from '../../../../../domain/tracking/facts.ts';
import { DayRangeFields } from '../../../parts/day-range.tsx';
import { Filters } from '../../../parts/filters.tsx';
import type { Column } from '../../../parts/list-page.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { Page } from '../../../parts/page.tsx';
import { dayOf } from '../../../parts/report-range.ts';
import { RowLink } from '../../../parts/row-link.tsx';
import { numberOf, oneOf, stated } from '../../../parts/search.ts';
import { type Same, useTexts } from '../../../parts/texts.ts';
import { UnbilledView } from '../../../parts/unbilled-view.tsx';
import { removedEvents } from '../../../queries/publisher/report.ts';
import { publisher } from '../../../texts/publisher.ts';
import { removalAdvice } from '../../../texts/removal-advice.ts';
import { titles } from '../../../texts/titles.ts';
import { unbilled } from '../../../texts/unbilled.ts';
import { AppealRemoval, type Line } from './-appeal-removal.tsx';
import { Narrowing } from './-narrowing.tsx';
import { RemovalAppeals } from './-removal-appeals.tsx';

export const Route = createFileRoute('/publisher/_in/removed')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      start_date: dayOf(raw['start_date']),
      end_date: dayOf(raw['end_date']),
      site_id: numberOf(raw['site_id']),
      zone_id: numberOf(raw['zone_id']),
      reason: oneOf(REASONS, raw['reason']),
      page: numberOf(raw['page']),
    }),
  staticData: { title: (language) => titles[language].publisherRemoved },
  component: Removed,
});

type Words = Same<(typeof unbilled)['en']>;

const ZONE: readonly Column<Line, Words>[] = [
  {
    key: 'zone',
    title: (t) => t.zone,
    cell: ({ zone_id: id, zone_name: name }) =>
      id === null ? '—' : <RowLink to={`/publisher/zones/${id}`}>{name ?? `#${id}`}</RowLink>,
  },
];
const APPEAL: readonly Column<Line, Words>[] = [
  { key: 'appeal', title: () => '', cell: (line) => <AppealRemoval line={line} /> },
];

function Removed() {
  const t = useTexts(unbilled);
  const advice = useTexts(removalAdvice);
  const { page, ...search } = Route.useSearch();
  const navigate = Route.useNavigate();
  const query = removedEvents({ ...search, group_by: 'date,reason,zone' });
  const { data } = useQuery(query);
  const days = { start_date: data?.start_date, end_date: data?.end_date };
  const change = (next: object): void =>
    void navigate({ search: (was) => stated({ ...was, ...next }) as never });
  return (
    <Page
      title={t.removed}
      lead={t.removedLead}
      crumbs={[{ text: useTexts(publisher).reports, to: '/publisher/reports' }]}
    >
      <Group gap="sm" align="flex-end">
        <DayRangeFields from={t.from} to={t.to} value={{ ...days, ...search }} onChange={change} />
        <Narrowing search={search} onChange={change} />
        <Filters
          values={search}
          filters={[
            {
              kind: 'choice',
              name: 'reason',
              label: t.reason,
              options: REASONS.map((value) => ({ value, label: t.reasons[value] })),
            },
          ]}
          onChange={change}
        />
      </Group>
      <Loaded query={query} height={400}>
        {(sums) => <UnbilledView sums={sums} between={ZONE} last={APPEAL} advice={advice} />}
      </Loaded>
      <RemovalAppeals page={page} onPage={(next) => change({ page: next })} />
    </Page>
  );
}
