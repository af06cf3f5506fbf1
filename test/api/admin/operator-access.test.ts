import type { Response } from 'supertest';
import { dataOf } from '../../support/call.ts';
import { makeOperator, makePublisher } from '../../support/make/account.ts';
import { insertRow } from '../../support/make/row.ts';
import { joinAsOperator, NEWCOMERS_PASSWORD } from '../../support/newcomer.ts';
import { createStand, type Stand } from '../../support/stand.ts';
import type { OperatorRole } from '../../../domain/operator.ts';

/** Operators who leave, come back or change their work; and one dishonest ADMIN who would be two people by it. */
let stand: Stand;
/** What each test begins with: two ADMINs and a FINANCE, each a person of their own. */
let ada: number;
let bob: number;
let fin: number;

beforeAll(async () => {
  stand = await createStand({ realTime: true });
});
afterAll(async () => await stand?.close());
beforeEach(async () => {
  // Those of the tests before count no more: the last ADMIN is one of this test.
  await stand.database.pool.query(`UPDATE operators SET status = 'SUSPENDED'`);
  ada = await made('ADMIN');
  bob = await made('ADMIN');
  fin = await made('FINANCE');
});

const SECOND = 'A second person must approve this.';
const VOICELESS = 'You count as somebody who is suspended until another operator vouches for you.';
const OUT = [403, 'This account is suspended.'];
const reason = 'Left the company';

const made = async (role: OperatorRole, by: number | null = null): Promise<number> =>
  (await makeOperator(stand.database.db, role, by)).id;
const as = (operatorId: number) => stand.as('admin', operatorId);
const said = ({ status, body }: Response): [number, string] => [status, body.message];

const suspend = async (by: number, of: number) =>
  await as(by).post(`/operators/${of}/suspend`, { reason });
const restore = async (by: number, of: number) =>
  await as(by).post(`/operators/${of}/restore`, { reason: 'Came back' });
const giveRole = async (by: number, of: number, role: OperatorRole) =>
  await as(by).post(`/operators/${of}/role`, { role, reason: 'Another desk' });
const approve = async (by: number, asked: Response) =>
  await as(by).post(`/approvals/${approvalIn(asked)}/approve`);

/** As approve, past the door, which lets nobody in who is suspended or counts as such a one. */
const saysYes = async (operatorId: number, asked: Response): Promise<unknown> => {
  const decision = { approvalId: approvalIn(asked), operatorId, requestId: 'test' };
  return await stand.activities.approveApproval(decision);
};

function approvalIn(asked: Response): number {
  expect(asked.status).toBe(202);
  return Number(/\/approvals\/(\d+)$/.exec(asked.header['location'] ?? '')?.[1]);
}

async function rowOf(id: number): Promise<{ status: string; role: string }> {
  const { rows } = await stand.database.pool.query<{ status: string; role: string }>(
    'SELECT status, role FROM operators WHERE id = $1',
    [id],
  );
  return rows[0] ?? { status: '', role: '' };
}
const statusOf = async (id: number): Promise<string> => (await rowOf(id)).status;

/** The operator as the list shows them. */
async function listed(id: number): Promise<Record<string, unknown> | undefined> {
  const items = dataOf(await as(ada).get('/operators?page_size=100'))['items'];
  return (items as Record<string, unknown>[]).find((each) => each['id'] === id);
}

async function actionsOf(id: number): Promise<string[]> {
  const { rows } = await stand.database.pool.query<{ action: string }>(
    `SELECT action FROM audit_log WHERE subject_type = 'operator' AND subject_id = $1 ORDER BY id`,
    [id],
  );
  return rows.map(({ action }) => action);
}

/** Come in by an invitation of whoever is named. */
async function newcomer(by: number, role: OperatorRole): Promise<{ id: number; name: string }> {
  const { id, username: name } = await joinAsOperator(stand, by, role);
  return { id, name };
}
const login = async (name: string) =>
  await stand
    .bearing('admin')
    .post('/auth/login', { username: name, password: NEWCOMERS_PASSWORD });

