import { useQuery } from '@tanstack/react-query';
import type { AdvertiserBalance, AdvertiserProfile, Campaign } from '../../../../client/routes.ts';
import { ofAccountsProfile } from '../../../may/member.ts';
import { fixLink } from '../../../parts/fix-link.tsx';
import { Section } from '../../../parts/section.tsx';
import { type Step, Steps } from '../../../parts/steps.tsx';
import { type Same, useTexts } from '../../../parts/texts.ts';
import { balance, profile } from '../../../queries/advertiser/account.ts';
import { create } from '../../../queries/advertiser/deposit.ts';
import { firstSteps } from '../../../texts/first-steps.ts';
import { adsInReview, anyCampaigns } from './needed.ts';

type Words = Same<(typeof firstSteps)['en']>;

/** The path of a new account, which has shown no ad yet, with a link at each step that can be taken now. */
export function FirstSteps() {
  const t = useTexts(firstSteps);
  const { data: who } = useQuery(profile);
  const { data: money } = useQuery(balance);
  const { data: campaigns } = useQuery(anyCampaigns);
  const { data: waitingAds } = useQuery(adsInReview);
  if (who === undefined || money === undefined || campaigns === undefined) return null;
  const { items } = campaigns;
  return (
    <Section title={t.label}>
      <Steps
        label={t.label}
        steps={[
          details(who, t),
          topUp(money, t),
          made(items, t),
          review(items, (waitingAds?.total ?? 0) > 0, t),
          {
            key: 'live',
            title: t.live,
            state: items.some(mayRun) ? t.liveWaits : t.liveToDo,
            isDone: false,
          },
        ]}
      />
    </Section>
  );
}

function details({ profile_completeness: how }: AdvertiserProfile, t: Words): Step {
  const isDone = how !== 'none';
  const state = isDone ? t.done : t.detailsToDo;
  const changes = ofAccountsProfile('advertiser');
  const action = !isDone && fixLink('/advertiser/profile', t.detailsLink, changes);
  return { key: 'details', title: t.details, state, isDone, action };
}

function topUp(
  { available, arriving_deposits: coming, unpaid_deposits: unpaid }: AdvertiserBalance,
  t: Words,
): Step {
  const isDone = available > 0;
  const ahead = coming > 0 ? t.moneyComes : unpaid > 0 ? t.moneyToPay : t.moneyToDo;
  const action =
    coming === 0 && unpaid > 0
      ? fixLink('/advertiser/money?tab=deposits&status=PENDING', t.moneyPay)
      : fixLink('/advertiser/money', t.money, create.route);
  return {
    key: 'money',
    title: t.money,
    state: isDone ? t.done : ahead,
    isDone,
    action: !isDone && action,
  };
}

function made(campaigns: readonly Campaign[], t: Words): Step {
  const isDone = campaigns.length > 0;
  const state = isDone ? t.done : t.campaignToDo;
  const action = !isDone && fixLink('/advertiser/campaigns/new', t.campaignLink);
  return { key: 'campaign', title: t.campaign, state, isDone, action };
}

const mayRun = ({ delivery_status: delivery }: Campaign): boolean =>
  delivery === 'ELIGIBLE' || delivery === 'LIMITED';

/** What a campaign waits for until it and an ad in it have passed. */
const OF_REVIEW = /^(NO_ADS|NO_APPROVED_CREATIVE)$|_(PENDING|DRAFT|REJECTED)$/;

const hasPassed = (row: Campaign): boolean =>
  mayRun(row) ||
  (row.audit_status === 'APPROVED' && !row.delivery_reasons.some((name) => OF_REVIEW.test(name)));

function review(campaigns: readonly Campaign[], areAdsWaiting: boolean, t: Words): Step {
  const isDone = campaigns.some(hasPassed);
  const are = (state: Campaign['audit_status']): boolean =>
    campaigns.some(({ audit_status: audit }) => audit === state);
  const waits = are('PENDING') || areAdsWaiting;
  const ahead = waits ? t.reviewWaits : are('REJECTED') ? t.reviewRejected : t.reviewToDo;
  return { key: 'review', title: t.review, state: isDone ? t.done : ahead, isDone };
}
