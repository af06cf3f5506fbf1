import { createFileRoute } from '@tanstack/react-router';
import { OwnerFrame } from '../../owner-frame.tsx';
import { beginFrame } from '../../parts/begin-frame.ts';
import { requireSession } from '../../parts/require-session.ts';
import { useTexts } from '../../parts/texts.ts';
import { advertiser } from '../../texts/advertiser.ts';

export const Route = createFileRoute('/advertiser/_in')({
  beforeLoad: ({ location }) => requireSession('advertiser', location),
  loader: ({ context: { queryClient } }) => beginFrame(queryClient, 'advertiser'),
  component: In,
});

const action = (label: string, to: string, route: string) => ({ label, to, route });

function In() {
  const t = useTexts(advertiser);
  return (
    <OwnerFrame
      realm="advertiser"
      search={async (text) =>
        await (
          await import('../../queries/advertiser/search.ts')
        ).findOwn(text, {
          campaign: t.campaigns,
          adgroup: t.adGroups,
          ad: t.ads,
          creative: t.creatives,
        })
      }
      entries={[
        action(t.newCampaign, '/advertiser/campaigns/new', 'POST /api/advertiser/campaigns'),
        action(t.newAdGroup, '/advertiser/ad-groups/new', 'POST /api/advertiser/adgroups'),
        action(t.newAd, '/advertiser/ads/new', 'POST /api/advertiser/ads'),
        action(t.newCreative, '/advertiser/creatives/new', 'POST /api/advertiser/creatives'),
        action(t.newTracker, '/advertiser/trackers/new', 'POST /api/advertiser/trackers'),
        action(t.topUp, '/advertiser/money', 'POST /api/advertiser/deposits'),
        action(t.invite, '/advertiser/team', 'POST /api/advertiser/members'),
      ]}
      menu={[
        { to: '/advertiser', text: t.home, exact: true },
        { to: '/advertiser/campaigns', text: t.campaigns, group: t.groups.advertising },
        { to: '/advertiser/ad-groups', text: t.adGroups, group: t.groups.advertising },
        { to: '/advertiser/ads', text: t.ads, group: t.groups.advertising },
        { to: '/advertiser/creatives', text: t.creatives, group: t.groups.advertising },
        { to: '/advertiser/media', text: t.media, group: t.groups.advertising },
        { to: '/advertiser/reports', text: t.reports, group: t.groups.results },
        { to: '/advertiser/trackers', text: t.trackers, group: t.groups.results },
        { to: '/advertiser/conversions', text: t.conversions, group: t.groups.results },
        { to: '/advertiser/money', text: t.money, group: t.groups.account },
        { to: '/advertiser/documents', text: t.documents, group: t.groups.account },
        { to: '/advertiser/kyc', text: t.kyc, group: t.groups.account },
        { to: '/advertiser/history', text: t.history, group: t.groups.account },
        {
          to: '/advertiser/team',
          text: t.team,
          group: t.groups.account,
          route: 'GET /api/advertiser/members',
        },
        { to: '/advertiser/notifications', text: t.notifications, group: t.groups.account },
        { to: '/advertiser/webhooks', text: t.webhooks, group: t.groups.account },
        { to: '/advertiser/profile', text: t.profile, group: t.groups.account },
      ]}
    />
  );
}