let serial = 0;
async function task(fields: Record<string, unknown>): Promise<number> {
  serial += 1;
  return await insertRow(stand.database, 'tasks', {
    kind: 'site_review',
    subject_type: 'site',
    subject_id: serial,
    account_id: (await makePublisher(stand.database.db)).id,
    summary: 'A site',
    decisions: JSON.stringify(['approve', 'reject']),
    required_role: 'REVIEWER',
    workflow_id: `leaves:${serial}`,
    dedupe_key: `leaves:${serial}`,
    ...fields,
  });
}
const handsOf = async (id: number) =>
  (
    await stand.database.pool.query(
      'SELECT lease_operator_id, lease_until, assignee_id FROM tasks WHERE id = $1',
      [id],
    )
  ).rows[0];

describe('suspended', () => {
  test('whoever leaves · is out at once, is told why at a login, and leaves nothing in their hands', async () => {
    const { id, name } = await newcomer(ada, 'REVIEWER');
    const session = await login(name);
    const token = String(dataOf(session)['token']);
    const theirs = stand.bearing('admin', token);
    expect((await theirs.get('/auth/profile')).status).toBe(200);
    const soon = new Date(Date.now() + 600_000);
    const held = await task({ lease_operator_id: id, lease_until: soon });
    const given = await task({ assignee_id: id });
    const others = await task({ lease_operator_id: bob, lease_until: soon, assignee_id: id });

    const done = await suspend(bob, id);
    expect([done.status, dataOf(done)['status']]).toEqual([200, 'SUSPENDED']);

    expect(said(await theirs.get('/auth/profile'))).toEqual([403, 'This account is suspended.']);
    expect(said(await login(name))).toEqual([403, 'This account is suspended.']);
    const free = { lease_operator_id: null, lease_until: null, assignee_id: null };
    expect(await handsOf(held)).toEqual(free);
    expect(await handsOf(given)).toEqual(free);
    expect(await handsOf(others)).toMatchObject({
      lease_operator_id: String(bob),
      assignee_id: null,
    });
    // What was in the post does not go out any more.
    const { rows } = await stand.database.pool.query(
      `SELECT status FROM mails WHERE operator_id = $1 GROUP BY status`,
      [id],
    );
    expect(rows).toEqual([{ status: 'EXPIRED' }]);
    expect(await actionsOf(id)).toContain('operator.suspend');
    expect((await suspend(bob, id)).status).toBe(409);
  });

  test('a task · is given to nobody who is suspended', async () => {
    const reviewer = await made('REVIEWER');
    await suspend(ada, reviewer);
    const open = await task({});
    const answer = await as(bob).post(`/tasks/${open}/assign`, { assignee_id: reviewer });
    expect(answer.status).toBe(422);
  });

  test.each(['REVIEWER', 'FINANCE', 'SUPPORT'] as const)(
    'by %s · nothing of it may be done',
    async (role) => {
      const by = await made(role);
      for (const answer of [
        await suspend(by, bob),
        await restore(by, bob),
        await giveRole(by, bob, 'SUPPORT'),
      ]) {
        expect([answer.status, answer.body.data.error]).toEqual([403, 'forbidden_role']);
      }
      expect(await rowOf(bob)).toEqual({ status: 'ACTIVE', role: 'ADMIN' });
    },
  );

  test('oneself · is another ADMIN’s to do', async () => {
    const own = 'Nobody suspends themselves or changes their own role: another ADMIN has to.';
    expect(said(await suspend(ada, ada))).toEqual([409, own]);
    expect(said(await giveRole(ada, ada, 'SUPPORT'))).toEqual([409, own]);
  });

  test('two ADMINs each other at the same instant · leaves one', async () => {
    for (let round = 0; round < 5; round += 1) {
      const one = await made('ADMIN');
      const other = await made('ADMIN');
      await stand.database.pool.query(
        `UPDATE operators SET status = 'SUSPENDED' WHERE id NOT IN ($1, $2)`,
        [one, other],
      );
      const callers = [as(one), as(other)] as const;
      const answers = await Promise.all([
        callers[0].post(`/operators/${other}/suspend`, { reason }),
        callers[1].post(`/operators/${one}/suspend`, { reason }),
      ]);
      expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '403']);
      expect([await statusOf(one), await statusOf(other)].toSorted()).toEqual([
        'ACTIVE',
        'SUSPENDED',
      ]);
    }
  });

  test('two ADMINs give each other a lesser role at the same instant · leaves one', async () => {
    await stand.database.pool.query(
      `UPDATE operators SET status = 'SUSPENDED' WHERE id NOT IN ($1, $2)`,
      [ada, bob],
    );
    const [one, other] = [as(ada), as(bob)];
    const body = { role: 'SUPPORT', reason };
    const answers = await Promise.all([
      one.post(`/operators/${bob}/role`, body),
      other.post(`/operators/${ada}/role`, body),
    ]);
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '403']);
    const roles = [(await rowOf(ada)).role, (await rowOf(bob)).role];
    expect(roles.toSorted()).toEqual(['ADMIN', 'SUPPORT']);
  });

  test('the last ADMIN · by the application’s own hand in the database · stays', async () => {
    const { appPool } = stand.database;
    await suspend(ada, bob);
    const out = `UPDATE operators SET status = 'SUSPENDED' WHERE id = $1`;
    await expect(appPool.query(out, [ada])).rejects.toMatchObject({ constraint: 'last_admin' });
    const less = `UPDATE operators SET role = 'SUPPORT' WHERE id = $1`;
    await expect(appPool.query(less, [ada])).rejects.toMatchObject({ constraint: 'last_admin' });
    // One who counts as them is no other ADMIN.
    await made('ADMIN', ada);
    await expect(appPool.query(out, [ada])).rejects.toMatchObject({ constraint: 'last_admin' });
  });
});

