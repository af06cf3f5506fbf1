import { isOfPlatform } from './lifecycle/withdrawal.ts';
import type { NotificationKind, NotificationParams } from './notifications.ts';
import type { Preferences } from './person.ts';
import { reportFailure } from './report-failures.ts';

export type Language = Preferences['language'];

/** One plain line, for a letter's subject and for lists: English for whoever reads it by program. */
export function notificationText(
  kind: NotificationKind,
  params: NotificationParams,
  language: Language = 'en',
  /** What it is about, such as `adgroup`: things of two kinds may have one name. */
  subject?: string | null,
): string {
  const { name, amount, currency = '', status, budget = 'daily', days = 0 } = params;
  const { of, words, lines } = LANGUAGES[language];
  const said = (word: string): string => words[word] ?? word.toLowerCase();
  const outcome = params.decision ?? status;
  return lines[kind]({
    thing: of.things[subject ?? ''] ?? '',
    name: name === undefined ? '' : of.name(name),
    amount: amount === undefined ? '' : of.amount(`${amount.toFixed(2)} ${currency}`),
    status: status === undefined ? '' : of.outcome(said(status)),
    decision: outcome === undefined ? '' : of.outcome(said(outcome)),
    budget: said(budget),
    days,
    identity: identityOf(params),
    isReturned: status === 'RETURNED',
    isOfPlatform: isOfPlatform(params.reasons),
    why: params.failure === undefined ? '' : of.why(params.failure),
    share: of.share(params),
  });
}

/** What became of a proof of identity: one that was refused for what its owner can mend needs more. */
export function identityOf({ decision, mendable = true, status }: NotificationParams) {
  if (decision === 'approved') return 'approved';
  if (decision === 'rejected') return mendable ? 'needs_more' : 'refused';
  return status === 'expired' ? 'expired' : 'open';
}

/** A sentence, as the end of a line. */
function whyOf(failure: string, language: Language): string {
  const { why } = reportFailure(failure, language);
  return `${why.slice(0, 1).toLowerCase()}${why.slice(1, -1)}`;
}

interface Facts extends Record<
  'thing' | 'name' | 'amount' | 'status' | 'decision' | 'budget' | 'share' | 'why',
  string
> {
  days: number;
  identity: ReturnType<typeof identityOf>;
  isReturned: boolean;
  isOfPlatform: boolean;
}
type Lines = Readonly<Record<NotificationKind, (facts: Facts) => string>>;

interface Spoken {
  of: {
    name: (name: string) => string;
    amount: (amount: string) => string;
    /** What stands behind a line; without one the line says only that there was something. */
    outcome: (outcome: string) => string;
    why: (failure: string) => string;
    share: (params: NotificationParams) => string;
    /** What is reviewed; a new kind is known by its name alone. */
    things: Readonly<Record<string, string>>;
  };
  /** What a status or decision is called; what is not named here is shown as it is. */
  words: Readonly<Record<string, string>>;
  lines: Lines;
}

const IDENTITY = {
  en: {
    approved: 'Your identity is verified',
    needs_more: 'Your proof of identity needs more',
    refused: 'Your proof of identity was refused',
    expired: 'Your proof of identity has expired',
    open: 'Your proof of identity was looked at',
  },
  zh: {
    approved: '您的身份认证已通过',
    needs_more: '您的身份认证需要补充材料',
    refused: '您的身份认证未通过',
    expired: '您的身份认证已过期',
    open: '您的身份认证已处理',
  },
} as const;

