import { createFileRoute } from '@tanstack/react-router';
import { HistoryPage } from '../../../parts/history-page.tsx';
import { historyOf, historySearch } from '../../../parts/history-search.ts';
import { stated } from '../../../parts/search.ts';
import { titles } from '../../../texts/titles.ts';
import { undoOfChange } from '../-parts/undo-change.tsx';

const SUBJECTS = [
  'advertiser',
  'campaign',
  'adgroup',
  'ad',
  'creative',
  'media',
  'tracker',
  'deposit',
  'webhook',
] as const;
const PAGES: Readonly<Record<string, string>> = {
  campaign: '/advertiser/campaigns',
  adgroup: '/advertiser/ad-groups',
  ad: '/advertiser/ads',
  creative: '/advertiser/creatives',
  tracker: '/advertiser/trackers',
  deposit: '/advertiser/money/deposits',
  webhook: '/advertiser/webhooks',
};

export const Route = createFileRoute('/advertiser/_in/history')({
  validateSearch: historySearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(historyOf('advertiser', deps));
  },
  staticData: { title: (language) => titles[language].history },
  component: History,
});

function History() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <HistoryPage
      realm="advertiser"
      search={search}
      subjects={SUBJECTS}
      addressOf={({ type, id }) =>
        id === null || PAGES[type] === undefined ? null : `${PAGES[type]}/${id}`
      }
      undo={undoOfChange}
      onChange={(change) => void navigate({ search: (was) => stated({ ...was, ...change }) })}
    />
  );
}
