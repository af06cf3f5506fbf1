import { createHmac, randomUUID } from 'node:crypto';
import supertest from 'supertest';
import { POSTBACK_SECRET_PLACE } from '../../../activities/tracking/postbacks.ts';
import { composeProviders } from '../../../activities/providers/compose.ts';
import { appendRows, lineOf } from '../../../db/events/event-inbox.ts';
import { makePendingClicks } from '../../../db/queries/click-rows.ts';
import type { EventFacts } from '../../../domain/tracking/facts.ts';
import { unpackFacts } from '../../../domain/tracking/packed-facts.ts';
import { eventOf, hex, recordOf } from '../../support/settlement.ts';
import { type Line, makeLine } from '../../support/make/line.ts';
import { type Caller, dataOf, faultsOf, idOf } from '../../support/call.ts';
import { createStand, type Stand } from '../../support/stand.ts';

let stand: Stand;
let owner: Caller;
let line: Line;
let other: Line;

beforeAll(async () => {
  // A click's age is counted from the time of the database.
  stand = await createStand({ realTime: true });
  line = await makeLine(stand.database, { pricingModel: 'CPA' });
  other = await makeLine(stand.database);
  owner = stand.as('advertiser', line.advertiserId);
});
afterAll(async () => await stand.close());
beforeEach(async () => {
  await stand.database.pool.query('DELETE FROM event_inbox');
  await stand.database.pool.query('DELETE FROM clicks');
  await stand.database.pool.query('DELETE FROM conversions');
  await stand.database.pool.query('ALTER SEQUENCE conversions_id_seq RESTART');
  await stand.database.pool.query('UPDATE campaigns SET tracker_id = NULL');
});

async function tracker(fields: object = {}, of = line): Promise<{ id: number; code: string }> {
  const answer = await stand.as('advertiser', of.advertiserId).post('/trackers', {
    name: 'Sale',
    event_type: 'PURCHASE',
    ...fields,
  });
  return { id: idOf(answer), code: String(dataOf(answer)['tracking_code']) };
}
/** A click as the tracking surface stores it and settlement leaves it, some days ago. */
async function click(
  options: { of?: Line; status?: string; daysAgo?: number; model?: 'CPA' | 'CPC' } = {},
): Promise<string> {
  const track = { pricingModel: options.model ?? ('CPA' as const), priceNanos: '3000000000' };
  const event = eventOf(options.of ?? line, { kind: 'click', track, facts: { country: 'FR' } });
  await appendRows(stand.database.pool, [lineOf(event)]);
  const record = recordOf(event);
  await makePendingClicks(stand.database.pool, [record]);
  await stand.database.pool.query(
    `UPDATE clicks SET status = $2, clicked_at = clicked_at - make_interval(days => $3) WHERE click_id = $1`,
    [record.clickId, options.status ?? 'valid', options.daysAgo ?? 0],
  );
  return record.clickId;
}
/** As the loop leaves them. */
const conversions = async () => {
  await stand.activities.decideConversions();
  return (await stand.database.pool.query('SELECT * FROM conversions ORDER BY id')).rows;
};
const billed = async () => {
  await stand.activities.decideConversions();
  const { rows } = await stand.database.pool.query(
    `SELECT shard, facts FROM event_inbox WHERE kind = 'conversion' ORDER BY seq`,
  );
  return rows.map((row) => ({ ...row, facts: unpackFacts(row.facts) as EventFacts }));
};
/** By the advertiser's server, which signs what names a tracker. */
const report = (query: Record<string, string | number>) =>
  stand.anyone.get('/track/conversion').query(signed(query));
const unsigned = (query: Record<string, string | number>) =>
  stand.anyone.get('/track/conversion').query(query);

function signed(params: Record<string, string | number>): Record<string, string | number> {
  const { code } = params;
  if (typeof code !== 'string') return params;
  const secret = composeProviders(stand.config).blindIndex(code, POSTBACK_SECRET_PLACE);
  const text = Object.entries(params)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .toSorted()
    .join('&');
  return { ...params, sig: createHmac('sha256', secret).update(text).digest('hex') };
}