const ENGLISH: Lines = {
  review_decided: ({ thing, name, decision }) =>
    `Review of${thing}${name}${decision === '' ? ' has ended' : decision}`,
  review_rejected: ({ thing, name }) => `Review of${thing}${name}: rejected`,
  deposit_paid: ({ amount }) => `Your top-up${amount} arrived`,
  deposit_failed: ({ amount, status }) => `Your top-up${amount} did not succeed${status}`,
  deposit_held: ({ amount }) => `A payment${amount} fits none of your open top-ups`,
  deposit_taken_back: ({ amount }) => `A payment${amount} was entered for your top-up by mistake`,
  balance_refund_begun: ({ amount }) => `A refund${amount} of your unused balance has begun`,
  balance_refund_sent: ({ amount }) => `Unused balance${amount} was sent back to you`,
  balance_refund_kept: ({ amount }) =>
    `Unused balance${amount} was not sent back: you can spend it again`,
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
  withdrawal_requested: ({ amount }) => `Your withdrawal${amount} was asked for`,
  withdrawal_held: ({ amount }) => `Your withdrawal${amount} waits for a closer look`,
  withdrawal_approved: ({ amount }) => `Your withdrawal${amount} was approved`,
  withdrawal_begun: ({ amount }) => `Your withdrawal${amount} is on its way`,
  withdrawal_sent: ({ amount }) => `Your withdrawal${amount} was paid`,
  withdrawal_failed: ({ amount, status, isReturned }) =>
    isReturned
      ? `Your withdrawal${amount} came back from the bank`
      : `Your withdrawal${amount} did not succeed${status}`,
  withdrawal_cancelled: ({ amount, isOfPlatform: isTheirs }) =>
    `Your withdrawal${amount} was cancelled${isTheirs ? ' by the platform' : ''}`,
  appeal_decided: ({ name, decision }) =>
    `Your appeal against removed events of${name}${decision === '' ? ' was answered' : decision}`,
  kyc_received: () => 'Your proof of identity arrived',
  kyc_decided: ({ identity }) => IDENTITY.en[identity],
  kyc_expiring: ({ days }) =>
    days === 0
      ? 'Your proof of identity expires soon'
      : `Your proof of identity expires within ${days === 1 ? 'a day' : `${days} days`}`,
  export_ready: ({ name }) => `Your export${name} is ready`,
  report_failed: ({ name, why }) => `Your scheduled report${name} was not sent${why}`,
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
  share_agreed: ({ share }) => share,
};

const CHINESE: Lines = {
  review_decided: ({ thing, name, decision }) =>
    `${thing}${name}的审核${decision === '' ? '已结束' : `结果${decision}`}`,
  review_rejected: ({ thing, name }) => `${thing}${name}未通过审核`,
  deposit_paid: ({ amount }) => `您的充值${amount}已到账`,
  deposit_failed: ({ amount, status }) => `您的充值${amount}未成功${status}`,
  deposit_held: ({ amount }) => `收到款项${amount.trimEnd()}，但没有对应的待付充值订单`,
  deposit_taken_back: ({ amount }) => `您的充值误登记了一笔收款${amount.trimEnd()}，已撤销`,
  balance_refund_begun: ({ amount }) => `您的未使用余额${amount}已开始退款`,
  balance_refund_sent: ({ amount }) => `您的未使用余额${amount}已退回`,
  balance_refund_kept: ({ amount }) => `您的未使用余额${amount}未退回，可继续使用`,
  balance_low: ({ amount }) => `您的余额${amount}不足`,
  budget_spent: ({ name, budget }) => `广告活动${name}的${budget}已用尽`,
  conversions_held: ({ name }) => `跟踪器${name}有转化等待您确认`,
  conversions_undecided: ({ name }) => `跟踪器${name}逾期未处理的转化已被拒绝`,
  site_verified: ({ name }) => `网站${name}已验证`,
  site_lapsing: ({ name }) => `网站${name}的验证信息丢失`,
  site_lapsed: ({ name }) => `网站${name}已失去验证`,
  domain_contested: ({ name }) => `另一账户已证明其拥有网站${name}的域名`,
  domain_moved: ({ name }) => `网站${name}的域名已转移给另一账户`,
  domain_refused: ({ name }) => `网站${name}的域名仍归原账户所有`,
  site_claim_lapsed: ({ name }) => `网站${name}已归档：域名未得到证明`,
  withdrawal_requested: ({ amount }) => `您的提现申请${amount}已提交`,
  withdrawal_held: ({ amount }) => `您的提现${amount}需要进一步核查`,
  withdrawal_approved: ({ amount }) => `您的提现${amount}已批准`,
  withdrawal_begun: ({ amount }) => `您的提现${amount}正在支付`,
  withdrawal_sent: ({ amount }) => `您的提现${amount}已支付`,
  withdrawal_failed: ({ amount, status, isReturned }) =>
    isReturned ? `您的提现${amount}被银行退回` : `您的提现${amount}未成功${status}`,
  withdrawal_cancelled: ({ amount, isOfPlatform: isTheirs }) =>
    `您的提现${amount}已${isTheirs ? '被平台' : ''}取消`,
  appeal_decided: ({ name, decision }) =>
    `${name}移除事件的申诉${decision === '' ? '已处理' : `结果${decision}`}`,
  kyc_received: () => '您的身份认证材料已收到',
  kyc_decided: ({ identity }) => IDENTITY.zh[identity],
  kyc_expiring: ({ days }) =>
    days === 0 ? '您的身份认证即将过期' : `您的身份认证将在 ${days} 天内过期`,
  export_ready: ({ name }) => `您的导出${name}已生成`,
  report_failed: ({ name, why }) => `您的定时报表${name}未发送${why}`,
  webhook_disabled: ({ name }) => `您的 Webhook${name}已停止调用：连续多日未能送达`,
  spend_credited: ({ amount }) => `消费${amount}已退还至您的余额`,
  earnings_reversed: ({ amount }) => `流量核查后收益${amount}被收回`,
  earnings_restored: ({ amount }) => `申诉后收益${amount}已入账`,
  spend_restored: ({ amount }) => `误移除的事件已补计费用${amount}`,
  document_issued: ({ name }) => `您的月度对账单${name}已生成`,
  domain_asked: ({ name }) => `网站${name}的域名由另一账户持有，对方可提出异议`,
  domain_disputed: ({ name }) => `网站${name}的域名归属由人工裁定`,
  domain_kept: ({ name }) => `网站${name}的域名仍归您所有：申请已撤回`,
  share_agreed: ({ share }) => share,
};

