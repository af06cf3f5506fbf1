import { consentOf } from './consent.ts';
import { openCouplet } from './couplet.ts';
import { adFrame } from './frame.ts';
import { openLayer } from './layer.ts';
import { isCapped, recallTerms, remember } from './memory.ts';
import { pageContext } from './page.ts';
import { type AdItem, type Answer, requestAds, warn, type ZoneTerms } from './request.ts';
import { offerReward } from './reward.ts';
import { lastShown, noteShown, seenList, wasShownSince } from './shown.ts';
import { inSight, triggered } from './trigger.ts';

const REFRESH_MIN_SECONDS = 30;
/** An ad that waits longer than this for its trigger is asked for anew: its price is of its time. */
const HOLD_MS = 240_000;
/** Requests of one filling whose answers were meanwhile shown by other zones of the page. */
const TRIES_MAX = 3;

/** One element's filling; another one for the same element makes it pointless. */
interface Slot {
  element: HTMLElement;
  zone: string;
  baseUrl: string;
  show: (state: string) => void;
  /** The element is on the page and still this zone's. */
  isWanted: () => boolean;
}

const slots = new WeakMap<HTMLElement, Slot>();

/**
 * Fills one element. Its state shows in `data-adp-state`, so that a page can style it and a test can
 * wait for it: loading; waiting (to be seen, for its trigger, or for room); filled, empty, failed, capped; closed.
 */
export async function fillSlot(element: HTMLElement, baseUrl: string): Promise<void> {
  const zone = element.dataset['adpZone'];
  const before = slots.get(element);
  if (zone === before?.zone) return;
  if (before !== undefined) {
    slots.delete(element);
    element.replaceChildren();
    delete element.dataset['adpState'];
  }
  if (zone === undefined || zone === '') return;
  const slot: Slot = {
    element,
    zone,
    baseUrl,
    show: (state) => {
      if (slots.get(element) === slot) element.dataset['adpState'] = state;
    },
    isWanted: () => element.isConnected && slots.get(element) === slot,
  };
  slots.set(element, slot);
  await guarded(slot, fill(slot));
}

async function guarded(slot: Slot, filling: Promise<void>): Promise<void> {
  try {
    await filling;
  } catch (error) {
    slot.show('failed');
    warn(slot.zone, error);
  }
}

/**
 * The settings that say when to ask for an ad come with an ad. So the first page asks at once and
 * holds the answer for its trigger; it remembers the settings, and later pages ask when the ad is to
 * be seen, and not at all when the viewer has seen enough. Nothing is asked for while nobody could see it:
 * its impression would be paid for.
 */
async function fill(slot: Slot): Promise<void> {
  const { element, zone, show } = slot;
  show('waiting');
  await inSight(element);
  if (!slot.isWanted()) {
    // Put back later, it is a new one.
    if (slots.get(element) === slot) slots.delete(element);
    return;
  }
  show('loading');
  const { mayRemember } = await consentOf(element);
  const known = mayRemember ? recallTerms(zone) : undefined;
  let answer = known === undefined ? await ask(slot, 1) : undefined;
  const terms = known ?? answer?.zone;
  if (terms !== undefined && isOverPage(terms) && answer?.ads.length !== 0) {
    show('waiting');
    await triggered(element, terms);
    if (!slot.isWanted()) return;
    if (mayRemember && isCapped(zone, terms)) {
      show('capped');
      return;
    }
    const limit = terms.couplet === undefined ? 1 : 2;
    const isUsable = answer?.limit === limit && Date.now() - answer.at < HOLD_MS;
    if (!isUsable) answer = await ask(slot, limit);
  }
  await drawFresh(slot, answer);
}

async function ask({ element, zone, baseUrl }: Slot, limit: number): Promise<Answer | undefined> {
  const consent = await consentOf(element);
  const said = { ...pageContext(element), seen: seenList() };
  const answer = await requestAds(zone, { baseUrl, limit, consent, said });
  if (answer?.mayRemember === true && isOverPage(answer.zone)) remember(zone, answer.zone, false);
  return answer;
}

