import { createHmac } from 'node:crypto';
import { composeProviders } from '../../../activities/providers/compose.ts';
import { POSTBACK_SECRET_PLACE } from '../../../activities/tracking/postbacks.ts';
import { runner } from '../../../db/postgres.ts';
import { runBooks } from '../../../db/queries/books.ts';
import { chart } from '../../../domain/ledger/chart.ts';
import { type Caller, dataOf, faultsOf, idOf } from '../../support/call.ts';
import {
  endWindows,
  runLoops,
  send,
  settleAll,
  SHOPPER,
  shopperClick,
  STRANGER,
} from '../../support/conversions.ts';
import { type Line, makeLine } from '../../support/make/line.ts';
import { balanceOf, UNIT } from '../../support/make/money.ts';
import { append } from '../../support/settlement.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** Conversions that nobody signed, over the wire and by its attacks (interface 4.14). */
let stand: Stand;
let line: Line;
let owner: Caller;
let stranger: Caller;
let trackerId: number;
let code: string;

beforeAll(async () => {
  stand = await createStand({ realTime: true });
});
afterAll(async () => {
  try {
    const broken = (await runBooks(runner(stand.database.db))).filter((check) => !check.ok);
    expect(broken).toEqual([]);
  } finally {
    await stand.close();
  }
});
beforeEach(async () => {
  line = await makeLine(stand.database, { pricingModel: 'CPA' });
  owner = stand.as('advertiser', line.advertiserId);
  stranger = stand.as('advertiser', (await makeLine(stand.database)).advertiserId);
  ({ trackerId, code } = await tracker({}));
  await setting('conversion.max_per_publisher_hour', 100);
});

async function tracker(fields: object): Promise<{ trackerId: number; code: string }> {
  const answer = await owner.post('/trackers', { name: 'Sale', event_type: 'PURCHASE', ...fields });
  const id = idOf(answer);
  await stand.database.pool.query('UPDATE campaigns SET tracker_id = $1 WHERE id = $2', [
    id,
    line.campaignId,
  ]);
  return { trackerId: id, code: String(dataOf(answer)['tracking_code']) };
}

async function setting(key: string, value: unknown): Promise<void> {
  await stand.database.pool.query(
    'INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value',
    [key, JSON.stringify(value)],
  );
}

interface Row {
  id: string;
  status: string;
  reason: string | null;
  findings: string[];
  due_at: Date | null;
}
const rows = async (): Promise<Row[]> =>
  (
    await stand.database.pool.query<Row>(
      'SELECT public_id AS id, status, reason, findings, due_at FROM conversions WHERE advertiser_id = $1 ORDER BY conversions.id',
      [line.advertiserId],
    )
  ).rows;
const spent = async (): Promise<bigint> =>
  1_000n * UNIT - (await balanceOf(stand.database, chart.advertiserAvailable(line.advertiserId)));
const earned = async (): Promise<bigint> =>
  await balanceOf(stand.database, chart.publisherEarned(line.publisherId, 0));

/** One from the shop's own page, held without a finding. */
async function heldOne(txid = 'order-1'): Promise<number> {
  const { clickId } = await shopperClick(stand, line);
  await send(stand, 'conversion.gif', { query: { c: code, click_id: clickId, txid }, by: SHOPPER });
  await runLoops(stand);
  return Number((await rows()).at(-1)?.id);
}

function signed(params: Record<string, string>): Record<string, string> {
  const secret = composeProviders(stand.config).blindIndex(code, POSTBACK_SECRET_PLACE);
  const text = Object.entries(params)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .toSorted()
    .join('&');
  return { ...params, sig: createHmac('sha256', secret).update(text).digest('hex') };
}

