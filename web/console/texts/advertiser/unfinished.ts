import { texts } from '../../parts/texts.ts';

/** What its owner began at some time and did not end. */
export const unfinishedTexts = texts({
  en: {
    title: 'Unfinished',
    isDraft: (name: string) => `Campaign “${name}” is a draft: nobody looks at it yet.`,
    moreDrafts: (count: number) =>
      count === 1 ? 'One more campaign is a draft.' : `${count} more campaigns are drafts.`,
    hasNoAds: (name: string) => `Campaign “${name}” has no ad yet.`,
    hasNoContent: (name: string) => `Creative “${name}” has no content yet.`,
    submit: 'Submit for review',
    showAll: 'Show all',
    addAd: 'Add an ad',
    addContent: 'Add content',
  },
  zh: {
    title: '尚未完成',
    isDraft: (name) => `广告活动“${name}”是草稿，尚未提交审核。`,
    moreDrafts: (count) => `另有 ${count} 个草稿广告活动。`,
    hasNoAds: (name) => `广告活动“${name}”还没有广告。`,
    hasNoContent: (name) => `创意“${name}”还没有内容。`,
    submit: '提交审核',
    showAll: '显示全部',
    addAd: '添加广告',
    addContent: '添加内容',
  },
});
