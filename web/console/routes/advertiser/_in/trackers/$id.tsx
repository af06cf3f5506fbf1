import { Tabs } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { CONVERSION_STATUSES } from '../../../../../../domain/tracker.ts';
import type { Tracker } from '../../../../../client/routes.ts';
import { useWrite } from '../../../../api.ts';
import { ActionMenu } from '../../../../parts/action-menu.tsx';
import { ifMatch } from '../../../../parts/edit-form.tsx';
import { Loaded } from '../../../../parts/loaded.tsx';
import { Page } from '../../../../parts/page.tsx';
import { PageTabs } from '../../../../parts/page-tabs.tsx';
import { idParams, numberOf, oneOf, stated } from '../../../../parts/search.ts';
import { useSearchChange } from '../../../../parts/search-change.ts';
import { Section } from '../../../../parts/section.tsx';
import { State } from '../../../../parts/state.tsx';
import { useTexts, wordOf } from '../../../../parts/texts.ts';
import { archive, one, save } from '../../../../queries/advertiser/tracker.ts';
import { inventory } from '../../../../texts/advertiser/inventory.ts';
import { trackerTexts } from '../../../../texts/advertiser/tracker.ts';
import { titles } from '../../../../texts/titles.ts';
import { TrackerCode } from '../../-parts/tracker-code.tsx';
import { TrackerEdit } from '../../-parts/tracker-edit.tsx';
import { Conversions, Postbacks } from '../../-parts/tracker-lists.tsx';
import { statsSearch } from '../../-parts/stats-search.ts';
import { TRACKER_METRICS } from '../../-parts/tracker-metrics.ts';
import { TrackerStats } from '../../-parts/tracker-stats.tsx';
import { TrackerTest } from '../../-parts/tracker-test.tsx';
import { POSTBACK_STATUSES } from '../../-parts/postback-statuses.ts';

const TABS = ['code', 'test', 'conversions', 'postbacks', 'settings'] as const;

export const Route = createFileRoute('/advertiser/_in/trackers/$id')({
  params: idParams,
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      ...statsSearch(TRACKER_METRICS, raw),
      tab: oneOf(TABS, raw['tab']),
      status: oneOf([...CONVERSION_STATUSES, ...POSTBACK_STATUSES], raw['status']),
      page: numberOf(raw['page']),
    }),
  loader: ({ context: { queryClient }, params: { id } }) => {
    void queryClient.prefetchQuery(one(id));
  },
  staticData: { title: (language) => titles[language].tracker },
  component: TrackerPage,
});

function TrackerPage() {
  const { id } = Route.useParams();
  return (
    <Loaded query={one(id)} isPage>
      {(row) => <Shown row={row} />}
    </Loaded>
  );
}

function Shown({ row }: { row: Tracker }) {
  const t = useTexts(trackerTexts);
  const { tab = 'code', ...search } = Route.useSearch();
  const { toggle, remove } = useActions(row);
  const onChange = useSearchChange();
  return (
    <Page
      title={row.name}
      beside={<State state={row.status} />}
      lead={`${wordOf(t.events, row.event_type)} · ${t.types[row.type]}`}
      crumbs={[{ text: t.title, to: '/advertiser/trackers' }]}
      actions={[toggle]}
      main={<ActionMenu of={row.name} actions={[remove]} />}
    >
      <PageTabs tabs={TABS} names={t.tabs} current={tab}>
        <Tabs.Panel value="code">
          <TrackerCode row={row} />
        </Tabs.Panel>
        <Tabs.Panel value="test">
          <TrackerTest row={row} />
        </Tabs.Panel>
        <Tabs.Panel value="conversions">
          <TrackerStats
            id={row.id}
            search={search}
            onChange={(change) => onChange({ ...change })}
          />
          <Section title={t.allConversions}>
            <Conversions id={row.id} search={search} onChange={onChange} />
          </Section>
        </Tabs.Panel>
        <Tabs.Panel value="postbacks">
          <Postbacks id={row.id} search={search} onChange={onChange} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <TrackerEdit row={row} />
        </Tabs.Panel>
      </PageTabs>
    </Page>
  );
}

function useActions(row: Tracker) {
  const t = useTexts(trackerTexts);
  const i = useTexts(inventory);
  const saving = useWrite(save);
  const archiving = useWrite(archive);
  const isActive = row.status === 'ACTIVE';
  const refusal = row.status === 'ARCHIVED' ? i.refusals.archived : null;
  const path = { id: row.id };
  return {
    toggle: {
      label: isActive ? t.pause : t.resume,
      refusal,
      run: async () =>
        await saving.mutateAsync({
          path,
          headers: ifMatch(row.version),
          body: { status: isActive ? 'PAUSED' : 'ACTIVE' },
        }),
      done: t.saved,
    },
    remove: {
      label: t.archive,
      refusal,
      confirm: { title: t.archiveTitle, body: t.archiveBody },
      run: async () => await archiving.mutateAsync({ path }),
      done: t.archived,
      danger: true,
    },
  };
}
