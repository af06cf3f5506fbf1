import { createFileRoute } from '@tanstack/react-router';
import { HistoryPage } from '../../../parts/history-page.tsx';
import { historyOf, historySearch } from '../../../parts/history-search.ts';
import { stated } from '../../../parts/search.ts';
import { titles } from '../../../texts/titles.ts';
import { undoOfChange } from './-undo-change.tsx';

const SUBJECTS = ['publisher', 'site', 'zone', 'withdrawal', 'bank_card', 'webhook'] as const;
const PAGES: Readonly<Record<string, string>> = {
  site: '/publisher/sites',
  zone: '/publisher/zones',
  withdrawal: '/publisher/payouts',
  webhook: '/publisher/webhooks',
};

export const Route = createFileRoute('/publisher/_in/history')({
  validateSearch: historySearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(historyOf('publisher', deps));
  },
  staticData: { title: (language) => titles[language].history },
  component: History,
});

function History() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <HistoryPage
      realm="publisher"
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
