import type { OrderKey, ReadName, Write, WriteName } from './api.ts';
import { textsIn } from './parts/texts.ts';
import { toldAndKept } from './parts/toast.ts';
import { sentBefore } from './texts/sent-before.ts';

/**
 * Keys of orders of money that have no answer yet. A form that is opened anew, after its page was loaded
 * again or closed, sends the same order under the same key, so that it is not placed twice. Kept as long
 * as somebody may still do it again for want of an answer; the platform knows a key for a day.
 */
const PLACE = 'adp-orders-without-answer';
const KEPT_MS = 3_600_000;
const MINUTE_MS = 60_000;

type Kept = Pick<OrderKey, 'key' | 'at'>;

/** By a digest: what an order says lies in no browser. */
async function digestOf(order: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(order));
  return [...new Uint8Array(bytes)].map((each) => each.toString(16).padStart(2, '0')).join('');
}

/** Nothing but what was put there, and only what is still kept. */
function readAll(): Record<string, Kept> {
  try {
    const all = Object.entries(
      JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Record<string, Kept>,
    );
    return Object.fromEntries(all.filter(([, { at }]) => Date.now() - at < KEPT_MS));
  } catch {
    return {};
  }
}

const writeAll = (all: Record<string, Kept>): void => {
  if (Object.keys(all).length === 0) localStorage.removeItem(PLACE);
  else localStorage.setItem(PLACE, JSON.stringify(all));
};

/** The key of this order, and a way to forget it once it is answered. `order` names its person, route and content. */
async function orderKey(order: string): Promise<OrderKey> {
  const digest = await digestOf(order);
  const all = readAll();
  const kept = all[digest] ?? { key: crypto.randomUUID(), at: Date.now() };
  writeAll({ ...all, [digest]: kept });
  const forget = (): void => {
    const { [digest]: gone, ...others } = readAll();
    if (gone !== undefined) writeAll(others);
  };
  return { ...kept, forget, tell: () => tellSentAt(kept.at) };
}

function tellSentAt(at: number): void {
  const minutes = Math.max(1, Math.round((Date.now() - at) / MINUTE_MS));
  toldAndKept((language) => textsIn(sentBefore, language).said(minutes));
}

/** In place of `write`, of money: it is not placed twice when its page is loaded anew before there is an answer. */
export const order = <Name extends WriteName>(
  route: Name,
  stale: readonly ReadName[],
): Write<Name> => ({ route, stale, keyOf: orderKey });
