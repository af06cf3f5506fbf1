import { execFileSync } from 'node:child_process';
import { createUpkeepActivities } from '../../activities/upkeep/upkeep.ts';
import {
  addressAs,
  grantApplication,
  holdToRole,
  readFreedoms,
  roleOf,
} from '../../db/application-role.ts';
import { eventDays } from '../../db/events/event-days.ts';
import { openPool, sqlState } from '../../db/postgres.ts';
import { runBooks } from '../../db/queries/books.ts';
import { type AccountCode, chart } from '../../domain/ledger/chart.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { makeAdvertiser } from '../support/make/account.ts';
import { fundAdvertiser } from '../support/make/money.ts';
import { makeLine } from '../support/make/line.ts';
import { activityDeps, append, eventOf } from '../support/settlement.ts';
import pg from 'pg';

/** What somebody can do who has the application's address of the database, and nothing else. */
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const { id } = await makeAdvertiser(database.db);
  await fundAdvertiser(database.db, id, 5_000n);
});
afterAll(async () => {
  await database.close();
});

const REFUSED = '42501'; // insufficient_privilege
const ATTACKS: readonly (readonly [string, string, ...string[]])[] = [
  ['change a transfer', 'UPDATE ledger_transfers SET amount_nanos = 1'],
  ['unmake transfers', 'DELETE FROM ledger_transfers'],
  ['empty the ledger', 'TRUNCATE ledger_transfers, ledger_batches, ledger_accounts CASCADE'],
  ['rename a batch', `UPDATE ledger_batches SET idempotency_key = 'mine'`],
  ['unmake batches', 'DELETE FROM ledger_batches'],
  ['give itself a balance', 'UPDATE ledger_accounts SET balance_nanos = 1000000'],
  ['move a floor', 'UPDATE ledger_accounts SET floor_nanos = -1000000'],
  ['lift a floor', 'UPDATE ledger_accounts SET floor_nanos = NULL'],
  ['give an account another owner', 'UPDATE ledger_accounts SET owner_id = 9'],
  ['unmake an account', 'DELETE FROM ledger_accounts'],
  [
    'open an account by itself',
    `INSERT INTO ledger_accounts (code, currency, floor_nanos) VALUES ('w:mine', 'USD', NULL)`,
  ],
  ['disable a trigger', 'ALTER TABLE ledger_transfers DISABLE TRIGGER ledger_transfers_apply'],
  ['disable all triggers', 'ALTER TABLE ledger_transfers DISABLE TRIGGER ALL'],
  ['drop a trigger', 'DROP TRIGGER ledger_transfers_apply ON ledger_transfers'],
  ['drop a check', 'ALTER TABLE ledger_accounts DROP CONSTRAINT no_overdraft'],
  ['replay as a replica, where no trigger fires', `SET session_replication_role = 'replica'`],
  [
    'rewrite what moves balances',
    `CREATE OR REPLACE FUNCTION ledger_apply() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$`,
  ],
  ['turn off the owner’s rights of it', 'ALTER FUNCTION ledger_apply() SECURITY INVOKER'],
  ['make a table', 'CREATE TABLE mine (id int)'],
  ['shadow a table', 'CREATE TEMP TABLE ledger_accounts (id bigint)'],
  ['make a schema', 'CREATE SCHEMA mine'],
  ['own a table', 'ALTER TABLE ledger_transfers OWNER TO CURRENT_USER'],
  ['be the owner', 'SET ROLE {owner}'],
  ['make a role', 'CREATE ROLE mine SUPERUSER'],
  ['raise itself', 'ALTER ROLE CURRENT_USER SUPERUSER'],
  ['change the audit log', `UPDATE audit_log SET detail = '{}'`],
  ['empty the audit log', 'TRUNCATE audit_log'],
  ['unmake a note of an operator', 'DELETE FROM task_notes'],
  ['pretend a migration', `INSERT INTO schema_migrations (name) VALUES ('9999-mine.sql')`],
  ['drop a day of events', 'DROP TABLE events CASCADE'],
  ['empty the events', 'TRUNCATE events, event_inbox'],
  ['read files of the server', `SELECT pg_read_file('/etc/passwd')`],
  ['run a program', `COPY ledger_batches FROM PROGRAM 'id'`],
  ['write a file', `COPY ledger_batches TO '/tmp/ledger'`],
];

