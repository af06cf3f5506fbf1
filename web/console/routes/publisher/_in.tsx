import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useWrite } from '../../api.ts';
import { AsMember } from '../../member.tsx';
import { Bell } from '../../parts/bell.tsx';
import { requireSession } from '../../parts/require-session.ts';
import { Shell } from '../../parts/shell.tsx';
import { useTexts } from '../../parts/texts.ts';
import { logOut, profile } from '../../queries/publisher/account.ts';
import { session } from '../../session.ts';
import { auth } from '../../texts/auth.ts';
import { publisher } from '../../texts/publisher.ts';

export const Route = createFileRoute('/publisher/_in')({
  beforeLoad: ({ location }) => requireSession('publisher', location),
  component: In,
});

function In() {
  const t = useTexts(publisher);
  const { data } = useQuery(profile);
  const leave = useWrite(logOut);
  return (
    <AsMember role={data?.role}>
      <Shell
        realm="publisher"
        head={<Bell realm="publisher" />}
        name={useTexts(auth).publisher}
        who={data?.username}
        menu={[
          { to: '/publisher', text: t.home, exact: true },
          { to: '/publisher/sites', text: t.sites, group: t.groups.places },
          { to: '/publisher/zones', text: t.zones, group: t.groups.places },
          { to: '/publisher/reports', text: t.reports, group: t.groups.earnings },
          { to: '/publisher/payouts', text: t.payouts, group: t.groups.earnings },
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
        logOut={async () => {
          await leave.mutateAsync({});
          session.end('publisher');
        }}
      />
    </AsMember>
  );
}
