import {
  answerOfSource,
  answerOfStatus,
  beginChain,
  fillPlayerMacros,
  type Film,
  type FilmChain,
  growChain,
  type HopAnswer,
  WRAPPERS_MAX,
} from '../../../domain/creative/film-chain.ts';
import { NOBODY } from '../../../domain/creative/vast.ts';

/** The way to a film that another server has, by plain answers. */
const film: Film = { durationSeconds: 15, mediaFiles: [] };
const wrapper = (next: string): HopAnswer => ({ outcome: 'wrapper', next });
const at = (name: string): string => `https://${name}.example/tag`;
const chainOf = (answers: readonly HopAnswer[]): FilmChain =>
  answers.reduce(growChain, beginChain(at('first')));
const wordsOf = ({ hops }: FilmChain): string[] =>
  hops.map(({ outcome, refusal }) => refusal ?? outcome);

describe('a chain of wrappers', () => {
  test('before anything was asked · leads to the first address', () => {
    expect(beginChain(at('first'))).toEqual({ hops: [], film: null, next: at('first') });
  });

  test('a wrapper, then the film · is both, and ends', () => {
    expect(chainOf([wrapper(at('second')), { outcome: 'film', film }])).toEqual({
      hops: [
        { address: at('first'), outcome: 'wrapper', refusal: null, detail: null },
        { address: at('second'), outcome: 'film', refusal: null, detail: null },
      ],
      film,
      next: null,
    });
  });

  test('an answer without an ad · ends without a refusal', () => {
    expect(chainOf([{ outcome: 'empty' }])).toEqual({
      hops: [{ address: at('first'), outcome: 'empty', refusal: null, detail: null }],
      film: null,
      next: null,
    });
  });

  test('a refusal on the way · ends, with its name and what is known of it', () => {
    const refused: HopAnswer = { outcome: 'refused', refusal: 'NOT_FOUND', detail: '404' };
    const chain = chainOf([wrapper(at('second')), refused]);
    expect(chain.hops.at(-1)).toEqual({ address: at('second'), ...refused });
    expect([chain.film, chain.next]).toEqual([null, null]);
  });

  const wrappers = (count: number): HopAnswer[] =>
    Array.from({ length: count }, (_, index) => wrapper(at(`hop-${index}`)));

  test('the film behind the fifth wrapper · is reached', () => {
    // What we serve of the creative is the first.
    const chain = chainOf([...wrappers(WRAPPERS_MAX - 1), { outcome: 'film', film }]);
    expect(chain.film).toBe(film);
    expect(chain.hops).toHaveLength(WRAPPERS_MAX);
  });

  test('a sixth wrapper · is named and not asked', () => {
    const chain = chainOf(wrappers(WRAPPERS_MAX));
    expect(wordsOf(chain)).toEqual([...Array(5).fill('wrapper'), 'TOO_MANY_WRAPPERS']);
    expect(chain.hops.at(-1)?.address).toBe(at('hop-4'));
    expect(chain.next).toBeNull();
    expect(() => growChain(chain, { outcome: 'empty' })).toThrow('has ended');
  });

  test.each([
    ['itself', [at('first')], at('first')],
    ['where it was before', [at('second'), at('first')], at('first')],
    ['the same in other letters', ['HTTPS://FIRST.example:443/tag#again'], at('first')],
    ['the second one again', [at('second'), at('third'), at('second')], at('second')],
  ])('that leads to %s · is a loop', (_name, nexts) => {
    const chain = chainOf(nexts.map(wrapper));
    expect(wordsOf(chain)).toEqual([...nexts.map(() => 'wrapper'), 'LOOP']);
    expect(chain.hops.at(-1)?.address).toBe(nexts.at(-1));
    expect(chain.next).toBeNull();
  });

  test('that leads to the same path with another question · is none', () => {
    const chain = chainOf([wrapper(`${at('first')}?step=2`)]);
    expect([wordsOf(chain), chain.next]).toEqual([['wrapper'], `${at('first')}?step=2`]);
  });
});

test('a document · by what it holds · is a wrapper or the film', () => {
  const { mediaFiles } = film;
  expect(
    answerOfSource({ kind: 'inline', durationSeconds: 15, mediaFiles, thirdParty: NOBODY }),
  ).toEqual({ outcome: 'film', film });
  expect(answerOfSource({ kind: 'wrapper', tagUrl: at('next'), thirdParty: NOBODY })).toEqual(
    wrapper(at('next')),
  );
});

test.each<[number, HopAnswer | null]>([
  [200, null],
  [203, null],
  [204, { outcome: 'empty' }],
  [304, { outcome: 'refused', refusal: 'BAD_STATUS', detail: '304' }],
  [403, { outcome: 'refused', refusal: 'BAD_STATUS', detail: '403' }],
  [404, { outcome: 'refused', refusal: 'NOT_FOUND', detail: '404' }],
  [410, { outcome: 'refused', refusal: 'NOT_FOUND', detail: '410' }],
  [500, { outcome: 'refused', refusal: 'BAD_STATUS', detail: '500' }],
])('the status %i · by itself · is what it says', (status, answer) => {
  expect(answerOfStatus(status)).toEqual(answer);
});

describe('macros of players', () => {
  const now = new Date('2026-01-02T03:04:05.678Z');
  const filled = (address: string, random = 0): string =>
    fillPlayerMacros(address, { random, now });

  test('that keep an old answer away · are filled in', () => {
    expect(filled('https://a.example/?c=[CACHEBUSTING]&d=%5Bcachebuster%5D&e=[random]')).toBe(
      'https://a.example/?c=10000000&d=10000000&e=10000000',
    );
    expect(filled('https://a.example/?c=[CACHEBUSTING]', 0.999_999_999_9)).toBe(
      'https://a.example/?c=99999999',
    );
    expect(filled('https://a.example/?t=[TIMESTAMP]')).toBe(
      'https://a.example/?t=2026-01-02T03%3A04%3A05.678Z',
    );
  });

  test('that say who watches, and what is none · stay as they are', () => {
    for (const query of ['?i=[IFA]&g=[GDPRCONSENT]', '?a[]=1', '?a[0]=1', '?c={random}']) {
      expect(filled(`https://a.example/${query}`)).toBe(`https://a.example/${query}`);
    }
  });
});
