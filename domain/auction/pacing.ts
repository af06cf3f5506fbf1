import type { Nanos } from '../money.ts';
import { hasBit } from './targeting.ts';
import type { Candidate, Targeting } from './types.ts';

/**
 * EVEN spends a daily budget along the day: the hours its daypart allows, uniformly, with a head
 * start so that a day's first requests are not refused. ASAP is never held back (interface 2.3).
 */
const HEAD_START_SHARE = 0.02;
/** Spend this far ahead of the curve, as a share of the budget, closes the gate completely. */
const GATE_WIDTH_SHARE = 0.02;

/** Share of a day's allowed time that has passed, 0 to 1. */
export function elapsedShare(targeting: Targeting, now: Date): number {
  const hour = now.getUTCHours();
  const intoHour = (now.getUTCMinutes() * 60 + now.getUTCSeconds()) / 3_600;
  if (targeting.hours === -1) return (hour + intoHour) / 24;
  let allowed = 0;
  let passed = 0;
  for (let at = 0; at < 24; at += 1) {
    if (!hasBit(targeting.hours, at)) continue;
    allowed += 1;
    if (at < hour) passed += 1;
    else if (at === hour) passed += intoHour;
  }
  return allowed === 0 ? 1 : passed / allowed;
}

/** Share of requests that may pass, 0 to 1: 1 while spend is at or below the curve. */
export function passShare(spentNanos: Nanos, budgetNanos: Nanos, elapsed: number): number {
  if (budgetNanos <= 0n) return 0;
  const spentShare = Number(spentNanos) / Number(budgetNanos);
  const ahead = spentShare - Math.min(1, elapsed + HEAD_START_SHARE);
  return ahead <= 0 ? 1 : Math.max(0, 1 - ahead / GATE_WIDTH_SHARE);
}

export function passesPacing(
  candidate: Candidate,
  spentTodayNanos: Nanos,
  at: { now: Date; roll: number },
): boolean {
  const { rotation, dailyBudgetNanos, id } = candidate.campaign;
  if (rotation === 'ASAP' || dailyBudgetNanos === null) return true;
  const elapsed = elapsedShare(candidate.targeting, at.now);
  const share = passShare(spentTodayNanos, dailyBudgetNanos, elapsed);
  return share >= 1 || campaignRoll(at.roll, id) < share;
}

/** A roll of its own per campaign, so that one request does not open or close all gates at once. */
function campaignRoll(roll: number, campaignId: number): number {
  return (roll * 8_191 + campaignId * 0.618_033_988_749_894_9) % 1;
}
