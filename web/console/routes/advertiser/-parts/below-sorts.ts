/** Orders that the API offers; apart from their lists, because an address is read before its page. */
export const AD_GROUP_SORTS = [
  'name',
  '-name',
  'bid',
  '-bid',
  'daily_budget',
  '-daily_budget',
] as const;

export const AD_SORTS = ['name', '-name', 'weight', '-weight'] as const;
