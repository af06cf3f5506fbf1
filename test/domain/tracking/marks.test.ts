import type { EventKind } from '../../../domain/tracking/facts.ts';
import {
  countRate,
  createMarkBook,
  type Mark,
  type MarkBook,
  markNames,
  remember,
} from '../../../domain/tracking/marks.ts';
import type { Verdict } from '../../../domain/tracking/verdict.ts';
import { factsOf } from '../../support/tracking-facts.ts';

const AT = Date.parse('2026-01-31T12:00:30Z');
const MINUTE = 60_000;
const KEPT_MS = 2 * 86_400_000;
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

const namesOf = (kind: EventKind, over: Parameters<typeof factsOf>[0] = {}) =>
  markNames(kind, factsOf(over), AT);

describe('names', () => {
  test.each<[EventKind, Partial<ReturnType<typeof markNames>>]>([
    ['impression', { dedup: { kind: 'impression_dedup', key: 'v:4' } }],
    ['click', {}],
    [
      'click_verify',
      {
        billed: { kind: 'billed', key: 'click_verify:b' },
        dedup: { kind: 'click_dedup', key: 'v:4' },
      },
    ],
    ['view', { billed: { kind: 'billed', key: 'view:b' } }],
    ['video', {}],
    [
      'video_view',
      {
        billed: { kind: 'billed', key: 'video_view:b' },
        dedup: { kind: 'view_dedup', key: 'v:4' },
      },
    ],
    ['vast_error', {}],
  ])('%s · of a browser with a nonce · has a place for all that it must know', (kind, own) => {
    expect(namesOf(kind, { nonce: 'n' })).toEqual({
      impression: { kind: 'impression', key: 'b' },
      billed: null,
      dedup: null,
      nonce: { kind: 'nonce', key: `${kind}:b:n` },
      rate: { kind: 'rate', key: `${kind}:v:${Math.floor(AT / MINUTE)}` },
      ...own,
    });
  });

  test.each(['conversion', 'click_expired'] as const)(
    '%s · no browser tells of it · has no place at all',
    (kind) => {
      const nothing = { impression: null, billed: null, dedup: null, nonce: null, rate: null };
      expect(namesOf(kind, { nonce: 'n' })).toEqual(nothing);
    },
  );

  test.each([
    ['lapsed', { seal: 'expired' as const }],
    ['forged', { seal: 'invalid' as const, track: null }],
  ])('any kind · the seal is %s · only its rate is counted', (_name, over) => {
    for (const kind of KINDS) {
      const { rate: _rate, ...others } = namesOf(kind, { ...over, nonce: 'n' });
      expect(Object.values(others)).toEqual([null, null, null, null]);
    }
    expect(namesOf('impression', over).rate).not.toBeNull();
  });

  test('a view without a nonce · a player says each name once · the name stands for it', () => {
    expect(namesOf('video_view', { video: 'complete' }).nonce?.key).toBe('video_view:b:complete');
    expect(namesOf('video_view', { video: 'complete', nonce: 'n' }).nonce?.key).toBe(
      'video_view:b:n',
    );
    expect(namesOf('video_view').nonce).toBeNull();
    expect(namesOf('video', { video: 'start' }).nonce).toBeNull();
  });
});

describe('a book', () => {
  const mark: Mark = { kind: 'billed', key: 'k', seenAtMs: 1, count: 1, expiresAtMs: 2 };

  test('loaded marks · read only · are known and not changed', () => {
    const book = createMarkBook([mark]);
    expect(book.get({ kind: 'billed', key: 'k' })).toEqual(mark);
    expect(book.get({ kind: 'nonce', key: 'k' })).toBeUndefined();
    expect(book.get(null)).toBeUndefined();
    expect(book.changed()).toEqual([]);
  });

  test('a mark · put twice · is changed once, as it was put last', () => {
    const book = createMarkBook([mark]);
    book.put({ ...mark, count: 2 });
    book.put({ ...mark, count: 3 });
    expect(book.changed()).toEqual([{ ...mark, count: 3 }]);
  });
});