const publicId = async (): Promise<number> => Number((await conversions())[0]?.['public_id']);

describe('conversion · reported', () => {
  test('with code and click · is attributed, with latency, and its event waits for settlement', async () => {
    const { id, code } = await tracker({ conversion_value: 12.5 });
    await stand.database.pool.query('UPDATE campaigns SET tracker_id = $1 WHERE id = $2', [
      id,
      line.campaignId,
    ]);
    const clickId = await click();
    const answer = await report({ code, click_id: clickId });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ code: 0, msg: 'ok', conversion_id: await publicId() });
    expect(await conversions()).toMatchObject([
      {
        id: '1',
        tracker_id: String(id),
        advertiser_id: String(line.advertiserId),
        campaign_id: String(line.campaignId),
        adgroup_id: String(line.adGroupId),
        ad_id: String(line.adId),
        creative_id: String(line.creativeId),
        zone_id: String(line.zoneId),
        click_id: clickId,
        event_type: 'PURCHASE',
        value_nanos: '12500000000',
        currency: 'USD',
        status: 'ACCEPTED',
        reason: null,
        source: 'api',
        latency_seconds: expect.any(Number),
      },
    ]);
    const [event] = await billed();
    expect(event.facts).toMatchObject({
      conversionId: 1,
      clickId,
      seal: 'ok',
      nonce: null,
      country: 'FR',
      track: {
        campaignId: line.campaignId,
        adId: line.adId,
        pricingModel: 'CPA',
        priceNanos: '3000000000',
      },
    });
    expect(event.facts).not.toHaveProperty('clickEventId');
  });

  test('by query, form, JSON, GIF and postback · all are read alike', async () => {
    const { code } = await tracker({ count_mode: 'EVERY' });
    // Nobody pays for these, so it does not matter who signed them.
    const clickId = await click({ model: 'CPC' });
    const send = { c: code, clickid: clickId, payout: '7.25', currency: 'eur' };
    await report({ ...send, txid: 'a' });
    await stand.anyone
      .post('/track/conversion')
      .type('form')
      .send({ ...send, transaction_id: 'b' });
    await stand.anyone
      .post('/track/conversion')
      .send({ ...send, payout: 7.25, order_id: 'c', unknown: 1 });
    await stand.anyone.get('/track/conversion.gif').query({ ...send, txid: 'd' });
    await stand.anyone.get('/track/postback').query({ ...send, txid: 'e' });
    await stand.anyone
      .post(`/track/postback?c=${code}`)
      .send({ clickid: clickId, payout: '7.25', currency: 'EUR', txid: 'f' });
    const rows = await conversions();
    expect(rows.map((row) => row.dedupe_key)).toEqual([
      'tx:a',
      'tx:b',
      'tx:c',
      'tx:d',
      'tx:e',
      'tx:f',
    ]);
    expect(rows.map((row) => row.source)).toEqual([
      'api',
      'api',
      'api',
      'pixel',
      'postback',
      'postback',
    ]);
    for (const row of rows) {
      expect(row).toMatchObject({
        value_nanos: '7250000000',
        currency: 'EUR',
        status: 'ACCEPTED',
        click_id: clickId,
        // What the click cost is not the price of what came after it.
        price_nanos: '0',
      });
    }
    expect(await billed()).toHaveLength(6);
  });

  test('ten times at once, then again · one row, one event, the same id', async () => {
    const { code } = await tracker();
    const clickId = await click();
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () => await report({ code, click_id: clickId, txid: 'x' })),
    );
    answers.push(await report({ code, click_id: clickId, txid: 'x' }));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.conversion_id)).size).toBe(1);
    expect(answers.filter(({ body }) => body.msg === 'ok')).toHaveLength(1);
    expect(answers.filter(({ body }) => body.msg === 'duplicate')).toHaveLength(10);
    expect(await conversions()).toHaveLength(1);
    expect(await billed()).toHaveLength(1);
  });

  test('ten transactions of one click at once · ONE counts one of them, EVERY all', async () => {
    for (const [mode, counted] of [
      ['ONE', 1],
      ['EVERY', 10],
    ] as const) {
      await stand.database.pool.query('TRUNCATE event_inbox, clicks, conversions, postbacks');
      const { code } = await tracker({ count_mode: mode });
      const clickId = await click();
      await Promise.all(
        Array.from(
          { length: 10 },
          async (_, at) => await report({ code, click_id: clickId, txid: at }),
        ),
      );
      const rows = await conversions();
      expect(rows).toHaveLength(10);
      expect(rows.filter(({ status }) => status === 'ACCEPTED')).toHaveLength(counted);
      expect(rows.filter(({ reason }) => reason === 'COUNTED_BEFORE')).toHaveLength(10 - counted);
      expect(await billed()).toHaveLength(counted);
    }
  });

  test.each([
    ['not judged', { status: 'verified' }, 'RECEIVED', null],
    ['not verified', { status: 'verify_pending' }, 'RECEIVED', null],
    ['judged invalid', { status: 'invalid' }, 'UNATTRIBUTED', 'CLICK_NOT_VERIFIED'],
    ['expired', { status: 'expired' }, 'UNATTRIBUTED', 'CLICK_NOT_VERIFIED'],
    ['outside the window', { daysAgo: 31 }, 'EXPIRED', 'OUTSIDE_WINDOW'],
  ])('of a click that was %s · is stored, never billed', async (_name, options, status, reason) => {
    const { code } = await tracker();
    const answer = await report({ code, click_id: await click(options) });
    expect([answer.status, answer.body.msg]).toEqual([200, 'ok']);
    expect(await conversions()).toMatchObject([{ status, reason }]);
    expect(await billed()).toHaveLength(0);
  });

  test("of another advertiser's click, an unknown one, junk, or none · is stored unattributed, names nothing", async () => {
    const { code } = await tracker();
    const foreign = await click({ of: other });
    for (const clickId of [foreign, hex(16), 'j\u00fcnk\u0000\n', 'x'.repeat(5_000)]) {
      expect((await report({ code, click_id: clickId })).status).toBe(200);
    }
    await report({ code });
    await report({ code });
    const rows = await conversions();
    expect(rows).toHaveLength(6);
    for (const row of rows) {
      expect(row).toMatchObject({
        status: 'UNATTRIBUTED',
        campaign_id: null,
        zone_id: null,
        advertiser_id: String(line.advertiserId),
      });
    }
    expect(await billed()).toHaveLength(0);
  });

  test("without code · needs a click, and counts with the campaign's tracker only once", async () => {
    expect((await stand.anyone.get('/track/conversion')).status).toBe(400);
    expect((await stand.anyone.post('/track/postback', { value: 1 })).body).toMatchObject({
      code: 40000,
      conversion_id: 0,
    });
    const clickId = await click();
    expect((await report({ click_id: clickId })).body).toMatchObject({
      code: 0,
      conversion_id: await publicId(),
    });
    expect(await conversions()).toMatchObject([
      { tracker_id: null, event_type: 'conversion', value_nanos: '0', status: 'PENDING' },
    ]);
    const { id, code } = await tracker();
    await stand.database.pool.query('UPDATE campaigns SET tracker_id = $1 WHERE id = $2', [
      id,
      line.campaignId,
    ]);
    const second = await click();
    const legacy = await report({ click_id: second, type: 'PURCHASE' });
    const coded = await report({ code, click_id: second });
    expect(coded.body).toEqual({
      code: 0,
      msg: 'duplicate',
      conversion_id: legacy.body.conversion_id,
    });
  });

  test('without code and type · is a conversion, and once with a report by code that says none', async () => {
    const { id, code } = await tracker({ count_mode: 'EVERY' });
    await stand.database.pool.query('UPDATE campaigns SET tracker_id = $1 WHERE id = $2', [
      id,
      line.campaignId,
    ]);
    const clickId = await click();
    const legacy = await report({ click_id: clickId });
    expect((await report({ code, click_id: clickId })).body).toMatchObject({
      msg: 'duplicate',
      conversion_id: legacy.body.conversion_id,
    });
    expect(await conversions()).toMatchObject([
      { tracker_id: String(id), event_type: 'conversion' },
    ]);
  });

  test('at an address with a slash at its end · by GET and by POST · is the same report', async () => {
    const { code } = await tracker();
    for (const [at, txid] of [
      ['/track/conversion/', 'a'],
      ['/track/postback/', 'b'],
    ] as const) {
      const got = await stand.anyone.get(`${at}?code=${code}&txid=${txid}`);
      const posted = await stand.anyone.post(at, { code, txid });
      expect([got.status, got.body.msg, posted.body.msg]).toEqual([200, 'ok', 'duplicate']);
      expect(posted.body.conversion_id).toBe(got.body.conversion_id);
    }
    await stand.anyone.get(`/track/conversion.gif/?c=${code}&txid=c`);
    expect(await conversions()).toHaveLength(3);
  });

  test('without code · of no type, and of the type that stands for none · is one conversion', async () => {
    const { id } = await tracker({ count_mode: 'EVERY', event_type: 'PURCHASE' });
    await stand.database.pool.query('UPDATE campaigns SET tracker_id = $1 WHERE id = $2', [
      id,
      line.campaignId,
    ]);
    for (const types of [
      [{}, { type: 'conversion' }] as const,
      [{ type: 'conversion' }, {}] as const,
    ]) {
      const clickId = await click();
      const first = await report({ click_id: clickId, ...types[0] });
      expect((await report({ click_id: clickId, ...types[1] })).body).toEqual({
        code: 0,
        msg: 'duplicate',
        conversion_id: first.body.conversion_id,
      });
    }
    expect((await conversions()).map(({ event_type: type }) => type)).toEqual([
      'conversion',
      'conversion',
    ]);
  });

  test('on a tracker that the campaign does not bill by · counts at no price', async () => {
    const bills = await tracker();
    const { code } = await tracker();
    await stand.database.pool.query('UPDATE campaigns SET tracker_id = $1 WHERE id = $2', [
      bills.id,
      line.campaignId,
    ]);
    await report({ code, click_id: await click() });
    expect((await billed())[0].facts.track.priceNanos).toBe('0');
  });

  test('when the click event is past its keeping time · is rebuilt from the click', async () => {
    const { code } = await tracker();
    const clickId = await click();
    await stand.database.pool.query('TRUNCATE event_inbox');
    await report({ code, click_id: clickId });
    expect((await billed())[0].facts).toMatchObject({
      device: 'OTHER',
      track: {
        adId: line.adId,
        zoneId: line.zoneId,
        priceNanos: '3000000000',
        pricingModel: 'CPA',
      },
    });
  });

  test("today's partition missing · is made, the conversion is stored", async () => {
    const { rows } = await stand.database.pool.query<{ name: string }>(
      `SELECT 'event_inbox_' || to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD') AS name`,
    );
    const { code } = await tracker();
    const clickId = await click();
    expect((await report({ code, click_id: clickId })).status).toBe(200);
    await stand.database.pool.query(`DROP TABLE ${rows[0]?.name ?? ''}`);
    expect(await billed()).toHaveLength(1);
  });
});

