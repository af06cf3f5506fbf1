/** What an operator is not shown without a trace: whose identity and whose bank account it is. */
const LOOKED_AT = ['kyc', 'withdrawal', 'bank_statement'] as const;
export type LookedAt = (typeof LOOKED_AT)[number];

export const isLookedAt = (type: string): type is LookedAt =>
  LOOKED_AT.some((each) => each === type);

/** A console asks again every few seconds while a page is open: that is one look. */
export const LOOK_LASTS_MS = 600_000;
