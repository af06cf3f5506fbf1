import { Registry } from 'prom-client';
import { createUpkeepActivities } from '../../../activities/upkeep/upkeep.ts';
import { runner } from '../../../db/postgres.ts';
import { OPERATOR_ROLES } from '../../../domain/operator.ts';
import { measureBacklogs } from '../../../metrics/backlogs.ts';
import { dataOf } from '../../support/call.ts';
import { makeOperator } from '../../support/make/account.ts';
import { type Line, makeLine } from '../../support/make/line.ts';
import { insertRow } from '../../support/make/row.ts';
import { activityDeps } from '../../support/settlement.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** What waits for an advertiser, and who hears of it (interface 4.14, 5.2, 5.9). */
let stand: Stand;
let line: Line;
let idle: Line;
const ids: Record<string, number> = {};

const HOUR_MS = 3_600_000;
const later = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

interface Made {
  of?: Line;
  findings?: string[];
  /** Hours since it was reported, and until it is billed or rejected. */
  age: number;
  rest: number;
}
async function make(name: string, { of = line, findings = [], age, rest }: Made): Promise<void> {
  const key = await insertRow(stand.database, 'conversions', {
    advertiser_id: of.advertiserId,
    publisher_id: of.publisherId,
    campaign_id: of.campaignId,
    zone_id: of.zoneId,
    dedupe_key: `tx:${name}`,
    event_type: 'LEAD',
    status: 'PENDING',
    findings: JSON.stringify(findings),
    price_nanos: 3_000_000_000,
    created_at: later(-age),
    held_at: later(-age),
    [findings.length === 0 ? 'due_at' : 'decide_by']: later(rest),
  });
  const { rows } = await stand.database.pool.query<{ public_id: string }>(
    'SELECT public_id FROM conversions WHERE id = $1',
    [key],
  );
  ids[name] = Number(rows[0]?.public_id);
}

beforeAll(async () => {
  stand = await createStand({ realTime: true });
  line = await makeLine(stand.database, { pricingModel: 'CPA' });
  idle = await makeLine(stand.database, { pricingModel: 'CPA' });
  await make('clean', { age: 5, rest: 163 });
  await make('doubted', { age: 4, rest: 716, findings: ['BURST', 'HOST_MISSING'] });
  await make('late', { of: idle, age: 361, rest: 359, findings: ['HOST_FOREIGN'] });
  await make('late too', { of: idle, age: 400, rest: 320, findings: ['BURST'] });
});
afterAll(async () => await stand.close());

test('the list · has what waits, by whom it is waited for and why; SUPPORT and FINANCE read it', async () => {
  for (const role of OPERATOR_ROLES) {
    const operator = stand.as('admin', (await makeOperator(stand.database.db, role)).id);
    const list = async (query: string) => {
      const answer = await operator.get(`/held-conversions?${query}`);
      if (answer.status !== 200) return answer.status;
      return (dataOf(answer) as { items: { id: number }[] }).items.map(({ id }) => id);
    };
    const named = (...names: string[]) =>
      role === 'REVIEWER' ? 403 : names.map((name) => ids[name]);
    expect(await list('')).toEqual(named('clean', 'doubted', 'late', 'late too'));
    expect(await list('waits=window')).toEqual(named('clean'));
    expect(await list('waits=decision')).toEqual(named('doubted', 'late', 'late too'));
    expect(await list('waits=late')).toEqual(named('late', 'late too'));
    expect(await list('finding=BURST')).toEqual(named('doubted', 'late too'));
    expect(await list(`advertiser_id=${line.advertiserId}`)).toEqual(named('clean', 'doubted'));
    expect(await list(`publisher_id=${idle.publisherId}`)).toEqual(named('late', 'late too'));
  }
  const support = stand.as('admin', (await makeOperator(stand.database.db, 'SUPPORT')).id);
  expect((await support.get('/held-conversions?waits=long')).status).toBe(422);
  const shown = dataOf(await support.get('/held-conversions?waits=late')) as { items: object[] };
  expect(shown.items[0]).toMatchObject({
    advertiser_id: idle.advertiserId,
    publisher_id: idle.publisherId,
    txid: 'late',
    findings: ['HOST_FOREIGN'],
    price: 3,
    due_at: null,
  });
});

test('accounts · read nothing of it', async () => {
  for (const realm of ['advertiser', 'publisher'] as const) {
    const token = stand.issue(realm, line[`${realm}Id`]);
    const answer = await stand.bearing('admin', token).get('/held-conversions');
    expect([realm, answer.status]).toEqual([realm, 403]);
  }
});

test('an advertiser that leaves them for half of their time · SUPPORT hears of it, once a week', async () => {
  const support = stand.as('admin', (await makeOperator(stand.database.db, 'SUPPORT')).id);
  const upkeep = createUpkeepActivities(activityDeps(stand.database));
  expect((await upkeep.runUpkeep()).lateAdvertisers).toBe(1);
  await upkeep.runUpkeep();
  const told = async () =>
    (dataOf(await support.get('/notifications')) as { items: { text: string }[] }).items;
  expect(await told()).toMatchObject([
    {
      kind: 'conversions_late',
      subject: { type: 'advertiser', id: idle.advertiserId },
      params: { count: 2 },
      text: `Advertiser ${idle.advertiserId} has left 2 conversions with findings undecided for half of their time`,
    },
  ]);
  await stand.database.pool.query(
    `UPDATE operator_notices SET dedupe_key = dedupe_key || ' of a week before'`,
  );
  await upkeep.runUpkeep();
  expect(await told()).toHaveLength(2);
});

test('the figures · say how many are doubted, and how many of them late', async () => {
  const registry = new Registry();
  measureBacklogs(registry, {
    sql: runner(stand.database.db),
    shards: 1,
    clock: () => new Date(),
  });
  const text = await registry.metrics();
  expect(text).toMatch(/^adp_conversions_doubted 3$/m);
  expect(text).toMatch(/^adp_conversions_late 2$/m);
});
