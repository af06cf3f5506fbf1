import { createFileRoute } from '@tanstack/react-router';
import { NotificationsPage } from '../../../../parts/notifications-page.tsx';
import { notificationsOf } from '../../../../parts/notifications.ts';
import { numberOf, oneOf, stated } from '../../../../parts/search.ts';
import { titles } from '../../../../texts/titles.ts';

const PAGES: Readonly<Record<string, string>> = {
  site: '/publisher/sites',
  zone: '/publisher/zones',
  withdrawal: '/publisher/payouts',
  webhook: '/publisher/webhooks',
};

export const Route = createFileRoute('/publisher/_in/notifications/')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      page: numberOf(raw['page']),
      status: oneOf(['read', 'unread'] as const, raw['status']),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(notificationsOf('publisher').list(deps));
  },
  staticData: { title: (language) => titles[language].notification },
  component: Notifications,
});

function Notifications() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <NotificationsPage
      realm="publisher"
      search={search}
      addressOf={({ type, id }) => {
        if (type === 'export') return `/publisher/reports?file=${id}`;
        if (type === 'report_schedule') return '/publisher/reports?schedules=yes';
        if (type === 'kyc') return '/publisher/kyc';
        if (type === 'document') return '/publisher/documents';
        if (type === 'removal_appeal') return '/publisher/removed';
        return PAGES[type] === undefined ? null : `${PAGES[type]}/${id}`;
      }}
      onChange={(change) => void navigate({ search: (was) => stated({ ...was, ...change }) })}
    />
  );
}
