import { randomUUID } from 'node:crypto';
import { newEventId } from '../../../db/events/event-log.ts';
import { verifyClick } from '../../../db/queries/clicks.ts';
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

const verify = async (clickEventId: string, facts = '{"session":"ok"}') => {
  const receivedAt = new Date();
  const eventId = newEventId(receivedAt);
  const click = await verifyClick(database.pool, { clickEventId, eventId, receivedAt, facts });
  return { eventId, click };
};

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
    verify(third, '{"nonce":"\\u0000"}'),
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
