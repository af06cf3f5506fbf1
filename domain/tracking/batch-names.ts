import type { InboxEvent } from './batch.ts';
import { bidOf, viewerNameOf } from './marks.ts';
import { dayOf } from './utc-day.ts';

/** Everything that a batch's events name, each once: what is to be loaded before they are judged. */
export class BatchNames {
  readonly adIds = new Set<number>();
  readonly zoneIds = new Set<number>();
  /** UTC days of receipt, `2026-01-31`. */
  readonly days = new Set<string>();
  /** clicks.id of the clicks that are verified. */
  readonly clickEventIds = new Set<string>();
  readonly conversionIds = new Set<number>();
  /** Of bids whose seal held. */
  readonly requestIds = new Set<string>();
  /** By viewerNameOf. */
  readonly viewers = new Set<string>();
  /** When the first of these requests was answered and the first event received, Unix ms; Infinity when there is none. */
  firstIssuedAtMs = Infinity;
  firstReceivedAtMs = Infinity;

  add({ kind, facts, receivedAtMs }: InboxEvent): void {
    this.days.add(dayOf(receivedAtMs));
    this.firstReceivedAtMs = Math.min(this.firstReceivedAtMs, receivedAtMs);
    if (facts === null) return;
    const { track, clickEventId, conversionId } = facts;
    if (conversionId !== undefined) this.conversionIds.add(conversionId);
    if (kind === 'click_verify' && clickEventId !== undefined) this.clickEventIds.add(clickEventId);
    const viewer = viewerNameOf(kind, facts);
    if (viewer !== null) this.viewers.add(viewer);
    if (track === null) return;
    this.adIds.add(track.adId);
    this.zoneIds.add(track.zoneId);
    if (bidOf(kind, facts) === null) return;
    this.requestIds.add(track.requestId);
    this.firstIssuedAtMs = Math.min(this.firstIssuedAtMs, track.issuedAt * 1_000);
  }
}

export function namesOf(events: Iterable<InboxEvent>): BatchNames {
  const names = new BatchNames();
  for (const event of events) names.add(event);
  return names;
}
