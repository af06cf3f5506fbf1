import { useQuery } from '@tanstack/react-query';
import type { AdvertiserBalance, AdvertiserProfile, Campaign } from '../../../../client/routes.ts';
import { Section } from '../../../parts/section.tsx';
import { type Step, Steps } from '../../../parts/steps.tsx';
import { type Same, useTexts } from '../../../parts/texts.ts';
import { balance, profile } from '../../../queries/advertiser/account.ts';
import { firstSteps } from '../../../texts/first-steps.ts';
import { adsInReview, anyCampaigns } from './needed.ts';

type Words = Same<(typeof firstSteps)['en']>;

/** Longer than anybody waits for a first ad: who has shown nothing for a while knows the way. */
const NEW_FOR_MS = 30 * 86_400_000;

/** The path of a new account, which has shown no ad yet. */
export function FirstSteps() {
  const t = useTexts(firstSteps);
  const { data: who } = useQuery(profile);
  const { data: money } = useQuery(balance);
  const { data: campaigns } = useQuery(anyCampaigns);
  const { data: waitingAds } = useQuery(adsInReview);
  if (who === undefined || money === undefined || campaigns === undefined) return null;
  if (Date.now() - Date.parse(who.created_at) > NEW_FOR_MS) return null;
  const { items } = campaigns;
  return (
    <Section title={t.label}>
      <Steps
        label={t.label}
        steps={[
          details(who, t),
          topUp(money, t),
          {
            key: 'campaign',
            title: t.campaign,
            state: items.length > 0 ? t.done : t.campaignToDo,
            isDone: items.length > 0,
          },
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
  return { key: 'details', title: t.details, state: isDone ? t.done : t.detailsToDo, isDone };
}

function topUp({ available, pending_deposits: coming }: AdvertiserBalance, t: Words): Step {
  const isDone = available > 0;
  const state = isDone ? t.done : coming > 0 ? t.moneyComes : t.moneyToDo;
  return { key: 'money', title: t.money, state, isDone };
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
