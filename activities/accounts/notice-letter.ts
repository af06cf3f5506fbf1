import { CANCELLED_BY_PLATFORM, isOfPlatform } from '../../domain/lifecycle/withdrawal.ts';
import { identityOf, type Language, notificationText } from '../../domain/notification-texts.ts';
import type { NotificationKind, NotificationParams } from '../../domain/notifications.ts';
import { reportFailure } from '../../domain/report-failures.ts';
import { reasonOf } from '../../domain/review-reasons.ts';

/** The detail of a letter that says what a notification says, and what it means. */
export interface Notice {
  kind: NotificationKind;
  params: NotificationParams;
  /** Absent in letters of builds before. */
  subject?: { type: string; id: number } | null;
}

/** What it says in whole sentences, below its first line. */
type Said = (params: NotificationParams) => (string | null)[];

const BACK = {
  en: 'All of it is yours to withdraw again.',
  zh: '全部金额已退回可提现余额。',
};

/** As the consoles call the ways to pay in. */
const METHODS: Record<Language, Readonly<Record<string, string>>> = {
  en: { ALIPAY: 'Alipay', WECHAT: 'WeChat Pay', BANK: 'bank transfer', OFFLINE: 'agreement' },
  zh: { ALIPAY: '支付宝', WECHAT: '微信支付', BANK: '银行转账', OFFLINE: '线下方式' },
};
const methodIn = (language: Language, method: string): string =>
  METHODS[language][method] ?? method;

