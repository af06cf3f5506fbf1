import { figureSorts } from '../../../parts/row-figures-search.ts';

const FIGURES = figureSorts('advertiser');

/** Orders that the API offers; apart from their lists, because an address is read before its page. */
export const AD_GROUP_SORTS = [
  'name',
  '-name',
  'bid',
  '-bid',
  'daily_budget',
  '-daily_budget',
  ...FIGURES,
] as const;

export const AD_SORTS = ['name', '-name', 'weight', '-weight', ...FIGURES] as const;
