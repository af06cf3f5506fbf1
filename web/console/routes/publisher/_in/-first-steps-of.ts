import type {
  PublisherBalance,
  PublisherProfile,
  RevenueReport,
  Site,
  Zone,
} from '../../../../client/routes.ts';

import { ofAccountsProfile } from '../../../may/member.ts';

/** What a publisher's path is read from. */
export interface Facts {
  who: Pick<PublisherProfile, 'created_at' | 'kyc_status' | 'missing'>;
  sites: readonly Pick<Site, 'id' | 'status' | 'verify_status' | 'audit_status' | 'verification'>[];
  zones: readonly Pick<Zone, 'id' | 'status' | 'audit_status'>[];
  money: Pick<PublisherBalance, 'maturing' | 'withdrawable' | 'held' | 'paid_total'>;
  week: Pick<RevenueReport['totals'], 'requests'>;
}

export type StepKey =
  | 'details'
  | 'site'
  | 'review'
  | 'zone'
  | 'code'
  | 'earned'
  | 'identity'
  | 'account'
  | 'withdraw';

/** How far a step is that nobody here can take now; what is wrong with it says the list of what needs somebody. */
type Waits =
  | 'done'
  | 'reviewLater'
  | 'reviewWaits'
  | 'reviewSuspended'
  | 'zoneLater'
  | 'codeLater'
  | 'earnedWaits'
  | 'earnedLater'
  | 'identityWaits'
  | 'withdrawWaits'
  | 'withdrawLater'
  | 'seeBelow';
/** The same of one with a page of its own. */
type Leads =
  | 'detailsToDo'
  | 'siteToDo'
  | 'proofToDo'
  | 'proofWaits'
  | 'zoneToDo'
  | 'codeToDo'
  | 'identityToDo'
  | 'accountToDo';

export type FirstStep = { key: StepKey } & (
  | { state: Waits; to?: undefined }
  | {
      state: Leads;
      to: string;
      /** What its page is opened for, where it can be read too. */
      changes?: string | undefined;
    }
);

/** Longer than anybody needs to find a way that has brought them money already. */
const NEW_FOR_MS = 30 * 86_400_000;

/** The way of a new account to money that may leave; none once its code is seen and a payout has all it needs. */
export function firstStepsOf(facts: Facts, now: number): FirstStep[] | null {
  const { who, money, week } = facts;
  const earned = money.maturing + money.withdrawable + money.held + money.paid_total > 0;
  const isSeen = earned || (week.requests ?? 0) > 0;
  const canBePaid = who.kyc_status === 'approved' && !who.missing.includes('payout_account');
  const isOld = now - Date.parse(who.created_at) > NEW_FOR_MS;
  if ((isSeen && canBePaid) || (isOld && earned)) return null;
  return [
    detailsOf(who),
    ...placesOf(facts, isSeen),
    waits('earned', earned ? 'done' : isSeen ? 'earnedWaits' : 'earnedLater'),
    identityOf(who),
    accountOf(who),
    waits('withdraw', money.withdrawable > 0 ? 'withdrawWaits' : 'withdrawLater'),
  ];
}

/** What the path says as its next things, so that nobody else has to. */
export const openIn = (steps: readonly FirstStep[] | null): ReadonlySet<StepKey> =>
  new Set((steps ?? []).filter(({ state }) => state !== 'done').map(({ key }) => key));

const waits = (key: StepKey, state: Waits): FirstStep => ({ key, state });
const leads = (key: StepKey, state: Leads, to: string, changes?: string): FirstStep => ({
  key,
  state,
  to,
  ...(changes === undefined ? {} : { changes }),
});

function detailsOf({ missing }: Facts['who']): FirstStep {
  const isNameless = missing.includes('contact_name') || missing.includes('company_name_or_mobile');
  return isNameless
    ? leads('details', 'detailsToDo', '/publisher/profile', ofAccountsProfile('publisher'))
    : waits('details', 'done');
}

function placesOf({ sites, zones }: Facts, isSeen: boolean): FirstStep[] {
  const mine = sites.filter(({ status }) => status !== 'ARCHIVED');
  const made = zones.filter(({ status }) => status !== 'ARCHIVED');
  const isApproved = mine.some(({ audit_status: audit }) => audit === 'APPROVED');
  const zone = made.find(({ audit_status: audit }) => audit === 'APPROVED') ?? made[0];
  return [
    siteOf(mine),
    waits('review', reviewOf(mine)),
    zone !== undefined
      ? waits('zone', 'done')
      : isApproved
        ? leads('zone', 'zoneToDo', '/publisher/zones/new')
        : waits('zone', 'zoneLater'),
    isSeen
      ? waits('code', 'done')
      : zone === undefined
        ? waits('code', 'codeLater')
        : leads('code', 'codeToDo', `/publisher/zones/${zone.id}`),
  ];
}

/** Of the site that is furthest. */
function siteOf(sites: Facts['sites']): FirstStep {
  const [first] = sites;
  if (first === undefined) return leads('site', 'siteToDo', '/publisher/sites/new');
  if (sites.some(({ verify_status: proof }) => proof === 'VERIFIED')) return waits('site', 'done');
  const looked = sites.find(({ verification }) => verification?.status === 'RUNNING') ?? first;
  const state = looked.verification?.status === 'RUNNING' ? 'proofWaits' : 'proofToDo';
  const changes = state === 'proofToDo' ? 'POST /api/publisher/sites/{id}/verify' : undefined;
  return leads('site', state, `/publisher/sites/${looked.id}`, changes);
}

function reviewOf(sites: Facts['sites']): Waits {
  const proven = sites.filter(({ verify_status: proof }) => proof === 'VERIFIED');
  const are = (state: Site['audit_status']): boolean =>
    proven.some(({ audit_status: audit }) => audit === state);
  if (are('APPROVED')) return 'done';
  if (proven.length === 0) return 'reviewLater';
  if (are('PENDING')) return 'reviewWaits';
  return are('REJECTED') ? 'seeBelow' : 'reviewSuspended';
}

function identityOf({ kyc_status: kyc }: Facts['who']): FirstStep {
  if (kyc === 'approved') return waits('identity', 'done');
  if (kyc === 'pending') return waits('identity', 'identityWaits');
  if (kyc === 'none') {
    return leads('identity', 'identityToDo', '/publisher/kyc', 'POST /api/publisher/kyc');
  }
  return waits('identity', 'seeBelow');
}

const accountOf = ({ missing }: Facts['who']): FirstStep =>
  missing.includes('payout_account')
    ? leads('account', 'accountToDo', '/publisher/payouts/accounts/new')
    : waits('account', 'done');
