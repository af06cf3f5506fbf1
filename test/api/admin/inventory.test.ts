import { type Caller, dataOf, faultsOf } from '../../support/call.ts';
import { makeAdvertiser, makeOperator } from '../../support/make/account.ts';
import { makeCampaignTree } from '../../support/make/campaign.ts';
import { makePlace } from '../../support/make/place.ts';
import { ask } from '../../support/serving.ts';
import { createStand, type FlowStand } from '../../support/stand.ts';
import { eventually, until } from '../../support/until.ts';

/** What accounts run, as operators look at it at any time, and what they take back of it (interface 5.2). */
let stand: FlowStand;
let reviewer: Caller;
let support: Caller;

beforeAll(async () => {
  stand = await createStand({ flows: {} });
  await stand.startServing();
  const { db, pool } = stand.database;
  await pool.query(`INSERT INTO settings (key, value) VALUES ('review.ad', '"human"')`);
  reviewer = stand.as('admin', (await makeOperator(db, 'REVIEWER')).id);
  support = stand.as('admin', (await makeOperator(db, 'SUPPORT')).id);
});
afterAll(async () => await stand.close());

type Type = 'campaign' | 'adgroup' | 'ad' | 'creative' | 'site' | 'zone';

let width = 5_000;
/** One ad that serves on one zone, and the ids of all that it takes. */
async function scene() {
  width += 1;
  const advertiser = await makeAdvertiser(stand.database.db, { balance: 100 });
  const tree = await makeCampaignTree(stand.database.db, advertiser.id, { revision: { width } });
  const { zone, site, publisher } = await makePlace(stand.database.db, { zone: { width } });
  await stand.publish({ topic: 'advertiser', id: advertiser.id });
  await stand.publish({ topic: 'publisher', id: publisher.id });
  const ads = async (): Promise<number> => {
    const { status, body } = await ask(`${stand.url}/ad/request?zone_id=${zone.id}`);
    return status === 200 ? body.data.ads.length : 0;
  };
  await until('it serves', async () => (await ads()) === 1);
  const ids: Record<Type, number> = {
    campaign: tree.campaign.id,
    adgroup: tree.adGroup.id,
    ad: tree.ad.id,
    creative: tree.creative.id,
    site: site.id,
    zone: zone.id,
  };
  return { ids, ads, advertiser: advertiser.id, publisher: publisher.id };
}

const recall = async (who: Caller, type: string, id: number, note = 'A page of malware') =>
  await who.post('/inventory/recall', { subject_type: type, subject_id: id, note });

interface Shown {
  account_id: number;
  audit_status: string;
  detail: { history: { status: string; recall: string | null }[] };
}
const item = async (who: Caller, type: string, id: number): Promise<Shown> =>
  dataOf(
    await who.get(`/inventory/item?subject_type=${type}&subject_id=${id}`),
  ) as unknown as Shown;

interface Task {
  id: number;
  subject: { type: string; id: number };
}
const taskOf = async (type: string, id: number): Promise<Task> =>
  await until({ what: `a task about ${type} ${id}`, withinMs: 45_000 }, async () => {
    const path = `/tasks?subject_type=${type}&subject_id=${id}&status=open`;
    const { items } = dataOf(await reviewer.get(path)) as unknown as { items: Task[] };
    return items[0];
  });

const decide = async (type: string, id: number, decision: string): Promise<void> => {
  const reasons = decision === 'reject' ? [{ code: 'OTHER', note: 'It leads to malware' }] : [];
  const task = await taskOf(type, id);
  const answer = await reviewer.post(`/tasks/${task.id}/decision`, { decision, reasons });
  expect(answer.status).toBe(200);
};

