import type { RequestListener } from 'node:http';
import { createSafeFetch, type SafeFetch } from '../../../activities/providers/safe-fetch.ts';
import { followWrappers } from '../../../activities/review/task-film.ts';
import type { FilmChain } from '../../../domain/creative/film-chain.ts';
import { type Listener, startListener, status } from '../../support/listener.ts';
import { pause } from '../../support/until.ts';
import { documentOf, inlineOf, NO_AD, wrapperTo } from '../../support/vast-documents.ts';

/** Wrappers of real servers, through the one way out. */
let server: Listener;
let asked: string[] = [];
const answers = new Map<string, RequestListener>();
const at = (path: string): string => `http://films.example${path}`;

beforeAll(async () => {
  server = await startListener((req, res) => {
    const path = req.url ?? '';
    asked.push(path);
    (answers.get(path.split('?')[0] ?? '') ?? status(404))(req, res);
  });
});
afterAll(async () => {
  await server.close();
});
beforeEach(() => {
  asked = [];
  answers.clear();
});

const fetchOf = (timeoutMs = 5_000): SafeFetch =>
  createSafeFetch({
    devHosts: new Map([['films.example', server.host]]),
    resolve: (host) =>
      host === 'inside.example'
        ? Promise.resolve([{ address: '10.0.0.7', family: 4 }])
        : Promise.reject(Object.assign(new Error('no name'), { code: 'ENOTFOUND' })),
    timeoutMs,
  });
const clock = (): Date => new Date('2026-01-02T03:04:05.678Z');
const follow = async (address: string, fetch = fetchOf()): Promise<FilmChain> =>
  await followWrappers(fetch, address, { clock });
const endOf = ({ hops }: FilmChain) => hops.at(-1);

test('wrappers to a film · are followed; nothing that they wish to be told is sent', async () => {
  answers.set('/first', documentOf(wrapperTo(at('/second?cb=[CACHEBUSTING]&i=[IFA]'))));
  answers.set('/second', documentOf(inlineOf(at('/film.mp4')), 'text/xml'));
  const chain = await follow(at('/first'));
  expect(chain.hops.map(({ address, outcome }) => [address, outcome])).toEqual([
    [at('/first'), 'wrapper'],
    [at('/second?cb=[CACHEBUSTING]&i=[IFA]'), 'film'],
  ]);
  expect(chain.film).toMatchObject({
    durationSeconds: 15,
    mediaFiles: [{ url: at('/film.mp4'), mime: 'video/mp4', bitrateKbps: 500 }],
  });
  expect(asked).toEqual(['/first', expect.stringMatching(/^\/second\?cb=[1-9]\d{7}&i=\[IFA\]$/)]);
});

test.each<[string, RequestListener, string | null]>([
  ['an empty VAST', documentOf(NO_AD), 'empty'],
  ['204', status(204), 'empty'],
  ['404', status(404), 'NOT_FOUND'],
  ['a failure', status(503), 'BAD_STATUS'],
  ['a page', documentOf('<html/>', 'text/html'), 'WRONG_TYPE'],
  ['no XML under its type', documentOf('hello'), 'NOT_XML'],
  ['XML that is no VAST', documentOf('<rss/>'), 'NOT_VAST'],
  ['a pod', documentOf('<VAST><Ad/><Ad/></VAST>'), 'NOT_VAST'],
  ['more than we read', documentOf(`${NO_AD}<!--${'x'.repeat(70_000)}-->`), 'TOO_LARGE'],
  ['nothing but a cut line', (_req, res) => void res.destroy(), 'CONNECTION_FAILED'],
  [
    'a redirect to a private address',
    (_req, res) => void res.writeHead(302, { location: 'http://127.0.0.1/tag' }).end(),
    'PRIVATE_ADDRESS',
  ],
  [
    'a redirect to itself',
    (_req, res) => void res.writeHead(302, { location: '/tag' }).end(),
    'TOO_MANY_REDIRECTS',
  ],
])('%s · is named, and there is no film', async (_name, answer, word) => {
  answers.set('/tag', answer);
  const chain = await follow(at('/tag'));
  const end = endOf(chain);
  expect([end?.refusal ?? end?.outcome, chain.film, chain.next]).toEqual([word, null, null]);
});

test('a document without a type · is read by what it is', async () => {
  answers.set('/tag', (_req, res) => void res.end(inlineOf(at('/film.mp4'))));
  expect(endOf(await follow(at('/tag')))?.outcome).toBe('film');
});

test.each([
  ['http://127.0.0.1/tag', 'PRIVATE_ADDRESS'],
  ['http://[::1]/tag', 'PRIVATE_ADDRESS'],
  ['http://inside.example/tag', 'PRIVATE_ADDRESS'],
  ['http://nobody.example/tag', 'DNS_NXDOMAIN'],
  ['http://films.example:8080/tag', 'BAD_ADDRESS'],
])('a wrapper that leads to %s · is refused as %s', async (address, refusal) => {
  answers.set('/tag', documentOf(wrapperTo(address)));
  const chain = await follow(at('/tag'));
  expect(chain.hops).toMatchObject([{ outcome: 'wrapper' }, { address, refusal }]);
});

test('six wrappers, a loop · are not asked beyond their ends', async () => {
  for (let hop = 1; hop <= 6; hop += 1) {
    answers.set(`/${hop}`, documentOf(wrapperTo(at(`/${hop + 1}`))));
  }
  expect(endOf(await follow(at('/1')))).toMatchObject({
    address: at('/6'),
    refusal: 'TOO_MANY_WRAPPERS',
  });
  expect(asked).toEqual(['/1', '/2', '/3', '/4', '/5']);
  answers.set('/2', documentOf(wrapperTo(at('/1'))));
  asked = [];
  expect(endOf(await follow(at('/1')))).toMatchObject({ address: at('/1'), refusal: 'LOOP' });
  expect(asked).toEqual(['/1', '/2']);
});

test('a loop through a macro · is one, whatever it was filled with', async () => {
  const address = at('/tag?cb=[CACHEBUSTING]');
  answers.set('/tag', documentOf(wrapperTo(address)));
  expect(endOf(await follow(address))).toMatchObject({ address, refusal: 'LOOP' });
  expect(asked).toHaveLength(1);
});

const after =
  (milliseconds: number, then: RequestListener): RequestListener =>
  (req, res) =>
    void pause(milliseconds, 'a server that takes its time').then(() => then(req, res));

test('a server that keeps silent · is out of time', async () => {
  answers.set('/tag', () => undefined);
  expect(endOf(await follow(at('/tag'), fetchOf(100)))?.refusal).toBe('TIMEOUT');
});

test('servers that are each in time, and together are not · are out of time', async () => {
  for (let hop = 1; hop <= 4; hop += 1) {
    answers.set(`/${hop}`, after(200, documentOf(wrapperTo(at(`/${hop + 1}`)))));
  }
  const chain = await followWrappers(fetchOf(), at('/1'), { clock, withinMs: 500 });
  expect(endOf(chain)?.refusal).toBe('TIMEOUT');
  expect(chain.hops.length).toBeLessThanOrEqual(3);
});
