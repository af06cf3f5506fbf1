import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { addressAs } from '../../../db/application-role.ts';
import { MIGRATIONS_DIR, migrate } from '../../../db/migrate.ts';
import { violatedConstraint } from '../../../db/postgres.ts';
import { APPLICATION, serviceUrl } from '../../support/database.ts';

/** A database of before approvals, with reversals and with payouts on their way. */
const SINCE = '0225';
const name = `adp_approvals_${randomBytes(6).toString('hex')}`;
const url = new URL(serviceUrl('POSTGRES_URL'));
let owner: pg.Client;

async function asAdmin(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serviceUrl('POSTGRES_URL') });
  await client.connect();
  await client.query(sql);
  await client.end();
}

beforeAll(async () => {
  await asAdmin(`CREATE DATABASE ${name}`);
  url.pathname = `/${name}`;
  owner = new pg.Client({ connectionString: url.toString() });
  await owner.connect();
  await owner.query(
    'CREATE TABLE schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
  );
  for (const file of readdirSync(MIGRATIONS_DIR).sort()) {
    if (file >= SINCE) break;
    await owner.query(readFileSync(path.join(MIGRATIONS_DIR, file), 'utf8'));
    await owner.query('INSERT INTO schema_migrations (name) VALUES ($1)', [file]);
  }
}, 60_000);
afterAll(async () => {
  await owner?.end();
  await asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
});

async function add(table: string, row: Record<string, unknown>): Promise<number> {
  const names = Object.keys(row);
  const { rows } = await owner.query<{ id: string }>(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')}) RETURNING id`,
    Object.values(row),
  );
  return Number(rows[0]?.id);
}
const operator = async (username: string): Promise<number> =>
  await add('operators', {
    username,
    email: `${username}@example.com`,
    password_hash: 'no login',
    role: 'FINANCE',
  });

test('payouts of before · approved, waiting for a second person, and not looked at · go on as they were', async () => {
  const [first, second] = [await operator('first'), await operator('second')];
  const publisher = {
    kind: 'PUBLISHER',
    username: 'p',
    email: 'p@example.com',
    password_hash: 'no',
  };
  const publisherId = await add('accounts', publisher);
  const asked = async (status: string, approvedBy: number | null): Promise<number> =>
    await add('withdrawals', {
      publisher_id: publisherId,
      amount_nanos: 10,
      arrival_nanos: 10,
      channel: 'PAYPAL',
      status,
      approved_by: approvedBy,
    });
  const onItsWay = await asked('APPROVED', first);
  const halfAgreed = await asked('PENDING', first);
  const untouched = await asked('PENDING', null);
  await add('tasks', {
    kind: 'withdrawal_second_approval',
    subject_type: 'withdrawal',
    subject_id: halfAgreed,
    summary: 'x',
    decisions: '[]',
    required_role: 'FINANCE',
    workflow_id: 'w',
    dedupe_key: 'w',
  });

  const applicationUrl = addressAs(url.toString(), APPLICATION);
  expect(await migrate(url.toString(), applicationUrl)).toEqual(
    readdirSync(MIGRATIONS_DIR)
      .filter((file) => file >= SINCE)
      .sort(),
  );
  const approvals = await owner.query(
    `SELECT subject, state, alone, maker_id FROM approvals ORDER BY id`,
  );
  const by = String(first);
  expect(approvals.rows).toEqual([
    { subject: String(onItsWay), state: 'APPROVED', alone: true, maker_id: by },
    { subject: String(halfAgreed), state: 'PROPOSED', alone: false, maker_id: by },
  ]);

  const application = new pg.Client({ connectionString: applicationUrl });
  await application.connect();
  const broken = async (text: string, ...values: unknown[]): Promise<unknown> =>
    await application.query(text, values).then(
      () => null,
      (error: unknown) => violatedConstraint(error),
    );
  const move = 'UPDATE withdrawals SET status = $2 WHERE id = $1';
  const agree = `UPDATE approvals SET state = 'APPROVED', checker_id = $2 WHERE subject = $1`;
  expect(await broken(move, onItsWay, 'PROCESSING')).toBeNull();
  expect(await broken(move, untouched, 'APPROVED')).toBe('money_needs_approval');
  expect(await broken(move, halfAgreed, 'APPROVED')).toBe('money_needs_approval');
  expect(await broken(agree, String(halfAgreed), first)).toBe('four_eyes');
  expect(await broken(agree, String(halfAgreed), second)).toBeNull();
  expect(await broken(move, halfAgreed, 'APPROVED')).toBeNull();
  await application.end();
}, 60_000);
