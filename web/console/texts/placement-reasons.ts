import { texts } from '../parts/texts.ts';

/** Why a site or zone is not filled, each with what helps. */
export const placementReasons = texts({
  en: {
    title: 'Why no ads are shown',
    SITE_ARCHIVED: 'Its site is archived. Make the zone on another one.',
    SITE_PAUSED: 'Its site is paused. Resume the site.',
    SITE_DRAFT: 'Its site was not submitted for review yet.',
    SITE_PENDING: 'Its site is with the reviewers.',
    SITE_REJECTED: 'Reviewers sent its site back. Fix what they name and submit it again.',
    SITE_SUSPENDED: 'Operators took its site out of serving.',
    SITE_VERIFICATION_LAPSED: 'The proof that the site is yours is gone. Verify it again.',
    ZONE_ARCHIVED: 'The zone is archived.',
    ZONE_PAUSED: 'The zone is paused. Resume it.',
    ZONE_DRAFT: 'The zone is a draft. Submit it for review.',
    ZONE_PENDING: 'The zone is being reviewed. That is mostly done within a minute.',
    ZONE_REJECTED: 'Reviewers sent the zone back. Fix what they name and submit it again.',
    unproved: 'Its site waits for its proof: show that it is yours, then reviewers look at it.',
    openSite: 'Open the site',
  },
  zh: {
    title: '为何没有广告',
    SITE_ARCHIVED: '所属网站已归档，请在其他网站创建。',
    SITE_PAUSED: '所属网站已暂停，请恢复网站。',
    SITE_DRAFT: '所属网站尚未提交审核。',
    SITE_PENDING: '所属网站正在审核。',
    SITE_REJECTED: '所属网站未通过审核，请修改后重新提交。',
    SITE_SUSPENDED: '运营人员已停止该网站投放。',
    SITE_VERIFICATION_LAPSED: '网站归属验证已失效，请重新验证。',
    ZONE_ARCHIVED: '广告位已归档。',
    ZONE_PAUSED: '广告位已暂停，请恢复。',
    ZONE_DRAFT: '广告位是草稿，请提交审核。',
    ZONE_PENDING: '广告位审核中，通常一分钟内完成。',
    ZONE_REJECTED: '广告位未通过审核，请修改后重新提交。',
    unproved: '所属网站尚未验证：请先证明其归属，随后进入审核。',
    openSite: '打开网站',
  },
});
