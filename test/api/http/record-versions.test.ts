import { createStand, type Stand } from '../../support/stand.ts';
import { image } from '../../support/images.ts';
import { makeOperator } from '../../support/make/account.ts';
import { type Caller, dataOf, idOf } from '../../support/call.ts';

/** Every record of the advertiser's realm, and settings: an edit says which state it was made from. */
let stand: Stand;
let owner: Caller;
let admin: Caller;
const bases: Record<string, object> = {};

beforeAll(async () => {
  stand = await createStand();
  owner = await stand.newAdvertiser();
  admin = stand.as('admin', (await makeOperator(stand.database.db, 'ADMIN')).id);
  const made = await owner.upload('/media/upload', await image('png'));
  const creative = { name: 'Banner', image_media_id: idOf(made) };
  const campaign = {
    name: 'Spring',
    ad_type: 'BANNER',
    bid: 1,
    landing_url: 'https://shop.example/',
  };
  const campaign_id = idOf(await owner.post('/campaigns', campaign));
  const adgroup_id = idOf(await owner.post('/adgroups', { name: 'Group', campaign_id }));
  const creative_id = idOf(await owner.post('/creatives', creative));
  Object.assign(bases, {
    campaigns: campaign,
    adgroups: { name: 'Group', campaign_id },
    ads: { name: 'Ad', adgroup_id, creative_id },
    creatives: creative,
    trackers: { name: 'Sale' },
  });
});
afterAll(async () => await stand.close());

const make = async (noun: string): Promise<string> =>
  `/${noun}/${idOf(await owner.post(`/${noun}`, bases[noun]))}`;

const NOUNS = ['campaigns', 'adgroups', 'ads', 'creatives', 'trackers'];

describe.each(NOUNS)('%s · edited by two', (noun) => {
  it('with the version it was read at · 200, and the next version', async () => {
    const path = await make(noun);
    const shown = await owner.get(path);
    const { version } = dataOf(shown) as { version: number };
    expect(shown.headers['etag']).toBe(`"${version}"`);
    const edited = await owner.put(path, { name: 'Edited' }).set('If-Match', `"${version}"`);
    expect(edited.status).toBe(200);
    expect(dataOf(edited)).toMatchObject({ name: 'Edited', version: version + 1 });
    expect(edited.headers['etag']).toBe(`"${version + 1}"`);
  });

  it('read again by a browser that has this version · answers it whole: reviews move on under it', async () => {
    const path = await make(noun);
    const { headers } = await owner.get(path);
    const again = await owner.get(path).set('If-None-Match', String(headers['etag']));
    expect([again.status, dataOf(again)]).toEqual([200, expect.objectContaining({ version: 1 })]);
  });

  it.each([
    ['an older one', '"0"'],
    ['a weak one', 'W/"1"'],
    ['one that is not ours', '"abc"'],
    ['no tag at all', 'abc'],
    ['an empty one', '""'],
  ])('with %s · 412, and it is as it was', async (_what, tag) => {
    const path = await make(noun);
    const before = dataOf(await owner.get(path));
    for (const refused of [
      await owner.put(path, { name: 'Edited' }).set('If-Match', tag),
      await owner.delete(path).set('If-Match', tag),
    ]) {
      expect(refused.status).toBe(412);
      expect(dataOf(refused)['error']).toBe('precondition_failed');
    }
    expect(dataOf(await owner.get(path))).toEqual(before);
  });

  it.each(['*', '"7", "1"', undefined])('with %s, which it fits · 200', async (tag) => {
    const path = await make(noun);
    const put = owner.put(path, { name: 'Edited' });
    expect((await (tag === undefined ? put : put.set('If-Match', tag))).status).toBe(200);
  });

  it('ten edits at once of one version · one wins, nine are told', async () => {
    const path = await make(noun);
    const answers = await Promise.all(
      Array.from(
        { length: 10 },
        async (_, at) => await owner.put(path, { name: `Edit ${at}` }).set('If-Match', '"1"'),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 412),
    ]);
    const winner = answers.find(({ status }) => status === 200);
    expect(dataOf(await owner.get(path))).toMatchObject({
      name: winner === undefined ? '' : dataOf(winner)['name'],
      version: 2,
    });
  });

  it('deleted with its version · is archived', async () => {
    const path = await make(noun);
    const answer = await owner.delete(path).set('If-Match', '"1"');
    expect(dataOf(answer)).toMatchObject({ status: 'ARCHIVED' });
    expect((await owner.get(path)).status).toBe(404);
  });
});

describe.each(NOUNS.filter((noun) => noun !== 'trackers'))('%s · moved by its owner', (noun) => {
  it('paused, resumed, submitted · is a new version each time; a refused move is none', async () => {
    const draft = { ...bases[noun], save_as_draft: true };
    const path = `/${noun}/${idOf(await owner.post(`/${noun}`, draft))}`;
    const move = async (name: string) => await owner.post(`${path}/${name}`);
    expect(dataOf(await owner.get(path))['version']).toBe(1);
    expect((await move('toggle')).headers['etag']).toBe('"2"');
    expect((await move('toggle')).headers['etag']).toBe('"3"');
    const submitted = await move('submit-audit');
    expect(dataOf(submitted)).toMatchObject({ audit_status: 'PENDING', version: 4 });
    expect((await move('submit-audit')).status).toBe(409);
    expect(dataOf(await owner.get(path))['version']).toBe(4);
  });
});

describe('a setting · put by two operators', () => {
  const path = '/settings/review.lease_seconds';
  const shown = async () => {
    const { items } = dataOf(await admin.get('/settings')) as { items: { key: string }[] };
    return items.find(({ key }) => key === 'review.lease_seconds');
  };

  it('that nobody has set · is version 0; of two first writes one is told', async () => {
    expect(await shown()).toMatchObject({ version: 0, value: 600, updated_at: null });
    const answers = await Promise.all(
      [3, 4].map(async (value) => await admin.put(path, { value }).set('If-Match', '"0"')),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
    const winner = answers.find(({ status }) => status === 200);
    expect(winner?.headers['etag']).toBe('"1"');
    expect(await shown()).toMatchObject({ version: 1, updated_by: admin.id });
  });

  it('each write · is in the audit log with what was before', async () => {
    const before = (await shown()) as unknown as { value: number; version: number };
    await admin.put(path, { value: 9 }).set('If-Match', `"${before.version}"`);
    const log = dataOf(await admin.get('/audit-log?action=setting.put&page_size=1'));
    expect(log['items']).toMatchObject([
      {
        actor: { type: 'OPERATOR', id: admin.id },
        detail: { key: 'review.lease_seconds', before: before.value, after: 9 },
      },
    ]);
  });

  it('a value outside its rule, an unknown key · 422, 404, and nothing is written', async () => {
    const before = await shown();
    expect((await admin.put(path, { value: 'soon' })).status).toBe(422);
    expect((await admin.put(path, { value: null })).status).toBe(422);
    expect((await admin.put(path, {})).status).toBe(422);
    expect((await admin.put('/settings/no.such', { value: 1 })).status).toBe(404);
    expect((await admin.put('/settings/constructor', { value: 1 })).status).toBe(404);
    expect(await shown()).toEqual(before);
  });
});