/** What no other zone of the page has shown since it was asked for. */
const untaken = ({ ads, at }: Answer): AdItem[] => ads.filter((ad) => !wasShownSince(ad, at));
const isTaken = (answer: Answer | undefined): answer is Answer =>
  answer !== undefined && untaken(answer).length < answer.ads.length;

let turn: Promise<unknown> = Promise.resolve();

/**
 * Zones of one page ask at the same time and may be answered the same ad: those that came too late
 * ask again, one after the other, so that each knows what was drawn before it.
 */
async function drawFresh(slot: Slot, first: Answer | undefined): Promise<void> {
  if (!isTaken(first)) {
    settle(slot, first);
    return;
  }
  const mine = turn.then(async () => {
    let answer: Answer | undefined = first;
    for (let tries = 1; tries < TRIES_MAX && slot.isWanted() && isTaken(answer); tries += 1) {
      answer = await ask(slot, answer.limit);
    }
    settle(slot, answer);
  });
  turn = Promise.allSettled([mine]);
  await mine;
}

function settle(slot: Slot, answer: Answer | undefined): void {
  if (!slot.isWanted()) return;
  if (answer === undefined) keepOr(slot, 'failed');
  else drawOrKeep(slot, { ...answer, ads: untaken(answer) });
}

const isOverPage = (terms: ZoneTerms): boolean =>
  terms.type === 'EXIT_INTENT' || (terms.popup ?? terms.couplet ?? terms.rewarded) !== undefined;

function drawOrKeep(slot: Slot, answer: Answer): void {
  const [ad] = answer.ads;
  if (ad !== undefined) {
    draw(slot, ad, answer);
    return;
  }
  const last = isOverPage(answer.zone) ? undefined : lastShown(slot.zone);
  if (last !== undefined) drawInside(slot, { ad: last.ad, answer: last.answer, isAgain: true });
  else keepOr(slot, 'empty');
  scheduleRefresh(slot, answer.zone);
}

/** What a refresh found shown is left there. */
function keepOr({ element, show }: Slot, state: string): void {
  show(element.childElementCount > 0 ? 'filled' : state);
}

function draw(slot: Slot, ad: AdItem, answer: Answer): void {
  const { element, zone, show } = slot;
  const terms = answer.zone;
  const note = (shown: AdItem): void => {
    noteShown({ zone, ad: shown, answer, element });
  };
  if (!isOverPage(terms)) {
    note(ad);
    drawInside(slot, { ad, answer, isAgain: false });
    scheduleRefresh(slot, terms);
    return;
  }
  show('filled');
  if (answer.mayRemember) remember(zone, terms, true);
  const onClose = (): void => {
    show('closed');
  };
  const onBlocked = (): void => {
    show('failed');
  };
  if (terms.couplet !== undefined) {
    answer.ads.slice(0, 2).forEach(note);
    openCouplet(element, answer, { onClose, onBlocked });
    return;
  }
  note(ad);
  const endReward = terms.rewarded === undefined ? undefined : offerReward(element, ad, answer);
  openLayer(element, {
    ad,
    answer,
    onBlocked,
    onClose: () => {
      endReward?.();
      onClose();
    },
  });
}

function drawInside(
  { element, show }: Slot,
  { ad, answer, isAgain }: { ad: AdItem; answer: Answer; isAgain: boolean },
): void {
  const onBlocked = (): void => {
    element.replaceChildren();
    show('failed');
  };
  element.replaceChildren(adFrame(ad, answer, { isAgain, onBlocked }));
  show('filled');
}

/** Only while somebody can see it: an ad that nobody sees is not replaced. */
function scheduleRefresh(slot: Slot, terms: ZoneTerms): void {
  if (terms.refresh < REFRESH_MIN_SECONDS || isOverPage(terms)) return;
  setTimeout(() => {
    if (!slot.isWanted()) return;
    if (document.visibilityState !== 'visible') scheduleRefresh(slot, terms);
    else void guarded(slot, refill(slot, terms));
  }, terms.refresh * 1_000);
}

/** The old ad stays until there is another one. */
async function refill(slot: Slot, terms: ZoneTerms): Promise<void> {
  const answer = await ask(slot, 1);
  if (answer === undefined) scheduleRefresh(slot, terms);
  await drawFresh(slot, answer);
}
