import pg from 'pg';
import { addressAs } from '../../../db/application-role.ts';
import { migrate } from '../../../db/migrate.ts';
import { violatedConstraint } from '../../../db/postgres.ts';
import { APPLICATION } from '../../support/database.ts';
import { databaseBefore, type OldDatabase } from '../../support/old-database.ts';

/** A database of before approvals, with reversals and with payouts on their way. */
let old: OldDatabase;
beforeAll(async () => {
  old = await databaseBefore('0225');
}, 60_000);
afterAll(() => old.close());

const operator = async (username: string): Promise<number> =>
  await old.add('operators', {
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
  const publisherId = await old.add('accounts', publisher);
  const asked = async (status: string, approvedBy: number | null): Promise<number> =>
    await old.add('withdrawals', {
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
  await old.add('tasks', {
    kind: 'withdrawal_second_approval',
    subject_type: 'withdrawal',
    subject_id: halfAgreed,
    summary: 'x',
    decisions: '[]',
    required_role: 'FINANCE',
    workflow_id: 'w',
    dedupe_key: 'w',
  });

  const applicationUrl = addressAs(old.url, APPLICATION);
  expect(await migrate(old.url, applicationUrl)).toEqual(old.toCome);
  const approvals = await old.owner.query(
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
