import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { lazy } from 'react';
import type { AdvertiserBalance } from '../../../../client/routes.ts';
import { ofAccountsProfile } from '../../../may/member.ts';
import { ButtonLink } from '../../../parts/button-link.tsx';
import { useEmailNeed } from '../../../parts/email-need.tsx';
import { fixLink } from '../../../parts/fix-link.tsx';
import { Reasons } from '../../../parts/reasons.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { balance, profile } from '../../../queries/advertiser/account.ts';
import { create } from '../../../queries/advertiser/deposit.ts';
import type { Report } from '../../../queries/advertiser/report.ts';
import { advertiser } from '../../../texts/advertiser.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';
import {
  anyCampaigns,
  DOUBTED,
  doubtedConversions,
  rejectedAds,
  rejectedCampaigns,
  rejectedCreatives,
} from './needed.ts';

/** The folders of their pages. */
const FOLDERS = { campaign: 'campaigns', creative: 'creatives', ad: 'ads' };
type Level = keyof typeof FOLDERS;

const LOW_DAYS = 3;
/** Its words and buttons are of those who have begun something. */
const Unfinished = lazy(async () => ({ default: (await import('./unfinished.tsx')).Unfinished }));

/** At the pace of the days that are over, and of today where it is faster; null while nothing is spent. */
export function lastsFor(
  money: AdvertiserBalance | undefined,
  spend: Report | undefined,
): number | null {
  if (money === undefined || spend === undefined) return null;
  const days = Math.max(spend.items.length, 1);
  const pace = Math.max(money.spend_today, spend.totals.spend / days);
  return pace > 0 ? money.available / pace : null;
}

/**
 * What stands between this account and ads that run, each with the page that mends it. What the path of a new
 * account says as its next things is not said again.
 */
export function ToDo({
  spend,
  hasPath,
}: {
  // oxlint-disable-next-line typescript/no-explicit-any -- keys of queries are of many shapes
  spend: UseQueryOptions<Report, Error, Report, any>;
  hasPath: boolean;
}) {
  const t = useTexts(advertiser);
  const { levels } = useTexts(inventory);
  const { data: who } = useQuery(profile);
  const { data: money } = useQuery(balance);
  const { data: pace } = useQuery(spend);
  const { data: campaigns } = useQuery(anyCampaigns);
  const { data: doubted } = useQuery(doubtedConversions);
  const rejected = useRejected();
  const emailNeed = useEmailNeed('advertiser', who);
  if (who === undefined || money === undefined || campaigns === undefined) return null;
  const days = lastsFor(money, pace);
  const isLow = money.available > 0 && days !== null && days < LOW_DAYS;
  const next = [
    who.profile_completeness === 'none' && {
      key: 'profile',
      text: t.needsBasic,
      fix: fixLink('/advertiser/profile', t.completeProfile, ofAccountsProfile('advertiser')),
    },
    money.available <= 0 && {
      key: 'money',
      text: t.needsMoney,
      fix: fixLink('/advertiser/money', t.topUp, create.route),
    },
    campaigns.total === 0 && {
      key: 'first',
      text: t.needsCampaign,
      fix: fixLink('/advertiser/campaigns/new', t.newCampaign),
    },
  ];
  const reasons = [
    ...emailNeed,
    ...(hasPath ? [] : next),
    isLow && {
      key: 'low',
      text: t.lowBalance(days),
      fix: fixLink('/advertiser/money', t.topUp, create.route),
    },
    doubted !== undefined &&
      doubted.total > 0 && {
        key: 'doubted',
        text: t.needsDecision(doubted.total),
        fix: (
          <ButtonLink
            to="/advertiser/conversions"
            search={DOUBTED}
            changes="POST /api/advertiser/conversions/decisions"
            size="compact-sm"
            variant="default"
          >
            {t.decide}
          </ButtonLink>
        ),
      },
    ...rejected.map(({ to, level, name }) => ({
      key: to,
      text: t.needsFix(levels[level], name),
      fix: fixLink(to, t.seeWhy),
    })),
  ].filter((reason) => reason !== false);
  return (
    <>
      <Reasons title={t.whatNeedsMe} reasons={reasons} />
      <Unfinished otherwise={reasons.length > 0 || hasPath ? null : t.nothingNeedsMe} />
    </>
  );
}

/** What reviewers sent back, of all that a viewer may see. */
function useRejected(): { to: string; level: Level; name: string }[] {
  const { data: campaigns } = useQuery(rejectedCampaigns);
  const { data: ads } = useQuery(rejectedAds);
  const { data: creatives } = useQuery(rejectedCreatives);
  const rows = (level: Level, items: readonly { id: number; name: string }[] = []) =>
    items.map(({ id, name }) => ({ to: `/advertiser/${FOLDERS[level]}/${id}`, level, name }));
  return [
    ...rows('campaign', campaigns?.items),
    ...rows('creative', creatives?.items),
    ...rows('ad', ads?.items),
  ];
}
