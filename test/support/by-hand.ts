import { setTimeout as sleep } from 'node:timers/promises';
import { CLICK_AFTER_IMPRESSION_MIN_MS } from '../../domain/tracking/verdict.ts';

/** A timer may end a millisecond early, and both times are cut to whole ones. */
const SLACK_MS = 5;

/**
 * Between the answer to an impression and its click: no click that comes sooner after the
 * impression counts (interface 6).
 */
export const untilClickable = async (): Promise<void> =>
  await sleep(CLICK_AFTER_IMPRESSION_MIN_MS + SLACK_MS);