const LANGUAGES: Readonly<Record<Language, Spoken>> = {
  en: {
    of: {
      name: (name) => ` “${name}”`,
      amount: (amount) => ` of ${amount}`,
      outcome: (outcome) => `: ${outcome}`,
      why: (failure) => `: ${whyOf(failure, 'en')}`,
      share: ({ percent, from }) =>
        percent === undefined || from === undefined
          ? 'Your share of what advertisers pay will change'
          : `From ${from} on you earn ${percent}% of what advertisers pay`,
      things: {
        campaign: ' campaign',
        adgroup: ' ad group',
        ad: ' ad',
        creative: ' creative',
        site: ' site',
        zone: ' zone',
      },
    },
    words: {
      recalled: 'stopped, and looked at again',
      suspended: 'taken out of serving by the platform',
      restored: 'approved again',
    },
    lines: ENGLISH,
  },
  zh: {
    of: {
      name: (name) => `“${name}”`,
      amount: (amount) => ` ${amount} `,
      outcome: (outcome) => `：${outcome}`,
      why: (failure) => `：${whyOf(failure, 'zh')}`,
      share: ({ percent, from }) =>
        percent === undefined || from === undefined
          ? '您的收益分成将有变更'
          : `自 ${from} 起，您获得广告主支付金额的 ${percent}%`,
      things: {
        campaign: '广告活动',
        adgroup: '广告组',
        ad: '广告',
        creative: '创意',
        site: '网站',
        zone: '广告位',
      },
    },
    words: {
      approved: '通过',
      rejected: '拒绝',
      recalled: '已停止投放，重新审核中',
      suspended: '平台已停止其投放',
      restored: '已恢复通过',
      daily: '每日预算',
      total: '总预算',
      FAILED: '失败',
      REJECTED: '被拒绝',
      RETURNED: '被退回',
      EXPIRED: '已过期',
      CANCELLED: '已取消',
      REFUNDED: '已退款',
    },
    lines: CHINESE,
  },
};