const SAID: Record<Language, Partial<Record<NotificationKind, Said>>> = {
  en: {
    review_rejected: () => [
      'It is not shown until it is accepted. On its page it can be changed and submitted again, or appealed. Why:',
    ],
    deposit_held: ({ name }) => [
      name === undefined ? null : `It names your top-up ${name}.`,
      'A person decides whether it is credited or sent back to whoever paid it. Until then it is safe, and cannot be spent.',
    ],
    deposit_taken_back: ({ name, status }) => [
      `It never arrived, or belongs to another top-up, and is not in your balance any more${name === undefined ? '' : `. Your top-up is ${name}`}.`,
      status === 'PENDING' ? 'The top-up waits for its payment again.' : null,
      'If you have paid, write to us with the bank’s receipt of your payment.',
    ],
    balance_refund_begun: () => [
      'It can no longer be spent, and goes back by the ways by which it was paid in. We write again when it was sent.',
      'If you did not ask for this, write to us at once.',
    ],
    balance_refund_sent: ({ method, name }) => [
      method === undefined
        ? null
        : `It went back by ${methodIn('en', method)}, as you paid it in${name === undefined ? '' : ` by top-up ${name}`}.`,
      'Its receipt is among your documents within minutes.',
    ],
    balance_refund_kept: ({ method }) => [
      method === undefined
        ? 'The refund was not approved, or was called off.'
        : `It could not be sent back by ${methodIn('en', method)}.`,
      'All of it is in your balance again.',
    ],
    withdrawal_requested: (where) => [
      goesTo('en', where),
      'A person looks at it first. Until the payout begins it can be cancelled in the console.',
      'If you did not ask for this, cancel it there and set a new password.',
    ],
    withdrawal_held: () => [
      'Something about it is looked at more closely before it is paid, for instance because the account that is paid is new or was used before, or because several were asked for within a day.',
      'The money stays yours and is set aside for it. There is nothing that you have to do: we write when it is decided, and you can still cancel it.',
    ],
    withdrawal_approved: ({ until, ...where }) => [
      until === undefined
        ? null
        : `It is paid out from ${minuteOf(until)} on. Until then you can change your mind and cancel it in the console.`,
      goesTo('en', where),
    ],
    withdrawal_begun: (where) => [
      goesTo('en', where),
      'From here on it can no longer be cancelled. We write when it has arrived.',
    ],
    withdrawal_sent: (where) => [
      goesTo('en', where),
      'Its receipt is among your documents within minutes.',
    ],
    withdrawal_failed: ({ status }) => [
      status === 'RETURNED' ? 'Please check the account that it was paid to.' : null,
      BACK.en,
    ],
    withdrawal_cancelled: ({ reasons }) => [
      BACK.en,
      isOfPlatform(reasons) ? null : 'If this was not you, set a new password.',
    ],
    kyc_received: () => [
      'A person looks at it, as a rule within two days. What you sent lies sealed; whoever looks at it is written down.',
    ],
    kyc_decided: (params) =>
      ({
        approved: [
          'Your documents were checked and accepted.',
          params.until === undefined ? null : `They hold until ${minuteOf(params.until)}.`,
        ],
        needs_more: ['What you sent is not enough yet. Please send what is missing:'],
        refused: ['Your documents were checked and not accepted:'],
        expired: [
          'What you sent is no longer valid, and nothing can be withdrawn until new documents are accepted. You go on earning.',
        ],
        open: [],
      })[identityOf(params)],
    report_failed: ({ failure }) => notSent('en', failure),
    share_agreed: () => [
      'It begins with that day (UTC). What arrived before it is earned as until now.',
    ],
    kyc_expiring: ({ until }) => [
      until === undefined
        ? null
        : `It holds until ${minuteOf(until)}. From then on nothing can be withdrawn; you go on earning.`,
      'Please send new documents before. What you have stays valid while they are looked at.',
    ],
  },
  zh: {
    review_rejected: () => ['通过审核之前不会投放。可在其页面修改后重新提交，或提出申诉。原因：'],
    deposit_held: ({ name }) => [
      name === undefined ? null : `付款对应的充值单号：${name}。`,
      '工作人员会决定将其入账或退回付款人。在此之前款项安全保留，但不能使用。',
    ],
    deposit_taken_back: ({ name, status }) => [
      `该款项并未到账，或属于其他充值，已不在您的余额中${name === undefined ? '' : `。充值单号：${name}`}。`,
      status === 'PENDING' ? '该充值恢复为等待付款。' : null,
      '如果您已付款，请将银行付款回单发给我们。',
    ],
    balance_refund_begun: () => [
      '该金额已不能使用，将按原充值方式退回。退回后我们会通知您。',
      '如果不是您本人申请，请立即联系我们。',
    ],
    balance_refund_sent: ({ method, name }) => [
      method === undefined
        ? null
        : `已通过${methodIn('zh', method)}原路退回${name === undefined ? '' : `，对应充值单号：${name}`}。`,
      '退款收据将在几分钟内出现在“单据”页面。',
    ],
    balance_refund_kept: ({ method }) => [
      method === undefined ? '退款未获批准或已撤销。' : `无法通过${methodIn('zh', method)}退回。`,
      '全部金额已回到您的余额。',
    ],
    withdrawal_requested: (where) => [
      goesTo('zh', where),
      '工作人员会先进行审核。开始付款前，您可以在控制台取消。',
      '如果不是您本人申请，请在控制台取消并修改密码。',
    ],
    withdrawal_held: () => [
      '付款前需要进一步核查，例如收款账户是新添加的或曾被他人使用，或一天内多次申请提现。',
      '款项仍属于您并已预留。您无需任何操作：有结果后我们会通知您，您仍可取消。',
    ],
    withdrawal_approved: ({ until, ...where }) => [
      until === undefined ? null : `将于 ${minuteOf(until)} 之后付款。在此之前您可以在控制台取消。`,
      goesTo('zh', where),
    ],
    withdrawal_begun: (where) => [goesTo('zh', where), '现在起无法取消。到账后我们会通知您。'],
    withdrawal_sent: (where) => [goesTo('zh', where), '付款收据将在几分钟内出现在“单据”页面。'],
    withdrawal_failed: ({ status }) => [status === 'RETURNED' ? '请核对收款账户。' : null, BACK.zh],
    withdrawal_cancelled: ({ reasons }) => [
      BACK.zh,
      isOfPlatform(reasons) ? null : '如果不是您本人操作，请修改密码。',
    ],
    kyc_received: () => ['工作人员通常会在两天内审核。您提交的材料已加密保存，每次查看均有记录。'],
    kyc_decided: (params) =>
      ({
        approved: [
          '您的材料已审核通过。',
          params.until === undefined ? null : `有效期至 ${minuteOf(params.until)}。`,
        ],
        needs_more: ['您提交的材料还不够，请补充：'],
        refused: ['您的材料未通过审核：'],
        expired: ['您提交的材料已失效，在新材料通过审核之前无法提现，收益照常累计。'],
        open: [],
      })[identityOf(params)],
    report_failed: ({ failure }) => notSent('zh', failure),
    share_agreed: () => ['该分成比例自该日（UTC）起生效；此前的事件仍按原比例计算。'],
    kyc_expiring: ({ until }) => [
      until === undefined ? null : `有效期至 ${minuteOf(until)}，之后将无法提现，收益照常累计。`,
      '请在此之前提交新材料；审核期间原认证继续有效。',
    ],
  },
};

