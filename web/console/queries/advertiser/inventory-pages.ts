/** Where each level has its pages; imports nothing, so that its rules are tested without a browser. */
export const PAGES = {
  campaign: '/advertiser/campaigns',
  adgroup: '/advertiser/ad-groups',
  ad: '/advertiser/ads',
  creative: '/advertiser/creatives',
} as const;
