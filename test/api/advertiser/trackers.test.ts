import { runInNewContext } from 'node:vm';
import { createStand, type Stand } from '../../support/stand.ts';
import { hex } from '../../support/settlement.ts';
import { type Line, makeLine } from '../../support/make/line.ts';
import { insertRow } from '../../support/make/row.ts';
import { type Caller, dataOf, faultsOf, idOf } from '../../support/call.ts';

let stand: Stand;
let line: Line;
let owner: Caller;
let stranger: Caller;

beforeAll(async () => {
  stand = await createStand();
  line = await makeLine(stand.database);
  owner = stand.as('advertiser', line.advertiserId);
  stranger = stand.as('advertiser', (await makeLine(stand.database)).advertiserId);
});
afterAll(async () => await stand.close());

const make = async (fields: object = {}, by = owner): Promise<number> =>
  idOf(await by.post('/trackers', { name: 'Sale', ...fields }));

/** Answers its public id. */
async function convert(trackerId: number, row: Record<string, unknown> = {}): Promise<number> {
  const key = await insertRow(stand.database, 'conversions', {
    tracker_id: trackerId,
    advertiser_id: line.advertiserId,
    campaign_id: line.campaignId,
    click_id: hex(16),
    dedupe_key: 'event:PURCHASE',
    event_type: 'PURCHASE',
    status: 'ACCEPTED',
    ...row,
  });
  const { rows } = await stand.database.pool.query<{ id: string }>(
    'SELECT public_id AS id FROM conversions WHERE id = $1',
    [key],
  );
  return Number(rows[0]?.id);
}

const idsOf = (data: Record<string, unknown>): number[] =>
  (data['items'] as { id: number }[]).map(({ id }) => id);

