import { runBooks } from '../../db/queries/books.ts';
import { type Cuttable, cuttable } from '../support/cuttable.ts';
import { serviceUrl } from '../support/database.ts';
import { until } from '../support/until.ts';
import { type CrashStand, startCrashStand } from './flow-crashes.ts';
import { FLOW_SUBJECTS } from './flow-subjects.ts';
import { awayFor } from './temporal-away.ts';

let wire: Cuttable;
let stand: CrashStand;
beforeAll(async () => {
  wire = await cuttable(`http://${serviceUrl('TEMPORAL_ADDRESS')}`);
  stand = await startCrashStand({ TEMPORAL_ADDRESS: new URL(wire.url).host });
}, 240_000);
afterAll(async () => {
  await stand?.close();
  await wire?.close();
}, 60_000);

const TRIES_BEFORE = 300;

test('Temporal is away for 30 hours · people go on asking and deciding · all of it comes to its end, no hand needed', async () => {
  const { pool } = stand.platform;
  const told = await awayFor(stand, wire, async (begin) => {
    for (const _ of Object.keys(FLOW_SUBJECTS)) await begin();
    // The clock is moved by moving what it is held against.
    const { rows: aged } = await pool.query<{ id: string }>(
      `UPDATE outbox SET created_at = created_at - interval '30 hours', attempts = $1, next_at = now()
       WHERE done_at IS NULL AND kind <> 'publish' RETURNING id`,
      [TRIES_BEFORE],
    );
    expect(aged.length).toBeGreaterThan(Object.keys(FLOW_SUBJECTS).length);
    const ids = aged.map(({ id }) => id);
    await until({ what: 'each is tried once more, and fails', withinMs: 180_000 }, async () => {
      const { rows } = await pool.query(
        'SELECT FROM outbox WHERE id = ANY($1) AND (attempts = $2 OR last_error IS NULL)',
        [ids, TRIES_BEFORE],
      );
      return rows.length === 0;
    });
  });
  expect(told.differences).toEqual([]);
  expect((await runBooks(pool)).filter(({ ok }) => !ok)).toEqual([]);
}, 900_000);
