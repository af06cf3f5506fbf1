import type { DeliveryReason } from '../../../domain/lifecycle/delivery.ts';
import { texts } from '../parts/texts.ts';

type Reasons = Readonly<Record<DeliveryReason, string>>;

const EN = {
  CAMPAIGN_ARCHIVED: 'The campaign is archived.',
  CAMPAIGN_ENDED: 'The campaign’s last day has passed.',
  CAMPAIGN_PAUSED: 'The campaign is paused.',
  CAMPAIGN_PENDING: 'The campaign waits for its review.',
  CAMPAIGN_NOT_STARTED: 'The campaign’s first day is still to come.',
  CAMPAIGN_DRAFT: 'The campaign is a draft: submit it for review.',
  CAMPAIGN_REJECTED: 'The campaign was rejected: fix what the reviewer names and submit it again.',
  CAMPAIGN_SUSPENDED: 'The campaign was stopped by the platform.',
  ADGROUP_ARCHIVED: 'The ad group is archived.',
  ADGROUP_ENDED: 'The ad group’s last day has passed.',
  ADGROUP_PAUSED: 'The ad group is paused.',
  ADGROUP_PENDING: 'The ad group waits for its review.',
  ADGROUP_NOT_STARTED: 'The ad group’s first day is still to come.',
  ADGROUP_DRAFT: 'The ad group is a draft: submit it for review.',
  ADGROUP_REJECTED: 'The ad group was rejected: fix what the reviewer names and submit it again.',
  ADGROUP_SUSPENDED: 'The ad group was stopped by the platform.',
  AD_ARCHIVED: 'The ad is archived.',
  AD_ENDED: 'The ad’s time is over.',
  AD_PAUSED: 'The ad is paused.',
  AD_PENDING: 'The ad waits for its review.',
  AD_NOT_STARTED: 'The ad has not begun yet.',
  AD_DRAFT: 'The ad is a draft: submit it for review.',
  AD_REJECTED: 'The ad was rejected: fix what the reviewer names and submit it again.',
  AD_SUSPENDED: 'The ad was stopped by the platform.',
  CREATIVE_ARCHIVED: 'The creative is archived.',
  CREATIVE_ENDED: 'The creative’s time is over.',
  CREATIVE_PAUSED: 'The creative is paused.',
  CREATIVE_PENDING: 'The creative waits for its review.',
  CREATIVE_NOT_STARTED: 'The creative has not begun yet.',
  CREATIVE_DRAFT: 'The creative is a draft: submit it for review.',
  CREATIVE_REJECTED: 'The creative was rejected: fix what the reviewer names.',
  CREATIVE_SUSPENDED: 'The creative was stopped by the platform.',
  ACCOUNT_SUSPENDED: 'Your account is suspended: nothing serves. Write to the platform’s support.',
  BALANCE_INSUFFICIENT:
    'Your balance is empty, or too low: it has to pay for one event at the bid.',
  BID_BELOW_FLOOR:
    'The bid is below the least that this platform sells for, so every auction turns it away. Bid more.',
  BID_ZERO: 'The bid is 0: it takes part in no auction.',
  BUDGET_BELOW_BID:
    'The budget is smaller than the bid, so it never pays for one event. Raise it, or bid less.',
  BUDGET_EXHAUSTED_TOTAL: 'The total budget is spent, or what is left pays for no event more.',
  BUDGET_EXHAUSTED_DAILY:
    'Today’s budget is spent, or what is left pays for no event more; it serves again tomorrow (UTC).',
  NO_ADS: 'There is no ad in it yet.',
  NO_APPROVED_CREATIVE: 'No ad of it shows a creative that passed its review yet.',
  NO_ZONE_OF_ITS_SIZE:
    'No open ad zone of this type has the creative’s size, and this type takes exact sizes. Use a creative of a usual size, such as 300 × 250, or a responsive campaign.',
  NO_ZONE_TAKES_IT:
    'No ad zone takes this kind of ad at this pricing. Most zones sell CPC and CPM: change the pricing, or wait for a zone.',
  OUTSIDE_SCHEDULE: 'It is outside the chosen hours or weekdays (UTC); it serves again then.',
  REVISION_PENDING: 'The newest version waits for its review; the approved one keeps serving.',
  REVISION_REJECTED: 'The newest version was rejected; the approved one keeps serving.',
} as const satisfies Reasons;

