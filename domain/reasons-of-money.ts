import type { Reason } from './reason.ts';

/** Who somebody is, and money that comes and goes. */
export const MONEY_REASONS = {
  UNREADABLE: {
    kind: 'RETRY',
    title: { en: 'Document cannot be read', zh: '证件无法辨认' },
    text: {
      en: 'Upload the whole document again: sharp, in colour, without flash or fingers on it.',
      zh: '请重新上传完整、清晰、彩色、无反光和遮挡的证件。',
    },
    guidance: {
      en: 'Dark, blurred, cut off or covered, so that name, number or date cannot be read.',
      zh: '过暗、模糊、缺角或遮挡，无法辨认姓名、号码或日期。',
    },
  },
  INCOMPLETE: {
    kind: 'RETRY',
    title: { en: 'Documents are missing', zh: '材料不完整' },
    text: {
      en: 'Send all pages and both sides; a company also its register entry.',
      zh: '请提交所有页面及正反面；企业还需提供登记证明。',
    },
    guidance: {
      en: 'Name what is missing in the note.',
      zh: '请在备注中写明缺少的材料。',
    },
  },
  EXPIRED: {
    kind: 'RETRY',
    title: { en: 'Document has expired', zh: '证件已过期' },
    text: {
      en: 'Send a document that is valid for at least another month.',
      zh: '请提交有效期至少还有一个月的证件。',
    },
    guidance: {
      en: 'Its last day of validity has passed, or comes within days.',
      zh: '证件已过期或即将过期。',
    },
  },
  NAME_DIFFERS: {
    kind: 'RETRY',
    title: { en: 'Names differ', zh: '姓名不一致' },
    text: {
      en: 'Name on the account, on the document and in your profile must be the same. Correct it and ask again.',
      zh: '收款账户、证件与资料中的姓名必须一致，请更正后重新提交。',
    },
    guidance: {
      en: 'Another spelling of the same name may pass; another person or company may not.',
      zh: '同一姓名的不同拼写可以通过，不同的个人或公司不可通过。',
    },
  },
  WRONG_DOCUMENT: {
    kind: 'RETRY',
    title: { en: 'Not the right document', zh: '证件类型不符' },
    text: {
      en: 'Send a passport or identity card; a company its register entry.',
      zh: '请提交护照或身份证；企业请提交登记证明。',
    },
    guidance: {
      en: 'A card that proves no identity, or one of another person or country than stated.',
      zh: '无法证明身份的证件，或与所填个人、国家不符。',
    },
  },
  FORGED: {
    kind: 'FINAL',
    title: { en: 'Document was altered', zh: '证件涉嫌伪造' },
    text: {
      en: 'The document was altered. Identity cannot be confirmed on this account.',
      zh: '证件经过篡改，该账户无法通过身份认证。',
    },
    guidance: {
      en: 'Edited picture, wrong fonts, a number that fails its check. Consider suspending the account.',
      zh: '图片被编辑、字体异常或号码校验失败，请考虑暂停该账户。',
    },
  },
  WRONG_AMOUNT: {
    kind: 'RETRY',
    title: { en: 'Another amount arrived', zh: '到账金额不符' },
    text: {
      en: 'The money goes back. Make a new order over the amount that you will send.',
      zh: '款项将退回，请按实际付款金额重新下单。',
    },
    guidance: {
      en: 'The difference is more than a bank’s fee explains, and the payer did not ask to credit it.',
      zh: '差额超出银行手续费，且付款人未要求入账。',
    },
  },
  WRONG_SENDER: {
    kind: 'RETRY',
    title: { en: 'Sent by somebody else', zh: '付款人不符' },
    text: {
      en: 'Pay from an account in your own name. The money goes back to where it came from.',
      zh: '请使用本人名下账户付款，款项将原路退回。',
    },
    guidance: {
      en: 'The payer’s name is neither the account’s nor a company of its owner.',
      zh: '付款人既不是账户本人，也不是其名下公司。',
    },
  },
  ORDER_CLOSED: {
    kind: 'RETRY',
    title: { en: 'Order was closed', zh: '订单已关闭' },
    text: {
      en: 'The order had ended when the money came. Make a new one before you pay again.',
      zh: '款项到账时订单已结束，请重新下单后再付款。',
    },
    guidance: {
      en: 'The order was cancelled, had expired or was paid before, and the payer wants the money back.',
      zh: '订单已取消、过期或已支付，且付款人要求退款。',
    },
  },
  SUSPECTED_FRAUD: {
    kind: 'FINAL',
    title: { en: 'Not accepted for safety', zh: '出于安全原因未通过' },
    text: {
      en: 'This cannot be carried out. Please write to support.',
      zh: '该操作无法执行，请联系客服。',
    },
    guidance: {
      en: 'Stolen means of payment, mule accounts, links to suspended accounts. Say more in an internal note only.',
      zh: '盗用支付工具、代收账户或与已暂停账户关联，详情仅写入内部备注。',
    },
  },
  ACCOUNT_WRONG: {
    kind: 'RETRY',
    title: { en: 'Account details are wrong', zh: '收款信息有误' },
    text: {
      en: 'Check number, bank and country of the account, correct them and ask again.',
      zh: '请核对账号、银行和国家，更正后重新申请。',
    },
    guidance: {
      en: 'The bank does not know the account, or it cannot take this currency.',
      zh: '银行查无此账户，或账户不支持该币种。',
    },
  },
  PAPERS_NEEDED: {
    kind: 'RETRY',
    title: { en: 'More papers are needed', zh: '需要补充材料' },
    text: {
      en: 'Renew your proof of identity or send the invoice that the note asks for, then ask again.',
      zh: '请更新身份认证或提交备注要求的发票后重新申请。',
    },
    guidance: {
      en: 'Identity has expired, or a tax paper or invoice is missing. Name it in the note.',
      zh: '身份认证过期，或缺少税务材料、发票，请在备注中写明。',
    },
  },
  RETURNED_BY_BANK: {
    kind: 'RETRY',
    title: { en: 'Returned by the bank', zh: '银行退回' },
    text: {
      en: 'The money is back in your balance. Check the account and ask again.',
      zh: '款项已退回余额，请核对收款账户后重新申请。',
    },
    guidance: {
      en: 'The bank’s statement shows the return; its reference goes into the note.',
      zh: '银行流水显示退回，请将参考号写入备注。',
    },
  },
  ACCOUNT_CLOSED: {
    kind: 'RETRY',
    title: { en: 'Account is closed', zh: '收款账户已关闭' },
    text: {
      en: 'Add another account of your own and ask again.',
      zh: '请添加本人名下的其他账户后重新申请。',
    },
    guidance: {
      en: 'The bank or provider answers that the account exists no more.',
      zh: '银行或渠道回复账户已不存在。',
    },
  },
  NOT_SENT: {
    kind: 'RETRY',
    title: { en: 'Payment was not sent', zh: '款项未发出' },
    text: {
      en: 'The money is back in your balance. Please ask again.',
      zh: '款项已退回余额，请重新申请。',
    },
    guidance: {
      en: 'Bank or provider confirms that nothing left. Never give it on silence alone.',
      zh: '银行或渠道确认未付款；仅凭无回复不得选择。',
    },
  },
  REMOVAL_CONFIRMED: {
    kind: 'FINAL',
    title: { en: 'The removal was right', zh: '移除正确' },
    text: {
      en: 'We looked at these events once more, and the rule that removed them fits them.',
      zh: '我们已重新核查这些事件，移除它们的规则适用。',
    },
    guidance: {
      en: 'The traces show what the reason says. Say in the note what you saw.',
      zh: '事件记录与移除原因相符。请在备注中写明所见。',
    },
  },
} as const satisfies Record<string, Reason>;
