import type { EventFacts, EventKind } from '../../../domain/tracking/facts.ts';
import {
  type BidEvent,
  bidOf,
  type BidMark,
  createMarkBook,
  type MarkBook,
  nonceOf,
  viewerNameOf,
  type ViewerMark,
} from '../../../domain/tracking/marks.ts';
import { createRateCounts } from '../../../domain/tracking/rates.ts';
import type { Verdict } from '../../../domain/tracking/verdict.ts';
import { factsOf, trackOf } from '../../support/tracking-facts.ts';

const AT = Date.parse('2026-01-31T12:00:30Z');
const KINDS: EventKind[] = [
  'impression',
  'click',
  'click_verify',
  'click_expired',
  'conversion',
  'view',
  'video',
  'video_view',
  'vast_error',
];
const counted: Verdict = { billable: true, status: 'valid', reason: null, reasons: [] };
const refused: Verdict = {
  billable: false,
  status: 'invalid',
  reason: 'BOT_UA',
  reasons: ['BOT_UA'],
};

const bookOf = (before: BidEvent[] = [], viewers: ViewerMark[] = []): MarkBook =>
  createMarkBook({ before, viewers, rates: createRateCounts() });

describe('names', () => {
  test.each<[EventKind, string | null]>([
    ['impression', 'i:v:4'],
    ['click', null],
    ['click_verify', 'c:v:4'],
    ['view', null],
    ['video', null],
    ['video_view', 'v:v:4'],
    ['vast_error', null],
  ])('%s · of a browser with a nonce · has a place for all that it must know', (kind, viewer) => {
    const facts = factsOf({ nonce: 'n' });
    expect(bidOf(kind, facts)).toBe('b');
    expect(nonceOf(kind, facts)).toBe(`${kind}:n`);
    expect(viewerNameOf(kind, facts)).toBe(viewer);
  });

  test.each(['conversion', 'click_expired'] as const)(
    '%s · no browser tells of it · has no place at all, and no rate',
    (kind) => {
      const facts = factsOf({ nonce: 'n' });
      expect(bidOf(kind, facts)).toBeNull();
      expect(viewerNameOf(kind, facts)).toBeNull();
      expect(bookOf().countRate({ kind, facts, receivedAtMs: AT })).toBe(0);
    },
  );

  test.each([
    ['lapsed', { seal: 'expired' as const }],
    ['forged', { seal: 'invalid' as const, track: null }],
  ])('any kind · the seal is %s · only its rate is counted', (_name, over) => {
    const facts = factsOf({ ...over, nonce: 'n' });
    for (const kind of KINDS) {
      expect([bidOf(kind, facts), viewerNameOf(kind, facts)]).toEqual([null, null]);
    }
    expect(bookOf().countRate({ kind: 'impression', facts, receivedAtMs: AT })).toBe(1);
  });

  test('a view without a nonce · a player says each name once · the name stands for it', () => {
    const said = (kind: EventKind, over: Partial<EventFacts>) => nonceOf(kind, factsOf(over));
    expect(said('video_view', { video: 'complete' })).toBe('video_view:complete');
    expect(said('video_view', { video: 'complete', nonce: 'n' })).toBe('video_view:n');
    expect(said('video_view', {})).toBeNull();
    expect(said('video', { video: 'start' })).toBeNull();
  });
});

