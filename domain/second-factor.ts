/** interface 5.17: what somebody shows beside a password. */
export const FACTOR_KINDS = ['TOTP', 'PASSKEY'] as const;
export type FactorKind = (typeof FACTOR_KINDS)[number];

export const CHALLENGE_PURPOSES = ['LOGIN', 'STEP_UP', 'ENROL'] as const;
export type ChallengePurpose = (typeof CHALLENGE_PURPOSES)[number];

/** How long a question waits for its answer, and how many answers it takes. */
export const CHALLENGE_LIVES_MS = 300_000;
export const CHALLENGE_TRIES_MAX = 5;
/** Somebody who has shown a factor is not asked again for so long. */
export const PROOF_LASTS_MS = 300_000;

export const FACTORS_MAX = 10;
export const RECOVERY_CODES = 10;
export const FACTOR_NAME_MAX = 60;

/** How an operator was shown who somebody is that has lost every factor. */
export const IDENTITY_PROOFS = ['DOCUMENT', 'VIDEO_CALL', 'IN_PERSON'] as const;
export type IdentityProof = (typeof IDENTITY_PROOFS)[number];
/** What nobody grants in so many days beyond its waiting time is asked for anew. */
export const RECOVERY_LAPSES_DAYS = 14;
/** How long the code of a granted recovery lets in. */
export const RECOVERY_CODE_LIVES_MS = 7 * 86_400_000;

/** Steps of 30 s on either side that a clock may be off (RFC 6238, 5.2). */
export const TOTP_TOLERANCE_SECONDS = 30;

/** Whether a session's last proof still counts. */
export const isProven = (provenAt: Date | null, now: Date): boolean =>
  provenAt !== null && now.getTime() - provenAt.getTime() < PROOF_LASTS_MS;
