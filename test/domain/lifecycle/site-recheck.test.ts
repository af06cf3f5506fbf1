import fc from 'fast-check';
import {
  afterRecheck,
  MISSES_BEFORE_NOTICE,
  NOTICE_MS,
  RECHECK_EVERY_MS,
  type RecheckState,
} from '../../../domain/lifecycle/site-recheck.ts';

const NOW = new Date('2026-03-01T00:00:00Z');
const later = (ms: number, from = NOW): Date => new Date(from.getTime() + ms);
const calm: RecheckState = { misses: 0, lapsesAt: null };

test.each([
  ['found', calm, true, { misses: 0, lapsesAt: null, dueAt: later(RECHECK_EVERY_MS) }],
  ['first miss', calm, false, { misses: 1, lapsesAt: null, dueAt: later(RECHECK_EVERY_MS) }],
  [
    'third miss',
    { misses: 2, lapsesAt: null },
    false,
    { misses: 3, lapsesAt: later(NOTICE_MS), dueAt: later(NOTICE_MS), isNotice: true },
  ],
  [
    'looked at before notice ends',
    { misses: 3, lapsesAt: later(1) },
    false,
    { misses: 4, lapsesAt: later(1), dueAt: later(1), lapsed: false },
  ],
  [
    'still missing when notice ends',
    { misses: 3, lapsesAt: NOW },
    false,
    { misses: 4, lapsesAt: null, dueAt: null, lapsed: true },
  ],
  [
    'found when notice ends',
    { misses: 3, lapsesAt: NOW },
    true,
    { misses: 0, lapsesAt: null, dueAt: later(RECHECK_EVERY_MS), lapsed: false },
  ],
] as const)('a look · %s · %j', (_what, state, found, expected) => {
  expect(afterRecheck(state, { found, now: NOW })).toMatchObject(expected);
});

test('any run of looks, each when it is due · before a site lapses · has missed three weeks and the notice', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 30 }), (looks) => {
      let state: RecheckState = calm;
      let now = NOW;
      let lastFound = NOW;
      for (const found of looks) {
        const next = afterRecheck(state, { found, now });
        if (found) lastFound = now;
        if (next.lapsed) {
          const away = now.getTime() - lastFound.getTime();
          const least = (MISSES_BEFORE_NOTICE - 1) * RECHECK_EVERY_MS + NOTICE_MS;
          return away >= least && next.dueAt === null;
        }
        if (next.dueAt === null) return false;
        state = next;
        now = next.dueAt;
      }
      return true;
    }),
  );
});