describe('the public code of a page', () => {
  test.each(['ONE', 'EVERY'])(
    'eight invented transactions after one click · a tracker that counts %s · bill nothing by themselves',
    async (countMode) => {
      ({ code } = await tracker({ count_mode: countMode }));
      const { clickId } = await shopperClick(stand, line);
      for (let n = 0; n < 8; n += 1) {
        const query = { c: code, click_id: clickId, txid: `invented-${n}`, value: '99' };
        const answer = await send(stand, 'conversion.gif', { query, by: STRANGER });
        expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/gif']);
      }
      await runLoops(stand);
      await endWindows(stand);
      await runLoops(stand);
      const stored = await rows();
      expect(stored).toHaveLength(8);
      const held = stored.filter(({ status }) => status === 'PENDING');
      expect(held).toHaveLength(countMode === 'ONE' ? 1 : 8);
      for (const { findings, due_at } of held) {
        expect(findings).toEqual(
          expect.arrayContaining(['FOREIGN_BROWSER', 'FOREIGN_ADDRESS', 'HOST_MISSING', 'BURST']),
        );
        expect(due_at).toBeNull();
      }
      expect([await spent(), await earned()]).toEqual([0n, 0n]);

      const ids = held.map(({ id }) => Number(id));
      const body = { action: 'reject', ids, reason: 'Not our orders' };
      expect(dataOf(await owner.post('/conversions/bulk', body))).toMatchObject({
        done: ids.length,
        failed: 0,
      });
      await runLoops(stand);
      expect([await spent(), await earned()]).toEqual([0n, 0n]);
      const { rows: events } = await stand.database.pool.query(
        `SELECT reason, billable, price_nanos::int FROM events WHERE kind = 'conversion' AND click_id = $1`,
        [clickId],
      );
      expect(events).toEqual(
        ids.map(() => ({ reason: 'CONVERSION_REJECTED', billable: false, price_nanos: 0 })),
      );
    },
  );

  test('by postback and by api instead of the image · is held alike', async () => {
    ({ code } = await tracker({ count_mode: 'EVERY' }));
    const { clickId } = await shopperClick(stand, line);
    await send(stand, 'postback', { query: { code, click_id: clickId, txid: 'a' }, by: STRANGER });
    await send(stand, 'conversion', {
      query: { code, click_id: clickId, txid: 'b' },
      by: STRANGER,
    });
    await send(stand, 'conversion', { query: { click_id: clickId }, by: STRANGER });
    await runLoops(stand);
    await endWindows(stand);
    await runLoops(stand);
    expect((await rows()).map(({ status }) => status)).toEqual(['PENDING', 'PENDING', 'PENDING']);
    expect(await spent()).toBe(0n);
  });

  test('a page of another site · is a finding; the shop’s own subdomain is none', async () => {
    const foreign = { ...SHOPPER, Referer: 'https://evil.example/shop.example' };
    const origin = { ...SHOPPER, Origin: 'https://evil.example' };
    for (const by of [foreign, origin, SHOPPER]) {
      const { clickId } = await shopperClick(stand, line);
      await send(stand, 'conversion.gif', { query: { c: code, click_id: clickId }, by });
    }
    await runLoops(stand);
    expect((await rows()).map(({ findings }) => findings)).toEqual([
      ['HOST_FOREIGN'],
      ['HOST_FOREIGN'],
      [],
    ]);
  });

  test('the page that clicks lead to, while the ad and its campaign wait with another one · is no finding', async () => {
    const { pool } = stand.database;
    const lead = async (campaign: string, ad: string): Promise<void> => {
      await pool.query('UPDATE campaigns SET landing_url = $2 WHERE id = $1', [
        line.campaignId,
        campaign,
      ]);
      await pool.query('UPDATE ads SET landing_url = $2 WHERE id = $1', [line.adId, ad]);
    };
    await lead('https://next.example/', 'https://next.example/ad');
    const { clickId } = await shopperClick(stand, line);
    await send(stand, 'conversion.gif', { query: { c: code, click_id: clickId }, by: SHOPPER });
    await runLoops(stand);
    await lead('https://shop.example/landing', '');
    expect((await rows()).map(({ findings }) => findings)).toEqual([[]]);
  });

  test('more than the cap of a publisher and hour · waits for a person, the others do not', async () => {
    await setting('conversion.max_per_publisher_hour', 2);
    await setting('conversion.burst_per_minute', 0);
    for (let n = 0; n < 4; n += 1) {
      const { clickId } = await shopperClick(stand, line);
      await send(stand, 'conversion.gif', { query: { c: code, click_id: clickId }, by: SHOPPER });
    }
    await runLoops(stand);
    await setting('conversion.burst_per_minute', 3);
    expect((await rows()).map(({ findings }) => findings)).toEqual([
      [],
      [],
      ['PUBLISHER_CAP'],
      ['PUBLISHER_CAP'],
    ]);
  });
});

