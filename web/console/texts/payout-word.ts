import { texts } from '../parts/texts.ts';

/** What became of a payout's order, and what is asked of whoever says so. */
export const payoutWord = texts({
  en: {
    unknownHelp:
      'The order may or may not have been carried out. Look for it at the bank or provider under its payout order before you say what became of it.',
    firstWord: (who: string) => `${who} says that it was not paid`,
    paidAfter:
      'The bank paid this after its money was given back: it has left twice. Ask the bank to call it back.',
    noEvidence: 'Nothing was shown for it.',
    bankHasIt: 'The bank says that it has taken this order: it may still be paid.',
    secondHelp:
      'Your word is the second one: ask the bank or provider yourself. “It was not paid” gives the money back to the publisher; do not carry it out now.',
    unsentHelp:
      'Nothing has left. Once what is named here is fixed, “Keep waiting” sends it again; “It was not paid” gives the money back.',
    /** Of ours alone: what a provider says is shown as it says it. */
    outcomes: {
      CONFIRMED_PAID: 'An operator said that it was paid',
      CONFIRMED_FAILED: 'An operator said that it was not paid',
      BOOKED: 'The bank booked it',
      ASKED_OPERATOR: 'An operator was asked',
      SENDER_DIED: 'What sent it ended before the answer',
      SENDING: 'It is being sent',
      SETTLED: 'Paid, it said at once',
      FOUND_SETTLED: 'Paid, it said when it was asked',
      PENDING: 'It still works on it',
      NOT_FOUND: 'It knows no such order',
      NO_ANSWER: 'No answer came',
      KEPT_WAITING: 'An operator wanted it asked again',
    },
    unsent: {
      FLOAT_EMPTY: 'The paying wallet has too few tokens.',
      FLOAT_LIMIT: 'The limit of what the wallet signs within 24 hours is reached.',
      GAS_FUNDS: 'The paying wallet has too few coins for gas.',
      GAS_TOO_DEAR: 'Gas costs more than USDT_PAYOUT_GAS_GWEI.',
      NO_KEY: 'The worker has no key of the paying wallet.',
      WOULD_REVERT: 'The token refuses this transfer: the receiver may be barred.',
      NO_PROVIDER: 'This channel is not set up any more.',
      INSUFFICIENT_FUNDS: 'The account at the provider has too little money.',
      WRONG_KEY: 'The provider does not take the key.',
      NO_CONNECTION: 'The provider cannot be reached.',
      NO_HISTORY: 'The provider does not show its history, without which nothing is sent.',
    },
    fileHelp: 'Download the file, carry it out at the bank, then say what became of it.',
    refusedHelp:
      'The bank refused this order: do not carry it there again. “It was not paid” gives the money back to the publisher.',
    takenHelp:
      'The bank has this order: do not carry it there again. Wait for its statement, which pays the withdrawal by itself, or ask the bank.',
    /** Why its bank file is not given out any more. */
    fileEnd: {
      none: 'It has no bank file: put it into one under Withdrawals.',
      failed: 'This payout has failed and its money is back: its bank file is void.',
      refused: 'The bank refused this order: its file is not carried there again.',
      taken: 'The bank has this order, or has paid it: its file is not carried there again.',
    },
    downloadFile: 'Download the bank file',
  },
  zh: {
    unknownHelp: '该指令可能已执行，也可能未执行。请先在银行或服务商处按付款指令查询，再说明结果。',
    firstWord: (who) => `${who} 认为未付款`,
    paidAfter: '资金退回后银行仍付了款：资金付出两次。请要求银行追回。',
    noEvidence: '未附凭证。',
    bankHasIt: '银行称已收到该指令：仍可能付款。',
    secondHelp:
      '您是第二人：请自行向银行或服务商核实。选择“未付款”会将资金退回媒体；请勿现在执行付款。',
    unsentHelp: '尚未付出。排除以下原因后选择“继续等待”会重新发送；选择“未付款”则退回资金。',
    outcomes: {
      CONFIRMED_PAID: '运营人员确认已付款',
      CONFIRMED_FAILED: '运营人员确认未付款',
      BOOKED: '银行已记账',
      ASKED_OPERATOR: '已询问运营人员',
      SENDER_DIED: '发送过程在收到答复前中断',
      SENDING: '正在发送',
      SETTLED: '当即答复：已付款',
      FOUND_SETTLED: '查询答复：已付款',
      PENDING: '仍在处理',
      NOT_FOUND: '查无此指令',
      NO_ANSWER: '没有答复',
      KEPT_WAITING: '运营人员要求再次查询',
    },
    unsent: {
      FLOAT_EMPTY: '付款钱包的代币不足。',
      FLOAT_LIMIT: '钱包 24 小时内的签名限额已用完。',
      GAS_FUNDS: '付款钱包没有足够的手续费余额。',
      GAS_TOO_DEAR: '链上手续费高于 USDT_PAYOUT_GAS_GWEI。',
      NO_KEY: '执行程序没有付款钱包的密钥。',
      WOULD_REVERT: '代币合约拒绝此转账，收款地址可能被限制。',
      NO_PROVIDER: '此渠道已不再开通。',
      INSUFFICIENT_FUNDS: '服务商账户余额不足。',
      WRONG_KEY: '服务商不接受密钥。',
      NO_CONNECTION: '无法连接服务商。',
      NO_HISTORY: '服务商未提供历史记录，无法确认前不会发送。',
    },
    fileHelp: '下载文件，在银行执行，然后说明结果。',
    refusedHelp: '银行已拒绝该指令，请勿再次提交。选择“未付款”会将资金退回媒体。',
    takenHelp: '银行已收到该指令，请勿再次提交。请等待银行对账单（会自动确认付款），或向银行查询。',
    fileEnd: {
      none: '没有银行文件：请在“提现”中将其放入一个文件。',
      failed: '此付款已失败，资金已退回，其银行文件作废。',
      refused: '银行已拒绝该指令，其文件不再提交。',
      taken: '银行已收到或已支付该指令，其文件不再提交。',
    },
    downloadFile: '下载银行文件',
  },
});