describe('restored', () => {
  test('asked for by one, approved by another · logs in again with the password of before', async () => {
    const { id, name } = await newcomer(ada, 'SUPPORT');
    const before = String(dataOf(await login(name))['token']);
    await suspend(bob, id);
    const asked = await restore(bob, id);
    expect(await statusOf(id)).toBe('SUSPENDED');
    expect(await listed(id)).toMatchObject({
      waiting: [
        { kind: 'operator' },
        { kind: 'operator_restore', approval_id: approvalIn(asked), role: null },
      ],
    });
    const page = dataOf(await as(fin).get(`/approvals/${approvalIn(asked)}`));
    expect(page['content']).toEqual(
      expect.arrayContaining([
        { name: 'suspended_why', value: reason },
        { name: 'reason', value: 'Came back' },
      ]),
    );
    expect(said(await approve(bob, asked))).toEqual([409, SECOND]);
    expect((await approve(fin, asked)).status).toBe(200);
    expect(await statusOf(id)).toBe('ACTIVE');
    expect((await stand.bearing('admin', before).get('/auth/profile')).status).toBe(401);
    expect((await login(name)).status).toBe(200);
    expect(await actionsOf(id)).toEqual(
      expect.arrayContaining(['operator.suspend', 'operator.ask_restore', 'operator.restore']),
    );
    expect((await restore(bob, id)).status).toBe(409);
  });

  test('by a lone ADMIN · not in a second login of their own, nor by the one they let in', async () => {
    const mule = await made('ADMIN', ada);
    await suspend(bob, fin);
    const asked = await restore(ada, fin);
    for (const hand of [ada, mule]) expect(said(await approve(hand, asked))).toEqual([409, SECOND]);
    const theirs = await restore(mule, fin);
    expect(said(await approve(ada, theirs))).toEqual([409, SECOND]);
    expect(await statusOf(fin)).toBe('SUSPENDED');
    // Whoever counts as who is to be let in says nothing about it.
    await suspend(bob, ada);
    const back = await restore(bob, ada);
    expect(said(await approve(mule, back))).toEqual(OUT);
    await expect(saysYes(mule, back)).rejects.toThrow(VOICELESS);
    expect(await statusOf(ada)).toBe('SUSPENDED');
  });

  test('past the API · the database lets nobody in and gives no role without the approval of just this', async () => {
    const { appPool } = stand.database;
    const reviewer = await made('REVIEWER');
    await suspend(ada, fin);
    for (const [statement, id] of [
      [`UPDATE operators SET status = 'ACTIVE' WHERE id = $1`, fin],
      [`UPDATE operators SET role = 'FINANCE' WHERE id = $1`, reviewer],
      [`UPDATE operators SET role = 'ADMIN' WHERE id = $1`, reviewer],
    ] as const) {
      await expect(appPool.query(statement, [id])).rejects.toMatchObject({
        constraint: 'operator_needs_approval',
      });
    }
  });
});

