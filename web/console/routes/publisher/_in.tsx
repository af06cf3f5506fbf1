import { createFileRoute } from '@tanstack/react-router';
import { OwnerFrame } from '../../owner-frame.tsx';
import { beginFrame } from '../../parts/begin-frame.ts';
import { requireSession } from '../../parts/require-session.ts';
import { useTexts } from '../../parts/texts.ts';
import { common } from '../../texts/common.ts';
import { publisher } from '../../texts/publisher.ts';
import { titles } from '../../texts/titles.ts';

export const Route = createFileRoute('/publisher/_in')({
  beforeLoad: ({ location }) => requireSession('publisher', location),
  loader: ({ context: { queryClient } }) => beginFrame(queryClient, 'publisher'),
  component: In,
});

const action = (label: string, to: string, route: string) => ({ label, to, route });
const page = (label: string, to: string) => ({ label, to });

function In() {
  const t = useTexts(publisher);
  const { profile } = useTexts(common);
  const called = useTexts(titles);
  return (
    <OwnerFrame
      realm="publisher"
      search={async (text) =>
        await (
          await import('../../queries/publisher/search.ts')
        ).findOwn(text, {
          sites: t.sites,
          zones: t.zones,
        })
      }
      entries={[
        action(t.newSite, '/publisher/sites/new', 'POST /api/publisher/sites'),
        action(t.newZone, '/publisher/zones/new', 'POST /api/publisher/zones'),
        action(t.withdraw, '/publisher/payouts/new', 'POST /api/publisher/withdrawals'),
        action(
          t.newPayoutAccount,
          '/publisher/payouts/accounts/new',
          'POST /api/publisher/withdrawals/bank-cards',
        ),
        action(t.invite, '/publisher/team', 'POST /api/publisher/members'),
        // Pages below those of the menu.
        page(called.publisherRemoved, '/publisher/removed'),
        page(called.withdrawalAccounts, '/publisher/payouts/accounts'),
        page(called.withdrawalTransactions, '/publisher/payouts/transactions'),
        page(called.notificationSettings, '/publisher/notifications/settings'),
      ]}
      menu={[
        { to: '/publisher', text: t.home, exact: true },
        { to: '/publisher/sites', text: t.sites, group: t.groups.places },
        { to: '/publisher/zones', text: t.zones, group: t.groups.places },
        { to: '/publisher/reports', text: t.reports, group: t.groups.earnings },
        { to: '/publisher/payouts', text: t.payouts, group: t.groups.earnings },
        { to: '/publisher/documents', text: t.documents, group: t.groups.earnings },
        { to: '/publisher/kyc', text: t.kyc, group: t.groups.account },
        { to: '/publisher/history', text: t.history, group: t.groups.account },
        {
          to: '/publisher/team',
          text: t.team,
          group: t.groups.account,
          route: 'GET /api/publisher/members',
        },
        { to: '/publisher/notifications', text: t.notifications, group: t.groups.account },
        { to: '/publisher/webhooks', text: t.webhooks, group: t.groups.account },
        { to: '/publisher/profile', text: profile, group: t.groups.account },
      ]}
    />
  );
}
