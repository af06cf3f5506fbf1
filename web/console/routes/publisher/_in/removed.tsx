import { Group } from '@mantine/core';
import { useMemo } from 'react';
import { createFileRoute } from '@tanstack/react-router';
import { DayRangeFields } from '../../../parts/day-range.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { Page } from '../../../parts/page.tsx';
import { dayOf } from '../../../parts/report-range.ts';
import { numberOf, stated } from '../../../parts/search.ts';
import { useTexts } from '../../../parts/texts.ts';
import { type UnbilledLine, UnbilledView } from '../../../parts/unbilled-view.tsx';
import { removedEvents } from '../../../queries/publisher/report.ts';
import { publisher } from '../../../texts/publisher.ts';
import { titles } from '../../../texts/titles.ts';
import { unbilled } from '../../../texts/unbilled.ts';
import { AppealRemoval } from './-appeal-removal.tsx';
import { Narrowing } from './-narrowing.tsx';
import { RemovalAppeals } from './-removal-appeals.tsx';

export const Route = createFileRoute('/publisher/_in/removed')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      start_date: dayOf(raw['start_date']),
      end_date: dayOf(raw['end_date']),
      site_id: numberOf(raw['site_id']),
      zone_id: numberOf(raw['zone_id']),
      page: numberOf(raw['page']),
    }),
  staticData: { title: (language) => titles[language].publisherRemoved },
  component: Removed,
});

function Removed() {
  const t = useTexts(unbilled);
  const { page, ...search } = Route.useSearch();
  const navigate = Route.useNavigate();
  const { zone_id: zone } = search;
  const appeal = useMemo(
    () => [
      {
        key: 'appeal',
        title: () => '',
        cell: (line: UnbilledLine) => <AppealRemoval line={line} zone={zone} />,
      },
    ],
    [zone],
  );
  const change = (next: object): void =>
    void navigate({ search: (was) => stated({ ...was, ...next }) as never });
  return (
    <Page
      title={t.removed}
      lead={t.removedLead}
      crumbs={[{ text: useTexts(publisher).reports, to: '/publisher/reports' }]}
    >
      <Group gap="sm" align="flex-end">
        <DayRangeFields from={t.from} to={t.to} value={search} onChange={change} />
        <Narrowing search={search} onChange={change} />
      </Group>
      <Loaded query={removedEvents(search)} height={400}>
        {(sums) => <UnbilledView sums={sums} last={appeal} />}
      </Loaded>
      <RemovalAppeals page={page} onPage={(next) => change({ page: next })} />
    </Page>
  );
}