describe('what a suspended operator had to do with', () => {
  const KEY = 'payout.fee_cents.PAXUM';
  const wish = async (by: number, value: number) => await as(by).put(`/settings/${KEY}`, { value });

  test('asked for by them · still waits for another, and is done by their word', async () => {
    const asked = await wish(ada, 41);
    await suspend(bob, ada);
    expect(said(await approve(ada, asked))).toEqual([403, 'This account is suspended.']);
    expect((await approve(bob, asked)).status).toBe(200);
  });

  test('asked for by another · is not theirs to decide, nor of those who count as them', async () => {
    const mule = await made('FINANCE', ada);
    const asked = await wish(bob, 42);
    await suspend(bob, ada);
    expect(said(await approve(ada, asked))).toEqual([403, 'This account is suspended.']);
    expect(said(await approve(mule, asked))).toEqual(OUT);
    await expect(saysYes(mule, asked)).rejects.toThrow(VOICELESS);
    expect((await approve(fin, asked)).status).toBe(200);
  });

  test('whoever counts as them · puts nobody out, until another has vouched', async () => {
    const mule = await newcomer(ada, 'ADMIN');
    // Not who made them either: that would leave one who speaks for nobody.
    expect((await suspend(mule.id, ada)).status).toBe(409);
    await suspend(bob, ada);
    expect(said(await suspend(mule.id, bob))).toEqual(OUT);
    expect(said(await giveRole(mule.id, bob, 'SUPPORT'))).toEqual(OUT);
    const command = { id: bob, operatorId: mule.id, reason, requestId: 'test' };
    await expect(stand.activities.suspendOperator(command)).rejects.toThrow(VOICELESS);
    await expect(
      stand.activities.changeOperatorRole({ ...command, role: 'SUPPORT' }),
    ).rejects.toThrow(VOICELESS);
    const { rows } = await stand.database.pool.query<{ id: string }>(
      `SELECT id FROM approvals WHERE kind = 'operator' AND subject = $1 AND state = 'PROPOSED'`,
      [String(mule.id)],
    );
    expect((await as(bob).post(`/approvals/${rows[0]?.id}/approve`)).status).toBe(200);
    expect((await suspend(mule.id, fin)).status).toBe(200);
  });

  test('money within the limit · is not let through alone by whoever counts as them', async () => {
    const mule = await made('FINANCE', ada);
    await suspend(bob, ada);
    const alone = async (maker: number): Promise<boolean> => {
      const withdrawal = await insertRow(stand.database, 'withdrawals', await withdrawalRow());
      const { rows } = await stand.database.appPool.query<{ alone: boolean }>(
        `INSERT INTO approvals (kind, subject, ask, maker_id) VALUES ('withdrawal', $1, '{}', $2) RETURNING alone`,
        [String(withdrawal), maker],
      );
      return rows[0]?.alone === true;
    };
    expect(await alone(fin)).toBe(true);
    expect(await alone(mule)).toBe(false);
  });
});

