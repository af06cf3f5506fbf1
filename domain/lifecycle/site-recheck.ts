/** Verified sites are looked at again; a proof that stays away takes the verification (interface 4.9). */
export const RECHECK_EVERY_MS = 7 * 86_400_000;
export const MISSES_BEFORE_NOTICE = 3;
export const NOTICE_MS = 72 * 3_600_000;

export interface RecheckState {
  misses: number;
  /** The end of the owner's notice; null when there is none. */
  lapsesAt: Date | null;
}

export interface Rechecked extends RecheckState {
  lapsed: boolean;
  /** Notice begins with this look. */
  isNotice: boolean;
  /** Null when there is nothing left to look for. */
  dueAt: Date | null;
}

/** What a look at `now` makes of it. One proof that is found forgives every miss. */
export function afterRecheck(state: RecheckState, look: { found: boolean; now: Date }): Rechecked {
  const { now } = look;
  const after = (ms: number): Date => new Date(now.getTime() + ms);
  const calm = { lapsed: false, isNotice: false, lapsesAt: null };
  if (look.found) return { ...calm, misses: 0, dueAt: after(RECHECK_EVERY_MS) };
  const misses = state.misses + 1;
  const { lapsesAt } = state;
  if (lapsesAt !== null) {
    return now >= lapsesAt
      ? { ...calm, lapsed: true, misses, dueAt: null }
      : { ...calm, misses, lapsesAt, dueAt: lapsesAt };
  }
  if (misses < MISSES_BEFORE_NOTICE) return { ...calm, misses, dueAt: after(RECHECK_EVERY_MS) };
  const end = after(NOTICE_MS);
  return { lapsed: false, isNotice: true, misses, lapsesAt: end, dueAt: end };
}