describe('the window', () => {
  test('a report of the shop’s own page · costs nothing before its end, then once, whoever looks and however often', async () => {
    const { clickId } = await shopperClick(stand, line);
    await send(stand, 'conversion.gif', { query: { c: code, click_id: clickId }, by: SHOPPER });
    await runLoops(stand);
    const [held] = await rows();
    expect(held).toMatchObject({ status: 'PENDING', findings: [] });
    const days = (Number(held?.due_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThan(7.01);
    expect([await spent(), await earned()]).toEqual([0n, 0n]);
    const balance = dataOf(
      await stand.as('publisher', line.publisherId).get('/withdrawals/balance'),
    );
    expect(balance).toMatchObject({ pending: 2.1, maturing: 0, withdrawable: 0, balance: 0 });

    await endWindows(stand);
    // Two workers at once.
    await Promise.all([
      stand.activities.releaseConversions(),
      stand.activities.releaseConversions(),
      stand.activities.releaseConversions(),
    ]);
    await runLoops(stand);
    await runLoops(stand);
    expect(await rows()).toMatchObject([{ status: 'BILLED', due_at: null }]);
    expect([await spent(), await earned()]).toEqual([3n * UNIT, 2_100_000_000n]);
    expect(
      dataOf(await stand.as('publisher', line.publisherId).get('/withdrawals/balance')),
    ).toMatchObject({ pending: 0, maturing: 2.1 });
  });

  test('a worker that dies between any two statements · leaves it held, and it is billed once', async () => {
    await heldOne();
    await endWindows(stand);
    // As if the connection broke when the event was to be appended.
    await stand.database.pool.query(
      `CREATE FUNCTION dies() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'dies'; END $$`,
    );
    await stand.database.pool.query(
      `CREATE TRIGGER dies BEFORE INSERT ON event_inbox FOR EACH ROW EXECUTE FUNCTION dies()`,
    );
    await expect(stand.activities.releaseConversions()).rejects.toThrow('dies');
    expect(await rows()).toMatchObject([{ status: 'PENDING' }]);
    await stand.database.pool.query('DROP TRIGGER dies ON event_inbox');
    await stand.database.pool.query('DROP FUNCTION dies');
    await runLoops(stand);
    expect(await rows()).toMatchObject([{ status: 'BILLED' }]);
    expect(await spent()).toBe(3n * UNIT);
  });

  test('of its tracker · goes before the setting; 0 days bills at once what nobody doubts', async () => {
    await owner.put(`/trackers/${trackerId}`, { validation_days: 0 });
    await heldOne();
    expect(await rows()).toMatchObject([{ status: 'BILLED' }]);
    expect(faultsOf(await owner.put(`/trackers/${trackerId}`, { validation_days: 91 }))).toEqual([
      'validation_days max',
    ]);
  });

  test('a burst that comes later · holds the first one too', async () => {
    ({ code } = await tracker({ count_mode: 'EVERY' }));
    const { clickId } = await shopperClick(stand, line);
    const report = async (txid: string) =>
      await send(stand, 'conversion.gif', {
        query: { c: code, click_id: clickId, txid },
        by: SHOPPER,
      });
    await report('first');
    await runLoops(stand);
    expect(await rows()).toMatchObject([{ status: 'PENDING', findings: [] }]);
    for (const txid of ['b', 'c', 'd', 'e']) await report(txid);
    await runLoops(stand);
    await endWindows(stand);
    await runLoops(stand);
    for (const { status, findings } of await rows()) {
      expect([status, findings]).toEqual(['PENDING', expect.arrayContaining(['BURST'])]);
    }
    expect(await spent()).toBe(0n);
  });
});

describe('the advertiser’s server', () => {
  test('a signed report · is billed at once, as ever', async () => {
    const { clickId } = await shopperClick(stand, line);
    const query = signed({ code, click_id: clickId, txid: 'order-1' });
    await send(stand, 'postback', { query, by: STRANGER });
    await runLoops(stand);
    expect(await rows()).toMatchObject([{ status: 'BILLED', findings: [] }]);
    expect(await spent()).toBe(3n * UNIT);
  });

  test('a signed report behind an unsigned one · takes its place: one is billed, that one', async () => {
    const { clickId } = await shopperClick(stand, line);
    const invented = { c: code, click_id: clickId, txid: 'invented' };
    await send(stand, 'conversion.gif', { query: invented, by: STRANGER });
    await runLoops(stand);
    const query = signed({ code, click_id: clickId, txid: 'order-1' });
    await send(stand, 'postback', { query, by: STRANGER });
    await runLoops(stand);
    expect(await rows()).toMatchObject([
      { status: 'UNBILLED', reason: 'REPORTED_BY_SERVER' },
      { status: 'BILLED' },
    ]);
    expect(await spent()).toBe(3n * UNIT);
  });

  test('signs the transaction that a page reported before · the held one is billed now, with the server’s value', async () => {
    const { clickId } = await shopperClick(stand, line);
    const page = { c: code, click_id: clickId, txid: 'order-1', value: '1000000' };
    await send(stand, 'conversion.gif', { query: page, by: STRANGER });
    await runLoops(stand);
    const query = signed({ code, click_id: clickId, txid: 'order-1', value: '12' });
    expect((await send(stand, 'postback', { query, by: STRANGER })).body).toMatchObject({
      code: 0,
      msg: 'duplicate',
    });
    await runLoops(stand);
    expect(await rows()).toMatchObject([{ status: 'BILLED', findings: [] }]);
    const { items } = dataOf(await owner.get('/conversions')) as { items: object[] };
    expect(items).toMatchObject([{ value: 12, is_signed: true, status: 'BILLED' }]);
  });
});

describe('the race with the click’s verdict', () => {
  test.each([
    ['before', 'bot', 'UNBILLED', 'BOT_UA'],
    ['after', 'bot', 'UNBILLED', 'BOT_UA'],
    ['before', 'ok', 'BILLED', null],
    ['after', 'ok', 'BILLED', null],
  ] as const)(
    'a conversion that comes %s the verdict of a click by a browser that is %s · is %s, and told so alone',
    async (when, userAgent, status, reason) => {
      await owner.put(`/trackers/${trackerId}`, {
        postback_url: 'https://shop.example/pb?id={conversion_id}',
      });
      const { clickId, verified } = await shopperClick(stand, line, {
        waits: true,
        facts: { userAgent },
      });
      const report = async () => {
        const query = signed({ code, click_id: clickId, txid: 'order-1' });
        return (await send(stand, 'postback', { query, by: STRANGER })).body as object;
      };
      let answer: object = {};
      if (when === 'before') {
        answer = await report();
        await stand.activities.decideConversions();
        expect(await rows()).toMatchObject([{ status: 'RECEIVED', reason: null }]);
        await append(stand.database, verified);
        await settleAll(stand);
      } else {
        await append(stand.database, verified);
        await settleAll(stand);
        answer = await report();
      }
      expect(answer).toEqual({ code: 0, msg: 'ok', conversion_id: expect.any(Number) });
      await runLoops(stand);
      expect(await rows()).toMatchObject([{ status, reason }]);
      const { rows: calls } = await stand.database.pool.query(
        'SELECT 1 FROM postbacks WHERE tracker_id = $1',
        [trackerId],
      );
      expect(calls).toHaveLength(status === 'BILLED' ? 1 : 0);
      const { rows: events } = await stand.database.pool.query(
        `SELECT billable, reason FROM events WHERE kind = 'conversion' AND click_id = $1`,
        [clickId],
      );
      expect(events).toEqual([{ billable: status === 'BILLED', reason }]);
    },
  );
});

describe('the advertiser decides', () => {
  test('another tenant · sees, approves and rejects nothing: 404', async () => {
    const id = await heldOne();
    expect((await stranger.get(`/conversions/${id}`)).status).toBe(404);
    expect((await stranger.post(`/conversions/${id}/approve`)).status).toBe(404);
    expect((await stranger.post(`/conversions/${id}/reject`, { reason: 'x' })).status).toBe(404);
    const bulk = await stranger.post('/conversions/bulk', { action: 'approve', ids: [id] });
    expect(dataOf(bulk)).toMatchObject({ done: 0, items: [{ id, error: 'not_found' }] });
    expect(dataOf(await stranger.get('/conversions'))).toMatchObject({ total: 0 });
    expect(await rows()).toMatchObject([{ status: 'PENDING' }]);
  });

  test('approve twice at once · is billed once, the second is 409; reject after that is 409', async () => {
    const id = await heldOne();
    const both = await Promise.all([
      owner.post(`/conversions/${id}/approve`),
      owner.post(`/conversions/${id}/approve`),
    ]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect((await owner.post(`/conversions/${id}/reject`, { reason: 'no' })).status).toBe(409);
    await runLoops(stand);
    expect((await owner.post(`/conversions/${id}/reject`, { reason: 'no' })).status).toBe(409);
    expect((await owner.post(`/conversions/${id}/approve`)).status).toBe(409);
    expect(await spent()).toBe(3n * UNIT);
    expect(dataOf(await owner.get(`/conversions/${id}`))).toMatchObject({
      status: 'BILLED',
      price: 3,
      due_at: null,
      tracker_name: 'Sale',
    });
  });

  test('reject with a reason · is kept with it, told by reports as removed; without one 422', async () => {
    const id = await heldOne();
    expect(faultsOf(await owner.post(`/conversions/${id}/reject`, { reason: '  ' }))).toEqual([
      'reason matches',
    ]);
    const answer = await owner.post(`/conversions/${id}/reject`, { reason: 'Sent back' });
    expect(dataOf(answer)).toMatchObject({
      status: 'REJECTED',
      reason: 'CONVERSION_REJECTED',
      note: 'Sent back',
    });
    await runLoops(stand);
    expect(await spent()).toBe(0n);
    const stats = dataOf(await owner.get(`/trackers/${trackerId}/stats`));
    expect(stats['totals']).toMatchObject({ attributed: 1, pending: 0, rejected: 1, billed: 0 });
  });

  test('a file · of formulas, garbage, repeats and others’ ids · each line by itself, dry first', async () => {
    ({ code } = await tracker({ count_mode: 'EVERY' }));
    const first = await heldOne('order-1');
    const second = await heldOne('order-2');
    const other = await makeLine(stand.database);
    const foreign = await stand.database.pool.query<{ id: string }>(
      `INSERT INTO conversions (advertiser_id, dedupe_key, event_type, status) VALUES ($1, 'tx:order-9', 'LEAD', 'PENDING') RETURNING public_id AS id`,
      [other.advertiserId],
    );
    const csv = [
      'id,txid,decision,reason',
      `${first},,approve,`,
      `,order-2,reject,Never paid`,
      `${first},,reject,Again`,
      `${second},,reject,"=HYPERLINK(""https://evil.example"")"`,
      `${foreign.rows[0]?.id ?? ''},,approve,`,
      `,order-9,approve,`,
      `x1,,approve,`,
      `7,,maybe,`,
      `8,,reject,`,
      ',,approve,',
    ].join('\n');
    const upload = async (query = '') =>
      await owner.upload(`/conversions/decisions${query}`, Buffer.from(csv), 'decisions.csv');
    const faults = (data: Record<string, unknown>) =>
      (
        data['items'] as {
          line: number;
          error: string | null;
          errors: { field: string; code: string }[];
        }[]
      ).map(({ line: at, error, errors }) => [
        at,
        error,
        ...errors.map((e) => `${e.field} ${e.code}`),
      ]);
    const told = [
      [2, null],
      [3, null],
      [4, 'validation_failed', 'id repeated'],
      [5, 'validation_failed', 'reason formula'],
      [6, 'not_found'],
      [7, 'not_found'],
      [8, 'validation_failed', 'id typeError'],
      [9, 'validation_failed', 'decision one_of'],
      [10, 'validation_failed', 'reason required'],
      [11, 'validation_failed', 'id required'],
    ];
    const rehearsed = dataOf(await upload('?dry_run=true'));
    expect(rehearsed).toMatchObject({ dry_run: true, done: 2, failed: 8 });
    expect(faults(rehearsed)).toEqual(told);
    expect((await rows()).map(({ status }) => status)).toEqual(['PENDING', 'PENDING']);
    const done = dataOf(await upload());
    expect(faults(done)).toEqual(told);
    await runLoops(stand);
    expect((await rows()).map(({ status }) => status)).toEqual(['BILLED', 'REJECTED']);
    await stand.database.pool.query('DELETE FROM conversions WHERE public_id = $1', [
      foreign.rows[0]?.id,
    ]);
    for (const junk of ['', 'a,b\n1,2', 'id,decision\n"1,approve', '\u0000']) {
      const answer = await owner.upload('/conversions/decisions', Buffer.from(junk), 'x.csv');
      expect(answer.status).toBe(422);
    }
  });

  test('list · by tracker, status and finding; the notice of held ones is told once a day', async () => {
    const { clickId } = await shopperClick(stand, line);
    await send(stand, 'conversion.gif', { query: { c: code, click_id: clickId }, by: STRANGER });
    await heldOne('clean');
    const total = async (query: string) =>
      dataOf(await owner.get(`/conversions?${query}`))['total'];
    expect(await total(`tracker_id=${trackerId}&status=PENDING`)).toBe(2);
    expect(await total('finding=any')).toBe(1);
    expect(await total('finding=FOREIGN_ADDRESS')).toBe(1);
    expect(await total('finding=none')).toBe(1);
    expect((await owner.get('/conversions?finding=X')).status).toBe(422);
    const { items } = dataOf(await owner.get('/notifications')) as { items: { kind: string }[] };
    expect(items.map(({ kind }) => kind)).toEqual(['conversions_held']);
  });

  test('doubted, and nobody decides · has an end: rejected for that reason, both sides see it, nothing is billed', async () => {
    const { clickId } = await shopperClick(stand, line);
    await send(stand, 'conversion.gif', { query: { c: code, click_id: clickId }, by: STRANGER });
    await runLoops(stand);
    const [held] = await rows();
    const shown = dataOf(await owner.get(`/conversions/${held?.id}`)) as { decide_by: string };
    const days = (Date.parse(shown.decide_by) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(30);
    await endWindows(stand);
    await runLoops(stand);
    expect(await rows()).toMatchObject([{ status: 'PENDING' }]);
    await stand.database.pool.query(
      'UPDATE conversions SET decide_by = now() WHERE decide_by IS NOT NULL',
    );
    await runLoops(stand);
    expect(await rows()).toMatchObject([{ status: 'REJECTED', reason: 'CONVERSION_UNDECIDED' }]);
    expect([await spent(), await earned()]).toEqual([0n, 0n]);
    expect((await owner.post(`/conversions/${held?.id}/approve`)).status).toBe(409);
    const { items } = dataOf(await owner.get('/notifications')) as { items: { kind: string }[] };
    expect(items.map(({ kind }) => kind)).toEqual(['conversions_undecided', 'conversions_held']);
    const seller = stand.as('publisher', line.publisherId);
    const removed = dataOf(await seller.get('/statistics/removed')) as {
      items: { reason: string; conversions: number }[];
    };
    expect(removed.items).toMatchObject([{ reason: 'CONVERSION_UNDECIDED' }]);
    // One that a person approves in time is billed.
    await send(stand, 'conversion.gif', {
      query: { c: code, click_id: (await shopperClick(stand, line)).clickId },
      by: STRANGER,
    });
    await runLoops(stand);
    const again = (await rows()).at(-1);
    expect((await owner.post(`/conversions/${again?.id}/approve`)).status).toBe(200);
    await runLoops(stand);
    expect((await rows()).at(-1)).toMatchObject({ status: 'BILLED' });
  });
});