describe('another role', () => {
  test('to REVIEWER or SUPPORT · at once: sessions end, and tasks of the role before are free', async () => {
    const { id, name } = await newcomer(ada, 'REVIEWER');
    const token = String(dataOf(await login(name))['token']);
    const given = await task({ assignee_id: id });
    const answer = await giveRole(bob, id, 'SUPPORT');
    expect([answer.status, dataOf(answer)['role']]).toEqual([200, 'SUPPORT']);
    expect((await stand.bearing('admin', token).get('/auth/profile')).status).toBe(401);
    expect(await handsOf(given)).toMatchObject({ assignee_id: null });
    const again = String(dataOf(await login(name))['token']);
    const now = stand.bearing('admin', again);
    expect((await now.get('/kyc/1')).status).toBe(403);
    expect((await now.get('/factor-recoveries')).status).toBe(200);
    expect(await actionsOf(id)).toContain('operator.role');
    expect((await giveRole(bob, id, 'SUPPORT')).status).toBe(409);
  });

  test.each(['FINANCE', 'ADMIN'] as const)('to %s · waits for a second person', async (role) => {
    const id = await made('REVIEWER');
    const asked = await giveRole(ada, id, role);
    expect((await rowOf(id)).role).toBe('REVIEWER');
    const mule = await made('ADMIN', ada);
    for (const hand of [ada, mule]) expect(said(await approve(hand, asked))).toEqual([409, SECOND]);
    expect((await approve(fin, asked)).status).toBe(200);
    expect((await rowOf(id)).role).toBe(role);
  });

  test('vouched for as SUPPORT · becomes FINANCE by no lone hand, and one who is vouched for later is so in the new role', async () => {
    const { id, name } = await newcomer(ada, 'SUPPORT');
    const first = await waitingOf(id);
    const asked = await giveRole(ada, id, 'FINANCE');
    // They count as ada, who asks: neither of the two decides.
    expect(said(await approve(ada, asked))).toEqual([409, SECOND]);
    expect((await approve(bob, asked)).status).toBe(200);
    expect(said(await as(bob).post(`/approvals/${first}/approve`))).toEqual([
      409,
      'Cannot approve while VOID.',
    ]);
    // A role is not a person: who made them is still who they count as.
    const wish = await as(ada).put('/settings/payout.fee_cents.PAXUM', { value: 43 });
    const theirs = stand.bearing('admin', String(dataOf(await login(name))['token']));
    const decide = `/approvals/${approvalIn(wish)}/approve`;
    expect(said(await theirs.post(decide))).toEqual([409, SECOND]);
    const anew = await waitingOf(id);
    expect((await as(bob).post(`/approvals/${anew}/approve`)).status).toBe(200);
    expect((await theirs.post(decide)).status).toBe(200);
  });

  test('asked for, then suspended · is asked for no more', async () => {
    const id = await made('REVIEWER');
    const asked = await giveRole(ada, id, 'ADMIN');
    await suspend(bob, id);
    expect((await approve(fin, asked)).status).toBe(409);
    expect((await giveRole(ada, id, 'SUPPORT')).status).toBe(409);
    expect(await rowOf(id)).toEqual({ status: 'SUSPENDED', role: 'REVIEWER' });
  });
});

async function waitingOf(id: number): Promise<string> {
  const { rows } = await stand.database.pool.query<{ id: string }>(
    `SELECT id FROM approvals WHERE kind = 'operator' AND subject = $1 AND state = 'PROPOSED'`,
    [String(id)],
  );
  return rows[0]?.id ?? '';
}

async function withdrawalRow(): Promise<Record<string, unknown>> {
  serial += 1;
  return {
    publisher_id: (await makePublisher(stand.database.db)).id,
    amount_nanos: '1000000000',
    fee_nanos: '0',
    tax_nanos: '0',
    arrival_nanos: '1000000000',
    currency: 'USD',
    channel: 'PAYPAL',
    account_masked: 'p***@example.com',
  };
}
