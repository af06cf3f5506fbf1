/** What owners are told of, and by which ways unless they say otherwise (interface 5.9). */
export const NOTIFICATION_KINDS = [
  'review_decided',
  'deposit_paid',
  'deposit_failed',
  'balance_low',
  'budget_spent',
  'conversions_held',
  'conversions_undecided',
  'site_verified',
  'site_lapsing',
  'site_lapsed',
  'domain_contested',
  'domain_moved',
  'domain_refused',
  'site_claim_lapsed',
  'withdrawal_sent',
  'withdrawal_failed',
  'withdrawal_held',
  'appeal_decided',
  'kyc_decided',
  'export_ready',
  'webhook_disabled',
  'spend_credited',
  'earnings_reversed',
  'earnings_restored',
  'spend_restored',
  'document_issued',
  'domain_asked',
  'domain_disputed',
  'domain_kept',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

export type Tenant = 'ADVERTISER' | 'PUBLISHER';

/** A way that is `always` has a letter of its own, which nobody can turn off. */
interface Rules {
  of: readonly Tenant[];
  mail: boolean | 'always';
}

const BOTH = ['ADVERTISER', 'PUBLISHER'] as const;
const RULES: Readonly<Record<NotificationKind, Rules>> = {
  review_decided: { of: BOTH, mail: false },
  deposit_paid: { of: ['ADVERTISER'], mail: false },
  deposit_failed: { of: ['ADVERTISER'], mail: true },
  balance_low: { of: ['ADVERTISER'], mail: true },
  budget_spent: { of: ['ADVERTISER'], mail: false },
  conversions_held: { of: ['ADVERTISER'], mail: true },
  conversions_undecided: { of: ['ADVERTISER'], mail: true },
  site_verified: { of: ['PUBLISHER'], mail: false },
  site_lapsing: { of: ['PUBLISHER'], mail: 'always' },
  site_lapsed: { of: ['PUBLISHER'], mail: 'always' },
  domain_contested: { of: ['PUBLISHER'], mail: 'always' },
  domain_moved: { of: ['PUBLISHER'], mail: 'always' },
  domain_refused: { of: ['PUBLISHER'], mail: true },
  site_claim_lapsed: { of: ['PUBLISHER'], mail: true },
  withdrawal_sent: { of: ['PUBLISHER'], mail: false },
  withdrawal_failed: { of: ['PUBLISHER'], mail: true },
  withdrawal_held: { of: ['PUBLISHER'], mail: true },
  appeal_decided: { of: ['PUBLISHER'], mail: true },
  kyc_decided: { of: BOTH, mail: 'always' },
  export_ready: { of: BOTH, mail: false },
  webhook_disabled: { of: BOTH, mail: true },
  spend_credited: { of: ['ADVERTISER'], mail: true },
  earnings_reversed: { of: ['PUBLISHER'], mail: true },
  earnings_restored: { of: ['PUBLISHER'], mail: true },
  spend_restored: { of: ['ADVERTISER'], mail: true },
  document_issued: { of: BOTH, mail: true },
  domain_asked: { of: ['PUBLISHER'], mail: false },
  domain_disputed: { of: ['PUBLISHER'], mail: true },
  domain_kept: { of: ['PUBLISHER'], mail: true },
};

export interface Ways {
  console: boolean;
  mail: boolean;
}
/** What an account has said; what is absent is as it is by default. */
export type StoredWays = { readonly [Kind in NotificationKind]?: Partial<Ways> };

export const kindsOf = (tenant: Tenant): NotificationKind[] =>
  NOTIFICATION_KINDS.filter((kind) => RULES[kind].of.includes(tenant));

export const hasOwnLetter = (kind: NotificationKind): boolean => RULES[kind].mail === 'always';

export function waysOf(kind: NotificationKind, stored: StoredWays): Ways {
  const { mail } = RULES[kind];
  return {
    console: stored[kind]?.console ?? true,
    mail: mail === 'always' || (stored[kind]?.mail ?? mail),
  };
}

/** Below so many units a balance is low, unless the account says otherwise. */
export const BALANCE_LOW_NANOS = 10_000_000_000n;

/** Facts of a notification, as its kind needs them. */
export interface NotificationParams {
  /** Of the subject, as its owner calls it. */
  name?: string;
  decision?: 'approved' | 'rejected';
  reasons?: readonly { code: string; note?: string | undefined }[] | null;
  status?: string;
  amount?: number;
  currency?: string;
  /** Which budget of a campaign is spent. */
  budget?: 'daily' | 'total';
  url?: string;
}

/** One line of plain English, for a letter's subject and for consoles that know no better. */
export function notificationText(kind: NotificationKind, params: NotificationParams): string {
  const { name, amount, currency = '', status = 'failed', decision, budget = 'daily' } = params;
  return TEXTS[kind]({
    name: name === undefined ? '' : ` “${name}”`,
    amount: amount === undefined ? '' : ` of ${amount.toFixed(2)} ${currency}`,
    status: status.toLowerCase(),
    decision: decision ?? status.toLowerCase(),
    budget,
  });
}

type Words = Readonly<Record<'name' | 'amount' | 'status' | 'decision' | 'budget', string>>;

const TEXTS: Readonly<Record<NotificationKind, (words: Words) => string>> = {
  review_decided: ({ name, decision }) => `Review of${name}: ${decision}`,
  deposit_paid: ({ amount }) => `Your top-up${amount} arrived`,
  deposit_failed: ({ amount, status }) => `Your top-up${amount} did not succeed: ${status}`,
  balance_low: ({ amount }) => `Your balance${amount} is low`,
  budget_spent: ({ name, budget }) => `The ${budget} budget of campaign${name} is spent`,
  conversions_held: ({ name }) => `Conversions of tracker${name} wait for you to look at them`,
  conversions_undecided: ({ name }) =>
    `Held conversions of tracker${name} were rejected: nobody decided in time`,
  site_verified: ({ name }) => `Site${name} is verified`,
  site_lapsing: ({ name }) => `The proof on site${name} is missing`,
  site_lapsed: ({ name }) => `Site${name} is no longer verified`,
  domain_contested: ({ name }) => `Another account proved that it owns the domain of site${name}`,
  domain_moved: ({ name }) => `The domain of site${name} went to another account`,
  domain_refused: ({ name }) => `The domain of site${name} stays with the account that holds it`,
  site_claim_lapsed: ({ name }) => `Site${name} was archived: nobody proved its domain`,
  withdrawal_sent: ({ amount }) => `Your withdrawal${amount} was paid`,
  withdrawal_failed: ({ amount, status }) => `Your withdrawal${amount} did not succeed: ${status}`,
  withdrawal_held: ({ amount }) => `Your withdrawal${amount} waits for a check`,
  appeal_decided: ({ name, decision }) =>
    `Your appeal against removed events of${name}: ${decision}`,
  kyc_decided: ({ decision }) => `Your identity: ${decision}`,
  export_ready: ({ name }) => `Your export${name} is ready`,
  webhook_disabled: ({ name }) => `Your webhook${name} is called no more: it took nothing for days`,
  spend_credited: ({ amount }) => `Spend${amount} was credited back to your balance`,
  earnings_reversed: ({ amount }) =>
    `Earnings${amount} were taken back after a check of your traffic`,
  earnings_restored: ({ amount }) => `Earnings${amount} were credited after your appeal`,
  spend_restored: ({ amount }) => `Events${amount} were billed that had been removed wrongly`,
  document_issued: ({ name }) => `Your monthly statement${name} is ready`,
  domain_asked: ({ name }) =>
    `Another account holds the domain of site${name} and may object to its transfer`,
  domain_disputed: ({ name }) => `A person decides whose the domain of site${name} is`,
  domain_kept: ({ name }) => `The domain of site${name} stays yours: nobody asks for it any more`,
};