test.each(ATTACKS)('the application · tries to %s · is refused', async (_what, statement) => {
  const before = await database.pool.query('SELECT * FROM ledger_accounts ORDER BY id');
  const refusal = await database.appPool
    .query(statement.replace('{owner}', roleOf(database.ownerUrl).name))
    .catch((error: unknown) => error);
  // Of what is not even its own there are other words, `must be owner of`, under the same code.
  expect([sqlState(refusal), String(refusal)]).toEqual([REFUSED, expect.any(String)]);
  const after = await database.pool.query('SELECT * FROM ledger_accounts ORDER BY id');
  expect(after.rows).toEqual(before.rows);
});

test('the control · the owner may do what the application may not', async () => {
  const client = await database.pool.connect();
  await client.query('BEGIN');
  await client.query('ALTER TABLE ledger_transfers DISABLE TRIGGER ALL');
  await client.query('UPDATE ledger_transfers SET amount_nanos = amount_nanos + 1');
  await client.query('ROLLBACK');
  client.release();
});

describe('what the application does by functions of the owner', () => {
  const open = async (...codes: string[]): Promise<unknown> =>
    await database.appPool
      .query('SELECT * FROM ledger_hold_accounts($1::text[], $2)', [codes, 'USD'])
      .catch((error: unknown) => error);

  test.each(['w:BANK', 'adv:1:mine', 'adv:0:available', 'pub:1:earned', 'platform:mine', '', 'x'])(
    'an account that is not of the chart · %p · is not opened',
    async (code) => {
      expect(sqlState(await open(code))).toBe('23514');
    },
  );

  test('every account of the chart · opens with its owner and its floor', async () => {
    const codes: Record<keyof typeof chart, AccountCode> = {
      world: chart.world('PAXUM'),
      suspense: chart.suspense('PAXUM'),
      advertiserAvailable: chart.advertiserAvailable(7),
      advertiserRefundHold: chart.advertiserRefundHold(7),
      billingClearing: chart.billingClearing(3),
      publisherEarned: chart.publisherEarned(9, 3),
      publisherWithdrawable: chart.publisherWithdrawable(9),
      publisherHold: chart.publisherHold(9),
      publisherDebt: chart.publisherDebt(9),
      correctionClearing: chart.correctionClearing(),
      appealCost: chart.appealCost(),
      platformRevenue: chart.platformRevenue(3),
      payoutFee: chart.payoutFee(),
      taxPayable: chart.taxPayable(),
    };
    expect(await open(...Object.values(codes))).toMatchObject({
      rowCount: Object.keys(chart).length,
    });
    const { rows } = await database.pool.query<{ code: string }>(
      `SELECT code, owner_type, owner_id, floor_nanos FROM ledger_accounts WHERE code = ANY ($1)`,
      [Object.values(codes)],
    );
    const platforms = { owner_type: null, owner_id: null, floor_nanos: '0' };
    const theirs = (type: string, id: string) => ({
      owner_type: type,
      owner_id: id,
      floor_nanos: '0',
    });
    expect(Object.fromEntries(rows.map(({ code, ...terms }) => [code, terms]))).toEqual({
      [codes.world]: { ...platforms, floor_nanos: null },
      [codes.suspense]: platforms,
      [codes.advertiserAvailable]: theirs('ADVERTISER', '7'),
      [codes.advertiserRefundHold]: theirs('ADVERTISER', '7'),
      [codes.billingClearing]: platforms,
      [codes.publisherEarned]: theirs('PUBLISHER', '9'),
      [codes.publisherWithdrawable]: theirs('PUBLISHER', '9'),
      [codes.publisherHold]: theirs('PUBLISHER', '9'),
      [codes.publisherDebt]: { ...theirs('PUBLISHER', '9'), floor_nanos: null },
      [codes.correctionClearing]: platforms,
      [codes.appealCost]: { ...platforms, floor_nanos: null },
      [codes.platformRevenue]: platforms,
      [codes.payoutFee]: platforms,
      [codes.taxPayable]: platforms,
    });
  });

  test('a day of the inbox · one that is none · is not dropped', async () => {
    const refusal = await database.appPool
      .query(`SELECT drop_inbox_day(DATE '2019-01-01')`)
      .catch((error: unknown) => error);
    expect(sqlState(refusal)).toBe('42P01');
  });

  test('old days · upkeep makes and drops them · never one with an event that was not judged', async () => {
    const { pool } = database;
    const { rows } = await pool.query<{ day: string }>(
      `SELECT to_char(current_date - 30, 'YYYY-MM-DD') AS day`,
    );
    const day = rows[0]?.day ?? '';
    const name = `event_inbox_${day.replaceAll('-', '')}`;
    await pool.query('SELECT ensure_event_partitions(current_date - 31, 2)');
    const event = eventOf(await makeLine(database), { at: new Date(`${day}T12:00:00Z`) });
    await append(database, event);
    const upkeep = createUpkeepActivities(activityDeps(database));
    const kept = await upkeep.runUpkeep();
    expect(kept.partitionsKept).toEqual([{ name, unsettled: 1 }]);
    expect(kept.partitionsDropped).toHaveLength(1);
    await pool.query('DELETE FROM event_inbox WHERE id = $1', [event.id]);
    const dropped = await upkeep.runUpkeep();
    expect(dropped.partitionsDropped).toEqual([name]);
    expect(await eventDays.old(database.appPool, 20)).toEqual([]);
  });
});

