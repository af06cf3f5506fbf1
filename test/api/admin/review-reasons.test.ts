import { TASK_KINDS } from '../../../domain/lifecycle/task.ts';
import { makeAdvertiser, makeOperator, makePublisher } from '../../support/make/account.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** interface 5.4: the catalogue, as each realm reads it. */
let stand: Stand;
beforeAll(async () => {
  stand = await createStand();
});
afterAll(async () => {
  await stand.close();
});

type Item = Record<string, unknown>;
const itemsOf = (answer: { body: { data: { items: Item[] } } }): Item[] => answer.body.data.items;

it('an operator · of one kind, or of all · with guidance', async () => {
  const support = stand.as('admin', (await makeOperator(stand.database.db, 'SUPPORT')).id);
  const zones = itemsOf(await support.get('/review-reasons?kind=zone_review'));
  expect(zones.map(({ code }) => code)).toEqual([
    'BAD_PLACEMENT',
    'TOO_MANY_ADS',
    'WRONG_FORMAT',
    'OTHER',
  ]);
  expect(zones[0]).toMatchObject({
    task_kind: 'zone_review',
    kind: 'RETRY',
    title: { en: 'Placement is not acceptable', zh: '广告位位置不当' },
    guidance: { en: expect.any(String), zh: expect.any(String) },
  });
  const kinds = itemsOf(await support.get('/review-reasons')).map((item) => item['task_kind']);
  expect(new Set(kinds)).toEqual(new Set(TASK_KINDS));
  expect((await support.get('/review-reasons?kind=zones')).status).toBe(422);
});

it('an owner · what may become of their own things, without what is said to operators', async () => {
  const { db } = stand.database;
  const advertiser = stand.as('advertiser', (await makeAdvertiser(db)).id);
  const publisher = stand.as('publisher', (await makePublisher(db)).id);
  const own = itemsOf(await advertiser.get('/review-reasons'));
  expect(own).toContainEqual(
    expect.objectContaining({ subject_type: 'creative', code: 'MISLEADING', kind: 'RETRY' }),
  );
  expect(own.some((item) => 'guidance' in item || item['subject_type'] === 'site')).toBe(false);
  const theirs = itemsOf(await publisher.get('/review-reasons'));
  expect(theirs).toContainEqual(
    expect.objectContaining({ subject_type: 'withdrawal', code: 'RETURNED_BY_BANK' }),
  );
  expect(theirs.some((item) => item['subject_type'] === 'creative')).toBe(false);
});
