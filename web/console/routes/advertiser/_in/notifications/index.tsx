import { createFileRoute } from '@tanstack/react-router';
import { NotificationsPage } from '../../../../parts/notifications-page.tsx';
import { notificationsOf } from '../../../../parts/notifications.ts';
import { numberOf, oneOf, stated } from '../../../../parts/search.ts';
import { titles } from '../../../../texts/titles.ts';

const PAGES: Readonly<Record<string, string>> = {
  campaign: '/advertiser/campaigns',
  adgroup: '/advertiser/ad-groups',
  ad: '/advertiser/ads',
  creative: '/advertiser/creatives',
  deposit: '/advertiser/money/deposits',
  webhook: '/advertiser/webhooks',
};

export const Route = createFileRoute('/advertiser/_in/notifications/')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      page: numberOf(raw['page']),
      status: oneOf(['read', 'unread'] as const, raw['status']),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(notificationsOf('advertiser').list(deps));
  },
  staticData: { title: (language) => titles[language].notification },
  component: Notifications,
});

function Notifications() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <NotificationsPage
      realm="advertiser"
      search={search}
      addressOf={({ type, id }) => {
        if (type === 'export') return `/advertiser/reports?file=${id}`;
        if (type === 'report_schedule') return '/advertiser/reports?schedules=yes';
        if (type === 'kyc') return '/advertiser/kyc';
        if (type === 'tracker') return `/advertiser/conversions?tracker_id=${id}`;
        if (type === 'document') return '/advertiser/documents';
        if (type === 'advertiser' || type === 'balance_refund') return '/advertiser/money';
        return PAGES[type] === undefined ? null : `${PAGES[type]}/${id}`;
      }}
      onChange={(change) => void navigate({ search: (was) => stated({ ...was, ...change }) })}
    />
  );
}
