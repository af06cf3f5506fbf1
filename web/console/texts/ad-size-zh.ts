/** Usual sizes of banners, by the name that the platform gives them. */
export const adSizesInChinese: Readonly<Record<string, string>> = {
  'Medium rectangle': '中矩形',
  Leaderboard: '通栏横幅',
  'Wide skyscraper': '宽幅摩天楼',
  'Half page': '半版',
  'Mobile banner': '移动横幅',
  'Large rectangle': '大矩形',
  'Native in feed': '信息流原生',
  'Text link': '文字链接',
  'Video 16:9': '16:9 视频',
  'Pop-up': '弹窗',
  'Floating corner': '角落悬浮',
  'Full-screen interstitial': '全屏插屏',
  Couplet: '对联',
  'Exit intent': '离开意图',
  'Rewarded video': '激励视频',
  Responsive: '自适应',
};