it.each(['campaign', 'adgroup', 'ad', 'creative', 'site', 'zone'] as const)(
  'an approved %s · taken back · stops serving at once, is decided by a person, and serves again where that is yes',
  async (type) => {
    const { ids, ads, advertiser, publisher } = await scene();
    const id = ids[type];
    const answer = await recall(reviewer, type, id);
    expect(answer.status).toBe(200);
    const account = ['site', 'zone'].includes(type) ? publisher : advertiser;
    expect(dataOf(answer)).toMatchObject({ account_id: account, audit_status: 'PENDING' });
    await eventually(async () => expect(await ads()).toBe(0));

    // Settings that approve what is clean do not hold here: somebody asks for a person.
    const before = await item(reviewer, type, id);
    expect(before.detail.history[0]).toMatchObject({ status: 'OPEN', recall: 'A page of malware' });
    expect((await recall(reviewer, type, id)).status).toBe(409);
    await decide(type, id, 'approve');
    await eventually(async () => {
      expect((await item(support, type, id)).audit_status).toBe('APPROVED');
      expect(await ads()).toBe(1);
    });
  },
);

test('a creative taken back · refused then · tells its owner each step, and its owner may appeal', async () => {
  const { ids, ads, advertiser } = await scene();
  const owner = stand.as('advertiser', advertiser);
  expect((await recall(reviewer, 'creative', ids.creative)).status).toBe(200);
  await decide('creative', ids.creative, 'reject');
  await eventually(async () => {
    expect(dataOf(await owner.get(`/creatives/${ids.creative}`))).toMatchObject({
      audit_status: 'REJECTED',
      approved_revision: null,
      audit_reasons: [{ code: 'OTHER', note: 'It leads to malware' }],
    });
  });
  const { items } = dataOf(await owner.get('/notifications')) as unknown as {
    items: { kind: string; text: string }[];
  };
  const told = items.filter(({ kind }) => kind.startsWith('review')).map(({ text }) => text);
  expect(told.some((text) => text.includes('stopped, and looked at again'))).toBe(true);
  expect(told.some((text) => text.includes('rejected'))).toBe(true);
  // What an operator says to the desk is not its owner's to read.
  const history = JSON.stringify((await owner.get('/history')).body);
  expect(history).toContain('creative.recall');
  expect(history).not.toContain('A page of malware');
  expect((await owner.post(`/creatives/${ids.creative}/appeal`, { text: 'No' })).status).toBe(200);
  expect(await ads()).toBe(0);
});

test('an ad whose newer version waits · taken back · ends the approved one alone; the newer round goes on', async () => {
  const { ids, ads, advertiser } = await scene();
  const owner = stand.as('advertiser', advertiser);
  expect((await owner.put(`/ads/${ids.ad}`, { title: 'A newer title' })).status).toBe(200);
  const waiting = await taskOf('ad', ids.ad);
  expect(await ads()).toBe(1);
  expect((await recall(reviewer, 'ad', ids.ad)).status).toBe(200);
  await eventually(async () => expect(await ads()).toBe(0));
  expect((await taskOf('ad', ids.ad)).id).toBe(waiting.id);
  await decide('ad', ids.ad, 'approve');
  await eventually(async () => expect(await ads()).toBe(1));
});

const shut = async (who: Caller, move: 'suspend' | 'restore', id: number, note = 'Hidden zones') =>
  await who.post(`/inventory/sites/${id}/${move}`, { note });

test('a site · suspended · serves nothing, is not submitted or renamed, and serves again when it is restored', async () => {
  const { ids, ads, publisher } = await scene();
  const owner = stand.as('publisher', publisher);
  const answer = await shut(reviewer, 'suspend', ids.site);
  expect([answer.status, dataOf(answer)]).toMatchObject([200, { audit_status: 'SUSPENDED' }]);
  await eventually(async () => expect(await ads()).toBe(0));
  expect((await shut(reviewer, 'suspend', ids.site)).status).toBe(409);
  expect((await recall(reviewer, 'site', ids.site)).status).toBe(409);
  expect((await owner.post(`/sites/${ids.site}/submit-audit`)).status).toBe(409);
  expect((await owner.put(`/sites/${ids.site}`, { domain: 'else.example.com' })).status).toBe(409);
  // Nor does its name come in anew as another site.
  expect((await owner.delete(`/sites/${ids.site}`)).status).toBe(409);
  expect((await shut(reviewer, 'restore', ids.site, 'Mended')).status).toBe(200);
  await eventually(async () => expect(await ads()).toBe(1));
  expect((await shut(reviewer, 'restore', ids.site)).status).toBe(409);
  const { items } = dataOf(await owner.get('/notifications')) as unknown as {
    items: { text: string }[];
  };
  const [restored, suspended] = items.map(({ text }) => text);
  expect(suspended).toMatch(/^Review of site “.+”: taken out of serving by the platform$/);
  expect(restored).toMatch(/^Review of site “.+”: approved again$/);
  expect(JSON.stringify(items)).not.toContain('Hidden zones');
});