test.each([
  ['of a query', (value: number) => ({ get: String(value) })],
  ['of JSON', (value: number) => ({ post: value })],
])('a value with float noise · %s · is rounded to six decimals', async (_how, sent) => {
  for (const [value, nanos] of [
    [19.990000000000002, '19990000000'],
    [0.1 + 0.2, '300000000'],
    [4.35 * 100, '435000000000'],
  ] as const) {
    const { code } = await tracker({ count_mode: 'EVERY' });
    const { get, post } = { get: undefined, post: undefined, ...sent(value) };
    const answer =
      get === undefined
        ? await stand.anyone.post('/track/conversion', { code, value: post })
        : await report({ code, value: get });
    expect(answer.status).toBe(200);
    expect((await conversions()).map((row) => row['value_nanos'])).toContain(nanos);
  }
});

describe('conversion · refused', () => {
  test.each([
    ['negative', '-1'],
    ['not a number', 'abc'],
    ['exponent', '1e3'],
    ['seven decimals', '0.0000001'],
    ['more than noise', '19.9900001'],
    ['as much as no noise is', `1.${'0'.repeat(5_000)}1`],
    ['too large', '1000000.01'],
    ['infinite', 'Infinity'],
  ])('value %s · 400, flat, nothing stored', async (_name, value) => {
    const { code } = await tracker();
    const answer = await report({ code, value });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      code: 40000,
      msg: expect.stringContaining('value'),
      conversion_id: 0,
    });
    expect(await conversions()).toHaveLength(0);
  });

  test('unknown, archived or paused code · 404', async () => {
    const archived = await tracker();
    await owner.delete(`/trackers/${archived.id}`);
    const paused = await tracker();
    await owner.put(`/trackers/${paused.id}`, { status: 'PAUSED' });
    for (const code of ['nope', 'x'.repeat(10_000), '\u0000', archived.code, paused.code]) {
      const answer = await report({ code });
      expect([answer.status, answer.body.code]).toEqual([404, 40400]);
    }
  });

  test('tracker that requires a signature · only what its secret signed is stored', async () => {
    const { id, code } = await tracker({
      type: 'POSTBACK',
      require_sig: true,
      count_mode: 'EVERY',
    });
    const clickId = await click();
    const sent = { code, click_id: clickId, value: '7.5', txid: 'order 1', note: 'ü&=' };
    const refused = [
      sent,
      { ...sent, sig: '' },
      { ...sent, sig: 'zz' },
      { ...signed(sent), value: '8' },
      { ...signed(sent), txid: 'order 2' },
      { ...signed(sent), extra: '1' },
      signed({ ...sent, code: 'other' }),
    ];
    for (const params of refused.slice(0, 6)) {
      const answer = await unsigned(params);
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({ code: 40103, msg: expect.any(String), conversion_id: 0 });
    }
    expect((await unsigned(refused[6] ?? {})).status).toBe(404);
    // What is read is what is signed, in whatever form it comes.
    const { txid: _txid, value: _value, ...bare } = sent;
    for (const more of [{ txid: ['order 3'] }, { value: ['8'] }, { '\ud800': 'x' }]) {
      const answer = await stand.anyone.post('/track/postback').send({ ...signed(bare), ...more });
      expect([more, answer.status, answer.body.code]).toEqual([more, 401, 40103]);
    }
    const query = new URLSearchParams(
      Object.entries(signed(bare)).map(([name, value]): [string, string] => [name, String(value)]),
    );
    for (const more of [
      '&txid=&txid=order+3',
      '&value=&value=8',
      '&transaction_id=&transaction_id=9',
    ]) {
      const answer = await stand.anyone.get(`/track/conversion?${query.toString()}${more}`);
      expect([more, answer.status]).toEqual([more, 401]);
    }
    // The pixel has no secret: its answer is the image, and nothing is stored.
    await stand.anyone.get('/track/conversion.gif').query(signed(sent));
    expect(await conversions()).toEqual([]);

    expect((await unsigned(signed(sent))).body).toMatchObject({ code: 0, msg: 'ok' });
    const posted = { ...sent, txid: 'order 2' };
    const form = await stand.anyone.post('/track/postback').type('form').send(signed(posted));
    expect(form.body).toMatchObject({ code: 0, msg: 'ok' });
    expect((await conversions()).map((row) => row.dedupe_key)).toEqual([
      'tx:order 1',
      'tx:order 2',
    ]);
    // A new code is a new secret; without the rule any report is taken again.
    await owner.put(`/trackers/${id}`, { require_sig: false });
    expect((await unsigned({ ...sent, txid: 'order 3' })).status).toBe(200);
  });

  test('require_sig · of a tracker that pages report to · 422, also when its type changes', async () => {
    for (const type of [undefined, 'PIXEL', 'JS']) {
      const answer = await owner.post('/trackers', { name: 'Page', type, require_sig: true });
      expect(faultsOf(answer)).toEqual(['require_sig not_for_type']);
    }
    const { id } = await tracker({ type: 'POSTBACK', require_sig: true });
    expect(faultsOf(await owner.put(`/trackers/${id}`, { type: 'PIXEL' }))).toEqual([
      'require_sig not_for_type',
    ]);
    const both = await owner.put(`/trackers/${id}`, { type: 'PIXEL', require_sig: false });
    expect(dataOf(both)).toMatchObject({ type: 'PIXEL', require_sig: false });
  });

  test('a parameter twice, or as a list · 422 naming each, flat; an empty one is absent; a pixel keeps none', async () => {
    const { code } = await tracker();
    const ask = async (query: string) => await stand.anyone.get(`/track/conversion?${query}`);
    const clickId = await click();
    for (const query of [
      `code=${code}&code=${code}`,
      `code=${code}&click_id=${clickId}&click_id=${hex(16)}`,
      `code=${code}&click_id[]=${clickId}`,
      `code=${code}&value=1&value=100`,
      `code=${code}&txid[0]=a&txid[1]=b`,
    ]) {
      for (const path of ['/track/conversion', '/track/postback']) {
        const answer = await stand.anyone.get(`${path}?${query}`);
        expect([answer.status, answer.body]).toEqual([
          422,
          { code: 42200, msg: expect.any(String), conversion_id: 0 },
        ]);
      }
      expect((await stand.anyone.get(`/track/conversion.gif?${query}`)).status).toBe(200);
    }
    const form = stand.anyone.post('/track/conversion').type('form').send(`code=${code}&code=x`);
    expect((await form).status).toBe(422);
    const list = { code, click_id: [clickId, hex(16)] };
    expect((await stand.anyone.post('/track/conversion').send(list)).status).toBe(422);
    expect(await conversions()).toHaveLength(0);
    const said = await ask(`code=&code=${code}&click_id=${clickId}&utm=1&utm=2`);
    expect([said.status, said.body.msg]).toEqual([200, 'ok']);
  });

  test('ids · of reports one after another · say nothing of how many there were', async () => {
    const { code } = await tracker();
    const ids: number[] = [];
    for (let n = 0; n < 40; n += 1) {
      ids.push((await report({ code, txid: `order ${n}` })).body.conversion_id);
    }
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(String(id)).toMatch(/^\d{15}$/);
    // Each is above the one before as often as not, and far from it.
    const steps = ids.slice(1).map((id, at) => id - (ids[at] ?? 0));
    const rises = steps.filter((step) => step > 0).length;
    expect(rises).toBeGreaterThan(3);
    expect(rises).toBeLessThan(steps.length - 3);
    expect(Math.min(...steps.map(Math.abs))).toBeGreaterThan(1_000);
  });

  test('malformed bodies and fields · 400 or 413, flat, nothing stored', async () => {
    const { code } = await tracker();
    const post = (body: string) => stand.anyone.post('/track/conversion').type('json').send(body);
    for (const body of [
      '{',
      '[]',
      `{"code":{"a":1}}`,
      `{"code":"${code}","txid":"${'x'.repeat(201)}"}`,
      `{"code":"${code}","currency":"E1"}`,
    ]) {
      const answer = await post(body);
      expect([answer.status, answer.body.conversion_id]).toEqual([400, 0]);
    }
    expect((await post(JSON.stringify({ code: 'x'.repeat(20_000) }))).status).toBe(413);
    expect(await conversions()).toHaveLength(0);
  });

  test('GIF · is the same bytes for a good, a duplicate, an unknown and a malformed report', async () => {
    const { code } = await tracker();
    const gif = async (query: Record<string, string>) => {
      const { status, headers, body } = await stand.anyone
        .get('/track/conversion.gif')
        .query(query);
      const { date: _date, ...rest } = headers;
      return { status, rest, body: Buffer.from(body as Buffer).toString('hex') };
    };
    const clickId = await click();
    const good = await gif({ c: code, click_id: clickId });
    expect(good.rest['content-type']).toBe('image/gif');
    for (const query of [
      { c: code, click_id: clickId },
      { c: 'nope' },
      {},
      { c: code, value: 'junk' },
    ]) {
      expect(await gif(query as Record<string, string>)).toEqual(good);
    }
    expect(await conversions()).toHaveLength(1);
  });

  test('HEAD and preflight · store nothing; any page may report', async () => {
    const { code } = await tracker();
    expect((await supertest(stand.url).head('/track/conversion').query({ code })).status).toBe(200);
    const preflight = await supertest(stand.url)
      .options('/track/conversion')
      .set('Origin', 'https://shop.example')
      .set('Access-Control-Request-Method', 'POST');
    expect(preflight.headers['access-control-allow-origin']).toBe('*');
    expect(await conversions()).toHaveLength(0);
  });
});

