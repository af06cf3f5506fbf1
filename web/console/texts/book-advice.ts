/** What the checks of the books are about; each has its advice. */
export type BookTopic =
  | 'ledger'
  | 'billing'
  | 'settlement'
  | 'payouts'
  | 'topUps'
  | 'bank'
  | 'corrections'
  | 'documents'
  | 'reports'
  | 'papers';

/** Of those that are not named here, the ledger itself. */
const TOPICS: Readonly<Record<string, BookTopic>> = {
  spend_equals_events: 'billing',
  earnings_equal_events: 'billing',
  spend_equals_earnings_and_fee: 'billing',
  every_batch_equals_its_events: 'billing',
  refused_events_cost_nothing: 'billing',
  no_spend_over_a_cap: 'billing',
  budgets_equal_events: 'billing',
  every_event_once: 'billing',
  a_bid_counts_once_per_kind: 'billing',
  conversions_bill_once: 'billing',
  undecided_conversions_cost_nothing: 'billing',
  settled_clicks_have_rows: 'billing',
  clicks_have_one_outcome: 'billing',
  inbox_behind_the_cursor_is_settled: 'settlement',
  nothing_before_the_cursor_is_judged: 'settlement',
  holds_equal_open_withdrawals: 'payouts',
  withdrawals_equal_their_transfers: 'payouts',
  payouts_equal_their_withdrawals: 'payouts',
  signed_payouts_equal_their_payments: 'payouts',
  matured_equals_its_days: 'payouts',
  nothing_matures_unearned: 'payouts',
  maturing_equals_earned_accounts: 'payouts',
  debts_are_paid_first: 'payouts',
  suspense_equals_waiting_receipts: 'topUps',
  refunds_are_what_their_receipts_say: 'topUps',
  refund_holds_equal_open_refunds: 'topUps',
  balance_refunds_equal_their_transfers: 'topUps',
  taken_back_receipts_equal_their_transfers: 'topUps',
  refunds_within_receipts: 'topUps',
  bank_statements_lead_to_their_balances: 'bank',
  bank_agrees_with_books: 'bank',
  corrections_equal_transfers: 'corrections',
  only_approved_corrections: 'corrections',
  reversals_equal_their_corrections: 'corrections',
  statements_equal_the_ledger: 'documents',
  statements_form_a_chain: 'documents',
  invoices_equal_the_ledger: 'documents',
  receipts_equal_the_ledger: 'documents',
  document_numbers_have_no_gaps: 'documents',
  rollup_ad_hours_equals_events: 'reports',
  rollup_ad_traits_equals_events: 'reports',
  rollup_zone_hours_equals_events: 'reports',
  rollup_zone_traits_equals_events: 'reports',
  papers_are_erased_in_time: 'papers',
  erased_papers_are_gone: 'papers',
};

export const bookTopicOf = (check: string): BookTopic => TOPICS[check] ?? 'ledger';

const BESIDE_MONEY: ReadonlySet<BookTopic> = new Set(['documents', 'reports', 'papers']);

/** Whether payouts stop until it holds again. */
export const concernsMoney = (topic: BookTopic): boolean => !BESIDE_MONEY.has(topic);

/** As an accountant reads them. */
export const BOOK_TOPICS = [
  'ledger',
  'billing',
  'settlement',
  'payouts',
  'topUps',
  'bank',
  'corrections',
  'documents',
  'reports',
  'papers',
] as const satisfies readonly BookTopic[];

/** What the checks of a topic are about, over them. */
export const bookTopics: Readonly<Record<'en' | 'zh', Readonly<Record<BookTopic, string>>>> = {
  en: {
    ledger: 'Balances and transfers',
    billing: 'Billing of events',
    settlement: 'Order of settlement',
    payouts: 'Earnings and payouts',
    topUps: 'Top-ups and refunds',
    bank: 'Bank',
    corrections: 'Corrections and reversals',
    documents: 'Statements, invoices and receipts',
    reports: 'Reports',
    papers: 'Identity documents',
  },
  zh: {
    ledger: '余额与转账',
    billing: '事件计费',
    settlement: '结算顺序',
    payouts: '收入与付款',
    topUps: '充值与退款',
    bank: '银行',
    corrections: '更正与冲正',
    documents: '对账单、账单与收据',
    reports: '报表',
    papers: '身份文件',
  },
};

/** What somebody does about a check that does not hold. */
export const bookAdvice: Readonly<Record<'en' | 'zh', Readonly<Record<BookTopic, string>>>> = {
  en: {
    ledger:
      'Approve no payout. Find the account under Ledger: its balance must be what its last transfer left. Transfers are never changed; a wrong one is fixed by another.',
    billing:
      'Approve no payout. Advertisers or publishers may have a wrong sum: look at the newest transfers of SPEND and EARNING, and tell whoever maintains the platform which check it is.',
    settlement:
      'Events are judged out of turn or not at all. See under Health that the worker runs; after a restore this goes by itself.',
    payouts:
      'Approve no payout. Compare the withdrawals that moved last with their transfers, and those sent with the bank or provider: the same money may have left twice.',
    topUps:
      'Send nothing back. Compare the receipts that moved last with their transfers, on the pages of their top-ups.',
    bank: 'Look at each item under Bank statements: a day’s statement is missing, or a movement is not explained. Money that left twice is for the bank at once.',
    corrections:
      'Begin no reversal. Compare the last one with its transfers and with who approved it.',
    documents:
      'Money is right, a document says otherwise. Send none of this kind until it is found out which; a document that went out is put right by another.',
    reports:
      'Money is right, reports are not: figures that owners see differ from what was billed. Tell whoever maintains the platform which report it is.',
    papers:
      'Money is right. Papers of identity are kept for longer or shorter than the rules say: see under Health that the worker runs.',
  },
  zh: {
    ledger:
      '请勿批准付款。在“账本”中找到该账户：其余额必须等于最后一笔转账的结余。转账从不修改，错误的转账由另一笔转账更正。',
    billing:
      '请勿批准付款。广告主或媒体的金额可能有误：请查看最近的消耗与收益转账，并将此检查项告知平台维护人员。',
    settlement:
      '事件未按顺序判定或未判定。请在“健康状况”中确认工作进程正在运行；数据恢复之后会自行消除。',
    payouts:
      '请勿批准付款。请将最近变动的提现与其转账核对，已付出的与银行或服务商核对：同一笔款项可能付出两次。',
    topUps: '请勿退回任何款项。请在充值页面将最近变动的收款与其转账核对。',
    bank: '请在“银行对账单”中逐项查看：缺少某日的对账单，或有变动未说明。若同一笔款项付出两次，请立即联系银行。',
    corrections: '请勿发起冲正。请将最近一次冲正与其转账及批准人核对。',
    documents:
      '资金无误，但有单据所载不符。查明之前请勿发送此类单据；已发出的单据由另一份单据更正。',
    reports: '资金无误，但报表有误：客户所见数据与计费不符。请将该报表告知平台维护人员。',
    papers: '资金无误。身份文件的保存时间与规则不符：请在“健康状况”中确认工作进程正在运行。',
  },
};
