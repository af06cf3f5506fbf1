import { randomUUID } from 'node:crypto';
import { newEventId } from '../../../db/events/event-log.ts';
import {
  type ClickRecord,
  makePendingClicks,
  pendingClick,
} from '../../../db/queries/click-rows.ts';
import { verifyClick } from '../../../db/queries/clicks.ts';
import type { TrackFacts } from '../../../domain/tracking/facts.ts';
import { makeLine } from '../../support/make/line.ts';
import { trackOf } from '../../support/tracking-facts.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.close();
});

const clickIdOf = (id: string): string => id.replaceAll('-', '');

/** Clicks that wait for their verification. */
async function pendingClicks(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await database.pool.query(
    `INSERT INTO clicks (id, click_id, shard, verify_by, clicked_at, request_id, bid_id, advertiser_id,
       campaign_id, adgroup_id, ad_id, creative_id, zone_id, bid_price_nanos, pricing_model)
     SELECT id, replace(id::text, '-', ''), 0, now() + interval '5 minutes', now(), 'r', 'b', 1, 1, 1, 1, 1, 1, 1, 'CPC'
     FROM unnest($1::uuid[]) AS given (id)`,
    [ids],
  );
  return ids;
}

const verify = async (
  clickEventId: string,
  {
    facts = '{"session":"ok"}',
    click: record = null,
  }: { facts?: string; click?: ClickRecord | null } = {},
) => {
  const receivedAt = new Date();
  const eventId = newEventId(receivedAt);
  const click = await verifyClick(database.pool, {
    clickEventId,
    eventId,
    receivedAt,
    facts,
    click: record,
  });
  return { eventId, click };
};

/** A click of which nothing but its event is stored, so many seconds ago. */
const unwritten = (agoSeconds = 1, track: Partial<TrackFacts> = {}): ClickRecord => {
  const clickedAt = new Date(Date.now() - agoSeconds * 1_000);
  return pendingClick({
    id: newEventId(clickedAt),
    shard: 3,
    clickedAtMs: clickedAt.getTime(),
    track: trackOf({ adGroupId: 77, ...track }),
  });
};
const rowOf = async ({ id }: ClickRecord): Promise<Record<string, unknown> | undefined> =>
  (await database.pool.query('SELECT * FROM clicks WHERE id = $1', [id])).rows[0];
const verifiedEvents = async ({ id }: ClickRecord): Promise<number | null> =>
  (
    await database.pool.query(
      `SELECT 1 FROM event_inbox WHERE kind = 'click_verify' AND facts->>'clickEventId' = $1`,
      [id],
    )
  ).rowCount;

test('verification · more at once than one statement takes, each twice · each once, with its own click', async () => {
  const ids = await pendingClicks(150);
  const results = await Promise.all([...ids, ...ids, randomUUID()].map((id) => verify(id)));
  const won = results.filter(({ click }) => click !== null);
  expect(new Set(won.map(({ click }) => click?.clickId))).toEqual(new Set(ids.map(clickIdOf)));
  expect(won).toHaveLength(150);
  const { rows } = await database.pool.query<{ id: string; facts: Record<string, string> }>(
    "SELECT id, facts FROM event_inbox WHERE kind = 'click_verify'",
  );
  const told = new Map(rows.map((row) => [row.id, row.facts]));
  expect(told.size).toBe(150);
  for (const { eventId, click } of won) {
    expect(told.get(eventId)).toEqual({
      session: 'ok',
      clickEventId: click?.id,
      clickId: click?.clickId,
    });
  }
});

