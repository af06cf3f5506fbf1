import * as adGroup from './ad-group.ts';
import * as ad from './ad.ts';
import * as campaign from './campaign.ts';
import * as creative from './creative.ts';

/** The four levels have the same moves. */
export const INVENTORY = {
  campaign: {
    save: campaign.save,
    toggle: campaign.toggle,
    submit: campaign.submit,
    appeal: campaign.appeal,
    archive: campaign.archive,
  },
  adgroup: {
    save: adGroup.save,
    toggle: adGroup.toggle,
    submit: adGroup.submit,
    appeal: adGroup.appeal,
    archive: adGroup.archive,
  },
  ad: {
    save: ad.save,
    toggle: ad.toggle,
    submit: ad.submit,
    appeal: ad.appeal,
    archive: ad.archive,
  },
  creative: {
    save: creative.save,
    toggle: creative.toggle,
    submit: creative.submit,
    appeal: creative.appeal,
    archive: creative.archive,
  },
} as const;
export type Level = keyof typeof INVENTORY;
