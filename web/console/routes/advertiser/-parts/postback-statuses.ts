/** How a call to an advertiser's server may stand. */
export const POSTBACK_STATUSES = ['PENDING', 'DELIVERED', 'DEAD'] as const;
