import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useWrite } from '../../api.ts';
import { AsMember } from '../../member.tsx';
import { requireSession } from '../../parts/require-session.ts';
import { Bell } from '../../parts/bell.tsx';
import { Shell } from '../../parts/shell.tsx';
import { useTexts } from '../../parts/texts.ts';
import { logOut, profile } from '../../queries/advertiser/account.ts';
import { session } from '../../session.ts';
import { advertiser } from '../../texts/advertiser.ts';
import { auth } from '../../texts/auth.ts';

export const Route = createFileRoute('/advertiser/_in')({
  beforeLoad: ({ location }) => requireSession('advertiser', location),
  component: In,
});

function In() {
  const t = useTexts(advertiser);
  const { data } = useQuery(profile);
  const leave = useWrite(logOut);
  return (
    <AsMember role={data?.role}>
      <Shell
        realm="advertiser"
        head={<Bell realm="advertiser" />}
        name={useTexts(auth).advertiser}
        who={data?.nickname ?? data?.username}
        menu={[
          { to: '/advertiser', text: t.home, exact: true },
          { to: '/advertiser/campaigns', text: t.campaigns },
          { to: '/advertiser/ad-groups', text: t.adGroups },
          { to: '/advertiser/ads', text: t.ads },
          { to: '/advertiser/creatives', text: t.creatives },
          { to: '/advertiser/reports', text: t.reports },
          { to: '/advertiser/trackers', text: t.trackers },
          { to: '/advertiser/conversions', text: t.conversions },
          { to: '/advertiser/money', text: t.money },
          { to: '/advertiser/kyc', text: t.kyc },
          { to: '/advertiser/history', text: t.history },
          { to: '/advertiser/team', text: t.team, route: 'GET /api/advertiser/members' },
          { to: '/advertiser/notifications', text: t.notifications },
          { to: '/advertiser/webhooks', text: t.webhooks },
          { to: '/advertiser/profile', text: t.profile },
        ]}
        logOut={async () => {
          await leave.mutateAsync({});
          session.end('advertiser');
        }}
      />
    </AsMember>
  );
}
