import { mountedRoutes } from '../../../api/openapi/route-list.ts';
import { openApiOf } from '../../../api/openapi/openapi.ts';
import { createStand, type Stand } from '../../support/stand.ts';
import {
  committedDocument,
  examplesOf,
  isAlike,
  settledExamples,
} from '../../support/committed.ts';
import { createDocumentCheck } from '../../support/document-check.ts';
import { walkAccounts, walkIdentity } from '../../support/walk/accounts.ts';
import { walkAdvertiser } from '../../support/walk/advertiser.ts';
import { walkDesk, walkExports, walkReports } from '../../support/walk/desk.ts';
import { walkDeposits, walkWithdrawals } from '../../support/walk/money.ts';
import { walkPublisher } from '../../support/walk/publisher.ts';
import { walkSurfaces } from '../../support/walk/surfaces.ts';
import { createWorld, type World } from '../../support/walk/world.ts';

/**
 * One success of every route on a whole platform, in the order in which people would come to it.
 * With UPDATE_DOCS=1 (`npm run docs`) the answers become the examples of docs/openapi.yaml.
 */
let world: World;
let stand: Stand;

beforeAll(async () => {
  world = await createWorld();
  // Never asked: it tells which routes there are and what they answer.
  stand = await createStand();
}, 240_000);

afterAll(async () => {
  await world.close();
  await stand.close();
}, 60_000);

describe('a walk over every route', () => {
  test('each part · on a whole platform · comes to its end', async () => {
    await walkAccounts(world);
    await walkDeposits(world);
    await walkIdentity(world);
    await walkPublisher(world);
    await walkAdvertiser(world);
    await walkSurfaces(world);
    await walkReports(world);
    await walkWithdrawals(world);
    await walkDesk(world);
    await walkExports(world);
    expect(world.walk.faults).toEqual([]);
  }, 480_000);

  test('each mounted route · after the walk · was answered with a success of its shape', () => {
    const { examples } = world.walk;
    const mounted = mountedRoutes(stand.app).map(({ method, path }) => `${method} ${path}`);
    expect(mounted.filter((key) => !Object.hasOwn(examples, key))).toEqual([]);
    const faultIn = createDocumentCheck(openApiOf(stand.app));
    const faults = Object.entries(examples).flatMap(([key, { status, type, answer }]) => {
      if (answer === null) return [];
      const [method = '', path = ''] = key.split(' ');
      const fault = faultIn({ method, path, status, type, value: () => answer });
      return fault === null ? [] : [`${key}: ${fault}`];
    });
    expect(faults).toEqual([]);
  });

  test('docs/openapi.yaml · as committed · shows what the walk was answered', () => {
    // Written of a walk that was refused something, it would lose the examples of that.
    expect(world.walk.faults).toEqual([]);
    const ours = openApiOf(stand.app, settledExamples(world.walk.examples));
    const shown = Object.keys(examplesOf(committedDocument(ours)));
    expect(shown).toEqual(Object.keys(examplesOf(ours)));
  });
});

test.each([
  ['another key, moment and id', { url: 'http://a:1/b?c=9f', at: 1_795_445_300, id: 3 }, true],
  ['another state', { url: 'http://a:2/b?c=1e', at: 1_795_458_216, id: 3, state: 'PAID' }, false],
  ['another amount', { url: 'http://a:2/b?c=1e', at: 1_795_458_216, id: 4 }, false],
  ['another word', { url: 'http://a:2/d?c=1e', at: 1_795_458_216, id: 3 }, false],
  ['a list in its place', [{ url: 'http://a:2/b?c=1e' }], false],
])(
  'an example that is shown · of an answer with %s · stays only where nothing else changed',
  (_what, answer, stays) => {
    const shown = { url: 'http://a:2/b?c=1e', at: 1_795_458_216, id: 3 };
    expect(isAlike(shown, answer)).toBe(stays);
  },
);