describe('the role', () => {
  const say = async (sql: TestDatabase['pool'], production: boolean) => {
    const said: string[] = [];
    const refused = await holdToRole(sql, { production, warn: (text) => said.push(text) }).then(
      () => '',
      String,
    );
    return { said: said.join(), refused };
  };

  test('of the application · is free of nothing, and starts anywhere', async () => {
    expect(await readFreedoms(database.appPool)).toEqual([]);
    expect(await say(database.appPool, true)).toEqual({ said: '', refused: '' });
  });

  test('of the application · grants itself more · has what it had', async () => {
    await database.appPool.query('GRANT UPDATE, TRUNCATE ON ledger_transfers TO CURRENT_USER');
    expect(await readFreedoms(database.appPool)).toEqual([]);
  });

  test('of the owner · production does not start, elsewhere it is said', async () => {
    expect(await readFreedoms(database.pool)).toContain('owns tables or functions');
    expect(await say(database.pool, true)).toMatchObject({
      refused: expect.stringMatching(/POSTGRES_OWNER_URL/),
    });
    expect(await say(database.pool, false)).toMatchObject({
      said: expect.stringMatching(/POSTGRES_OWNER_URL/),
    });
  });

  test('that could do more than grants hold · is not taken', async () => {
    const name = `adp_free_${process.pid}`;
    const owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
    await owner.query(`CREATE ROLE ${name} LOGIN CREATEROLE`);
    try {
      await expect(grantApplication(owner, { name, password: undefined })).rejects.toThrow(
        /makes roles/,
      );
    } finally {
      await owner.query(`DROP OWNED BY ${name}; DROP ROLE ${name}`);
      await owner.end();
    }
  });

  test('admin migrate · both addresses · makes the role, and twice is once', async () => {
    const role = { name: `adp_made_${process.pid}`, password: 'p:w/1' };
    const run = () =>
      execFileSync(process.execPath, ['--import', 'tsx', 'dev/admin.ts', 'migrate'], {
        env: {
          ...process.env,
          POSTGRES_OWNER_URL: database.ownerUrl,
          POSTGRES_URL: addressAs(database.ownerUrl, role),
        },
        encoding: 'utf8',
      });
    expect(run()).toContain('up to date');
    expect(run()).toContain('up to date');
    const made = openPool({
      url: addressAs(database.ownerUrl, role),
      poolMax: 1,
      applicationName: 'made',
    });
    expect(await readFreedoms(made)).toEqual([]);
    expect((await runBooks(made)).filter(({ ok }) => !ok)).toEqual([]);
    await made.end();
    await database.pool.query(`DROP OWNED BY ${role.name}; DROP ROLE ${role.name}`);
  });
});