const MORE = { en: 'The console shows more:', zh: '更多信息请见控制台：' } as const;

/** `2026-11-24 16:05 UTC`. */
const minuteOf = (moment: string): string => `${moment.slice(0, 16).replace('T', ' ')} UTC`;

function goesTo(
  language: Language,
  { arrival, currency = '', destination = '' }: NotificationParams,
): string | null {
  if (arrival === undefined) return null;
  const sum = `${arrival.toFixed(2)} ${currency}`;
  return language === 'zh'
    ? `扣除手续费和税款后到账 ${sum}，收款账户：${destination}`
    : `After fee and tax ${sum} go to ${destination}.`;
}

/** Of no reviewer: the first line says it. */
const SAID_ALREADY: ReadonlySet<string> = new Set([CANCELLED_BY_PLATFORM, 'CONFIRMED_FAILED']);
const ONCE = {
  en: 'We write again when it fails after it was sent once more, or after you changed it.',
  zh: '再次成功发送或您修改之后，如再失败，我们会再通知您。',
} as const;
const notSent = (language: Language, failure: string | undefined): string[] => [
  reportFailure(failure, language).next,
  ONCE[language],
];

/** A reason as the consoles show it; an outcome that a provider names has no words of ours. */
function reasonLine(
  { code, note }: { code: string; note?: string | undefined },
  language: Language,
) {
  const known = reasonOf(code);
  const said = known === undefined ? [code] : [known.title[language], known.text[language]];
  return `- ${[...said, ...(note === undefined ? [] : [note])].join(' · ')}`;
}

/** Pages of what is reviewed, below their console. */
const REVIEWED: Readonly<Record<string, string>> = {
  campaign: 'campaigns',
  adgroup: 'ad-groups',
  ad: 'ads',
  creative: 'creatives',
  site: 'sites',
};

/** Where the console shows what it is about. */
function pageOf({ kind, subject }: Notice, realm: string): string {
  if (kind === 'withdrawal_sent') return `${realm}/documents?kind=PAYOUT_RECEIPT`;
  if (kind === 'balance_refund_sent') return `${realm}/documents?kind=REFUND_RECEIPT`;
  if (kind === 'share_agreed') return `${realm}/payouts`;
  if (kind === 'report_failed') {
    return `${realm === 'admin' ? 'operator' : realm}/reports?schedules=yes`;
  }
  if (subject === null || subject === undefined) return '';
  const { type, id } = subject;
  const reviewed = REVIEWED[type];
  if (kind === 'review_rejected' && reviewed !== undefined) return `${realm}/${reviewed}/${id}`;
  if (type === 'withdrawal') return `${realm}/payouts/${id}`;
  if (type === 'deposit') return `${realm}/money/deposits/${id}`;
  if (type === 'balance_refund') return `${realm}/money`;
  return type === 'kyc' ? `${realm}/kyc` : '';
}

export function noticeLetter(
  notice: Notice,
  { language, consoleUrl, realm }: { language: Language; consoleUrl: string; realm: string },
): { subject: string; lines: string[] } {
  const { kind, params } = notice;
  const subject = notificationText(kind, params, language, notice.subject?.type);
  const said = SAID[language][kind]?.(params) ?? [];
  const reasons = (params.reasons ?? [])
    .filter(({ code }) => !SAID_ALREADY.has(code))
    .map((reason) => reasonLine(reason, language));
  return {
    subject,
    lines: [
      `${subject}${language === 'zh' ? '。' : '.'}`,
      ...said.filter((each) => each !== null).flatMap((each) => ['', each]),
      ...(reasons.length === 0 ? [] : ['', ...reasons]),
      '',
      MORE[language],
      `${consoleUrl}${pageOf(notice, realm)}`,
    ],
  };
}
