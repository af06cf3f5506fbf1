import { createFileRoute } from '@tanstack/react-router';
import { OwnerFrame } from '../../owner-frame.tsx';
import { beginFrame } from '../../parts/begin-frame.ts';
import { requireSession } from '../../parts/require-session.ts';
import { useTexts } from '../../parts/texts.ts';
import { publisher } from '../../texts/publisher.ts';

export const Route = createFileRoute('/publisher/_in')({
  beforeLoad: ({ location }) => requireSession('publisher', location),
  loader: ({ context: { queryClient } }) => beginFrame(queryClient, 'publisher'),
  component: In,
});

function In() {
  const t = useTexts(publisher);
  return (
    <OwnerFrame
      realm="publisher"
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
      ]}
    />
  );
}
