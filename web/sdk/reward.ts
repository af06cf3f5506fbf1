import type { AdItem, Answer } from './request.ts';
import { afterInSight } from './trigger.ts';

/**
 * Tells the page, by `adp:reward` events on the zone's element, what its viewer earns: `started`
 * (begin the reward: `token_url` with `track_id`, `qa_k` and a user_id), then `watched` (claim it:
 * `verify_url` with the token) or `skipped`. The server measures the time itself from the token on.
 * Answers what to call when the ad is closed.
 */
export function offerReward(element: HTMLElement, ad: AdItem, answer: Answer): () => void {
  const { zone, qa_k, baseUrl } = answer;
  const report = (state: string): void => {
    const detail = {
      ...zone.rewarded,
      state,
      track_id: ad.id,
      qa_k,
      token_url: `${baseUrl}/ad/reward/token`,
      verify_url: `${baseUrl}/ad/reward/verify`,
    };
    element.dispatchEvent(new CustomEvent('adp:reward', { bubbles: true, detail }));
  };
  let isWatched = false;
  report('started');
  const stop = afterInSight(element, zone.rewarded?.watch_seconds ?? 0, () => {
    if (!element.isConnected) return;
    isWatched = true;
    report('watched');
  });
  return () => {
    stop();
    if (!isWatched) report('skipped');
  };
}