const ZH: Reasons = {
  CAMPAIGN_ARCHIVED: '广告活动已归档。',
  CAMPAIGN_ENDED: '广告活动已过结束日期。',
  CAMPAIGN_PAUSED: '广告活动已暂停。',
  CAMPAIGN_PENDING: '广告活动等待审核。',
  CAMPAIGN_NOT_STARTED: '广告活动尚未到开始日期。',
  CAMPAIGN_DRAFT: '广告活动是草稿，请提交审核。',
  CAMPAIGN_REJECTED: '广告活动未通过审核，请按审核意见修改后重新提交。',
  CAMPAIGN_SUSPENDED: '广告活动已被平台停用。',
  ADGROUP_ARCHIVED: '广告组已归档。',
  ADGROUP_ENDED: '广告组已过结束日期。',
  ADGROUP_PAUSED: '广告组已暂停。',
  ADGROUP_PENDING: '广告组等待审核。',
  ADGROUP_NOT_STARTED: '广告组尚未到开始日期。',
  ADGROUP_DRAFT: '广告组是草稿，请提交审核。',
  ADGROUP_REJECTED: '广告组未通过审核，请按审核意见修改后重新提交。',
  ADGROUP_SUSPENDED: '广告组已被平台停用。',
  AD_ARCHIVED: '广告已归档。',
  AD_ENDED: '广告已结束。',
  AD_PAUSED: '广告已暂停。',
  AD_PENDING: '广告等待审核。',
  AD_NOT_STARTED: '广告尚未开始。',
  AD_DRAFT: '广告是草稿，请提交审核。',
  AD_REJECTED: '广告未通过审核，请按审核意见修改后重新提交。',
  AD_SUSPENDED: '广告已被平台停用。',
  CREATIVE_ARCHIVED: '创意已归档。',
  CREATIVE_ENDED: '创意已结束。',
  CREATIVE_PAUSED: '创意已暂停。',
  CREATIVE_PENDING: '创意等待审核。',
  CREATIVE_NOT_STARTED: '创意尚未开始。',
  CREATIVE_DRAFT: '创意是草稿，请提交审核。',
  CREATIVE_REJECTED: '创意未通过审核，请按审核意见修改。',
  CREATIVE_SUSPENDED: '创意已被平台停用。',
  ACCOUNT_SUSPENDED: '您的账户已被停用，无法投放。请联系平台客服。',
  BALANCE_INSUFFICIENT: '余额已用完或过低：须够支付一次计费。',
  BID_BELOW_FLOOR: '出价低于平台底价，所有竞价都会落选。请提高出价。',
  BID_ZERO: '出价为 0，不参与竞价。',
  BUDGET_BELOW_BID: '预算低于出价，不够支付一次计费。请提高预算或降低出价。',
  BUDGET_EXHAUSTED_TOTAL: '总预算已用完，或余下的不够支付一次计费。',
  BUDGET_EXHAUSTED_DAILY: '今日预算已用完，或余下的不够支付一次计费；明天（UTC）恢复投放。',
  NO_ADS: '其中还没有广告。',
  NO_APPROVED_CREATIVE: '还没有展示已通过审核的创意。',
  NO_ZONE_OF_ITS_SIZE:
    '没有与该素材尺寸相同的开放广告位，而此类广告位要求尺寸完全一致。请使用 300 × 250 等常用尺寸的素材，或改用自适应广告活动。',
  NO_ZONE_TAKES_IT:
    '没有广告位接受这种广告形式和计费方式。多数广告位只售 CPC 和 CPM：请更改计费方式，或等待广告位开放。',
  OUTSIDE_SCHEDULE: '当前不在所选的时段或星期（UTC）内，届时恢复投放。',
  REVISION_PENDING: '最新版本等待审核，已通过的版本继续投放。',
  REVISION_REJECTED: '最新版本未通过审核，已通过的版本继续投放。',
};

/** Why something does not serve, in words. A reason without its words does not compile. */
/** Why something of an advertiser serves or does not, in the words of its owner's pages. */
export const deliveryReasons = texts({ en: EN, zh: ZH });