describe('tracker', () => {
  test('created with a name · has the defaults and a code of its own', async () => {
    const answer = await owner.post('/trackers', { name: 'Plain' });
    expect(answer.status).toBe(201);
    expect(dataOf(answer)).toMatchObject({
      name: 'Plain',
      type: 'PIXEL',
      event_type: 'CUSTOM',
      count_mode: 'ONE',
      require_sig: false,
      conversion_value: 0,
      attribution_window: 30,
      validation_days: null,
      postback_url: null,
      pixel_code: null,
      status: 'ACTIVE',
      tracking_code: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(dataOf(await owner.get(`/trackers/${idOf(answer)}`))).toEqual(dataOf(answer));
  });

  test('wrong fields · 422 names each, nothing stored', async () => {
    const before = dataOf(await owner.get('/trackers'))['total'];
    const answer = await owner.post('/trackers', {
      type: 'X',
      event_type: 'a b',
      conversion_value: -1,
      attribution_window: 0,
      postback_url: 'ftp://x',
      pixel_code: 'a\u0000',
      tracking_code: 'mine',
    });
    expect(answer.status).toBe(422);
    expect(faultsOf(answer).map((fault) => fault.split(' ')[0])).toEqual([
      'attribution_window',
      'conversion_value',
      'event_type',
      'name',
      'pixel_code',
      'postback_url',
      'tracking_code',
      'type',
    ]);
    expect(dataOf(await owner.get('/trackers'))['total']).toBe(before);
  });

  test('updated · answers the record; null clears, what is left out stays', async () => {
    const { id } = await tracker({
      postback_url: 'https://shop.example/pb?c={click_id}',
      conversion_value: 3,
    });
    const answer = await owner.put(`/trackers/${id}`, { name: 'New', postback_url: null });
    expect(dataOf(answer)).toMatchObject({
      name: 'New',
      postback_url: null,
      conversion_value: 3,
      event_type: 'PURCHASE',
    });
  });

  test('code · holds the addresses, and a new one makes the old one unknown', async () => {
    const { id, code } = await tracker();
    const answer = dataOf(await owner.get(`/trackers/${id}/code`));
    const { track } = stand.config.urls;
    expect(answer).toEqual({
      tracking_code: code,
      pixel: expect.stringMatching(
        // It finds the click by itself: nothing is left for the advertiser to fill in.
        new RegExp(
          `^<script>[^{]*\\(function\\(u\\)[^]*\\("${track}/track/conversion\\.gif\\?c=${code}"\\)</script>$`,
        ),
      ),
      script: expect.stringContaining(code),
      conversion_url: `${track}/track/conversion?code=${code}&click_id={click_id}&value={value}`,
      postback_url: `${track}/track/postback?code=${code}&click_id={click_id}&value={value}&txid={txid}`,
      gif_url: `${track}/track/conversion.gif?c=${code}`,
    });
    const fresh = dataOf(await owner.post(`/trackers/${id}/regenerate-code`));
    expect(fresh['tracking_code']).not.toBe(code);
    expect((await report({ code })).status).toBe(404);
    expect((await report({ code: String(fresh['tracking_code']) })).status).toBe(200);
  });

  test("another advertiser's, an archived or an unknown one · 404 on every route", async () => {
    const { id } = await tracker({}, other);
    const gone = await tracker();
    await owner.delete(`/trackers/${gone.id}`);
    for (const which of [id, gone.id, 999_999, 'abc', 0]) {
      const target = `/trackers/${which}`;
      const answers = [
        await owner.get(target),
        await owner.put(target, { name: 'Mine' }),
        await owner.delete(target),
        await owner.get(`${target}/code`),
        await owner.post(`${target}/regenerate-code`),
        await owner.get(`${target}/conversions`),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
    }
    expect(
      dataOf(await stand.as('advertiser', other.advertiserId).get(`/trackers/${id}`)),
    ).toMatchObject({
      name: 'Sale',
      status: 'ACTIVE',
    });
  });

  test('that a campaign bills by · cannot be archived', async () => {
    const { id } = await tracker();
    await stand.database.pool.query('UPDATE campaigns SET tracker_id = $1 WHERE id = $2', [
      id,
      line.campaignId,
    ]);
    const answer = await owner.delete(`/trackers/${id}`);
    expect([answer.status, dataOf(answer)['campaign_ids']]).toEqual([409, [line.campaignId]]);
  });

  test("list · filters, escapes the keyword, shows only its owner's", async () => {
    const seller = await makeLine(stand.database);
    const lister = stand.as('advertiser', seller.advertiserId);
    await tracker({ name: '100% off' }, seller);
    const { id } = await tracker({ name: '100 off', type: 'POSTBACK' }, seller);
    const names = async (query: string) =>
      (dataOf(await lister.get(`/trackers?${query}`))['items'] as { name: string }[]).map(
        (item) => item.name,
      );
    expect(await names('')).toEqual(['100 off', '100% off']);
    expect(await names('keyword=100%25')).toEqual(['100% off']);
    expect(await names('type=POSTBACK')).toEqual(['100 off']);
    await lister.delete(`/trackers/${id}`);
    expect(await names('')).toEqual(['100% off']);
    expect(await names('status=ARCHIVED')).toEqual(['100 off']);
    expect((await lister.get('/trackers?nonsense=1')).status).toBe(422);
  });

  test('conversions · newest first, by page and by cursor', async () => {
    const { id, code } = await tracker({ count_mode: 'EVERY', conversion_value: 2 });
    const clickId = await click();
    for (const txid of ['a', 'b', 'c']) await report({ code, click_id: clickId, txid });
    await conversions();
    const first = dataOf(await owner.get(`/trackers/${id}/conversions?page_size=2`));
    expect(first).toMatchObject({ total: 3, page: 1, page_size: 2, total_pages: 2 });
    expect(first['items']).toMatchObject([
      {
        txid: 'c',
        click_id: clickId,
        value: 2,
        currency: 'USD',
        status: 'ACCEPTED',
        campaign_id: line.campaignId,
      },
      { txid: 'b' },
    ]);
    const rest = dataOf(
      await owner.get(`/trackers/${id}/conversions?cursor=${String(first['next_cursor'])}`),
    );
    expect(rest).toMatchObject({ items: [{ txid: 'a' }], next_cursor: null });
    expect(dataOf(await owner.get(`/trackers/${id}/conversions?status=EXPIRED`))).toMatchObject({
      items: [],
      total: 0,
    });
  });

  test('activities · archived or updated twice · the second finds nothing to do', async () => {
    const { activities } = stand;
    const { id } = await tracker();
    const key = { id, advertiserId: line.advertiserId };
    await activities.updateTracker(key, { name: randomUUID() });
    await activities.updateTracker(key, {});
    await activities.archiveTracker(key);
    await expect(activities.archiveTracker(key)).rejects.toMatchObject({ token: 'not_found' });
  });
});

test('a process that serves no console · takes conversions, postbacks and pixels', async () => {
  const { code } = await tracker();
  const hot = supertest(stand.hotApp);
  expect((await hot.get('/api/advertiser/campaigns')).status).toBe(404);
  const ways = [
    await hot.get(`/track/conversion?code=${code}&click_id=${await click()}`),
    await hot.post('/track/postback').send({ code, click_id: await click() }),
    await hot.get(`/track/conversion.gif?c=${code}&click_id=${await click()}`),
  ];
  expect(ways.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await conversions()).toHaveLength(3);
});

test('an empty parameter · of a conversion · counts as absent', async () => {
  const { code } = await tracker();
  const hot = supertest(stand.hotApp);
  const clickId = await click();
  const query = `c=&code=${code}&clickid=&click_id=&click_id=${clickId}&value=&currency=&txid=&event=&_=17`;
  expect((await hot.get(`/track/conversion?${query}`)).body).toMatchObject({ code: 0, msg: 'ok' });
  expect(await conversions()).toMatchObject([{ click_id: clickId }]);
});
