import { type HeadedTask, titleBy, type TitleForms } from '../../../domain/task-heading.ts';

const TYPES: Readonly<Record<string, string>> = {
  campaign: '广告活动',
  adgroup: '广告组',
  ad: '广告',
  creative: '创意',
  site: '网站',
  zone: '广告位',
  deposit: '充值',
  withdrawal: '提现',
  kyc: '身份认证',
  balance_refund: '余额退款',
  removal_appeal: '申诉',
  reversal: '冲正',
};

const QUESTION: Partial<Record<HeadedTask['kind'], string>> = {
  deposit_review: '金额不符',
  deposit_second_approval: '第二人复核',
  suspense: '无对应的未完成订单',
};

/** Words of ours need no space before it, others do. */
const sentTo = (what: string, account: string | null): string =>
  account === null ? what : `${what}${/[\w.]$/.test(what) ? ' ' : ''}至 ${account}`;

const payout =
  (title: (answer: string | null) => string): TitleForms['PAYOUT_UNKNOWN'] =>
  (said, _task, { money }) =>
    `${said.second ? '请第二人确认是否已付款' : title(said.answer)}：${sentTo(money(said.amount), said.account)}（${said.reference}）`;

const sendBack =
  (what: string): TitleForms['SEND_BACK'] =>
  (said, _task, { money, method }) =>
    `待退回的${what}：${money(said.amount)}，${said.reference}（${method(said.method)} ${said.provider_reference}）`;

/** A task's title in Chinese; `taskTitle` is the English one. */
export const taskTitleInChinese = titleBy(
  {
    REVIEW: ({ name }, { type, id }) => `${type} ${id} 审核：${name}`,
    APPEAL: ({ name }, { type, id }) => `${type} ${id} 申诉：${name}`,
    REFUSED_STEP: (_said, { type, id }) => `${type} ${id} 无法继续：有一步被拒绝`,
    IDENTITY: ({ round }, { id }) => `身份认证 ${id}，第 ${round} 轮`,
    RECEIPT: ({ amount, ordered, reference }, { kind }, { money }) =>
      `${QUESTION[kind] ?? '到账'}：到账 ${money(amount)}，订单 ${money(ordered)}（${reference}）`,
    SEND_BACK: sendBack('款项'),
    SEND_BACK_BALANCE: sendBack('余额'),
    REMOVED_EVENTS: ({ reason: code, zone_id, day: of }, _task, { reason, day }) =>
      `申诉${reason(code)}：广告位 ${zone_id}，${day(of)}`,
    DOMAIN: ({ domain, claimant_site_id, holder_site_id }) =>
      `${domain} 归谁：网站 ${claimant_site_id} 提出，网站 ${holder_site_id} 持有`,
    WITHDRAWAL: ({ amount, method: code, account }, { kind }, { money, method }) =>
      `${kind === 'withdrawal_second_approval' ? '提现复核' : '提现'}：${money(amount)}，${sentTo(method(code), account)}`,
    PAYOUT_REFUSED: payout((answer) => `银行拒绝的转账（${answer ?? '未说明原因'}）`),
    PAYOUT_TO_SEND: payout(() => '待执行的银行转账'),
    PAYOUT_UNKNOWN: payout(() => '结果未知的付款'),
    PAYOUT_UNSENT: payout((answer) => `无法发出的付款${answer === null ? '' : `（${answer}）`}`),
    REVERSAL: ({ events }, { id }) => `冲正 ${id}：${events} 个事件`,
  },
  TYPES,
);
