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
          { to: '/publisher/sites', text: t.sites },
          { to: '/publisher/zones', text: t.zones },
          { to: '/publisher/reports', text: t.reports },
          { to: '/publisher/payouts', text: t.payouts },
          { to: '/publisher/kyc', text: t.kyc },
          { to: '/publisher/history', text: t.history },
          { to: '/publisher/team', text: t.team, route: 'GET /api/publisher/members' },
          { to: '/publisher/notifications', text: t.notifications },
          { to: '/publisher/webhooks', text: t.webhooks },
        ]}
        logOut={async () => {
          await leave.mutateAsync({});
          session.end('publisher');
        }}
      />
    </AsMember>
  );
}
