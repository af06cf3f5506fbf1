import { createFileRoute } from '@tanstack/react-router';
import { NotificationsPage } from '../../../parts/notifications-page.tsx';
import { notificationsOf } from '../../../parts/notifications.ts';
import { numberOf, oneOf, stated } from '../../../parts/search.ts';
import { titles } from '../../../texts/titles.ts';

export const Route = createFileRoute('/operator/_in/notifications')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      page: numberOf(raw['page']),
      status: oneOf(['read', 'unread'] as const, raw['status']),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(notificationsOf('admin').list(deps));
  },
  staticData: { title: (language) => titles[language].notification },
  component: Notifications,
});

const ADDRESS: Readonly<Record<string, (id: number) => string>> = {
  task: (id) => `/operator/tasks/${id}`,
  advertiser: (id) => `/operator/held?waits=late&advertiser_id=${id}`,
  withdrawal: (id) => `/operator/withdrawals/${id}`,
  factor_recovery: () => '/operator/recoveries?status=WAITING',
};

function Notifications() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <NotificationsPage
      realm="admin"
      search={search}
      addressOf={({ type, id }) => ADDRESS[type]?.(id) ?? '/operator/health'}
      onChange={(change) => void navigate({ search: (was) => stated({ ...was, ...change }) })}
    />
  );
}