describe('remember', () => {
  const after = (
    kind: EventKind,
    verdict: Pick<Verdict, 'billable' | 'status'>,
    options: { book?: MarkBook; atMs?: number; facts?: Parameters<typeof factsOf>[0] } = {},
  ): { bid: BidMark | undefined; viewers: ViewerMark[] } => {
    const { book = bookOf(), atMs = AT, facts = {} } = options;
    book.remember({ kind, facts: factsOf(facts), receivedAtMs: atMs, verdict });
    return { bid: book.bid('b'), viewers: book.changed() };
  };
  const nothing: BidMark = {
    impressionAtMs: null,
    isImpressionCounted: false,
    counted: new Set(),
  };

  test('an impression · counted · leaves its bid and its viewer', () => {
    expect(after('impression', counted)).toEqual({
      bid: { ...nothing, impressionAtMs: AT, isImpressionCounted: true },
      viewers: [{ viewer: 'i:v:4', seenAtMs: AT }],
    });
  });

  test('an impression · refused · leaves its bid uncounted, and no viewer', () => {
    expect(after('impression', refused)).toEqual({
      bid: { ...nothing, impressionAtMs: AT },
      viewers: [],
    });
  });

  test('impressions · of one bid in any order · keep the earliest time', () => {
    const book = bookOf();
    after('impression', refused, { book, atMs: AT - 2_000 });
    after('impression', counted, { book });
    after('impression', refused, { book, atMs: AT - 1_000 });
    expect(book.bid('b')).toEqual({
      ...nothing,
      impressionAtMs: AT - 2_000,
      isImpressionCounted: true,
    });
  });

  test.each([
    ['click_verify', 'c:v:4'],
    ['video_view', 'v:v:4'],
  ] as const)('a %s · counted · leaves that it was billed and its viewer', (kind, viewer) => {
    expect(after(kind, counted)).toEqual({
      bid: { ...nothing, counted: new Set([kind]) },
      viewers: [{ viewer, seenAtMs: AT }],
    });
  });

  test.each(KINDS.filter((kind) => kind !== 'impression'))(
    'a %s · refused · leaves nothing that counts',
    (kind) => {
      const { bid = nothing, viewers } = after(kind, refused);
      expect(bid).toEqual(nothing);
      expect(viewers).toEqual([]);
    },
  );

  test('a beacon of visibility · viewable or not · is remembered when it was', () => {
    const seen = { billable: false } as const;
    expect(after('view', { ...seen, status: 'viewable' }).bid?.counted).toEqual(new Set(['view']));
    expect(after('view', { ...seen, status: 'not_viewable' }).bid?.counted).toEqual(new Set());
  });

  test('a nonce · of a refused event · is used', () => {
    const book = bookOf();
    after('click', refused, { book, facts: { nonce: 'n' } });
    expect(book.isNonceUsed('click', factsOf({ nonce: 'n' }))).toBe(true);
    expect(book.isNonceUsed('click', factsOf({ nonce: 'm' }))).toBe(false);
    expect(book.isNonceUsed('view', factsOf({ nonce: 'n' }))).toBe(false);
    const another = factsOf({ nonce: 'n', track: trackOf({ bidId: 'another' }) });
    expect(book.isNonceUsed('click', another)).toBe(false);
  });

  test('what earlier batches judged of the bid · is remembered as if it stood in this one', () => {
    const said = { nonce: 'n', video: undefined };
    const impression = { bidId: 'b', kind: 'impression' as const, receivedAtMs: AT, said };
    const book = bookOf([
      { ...impression, verdict: counted },
      { ...impression, receivedAtMs: AT - 5, verdict: refused },
      {
        ...impression,
        kind: 'view',
        said: { nonce: null },
        verdict: { billable: false, status: 'viewable' },
      },
    ]);
    expect(book.bid('b')).toEqual({
      impressionAtMs: AT - 5,
      isImpressionCounted: true,
      counted: new Set(['view']),
    });
    expect(book.isNonceUsed('impression', factsOf({ nonce: 'n' }))).toBe(true);
    expect(book.bid('another')).toBeUndefined();
    expect(book.changed()).toEqual([]);
  });

  test('a viewer mark · loaded, then made anew · is changed once, as it was last', () => {
    const book = bookOf([], [{ viewer: 'i:v:4', seenAtMs: 1 }]);
    expect(book.lastCounted('i:v:4')).toBe(1);
    expect(book.lastCounted(null)).toBeUndefined();
    after('impression', counted, { book });
    expect(after('impression', counted, { book, atMs: AT + 9 }).viewers).toEqual([
      { viewer: 'i:v:4', seenAtMs: AT + 9 },
    ]);
  });
});
