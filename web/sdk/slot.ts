import { openCouplet } from './couplet.ts';
import { adFrame } from './frame.ts';
import { openLayer } from './layer.ts';
import { isCapped, recallTerms, remember } from './memory.ts';
import { type AdItem, type Answer, requestAds, warn, type ZoneTerms } from './request.ts';
import { offerReward } from './reward.ts';
import { triggered } from './trigger.ts';

const REFRESH_MIN_SECONDS = 30;
/**
 * The impression pixel in an ad's html is signed when the ad is won, and counts for five minutes
 * (CLOCK_SKEW): an ad that waits longer than this for its trigger is asked for anew.
 */
const HOLD_MS = 240_000;

/**
 * Fills one element. Its state shows in `data-adp-state`, so that a page can style it and a test can
 * wait for it: loading; waiting (for its trigger, or for room); filled, empty, failed, capped; closed.
 */
export async function fillSlot(element: HTMLElement, baseUrl: string): Promise<void> {
  const zone = element.dataset['adpZone'];
  if (zone === undefined || element.dataset['adpState'] !== undefined) return;
  try {
    await fill(element, zone, baseUrl);
  } catch (error) {
    element.dataset['adpState'] = 'failed';
    warn(zone, error);
  }
}

/**
 * The settings that say when to ask for an ad come with an ad. So the first page asks at once and
 * holds the answer for its trigger; it remembers the settings, and later pages ask when the ad is to
 * be seen, and not at all when the viewer has seen enough.
 */
async function fill(element: HTMLElement, zone: string, baseUrl: string): Promise<void> {
  const show = (state: string): void => {
    element.dataset['adpState'] = state;
  };
  const ask = async (limit: number): Promise<Answer | undefined> => {
    const answer = await requestAds(zone, { baseUrl, limit });
    if (answer !== undefined && isOverPage(answer.zone)) remember(zone, answer.zone, false);
    return answer;
  };
  show('loading');
  const known = recallTerms(zone);
  let answer = known === undefined ? await ask(1) : undefined;
  const terms = known ?? answer?.zone;
  if (terms !== undefined && isOverPage(terms) && answer?.ads.length !== 0) {
    show('waiting');
    await triggered(terms);
    if (!element.isConnected) return;
    if (isCapped(zone, terms)) {
      show('capped');
      return;
    }
    const limit = terms.couplet === undefined ? 1 : 2;
    const isUsable = answer?.limit === limit && Date.now() - answer.at < HOLD_MS;
    if (!isUsable) answer = await ask(limit);
  }
  const ad = answer?.ads[0];
  if (answer === undefined || ad === undefined) show(answer === undefined ? 'failed' : 'empty');
  else draw(element, ad, { answer, zone, show });
}

const isOverPage = (terms: ZoneTerms): boolean =>
  terms.type === 'EXIT_INTENT' || (terms.popup ?? terms.couplet ?? terms.rewarded) !== undefined;

function draw(
  element: HTMLElement,
  ad: AdItem,
  { answer, zone, show }: { answer: Answer; zone: string; show: (state: string) => void },
): void {
  const terms = answer.zone;
  show('filled');
  if (!isOverPage(terms)) {
    const { frame, watch } = adFrame(ad, answer);
    element.replaceChildren(frame);
    watch();
    if (terms.refresh >= REFRESH_MIN_SECONDS) scheduleRefresh(element, answer);
    return;
  }
  remember(zone, terms, true);
  const onClose = (): void => {
    show('closed');
  };
  if (terms.couplet !== undefined) {
    openCouplet(element, answer, onClose);
    return;
  }
  const endReward = terms.rewarded === undefined ? undefined : offerReward(element, ad, answer);
  openLayer(element, {
    ad,
    answer,
    onClose: () => {
      endReward?.();
      onClose();
    },
  });
}

/** Only while somebody can see it: an ad that nobody sees is not replaced. */
function scheduleRefresh(element: HTMLElement, answer: Answer): void {
  setTimeout(() => {
    if (!element.isConnected) return;
    if (document.visibilityState !== 'visible') {
      scheduleRefresh(element, answer);
      return;
    }
    delete element.dataset['adpState'];
    void fillSlot(element, answer.baseUrl);
  }, answer.zone.refresh * 1_000);
}