describe('tracker · created', () => {
  it('with a name alone · has the defaults of the interface and a code of its own', async () => {
    const answer = await owner.post('/trackers', { name: 'Sale' });
    expect(answer.status).toBe(201);
    expect(answer.headers['etag']).toBe('"1"');
    expect(dataOf(answer)).toMatchObject({
      version: 1,
      type: 'PIXEL',
      event_type: 'CUSTOM',
      count_mode: 'ONE',
      conversion_value: 0,
      attribution_window: 30,
      postback_url: null,
      status: 'ACTIVE',
      tracking_code: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it('with money as decimal text · is taken as the number, to the last decimal', async () => {
    const id = await make({ conversion_value: '12.000001' });
    expect(dataOf(await owner.get(`/trackers/${id}`))).toMatchObject({
      conversion_value: 12.000_001,
    });
    const same = await owner.put(`/trackers/${id}`, { conversion_value: '0000.10' });
    expect(dataOf(same)).toMatchObject({ conversion_value: 0.1 });
    for (const text of ['', '1e3', '-1', '1.0000001', '1,5', '9000001', 'ten', '0x1']) {
      const answer = await owner.put(`/trackers/${id}`, { conversion_value: text });
      expect([text, answer.status, faultsOf(answer)]).toEqual([
        text,
        422,
        ['conversion_value type'],
      ]);
    }
  });

  it('with an empty postback address and page code · has none', async () => {
    const id = await make({ postback_url: '', pixel_code: '' });
    expect(dataOf(await owner.get(`/trackers/${id}`))).toMatchObject({
      postback_url: null,
      pixel_code: null,
    });
    await owner.put(`/trackers/${id}`, {
      postback_url: 'https://shop.example/sold',
      pixel_code: 'x',
    });
    const emptied = await owner.put(`/trackers/${id}`, { postback_url: '', pixel_code: '' });
    expect(dataOf(emptied)).toMatchObject({ postback_url: null, pixel_code: null });
  });

  it('with words of no vocabulary · 422 names each', async () => {
    const answer = await owner.post('/trackers', {
      name: 'Sale',
      type: 'COOKIE',
      event_type: 'purchase',
      count_mode: 'SOME',
      attribution_window: 366,
      conversion_value: 0.000_000_1,
      postback_url: 'ftp://shop.example',
    });
    expect(answer.status).toBe(422);
    expect(faultsOf(answer).map((fault) => fault.split(' ')[0])).toEqual([
      'attribution_window',
      'conversion_value',
      'count_mode',
      'event_type',
      'postback_url',
      'type',
    ]);
  });
});

describe('tracker · listed', () => {
  it('by keyword, type and status · only those, newest first, archived only when asked for', async () => {
    const word = `w${hex(4)}`;
    const percent = await make({ name: `${word} 100%`, type: 'POSTBACK' });
    const plain = await make({ name: `${word} 1000` });
    const paused = await make({ name: `${word} rest` });
    const gone = await make({ name: `${word} gone` });
    await make({ name: `${word} foreign` }, stranger);
    await owner.put(`/trackers/${paused}`, { status: 'PAUSED' });
    await owner.delete(`/trackers/${gone}`);
    const list = async (query: string) =>
      idsOf(dataOf(await owner.get(`/trackers?keyword=${word}${query}`)));
    expect(await list('')).toEqual([paused, plain, percent]);
    expect(await list('%20100%25')).toEqual([percent]);
    expect(await list('&type=POSTBACK')).toEqual([percent]);
    expect(await list('&status=PAUSED')).toEqual([paused]);
    expect(await list('&status=ARCHIVED')).toEqual([gone]);
    expect(await list('&page=2&page_size=2')).toEqual([percent]);
  });
});

describe('tracker · changed', () => {
  it('by two at once · the one who saw an older version · 412, and nothing changes', async () => {
    const id = await make();
    const first = await owner.put(`/trackers/${id}`, { name: 'First' }).set('If-Match', '"1"');
    expect(first.status).toBe(200);
    expect(first.headers['etag']).toBe('"2"');
    const second = await owner.put(`/trackers/${id}`, { name: 'Second' }).set('If-Match', '"1"');
    expect(second.status).toBe(412);
    expect(dataOf(second)).toMatchObject({ error: 'precondition_failed', version: 2 });
    expect((await owner.delete(`/trackers/${id}`).set('If-Match', '"1"')).status).toBe(412);
    expect(dataOf(await owner.get(`/trackers/${id}`))).toMatchObject({ name: 'First', version: 2 });
  });

  it('deleted while a campaign bills by it · 409 names the campaign; afterwards it is gone', async () => {
    const id = await make();
    await stand.database.pool.query('UPDATE campaigns SET tracker_id = $2 WHERE id = $1', [
      line.campaignId,
      id,
    ]);
    const refused = await owner.delete(`/trackers/${id}`);
    expect(refused.status).toBe(409);
    expect(dataOf(refused)).toMatchObject({ campaign_ids: [line.campaignId] });
    await stand.database.pool.query('UPDATE campaigns SET tracker_id = NULL');
    expect(dataOf(await owner.delete(`/trackers/${id}`))).toEqual({ id, status: 'ARCHIVED' });
    expect((await owner.get(`/trackers/${id}`)).status).toBe(404);
  });

  it('code regenerated · another one in every address, and a new version', async () => {
    const id = await make();
    const before = dataOf(await owner.get(`/trackers/${id}/code`));
    const after = dataOf(await owner.post(`/trackers/${id}/regenerate-code`));
    const code = String(after['tracking_code']);
    expect(code).not.toBe(before['tracking_code']);
    for (const part of ['pixel', 'script', 'conversion_url', 'postback_url', 'gif_url']) {
      expect(after[part]).toContain(code);
    }
    expect(dataOf(await owner.get(`/trackers/${id}`))).toMatchObject({
      tracking_code: code,
      version: 2,
    });
  });
});

describe('the pixel of a tracker', () => {
  /** Runs it as a page of this address does; answers what it asked for. */
  const askedOn = (
    pixel: string,
    page: { search?: string; referrer?: string; kept?: string | Error },
  ): string[] => {
    const asked: string[] = [];
    const getItem = (): string | null => {
      if (page.kept instanceof Error) throw page.kept;
      return page.kept ?? null;
    };
    class Picture {
      set src(url: string) {
        asked.push(url);
      }
    }
    runInNewContext(pixel.replace(/^<script>/, '').replace(/<\/script>$/, ''), {
      location: { search: page.search ?? '' },
      document: { referrer: page.referrer ?? '' },
      localStorage: { getItem },
      Image: Picture,
    });
    return asked;
  };

  it('on the page that thanks · finds the click_id by itself', async () => {
    const { pixel, gif_url } = dataOf(await owner.get(`/trackers/${await make()}/code`));
    const text = String(pixel);
    const url = String(gif_url);
    expect(text).not.toContain('{click_id}');
    expect(askedOn(text, { search: '?a=1&click_id=c-1' })).toEqual([`${url}&click_id=c-1`]);
    expect(askedOn(text, { search: '?clickid=c-2' })).toEqual([`${url}&click_id=c-2`]);
    const referrer = 'https://shop.example/landing?click_id=c-3';
    expect(askedOn(text, { referrer })).toEqual([`${url}&click_id=c-3`]);
    expect(askedOn(text, { kept: 'c-4' })).toEqual([`${url}&click_id=c-4`]);
    expect(askedOn(text, {})).toEqual([url]);
    expect(askedOn(text, { kept: new Error('refused') })).toEqual([url]);
    expect(askedOn(text, { search: '?click_id="><b' })).toEqual([url]);
  });
});

describe('conversions of a tracker', () => {
  it('by status and cursor · newest first, unmoved by what comes meanwhile', async () => {
    const id = await make();
    const all = [
      await convert(id),
      await convert(id, { status: 'EXPIRED', dedupe_key: 'tx:order-7' }),
      await convert(id),
      await convert(id, { status: 'UNATTRIBUTED', click_id: null, campaign_id: null }),
    ];
    const newest = all.toReversed();
    const page = dataOf(await owner.get(`/trackers/${id}/conversions?page_size=2`));
    expect(idsOf(page)).toEqual(newest.slice(0, 2));
    expect(page).toMatchObject({ total: 4, next_cursor: newest[1] });
    await convert(id);
    const next = dataOf(
      await owner.get(`/trackers/${id}/conversions?page=2&page_size=2&cursor=${newest[1]}`),
    );
    expect(idsOf(next)).toEqual(newest.slice(2));
    const expired = dataOf(await owner.get(`/trackers/${id}/conversions?status=EXPIRED`));
    expect(expired).toMatchObject({ total: 1, next_cursor: null });
    expect(expired['items']).toMatchObject([{ id: all[1], txid: 'order-7' }]);
    expect((await owner.get(`/trackers/${id}/conversions?status=LATE`)).status).toBe(422);
  });
});

describe('statistics of a tracker', () => {
  const DAYS = 'start_date=2026-03-01&end_date=2026-03-03';
  let id: number;

  beforeAll(async () => {
    id = await make();
    const rows: Record<string, unknown>[] = [
      { created_at: '2026-03-01T00:00:00Z', value_nanos: '2500000000', status: 'BILLED' },
      { created_at: '2026-03-01T23:00:00Z', value_nanos: '1000000', status: 'UNBILLED' },
      { created_at: '2026-03-03T23:59:59.999Z', value_nanos: '7000000000', status: 'ACCEPTED' },
      { created_at: '2026-03-02T12:00:00Z', value_nanos: '9000000000', currency: 'EUR' },
      { created_at: '2026-03-02T12:30:00Z', status: 'EXPIRED', event_type: 'LEAD' },
      { created_at: '2026-03-02T13:00:00Z', status: 'UNATTRIBUTED', campaign_id: null },
      // Outside, on both sides.
      { created_at: '2026-02-28T23:59:59.999Z' },
      { created_at: '2026-03-04T00:00:00Z' },
    ];
    for (const row of rows) await convert(id, row);
    await convert(await make());
  });

  const stats = async (query: string) => dataOf(await owner.get(`/trackers/${id}/stats?${query}`));

  it('by date · each day with its own, and totals that are their sum', async () => {
    const report = await stats(DAYS);
    const open = { received: 0, pending: 0, rejected: 0 };
    const none = { ...open, unattributed: 0, expired: 0, billed: 0, foreign_currency: 0 };
    expect(report).toMatchObject({
      start_date: '2026-03-01',
      end_date: '2026-03-03',
      group_by: ['date'],
      timezone: 'UTC',
      currency: 'USD',
    });
    expect(report['items']).toEqual([
      { ...none, date: '2026-03-01', conversions: 2, attributed: 2, billed: 1, value: 2.501 },
      {
        date: '2026-03-02',
        conversions: 3,
        attributed: 1,
        unattributed: 1,
        expired: 1,
        ...open,
        billed: 0,
        value: 0,
        foreign_currency: 1,
      },
      { ...none, date: '2026-03-03', conversions: 1, attributed: 1, value: 7 },
    ]);
    expect(report['totals']).toEqual({
      conversions: 6,
      attributed: 4,
      unattributed: 1,
      expired: 1,
      ...open,
      billed: 1,
      value: 9.501,
      foreign_currency: 1,
    });
  });

  it('how long after the click · of the attributed of these days alone, null of none', async () => {
    const slow = await make();
    const none = dataOf(await owner.get(`/trackers/${slow}/stats?${DAYS}`));
    expect(none['click_to_conversion']).toBeNull();
    const created_at = '2026-03-02T12:00:00Z';
    for (const latency_seconds of [60, 10, 90, 20, 7_200]) {
      await convert(slow, { created_at, latency_seconds, status: 'BILLED' });
    }
    const late = { latency_seconds: 999_999, status: 'EXPIRED' };
    await convert(slow, { created_at, ...late });
    await convert(slow, { latency_seconds: 999_999, created_at: '2026-03-04T00:00:00Z' });
    const { click_to_conversion: delay } = dataOf(
      await owner.get(`/trackers/${slow}/stats?${DAYS}`),
    );
    expect(delay).toEqual({ median_seconds: 60, p90_seconds: 7_200 });
  });

  it('in a zone that is half an hour off · days begin there', async () => {
    const { items } = await stats(`${DAYS}&timezone=Asia/Kolkata`);
    expect(
      (items as { date: string; conversions: number }[]).map((row) => [row.date, row.conversions]),
    ).toEqual([
      ['2026-03-01', 2],
      ['2026-03-02', 4],
    ]);
  });

  it('by campaign and event · by id and name, null where nothing was won', async () => {
    const { items } = await stats(`${DAYS}&group_by=campaign,event_type`);
    const row = { campaign_id: line.campaignId, campaign_name: 'Campaign' };
    expect(items).toMatchObject([
      { ...row, event_type: 'LEAD', conversions: 1 },
      { ...row, event_type: 'PURCHASE', conversions: 4 },
      { campaign_id: null, campaign_name: null, event_type: 'PURCHASE', conversions: 1 },
    ]);
  });

  it('by hour · as a number', async () => {
    const { items } = await stats(`${DAYS}&group_by=hour`);
    expect((items as { hour: number }[]).map(({ hour }) => hour)).toEqual([0, 12, 13, 23]);
  });

  it.each([
    ['group_by=country', 'group_by one_of'],
    ['group_by=date,date', 'group_by max'],
    ['group_by=date,hour,campaign,ad', 'group_by max'],
    ['timezone=Mars/Olympus', 'timezone unknown'],
    ['start_date=2026-03-02&end_date=2026-03-01', 'end_date min'],
    ['colour=red', 'colour unknown_field'],
  ])('asked with %s · 422 · %s', async (query, fault) => {
    const answer = await owner.get(`/trackers/${id}/stats?${query}`);
    expect(answer.status).toBe(422);
    expect(faultsOf(answer)).toEqual([fault]);
  });

  it("another's · like none · 404", async () => {
    for (const path of ['', '/code', '/stats', '/conversions']) {
      expect((await stranger.get(`/trackers/${id}${path}`)).status).toBe(404);
    }
    expect((await stranger.put(`/trackers/${id}`, { name: 'Mine' })).status).toBe(404);
    expect((await stranger.delete(`/trackers/${id}`)).status).toBe(404);
    expect((await stranger.post(`/trackers/${id}/regenerate-code`)).status).toBe(404);
  });
});