describe('rate', () => {
  test('events · of one viewer in one minute · are counted from what is known', () => {
    const names = namesOf('impression');
    const known = { kind: 'rate', key: names.rate?.key ?? '', seenAtMs: AT - 5, count: 4 } as const;
    const book = createMarkBook([{ ...known, expiresAtMs: AT }]);
    expect(countRate(book, names, AT)).toBe(5);
    expect(countRate(book, names, AT)).toBe(6);
    expect(book.changed()).toMatchObject([{ seenAtMs: AT, expiresAtMs: AT + 60 * MINUTE }]);
  });

  test('events · of the next minute, of another viewer, of another kind · are counted anew', () => {
    const book = createMarkBook([]);
    countRate(book, namesOf('impression'), AT);
    expect(countRate(book, markNames('impression', factsOf(), AT + MINUTE), AT)).toBe(1);
    expect(countRate(book, namesOf('impression', { viewerKey: 'w' }), AT)).toBe(1);
    expect(countRate(book, namesOf('click'), AT)).toBe(1);
  });

  test('a conversion · no browser behind it · is not counted', () => {
    const book = createMarkBook([]);
    expect(countRate(book, namesOf('conversion'), AT)).toBe(0);
    expect(book.changed()).toEqual([]);
  });
});

describe('remember', () => {
  const after = (
    kind: EventKind,
    verdict: Verdict,
    options: { book?: MarkBook; atMs?: number; facts?: Parameters<typeof factsOf>[0] } = {},
  ): Mark[] => {
    const { book = createMarkBook([]), atMs = AT, facts = {} } = options;
    remember(book, namesOf(kind, facts), { kind, receivedAtMs: atMs, verdict });
    return book.changed();
  };
  const fresh = { seenAtMs: AT, count: 1, expiresAtMs: AT + KEPT_MS };

  test('an impression · counted · leaves its bid and its viewer', () => {
    expect(after('impression', counted)).toEqual([
      { kind: 'impression', key: 'b', ...fresh },
      { kind: 'impression_dedup', key: 'v:4', ...fresh },
    ]);
  });

  test('an impression · refused · leaves its bid uncounted, and no viewer', () => {
    expect(after('impression', refused)).toEqual([
      { kind: 'impression', key: 'b', ...fresh, count: 0 },
    ]);
  });

  test('impressions · of one bid in any order · keep the earliest time and the longest life', () => {
    const book = createMarkBook([]);
    after('impression', refused, { book, atMs: AT - 2_000 });
    after('impression', counted, { book });
    after('impression', refused, { book, atMs: AT - 1_000 });
    expect(book.get({ kind: 'impression', key: 'b' })).toEqual({
      kind: 'impression',
      key: 'b',
      seenAtMs: AT - 2_000,
      count: 1,
      expiresAtMs: AT + KEPT_MS,
    });
  });

  test.each([
    ['click_verify', 'click_dedup'],
    ['video_view', 'view_dedup'],
  ] as const)('a %s · counted · leaves that it was billed and its viewer', (kind, dedup) => {
    expect(after(kind, counted)).toEqual([
      { kind: 'billed', key: `${kind}:b`, ...fresh },
      { kind: dedup, key: 'v:4', ...fresh },
    ]);
  });

  test.each(KINDS.filter((kind) => kind !== 'impression'))(
    'a %s · refused · leaves nothing',
    (kind) => {
      expect(after(kind, refused)).toEqual([]);
    },
  );

  test('a beacon of visibility · viewable or not · is remembered when it was', () => {
    const seen = { billable: false, reason: null, reasons: [] };
    expect(after('view', { ...seen, status: 'viewable' })).toEqual([
      { kind: 'billed', key: 'view:b', ...fresh },
    ]);
    expect(after('view', { ...seen, status: 'not_viewable' })).toEqual([]);
  });

  test('a nonce · of a refused event · is used, and its first use stands', () => {
    const book = createMarkBook([]);
    const facts = { nonce: 'n' };
    after('click', refused, { book, facts });
    after('click', refused, { book, facts, atMs: AT + 1_000 });
    expect(book.changed()).toEqual([{ kind: 'nonce', key: 'click:b:n', ...fresh }]);
  });
});
