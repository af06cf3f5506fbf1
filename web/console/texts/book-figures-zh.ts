/** What the figure of each check of the books counts: the API's own sentence in Chinese, one for one. */
export const bookFiguresInChinese: Readonly<Record<string, string>> = {
  balances_sum_to_zero: '各币种余额之和中偏差最大者，以十亿分之一（纳）计。',
  balances_equal_transfers: '余额不等于其转账之和的账户数。',
  balances_after_form_a_chain: '起始余额与该账户上一笔转账的结余不符的转账数。',
  no_account_below_its_floor: '低于下限的账户数。',
  clearing_is_zero: '清算账户中的余额，以十亿分之一（纳）计。',
  spend_equals_events: '计费事件的价格减去 SPEND 转账，以十亿分之一（纳）计。',
  earnings_equal_events: '计费事件的媒体分成减去 EARNING 转账，以十亿分之一（纳）计。',
  spend_equals_earnings_and_fee: 'SPEND 减去 EARNING 再减去 PLATFORM_FEE，以十亿分之一（纳）计。',
  every_batch_equals_its_events: '广告活动或媒体合计与其事件不符的计费批次数。',
  refused_events_cost_nothing: '带有拒绝原因、或属于从不计费的类型，却被计费或有价格的事件数。',
  no_spend_over_a_cap: '超出上限的广告活动日、广告组日与广告活动总额的数目。',
  budgets_equal_events: '已花费金额不等于其事件之和的预算记录数。',
  every_event_once: '被判定多次的事件编号数。',
  a_bid_counts_once_per_kind: '计入多于一次展示、点击或观看的出价数。',
  conversions_bill_once: '未恰好收费一次的已计费转化数，以及没有对应已计费转化的收费数。',
  undecided_conversions_cost_nothing: '待处理、被拒绝或不属于任何点击的转化的收费数。',
  settled_clicks_have_rows: '验证、过期或转化都无法找到的已结算点击数。',
  clicks_have_one_outcome: '既计入又过期、或状态与其事件不符的点击数。',
  inbox_behind_the_cursor_is_settled: '游标之后从未判定的事件数。',
  nothing_before_the_cursor_is_judged:
    '已在游标下判定却仍位于其前，或近日收件箱中从未有过的事件数。',
  holds_equal_open_withdrawals: '冻结金额不等于其未完成提现之和的媒体数。',
  withdrawals_equal_their_transfers:
    '未恰好冻结一次、或未按其状态结束的提现数：全额付出、全额解冻，未完成时两者皆无。',
  payouts_equal_their_withdrawals: '结果与其提现所述不符的付款单数。',
  signed_payouts_equal_their_payments:
    '已结算却没有恰好转出其代币的签名数据的自有钱包付款数，以及付款单失败而其数据仍转出代币者。',
  bank_statements_lead_to_their_balances:
    '自首个余额以来，银行余额中超出其对账单流水的金额，以十亿分之一（纳）计。',
  bank_agrees_with_books:
    '自首个余额以来，账簿不知的银行流水与银行没有的账簿流水，以十亿分之一（纳）计；只有数天的仍属待办。',
  matured_equals_its_days: '成熟收入与其转账不符的天数。',
  nothing_matures_unearned: '成熟或收回多于所赚的媒体日数。',
  suspense_equals_waiting_receipts: '暂记账户中超出待处理收款的金额，以十亿分之一（纳）计。',
  refunds_are_what_their_receipts_say: '与其收款所述不符的退回数，以及标为退回中却无退回的收款数。',
  rollup_ad_hours_equals_events: '广告报表中与重新计算不符的行数。',
  rollup_ad_traits_equals_events: '广告受众报表中与重新计算不符的行数。',
  rollup_zone_hours_equals_events: '广告位报表中与重新计算不符的行数。',
  rollup_zone_traits_equals_events: '广告位受众报表中与重新计算不符的行数。',
  balance_refunds_equal_their_transfers:
    '未恰好全额冻结一次、各部分与送出及退还之和不符、或未与各部分一同结束的余额退款数。',
  corrections_equal_transfers: '金额与移动它的转账不符的更正批次数。',
  debts_are_paid_first: '有欠款却可提现、或欠款方向相反的媒体数。',
  document_numbers_have_no_gaps: '编号不是从 1 到其数量的凭证类型与年份数。',
  invoices_equal_the_ledger: '最新发票与贷记单不等于所花与所退的账户数。',
  maturing_equals_earned_accounts:
    '待成熟收入账户中，余额不等于已赚取且未成熟、未收回之数的账户数。',
  only_approved_corrections: '无对象、同一方向重复、或未经第二人批准的更正数。',
  receipts_equal_the_ledger: '最新的 5,000 份收据中，金额与其批次所移动者不符的数目。',
  refund_holds_equal_open_refunds:
    '冻结金额不等于申请中或退回途中的部分与正在撤回的收款之和的广告主数。',
  refunds_within_receipts: '以任一币种计，已退或正退的多于其所带来的、或退往其他账户的收款数。',
  reversals_equal_their_corrections: '金额与其更正不符、或未完成即结束的冲正数。',
  statements_equal_the_ledger: '最新账单与当月变动或其后余额不符的账户数。',
  statements_form_a_chain: '起始余额不是该账户上一份结余的账单数。',
  taken_back_receipts_equal_their_transfers:
    '已撤回却未恰好全额移出一次的收款数，以及属于其他收款的此类转账数。',
  papers_are_erased_in_time: '保存期超过 kyc.retention_days 且无人要求保留的身份文件轮次数。',
  erased_papers_are_gone: '出示它的轮次均已删除却仍保留的身份文件数，以及相反者。',
};
