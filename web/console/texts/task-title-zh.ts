import type { HeadedTask, TaskHeading, TitleWords } from '../../../domain/task-heading.ts';

const TYPES: Readonly<Record<string, string>> = {
  campaign: '广告活动',
  adgroup: '广告组',
  ad: '广告',
  creative: '创意',
  site: '站点',
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

type Payout = Extract<TaskHeading, { answer: unknown }>['form'];
const PAYOUTS: Readonly<Record<Payout, (answer: string | null) => string>> = {
  PAYOUT_REFUSED: (answer) => `银行拒绝的转账（${answer ?? '未说明原因'}）`,
  PAYOUT_TO_SEND: () => '待执行的银行转账',
  PAYOUT_UNKNOWN: () => '结果未知的付款',
  PAYOUT_UNSENT: (answer) => `无法发出的付款${answer === null ? '' : `（${answer}）`}`,
};

const to = (account: string | null): string => (account === null ? '' : `至 ${account}`);

/** A task's title in Chinese; `taskTitle` is the English one. */
export function taskTitleInChinese(
  { kind, subject, heading: said }: HeadedTask,
  { money, method, reason }: TitleWords,
): string {
  const type = TYPES[subject.type] ?? subject.type;
  switch (said.form) {
    case 'REVIEW':
    case 'APPEAL':
      return `${type} ${subject.id} ${said.form === 'REVIEW' ? '审核' : '申诉'}：${said.name}`;
    case 'REFUSED_STEP':
      return `${type} ${subject.id} 无法继续：有一步被拒绝`;
    case 'IDENTITY':
      return `身份认证 ${subject.id}，第 ${said.round} 轮`;
    case 'RECEIPT':
      return `${QUESTION[kind] ?? '到账'}：到账 ${money(said.amount)}，订单 ${money(said.ordered)}（${said.reference}）`;
    case 'SEND_BACK':
    case 'SEND_BACK_BALANCE':
      return `待退回的${said.form === 'SEND_BACK' ? '款项' : '余额'}：${money(said.amount)}，${said.reference}（${method(said.method)} ${said.provider_reference}）`;
    case 'REMOVED_EVENTS':
      return `申诉：广告位 ${said.zone_id}，${said.day}，${reason(said.reason)}`;
    case 'DOMAIN':
      return `${said.domain} 归谁：站点 ${said.claimant_site_id} 提出，站点 ${said.holder_site_id} 持有`;
    case 'WITHDRAWAL':
      return `${kind === 'withdrawal_second_approval' ? '提现复核' : '提现'}：${money(said.amount)}，${method(said.method)}${to(said.account)}`;
    case 'PAYOUT_REFUSED':
    case 'PAYOUT_TO_SEND':
    case 'PAYOUT_UNKNOWN':
    case 'PAYOUT_UNSENT':
      return `${said.second ? '第二人复核：' : ''}${PAYOUTS[said.form](said.answer)}：${money(said.amount)}${to(said.account)}（${said.reference}）`;
    case 'REVERSAL':
      return `冲正 ${subject.id}：${said.events} 个事件`;
  }
}
