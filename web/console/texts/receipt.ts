import { texts } from '../parts/texts.ts';

/** What recording money would do, how a receipt is taken back, and where money that goes back goes. */
export const receipt = texts({
  en: {
    ordered: 'Ordered',
    receivedSoFar: 'Received so far',
    thisPayment: 'This payment',
    difference: 'Difference',
    none: 'None: just what was ordered',
    less: (sum: string) => `${sum} less than ordered`,
    more: (sum: string) => `${sum} more than ordered`,
    will: 'What will happen',
    looking: 'Looking up what it would do…',
    agreeDiffers: (difference: string) => `I compared this with the bank: it is ${difference}.`,
    agreeNotOpen: 'I know that this order waits for no more money.',
    agreement: 'Comparison with the bank',
    agreeFirst: 'Compare it with the bank’s statement and say so before you record it.',
    choices: 'What each choice does',
    outcome: {
      yes: (sum: string, difference: string | null) =>
        `${sum} is credited, what came${difference === null ? '' : `: ${difference}`}. The order counts as paid and waits for nothing more. Above the limit a second person is asked first.`,
      no: (sum: string) =>
        `Nothing is credited: all ${sum} goes back to whoever paid it, and the order ends once it was sent. Above the limit a second person is asked first.`,
    },
    second: {
      yes: (sum: string, difference: string | null) =>
        `${sum} is credited at once${difference === null ? '' : `: ${difference}`}. The order is paid.`,
      no: (sum: string) =>
        `Nothing is credited: all ${sum} goes back to whoever paid it, and the order ends once it was sent. Above the limit another person is asked first.`,
    },
    loose: {
      yes: (sum: string, _difference: string | null) =>
        `${sum} is credited to the advertiser of this order. The order stays as it is. Above the limit a second person is asked first.`,
      no: (sum: string) =>
        `Nothing is credited: all ${sum} goes back to whoever paid it. Above the limit a second person is asked first.`,
    },
    /** `notBy`: who may not decide it. */
    waits: {
      deposit_review: (notBy: string | null) =>
        `Another sum than ordered: waits for finance${notBy === null ? '' : `, not ${notBy}`}`,
      deposit_second_approval: (notBy: string | null) =>
        `Waits for a second person${notBy === null ? '' : `, not ${notBy}`}`,
      suspense: (notBy: string | null) =>
        `No order waits for it: waits for finance${notBy === null ? '' : `, not ${notBy}`}`,
    },
    takeBack: 'Take this receipt back…',
    takeBackTitle: (sum: string) => `Take back the receipt of ${sum}?`,
    takeBackHelp:
      'For one that was written by mistake: on the wrong order, twice, or of another sum. Another person must agree. What was credited is set aside at once; approved, it leaves the balance, the order waits for its money again, and its owner is written to. Nothing is sent to anybody.',
    why: 'Why it is taken back',
    ask: 'Ask for it',
    asked: 'Asked for: it waits for a second person.',
    approvalOf: (id: number) => `Its taking back: approval ${id}`,
    refusals: {
      SAID_BY_PROVIDER: 'Its provider says that it came: no person takes it back.',
      TAKEN_BACK: 'It was taken back.',
      ASKED: 'Taking it back waits for a second person.',
      SENT_BACK: 'It was sent back to whoever paid it, or its provider may still do so.',
      REFUNDED: 'Some of it goes back, or went back, by a refund of balance.',
      SPENT: 'Less than this is left of the balance: the rest was spent.',
    },
    toSend: 'What to send, and to whom',
    itsOrder: 'Its order',
    sum: 'Sum to send',
    paySum: 'At its provider',
    payer: 'Payer, as the bank says',
    payerUnknown: 'Not on any imported statement: look the payment up at the bank by its reference',
    account: 'Account',
    legalName: 'Verified identity',
    notVerified: 'Not verified',
    paidUnder: 'Paid under',
    paidAt: 'Received',
    order: 'Reference of the order',
    whyBack: 'Why it goes back',
    askedBy: 'Decided by',
    request: 'Refund of balance',
  },
  zh: {
    ordered: '订单金额',
    receivedSoFar: '此前已收',
    thisPayment: '本次收款',
    difference: '差额',
    none: '无差额，与订单一致',
    less: (sum) => `比订单少 ${sum}`,
    more: (sum) => `比订单多 ${sum}`,
    will: '结果',
    looking: '正在查询登记后的结果…',
    agreeDiffers: (difference) => `我已与银行核对：${difference}。`,
    agreeNotOpen: '我已知道此订单不再等待付款。',
    agreement: '与银行核对',
    agreeFirst: '请先与银行对账单核对并勾选确认。',
    choices: '每个选择的结果',
    outcome: {
      yes: (sum, difference) =>
        `按实收金额入账 ${sum}${difference === null ? '' : `（${difference}）`}，订单视为已支付，不再等待其余款项。超过限额时须先经第二人批准。`,
      no: (sum) =>
        `不入账：${sum} 全额退回付款人，退款汇出后订单结束。超过限额时须先经第二人批准。`,
    },
    second: {
      yes: (sum, difference) =>
        `立即入账 ${sum}${difference === null ? '' : `（${difference}）`}，订单视为已支付。`,
      no: (sum) =>
        `不入账：${sum} 全额退回付款人，退款汇出后订单结束。超过限额时须先经另一人批准。`,
    },
    loose: {
      yes: (sum) => `${sum} 计入此订单的广告主账户，订单状态不变。超过限额时须先经第二人批准。`,
      no: (sum) => `不入账：${sum} 全额退回付款人。超过限额时须先经第二人批准。`,
    },
    waits: {
      deposit_review: (notBy) =>
        `与订单金额不符：等待财务决定${notBy === null ? '' : `（${notBy} 除外）`}`,
      deposit_second_approval: (notBy) =>
        `等待第二人复核${notBy === null ? '' : `（${notBy} 除外）`}`,
      suspense: (notBy) =>
        `没有待付的订单：等待财务决定${notBy === null ? '' : `（${notBy} 除外）`}`,
    },
    takeBack: '撤销这笔收款…',
    takeBackTitle: (sum) => `撤销 ${sum} 的收款？`,
    takeBackHelp:
      '用于误登记的收款：订单错误、重复登记或金额错误。须由另一人同意。已入账的金额立即冻结；批准后从余额中扣除，订单恢复为等待付款，并通知广告主。不会向任何人汇款。',
    why: '撤销原因',
    ask: '提出撤销',
    asked: '已提出，等待第二人批准。',
    approvalOf: (id) => `撤销审批 ${id}`,
    refusals: {
      SAID_BY_PROVIDER: '由支付渠道确认到账，不能人工撤销。',
      TAKEN_BACK: '已撤销。',
      ASKED: '撤销正在等待第二人批准。',
      SENT_BACK: '已退回付款人，或支付渠道仍可能退回。',
      REFUNDED: '其中一部分已通过或正在通过余额退款退回。',
      SPENT: '余额已低于此金额，其余已被消费。',
    },
    toSend: '汇给谁、汇多少',
    itsOrder: '对应订单',
    sum: '应汇金额',
    paySum: '支付渠道金额',
    payer: '付款人（银行所载）',
    payerUnknown: '未见于已导入的对账单，请按参考号在银行查询该笔付款',
    account: '账户',
    legalName: '已认证身份',
    notVerified: '未认证',
    paidUnder: '原付款参考号',
    paidAt: '收款时间',
    order: '订单参考号',
    whyBack: '退回原因',
    askedBy: '决定人',
    request: '余额退款',
  },
});