test('a suspension · by other roles, without a word, of no site · is refused, and it serves on', async () => {
  const { ids, ads } = await scene();
  const finance = stand.as('admin', (await makeOperator(stand.database.db, 'FINANCE')).id);
  for (const who of [support, finance]) {
    expect((await shut(who, 'suspend', ids.site)).status).toBe(403);
  }
  expect((await shut(reviewer, 'suspend', ids.site, ' ')).status).toBe(422);
  expect((await shut(reviewer, 'suspend', 9_999_999)).status).toBe(404);
  expect((await shut(reviewer, 'restore', ids.site)).status).toBe(409);
  expect(await ads()).toBe(1);
});

test('a recall · by other roles, without a word, of what is none · is refused, and nothing stops', async () => {
  const { ids, ads, advertiser } = await scene();
  const finance = stand.as('admin', (await makeOperator(stand.database.db, 'FINANCE')).id);
  for (const who of [support, finance]) {
    expect((await recall(who, 'ad', ids.ad)).status).toBe(403);
  }
  const wrong = await reviewer.post('/inventory/recall', { subject_type: 'media', note: ' ' });
  expect(wrong.status).toBe(422);
  expect(faultsOf(wrong).map((fault) => fault.split(' ')[0])).toEqual(
    expect.arrayContaining(['subject_type', 'subject_id', 'note']),
  );
  expect((await recall(reviewer, 'ad', 9_999_999)).status).toBe(404);
  await stand.database.pool.query(`UPDATE ads SET status = 'ARCHIVED' WHERE id = $1`, [ids.ad]);
  expect((await recall(reviewer, 'ad', ids.ad)).status).toBe(404);
  await stand.database.pool.query(`UPDATE ads SET status = 'ACTIVE' WHERE id = $1`, [ids.ad]);
  expect((await stand.as('advertiser', advertiser).get('/inventory')).status).toBe(404);
  expect(await ads()).toBe(1);
});

test('what an account runs · listed by kind · is that account alone, with why it serves or does not', async () => {
  const [one, other] = [await scene(), await scene()];
  const listed = async (type: Type, account: number): Promise<number[]> => {
    const side = ['site', 'zone'].includes(type) ? 'publishers' : 'advertisers';
    const path = `/${side}/${account}/inventory?subject_type=${type}`;
    const { items } = dataOf(await support.get(path)) as unknown as {
      items: { id: number; account_id: number; delivery_status: string }[];
    };
    expect(items.every(({ account_id: owner }) => owner === account)).toBe(true);
    expect(items.every(({ delivery_status: status }) => typeof status === 'string')).toBe(true);
    return items.map(({ id }) => id);
  };
  for (const type of ['campaign', 'adgroup', 'ad', 'creative'] as const) {
    expect(await listed(type, one.advertiser)).toEqual([one.ids[type]]);
  }
  for (const type of ['site', 'zone'] as const) {
    expect(await listed(type, other.publisher)).toEqual([other.ids[type]]);
  }
  // What the other side makes is none of its kinds, and its accounts are none of this side.
  const asked = async (path: string) => (await support.get(path)).status;
  expect(await asked(`/publishers/${other.publisher}/inventory?subject_type=ad`)).toBe(422);
  expect(await asked(`/advertisers/${other.publisher}/inventory`)).toBe(404);
});