test('verification · facts that cannot be kept among others · is refused alone', async () => {
  const [first = '', second = '', third = '', fourth = ''] = await pendingClicks(4);
  const outcomes = await Promise.allSettled([
    verify(first),
    verify(second),
    verify(third, { facts: '{"nonce":"\\u0000"}' }),
    verify(fourth),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  const again = await verify(third);
  expect(again.click?.clickId).toBe(clickIdOf(third));
});

test('verification · before settlement has made the row · makes it, verified, as the track_id says', async () => {
  const click = unwritten();
  expect((await verify(click.id, { click })).click).toMatchObject({
    clickId: clickIdOf(click.id),
    zoneId: 5,
  });
  expect(await rowOf(click)).toMatchObject({
    status: 'verified',
    shard: 3,
    click_id: clickIdOf(click.id),
    request_id: 'r',
    bid_id: 'b',
    advertiser_id: '1',
    campaign_id: '2',
    adgroup_id: '77',
    ad_id: '3',
    creative_id: '4',
    zone_id: '5',
    bid_price_nanos: '1000',
    pricing_model: 'CPM',
    clicked_at: new Date(click.clickedAtMs),
    verify_by: new Date(click.clickedAtMs + 300_000),
  });
  // Settlement comes later, and finds it.
  await makePendingClicks(database.pool, [click]);
  expect(await rowOf(click)).toMatchObject({ status: 'verified' });
  expect(await verifiedEvents(click)).toBe(1);
});

test('verification · of one click forty times while settlement makes its row · succeeds once', async () => {
  for (let time = 0; time < 10; time += 1) {
    const all = Array.from({ length: 20 }, () => unwritten());
    const [results] = await Promise.all([
      Promise.all(
        all.flatMap((click) => [verify(click.id, { click }), verify(click.id, { click })]),
      ),
      makePendingClicks(database.pool, all.toReversed()),
      makePendingClicks(database.pool, all),
    ]);
    const won = results.flatMap(({ click }) => click?.clickId ?? []);
    expect(won.toSorted()).toEqual(all.map(({ id }) => clickIdOf(id)).toSorted());
    expect(await Promise.all(all.map(verifiedEvents))).toEqual(all.map(() => 1));
  }
});

/** As where its insert meets, in the index of public ids, a row that is just being made: so many times. */
async function withMeetings<Result>(times: number, run: () => Promise<Result>): Promise<Result> {
  await database.pool.query(`
    CREATE SEQUENCE met;
    CREATE FUNCTION meet() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('met') <= ${times} THEN
        RAISE unique_violation USING MESSAGE = 'met', CONSTRAINT = 'clicks_click_id_key';
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER meet BEFORE INSERT ON clicks FOR EACH ROW EXECUTE FUNCTION meet()`);
  try {
    return await run();
  } finally {
    await database.pool.query('DROP TRIGGER meet ON clicks; DROP FUNCTION meet; DROP SEQUENCE met');
  }
}

test('verification · that meets the row as it is being made · is tried again, and succeeds', async () => {
  const click = unwritten();
  const { click: won } = await withMeetings(1, async () => await verify(click.id, { click }));
  expect(won?.clickId).toBe(clickIdOf(click.id));
  expect(await verifiedEvents(click)).toBe(1);
});

test('verification · that meets another row for ever · is refused, and nothing is left of it', async () => {
  const click = unwritten();
  await expect(
    withMeetings(1_000, async () => await verify(click.id, { click })),
  ).rejects.toMatchObject({ code: '23505' });
  expect(await rowOf(click)).toBeUndefined();
  expect(await verifiedEvents(click)).toBe(0);
});

test('settlement · that meets a row by its public id · leaves it, and makes the others', async () => {
  const [met, other] = [unwritten(), unwritten()];
  await makePendingClicks(database.pool, [{ ...met, id: newEventId(new Date()) }]);
  await makePendingClicks(database.pool, [met, other]);
  expect([await rowOf(met), await rowOf(other)]).toEqual([
    undefined,
    expect.objectContaining({ status: 'verify_pending' }),
  ]);
});

test('verification · facts that cannot be kept of a click without a row, among others · is refused alone', async () => {
  const [waiting = ''] = await pendingClicks(1);
  const [good, bad] = [unwritten(), unwritten()];
  const outcomes = await Promise.allSettled([
    verify(waiting),
    verify(good.id, { click: good }),
    verify(bad.id, { click: bad, facts: '{"nonce":"\\u0000"}' }),
  ]);
  expect(outcomes).toMatchObject([
    { status: 'fulfilled', value: { click: { clickId: clickIdOf(waiting) } } },
    { status: 'fulfilled', value: { click: { clickId: clickIdOf(good.id) } } },
    { status: 'rejected' },
  ]);
  expect(await rowOf(bad)).toBeUndefined();
});

test.each([
  ['whose time is over', () => unwritten(301)],
  ['of an ad that does not exist', () => unwritten(1, { adGroupId: 0, adId: 999_999 })],
])('verification · of a click %s · is refused and makes nothing', async (_what, make) => {
  const click = make();
  expect((await verify(click.id, { click })).click).toBeNull();
  expect(await rowOf(click)).toBeUndefined();
  expect(await verifiedEvents(click)).toBe(0);
});

test('verification · of a click that was refused as it came · makes nothing', async () => {
  const click = unwritten();
  expect((await verify(click.id)).click).toBeNull();
  expect(await rowOf(click)).toBeUndefined();
});

test('a row · of a track_id that does not name the ad group · has the ad’s', async () => {
  const line = await makeLine(database);
  const click = unwritten(1, { adGroupId: undefined, adId: line.adId });
  await makePendingClicks(database.pool, [click]);
  expect(await rowOf(click)).toMatchObject({
    status: 'verify_pending',
    adgroup_id: String(line.adGroupId),
  });
});
