import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { setByOwner } from '../support/by-owner.ts';
import { createAuth, type Realm } from '../../api/http/auth.ts';
import { until } from '../support/until.ts';
import type { TestDatabase } from '../support/database.ts';
import { makeAdvertiser, makeOperator, makePublisher } from '../support/make/account.ts';
import { fundPublisher } from '../support/make/money.ts';
import { insertRow } from '../support/make/row.ts';
import { CARD, ibanOf, passKyc } from '../support/payouts.ts';
import type { Platform } from '../support/platform.ts';

/** Every keyed route that moves money, with what has to be there before it can. */
export interface MoneyRequest {
  /** `METHOD /path` as mounted. */
  route: string;
  /** Told apart where one route moves money in several ways. */
  way: string;
  prepare(world: MoneyWorld): Promise<Prepared>;
}

export interface Prepared {
  path: string;
  token: string;
  body?: object;
  /** The one of many that a step is named by. */
  item?: number;
  /** What the same caller does before it repeats the request. */
  meanwhile?: () => Promise<unknown>;
  /** Where all that the request brings about is found. */
  subject: () => Promise<Subject>;
  /** Ids of what it made or moved, found by what only it says: one, and its answer has that id. */
  made: () => Promise<number[]>;
}

export interface Subject {
  type: 'deposit' | 'withdrawal' | 'approval' | 'balance_refund';
  id: number;
}

export interface MoneyWorld {
  platform: Platform;
  database: TestDatabase;
  tokenOf(realm: Realm, id: number): string;
  /** Whoever records money may not decide over it above the limit: two of them. */
  clerk: string;
  clerkId: number;
  decider: string;
  /** A whole number of units that nothing else is about. */
  ownAmount(): number;
}

export interface Told {
  status: number;
  text: string;
  data: { id: number; status?: string; items?: readonly { id: number }[] };
  isReplay: boolean;
}

export async function createMoneyWorld(platform: Platform): Promise<MoneyWorld> {
  const { db, pool, appPool, ownerUrl, postgresUrl: url, env } = platform;
  const close = () => Promise.reject(new Error('the platform closes its own database'));
  const database: TestDatabase = { db, pool, appPool, ownerUrl, url, close };
  const keyOf = (name: string): Buffer => Buffer.from(env[name] ?? '', 'hex');
  const auth = createAuth({
    keys: {
      advertiser: keyOf('JWT_KEY_ADVERTISER'),
      publisher: keyOf('JWT_KEY_PUBLISHER'),
      admin: keyOf('JWT_KEY_ADMIN'),
    },
    confirm: () => Promise.reject(new Error('the platform confirms its own tokens')),
    newTokenId: () => crypto.randomUUID(),
    clock: () => new Date(),
    factorIsDuty: () => false,
    onSeen: () => undefined,
  });
  const tokenOf = (realm: Realm, id: number) => auth.issue(realm, { id, tokenVersion: 1 }).token;
  // What two clerks do here in an hour is more than a day's limit.
  await setByOwner(database, 'deposit.second_approval_above', 1_000_000);
  await setByOwner(database, 'payout.second_approval_above', 1_000_000);
  let amount = 100;
  const clerkId = (await makeOperator(database.db, 'FINANCE')).id;
  return {
    platform,
    database,
    tokenOf,
    clerk: tokenOf('admin', clerkId),
    clerkId,
    decider: tokenOf('admin', (await makeOperator(database.db, 'FINANCE')).id),
    ownAmount: () => (amount += 1),
  };
}

/** One POST; raises when the connection ends without an answer. What comes too soon on a fast machine is sent again. */
export async function post(
  baseUrl: string,
  request: Pick<Prepared, 'path' | 'token' | 'body'>,
  key?: string,
): Promise<Told> {
  for (;;) {
    const told = await postOnce(baseUrl, request, key);
    const { retry_after: seconds } = told.data as { retry_after?: number };
    if (told.status !== 429 || seconds === undefined) return told;
    await sleep(seconds * 1_000);
  }
}

async function postOnce(
  baseUrl: string,
  { path, token, body = {} }: Pick<Prepared, 'path' | 'token' | 'body'>,
  key?: string,
): Promise<Told> {
  const response = await fetch(baseUrl + path, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const { data } = JSON.parse(text) as Pick<Told, 'data'>;
  const isReplay = response.headers.get('Idempotent-Replayed') === 'true';
  return { status: response.status, text, data, isReplay };
}

/** Without a key, on the process that is not killed; raises unless it succeeds. */
export async function done(
  world: MoneyWorld,
  path: string,
  { token, body = {} }: { token: string; body?: object },
): Promise<number> {
  const told = await post(world.platform.baseUrl, { path, token, body });
  if (told.status >= 300) throw new Error(`POST ${path}: ${told.text}`);
  return told.data.id;
}

async function idsOf({ database }: MoneyWorld, statement: string, value: string) {
  const { rows } = await database.pool.query<{ id: string }>(statement, [value]);
  return rows.map(({ id }) => Number(id));
}

const nanos = (amount: number): string => `${amount}000000000`;
const depositBody = (amount: number) => ({ amount, payment_method: 'BANK' });

/** An advertiser with one order. */
export async function ordered(world: MoneyWorld) {
  const amount = world.ownAmount();
  const advertiser = (await makeAdvertiser(world.database.db)).id;
  const token = world.tokenOf('advertiser', advertiser);
  const id = await done(world, '/api/advertiser/deposits', { token, body: depositBody(amount) });
  return { id, token, amount, subject: { type: 'deposit', id } as const };
}

/** What one of them enters in a minute is limited. */
export const anotherClerk = async (world: MoneyWorld): Promise<string> =>
  world.tokenOf('admin', (await makeOperator(world.database.db, 'FINANCE')).id);

/** Money for an order, of its amount or `more`. Answers the receipt's id. */
export async function received(world: MoneyWorld, order: { id: number; amount: number }, more = 0) {
  return await done(world, `/api/admin/deposits/${order.id}/receipts`, {
    token: await anotherClerk(world),
    body: { amount: order.amount + more, reference: `RECEIVED-${order.amount}` },
  });
}

/** A publisher that may withdraw, and what it sends. */
async function earner(world: MoneyWorld) {
  const id = (await makePublisher(world.database.db)).id;
  await passKyc(world.database, id);
  await fundPublisher(world.database.db, id, 10_000_000_000_000n);
  // Identity counts as proven with an account that has been kept for a day.
  await insertRow(world.database, 'bank_cards', {
    publisher_id: id,
    sealed_info: Buffer.alloc(0),
    last4: '1234',
    country: 'DE',
    currency: 'EUR',
    usable_from: new Date(0),
  });
  const bodyOf = (amount: number, mark = '') => ({
    amount,
    payment_method: 'PAYPAL',
    account_info: `p${id}${mark}@example.com`,
  });
  return { token: world.tokenOf('publisher', id), bodyOf, amount: world.ownAmount() };
}

/** A withdrawal; `mark` says what its provider does (activities/providers/payout-sandbox.ts). */
export async function requested(world: MoneyWorld, mark = '') {
  const { token, bodyOf, amount } = await earner(world);
  const body = bodyOf(amount, mark);
  const id = await done(world, '/api/publisher/withdrawals', { token, body });
  // As if its account had been named two days ago.
  await world.database.pool.query(
    `UPDATE withdrawals SET account_usable_from = now() - interval '1 day' WHERE id = $1`,
    [id],
  );
  return { id, token, subject: { type: 'withdrawal', id } as const };
}

const taskOf = async ({ database }: MoneyWorld, subject: Subject): Promise<number> =>
  await until({ what: `a task for ${subject.type} ${subject.id}` }, async () => {
    const { rows } = await database.pool.query<{ id: string }>(
      `SELECT id FROM tasks WHERE subject_type = $1 AND subject_id = $2 AND status = 'open'`,
      [subject.type, subject.id],
    );
    return rows[0] === undefined ? undefined : Number(rows[0].id);
  });

const DECISION = 'POST /api/admin/tasks/:id/decision';

async function decision(world: MoneyWorld, subject: Subject, word: string): Promise<Prepared> {
  const id = await taskOf(world, subject);
  return {
    path: `/api/admin/tasks/${id}/decision`,
    token: world.decider,
    body: { decision: word },
    subject: () => Promise.resolve(subject),
    made: () => Promise.resolve([id]),
  };
}

const depositDecision: MoneyRequest = {
  route: DECISION,
  way: 'another amount than ordered is credited',
  prepare: async (world) => {
    const order = await ordered(world);
    await received(world, order, 1);
    return await decision(world, order.subject, 'approve');
  },
};

const suspenseDecision: MoneyRequest = {
  route: DECISION,
  way: 'money for a cancelled order is credited',
  prepare: async (world) => {
    const order = await ordered(world);
    await done(world, `/api/advertiser/deposits/${order.id}/cancel`, order);
    await received(world, order);
    return await decision(world, order.subject, 'credit');
  },
};

const withdrawalDecision: MoneyRequest = {
  route: DECISION,
  way: 'a withdrawal is approved and paid',
  prepare: async (world) => await decision(world, (await requested(world)).subject, 'approve'),
};

const openDeposit: MoneyRequest = {
  route: 'POST /api/advertiser/deposits',
  way: 'an order is opened',
  prepare: async (world) => {
    const token = world.tokenOf('advertiser', (await makeAdvertiser(world.database.db)).id);
    const path = '/api/advertiser/deposits';
    const amount = world.ownAmount();
    const made = async () =>
      await idsOf(world, 'SELECT id FROM deposits WHERE amount_nanos = $1', nanos(amount));
    return {
      path,
      token,
      body: depositBody(amount),
      // The repeat must not answer one of these: they are newer than its own.
      meanwhile: async () => {
        await done(world, path, { token, body: depositBody(world.ownAmount()) });
        await done(world, path, { token, body: depositBody(world.ownAmount()) });
      },
      subject: async () => ({ type: 'deposit', id: (await made())[0] ?? 0 }),
      made,
    };
  },
};

const cancelDeposit: MoneyRequest = {
  route: 'POST /api/advertiser/deposits/:id/cancel',
  way: 'an order is cancelled',
  prepare: async (world) => {
    const { id, token, subject } = await ordered(world);
    return {
      path: `/api/advertiser/deposits/${id}/cancel`,
      token,
      subject: () => Promise.resolve(subject),
      made: () => Promise.resolve([id]),
    };
  },
};

const recordReceipt: MoneyRequest = {
  route: 'POST /api/admin/deposits/:id/receipts',
  way: 'money arrives for an order',
  prepare: async (world) => {
    const { id, amount, subject } = await ordered(world);
    const reference = `OWN-${amount}`;
    const statement = 'SELECT id FROM deposit_receipts WHERE provider_reference = $1';
    return {
      path: `/api/admin/deposits/${id}/receipts`,
      token: world.clerk,
      body: { amount, reference },
      subject: () => Promise.resolve(subject),
      made: async () => await idsOf(world, statement, reference),
    };
  },
};

const recordStatementLine: MoneyRequest = {
  route: 'POST /api/admin/bank-statements/:id/record',
  way: 'a line of a statement becomes a receipt',
  prepare: async (world) => {
    const { id, amount, subject } = await ordered(world);
    const { bankStatements, bankStatementLines } = world.database.db.models;
    const account = `Harbour ${amount}`;
    const counts = { lineCount: 1, addedCount: 1, outgoingCount: 0 };
    const operatorId = (await makeOperator(world.database.db, 'FINANCE')).id;
    const of = { account, sha256: account, format: 'CSV' as const, operatorId };
    const { id: statementId } = await bankStatements.create({ ...of, ...counts });
    const { id: item } = await bankStatementLines.create({
      statementId,
      account,
      line: 2,
      bookedOn: '2026-01-05',
      amountNanos: BigInt(nanos(amount)),
      currency: 'USD',
      reference: account,
    });
    const statement =
      'SELECT id FROM bank_statement_lines WHERE reference = $1 AND receipt_id IS NOT NULL';
    return {
      path: `/api/admin/bank-statements/${statementId}/record`,
      token: world.clerk,
      body: { lines: [{ id: item, deposit_id: id }] },
      item,
      subject: () => Promise.resolve(subject),
      made: async () => await idsOf(world, statement, account),
    };
  },
};

const requestWithdrawal: MoneyRequest = {
  route: 'POST /api/publisher/withdrawals',
  way: 'money is held',
  prepare: async (world) => {
    const { token, bodyOf, amount } = await earner(world);
    const path = '/api/publisher/withdrawals';
    const made = async () =>
      await idsOf(world, 'SELECT id FROM withdrawals WHERE amount_nanos = $1', nanos(amount));
    return {
      path,
      token,
      body: bodyOf(amount),
      meanwhile: async () => await done(world, path, { token, body: bodyOf(world.ownAmount()) }),
      subject: async () => ({ type: 'withdrawal', id: (await made())[0] ?? 0 }),
      made,
    };
  },
};

const cancelWithdrawal: MoneyRequest = {
  route: 'POST /api/publisher/withdrawals/:id/cancel',
  way: 'a hold is released',
  prepare: async (world) => {
    const { id, token, subject } = await requested(world);
    return {
      path: `/api/publisher/withdrawals/${id}/cancel`,
      token,
      subject: () => Promise.resolve(subject),
      made: () => Promise.resolve([id]),
    };
  },
};

const returnWithdrawal: MoneyRequest = {
  route: 'POST /api/admin/withdrawals/:id/return',
  way: 'money comes back',
  prepare: async (world) => {
    const { id, subject } = await requested(world);
    const approval = await decision(world, subject, 'approve');
    await done(world, approval.path, approval);
    await until({ what: `withdrawal ${id} is paid` }, async () => {
      const { rows } = await world.database.pool.query<{ status: string }>(
        'SELECT status FROM withdrawals WHERE id = $1',
        [id],
      );
      return rows[0]?.status === 'PAID' ? true : undefined;
    });
    return {
      path: `/api/admin/withdrawals/${id}/return`,
      token: world.clerk,
      body: { reference: `BACK-${id}` },
      subject: () => Promise.resolve(subject),
      made: () => Promise.resolve([id]),
    };
  },
};

/** A withdrawal by bank whose file waits for whoever carries it there. */
async function waitsForBank(world: MoneyWorld): Promise<{ id: number; version: number }> {
  const { token, amount } = await earner(world);
  const account = { ...CARD, iban: ibanOf(amount) };
  const body = { amount, payment_method: 'BANK', bank_info: account };
  const id = await done(world, '/api/publisher/withdrawals', { token, body });
  const { pool } = world.database;
  await pool.query(
    `UPDATE withdrawals SET account_usable_from = now() - interval '1 day' WHERE id = $1`,
    [id],
  );
  const approval = await decision(world, { type: 'withdrawal', id }, 'approve');
  await done(world, approval.path, approval);
  return await until({ what: `the file of withdrawal ${id}` }, async () => {
    const { rows } = await pool.query<{ version: number }>(
      `SELECT version FROM withdrawals WHERE id = $1 AND status = 'PROCESSING'`,
      [id],
    );
    return rows[0] === undefined ? undefined : { id, version: rows[0].version };
  });
}

const makePayoutFile: MoneyRequest = {
  route: 'POST /api/admin/withdrawals/payout-files',
  way: 'orders go to the bank in one file',
  prepare: async (world) => {
    const payouts = [await waitsForBank(world), await waitsForBank(world)];
    const id = payouts[0]?.id ?? 0;
    const statement = `SELECT f.id FROM payout_files f WHERE EXISTS (SELECT FROM audit_log l
      WHERE l.subject_type = 'payout_file' AND l.subject_id = f.id
        AND l.detail -> 'withdrawals' @> to_jsonb($1::bigint))`;
    return {
      path: '/api/admin/withdrawals/payout-files',
      token: world.clerk,
      body: { payouts },
      subject: () => Promise.resolve({ type: 'withdrawal', id }),
      made: async () => await idsOf(world, statement, String(id)),
    };
  },
};

/** A file that somebody has carried off, and what shows that the bank did not take it. */
async function handedOut(world: MoneyWorld) {
  // Of one order: whoever decides may do so only so often in a minute.
  const payouts = [await waitsForBank(world)];
  const path = '/api/admin/withdrawals/payout-files';
  const file = await done(world, path, {
    token: world.clerk,
    body: { payouts },
  });
  const { pool } = world.database;
  await pool.query('UPDATE payouts SET file_taken_at = now() WHERE file_id = $1', [file]);
  const evidence_id = await insertRow(world.database, 'receipt_evidence', {
    operator_id: world.clerkId,
    path: randomUUID(),
    mime: 'application/pdf',
    bytes: 1,
    sha256: randomUUID(),
  });
  const id = payouts[0]?.id ?? 0;
  return {
    reference: `PF-${file}`,
    subject: { type: 'withdrawal', id } as const,
    ask: {
      path: `/api/admin/withdrawals/${id}/payout-file/take-back`,
      token: world.clerk,
      body: { reason: 'The portal refused it', evidence_id },
    },
  };
}
const ASKED_BACK = `SELECT id FROM approvals WHERE kind = 'payout_file_take_back' AND subject = $1`;

const ASKED_OF = ASKED_BACK.replace(
  'SELECT id',
  `SELECT (content ->> 'withdrawal_id')::bigint AS id`,
);

const askFileBack: MoneyRequest = {
  route: 'POST /api/admin/withdrawals/:id/payout-file/take-back',
  way: 'a second person is asked',
  prepare: async (world) => {
    const { ask, reference, subject } = await handedOut(world);
    return {
      ...ask,
      subject: () => Promise.resolve(subject),
      made: async () => await idsOf(world, ASKED_OF, reference),
    };
  },
};

const takeFileBack: MoneyRequest = {
  route: 'POST /api/admin/approvals/:id/approve',
  way: 'a bank file is taken back',
  prepare: async (world) => {
    const { ask, reference, subject } = await handedOut(world);
    await done(world, ask.path, ask);
    const asked = await idsOf(world, ASKED_BACK, reference);
    return {
      path: `/api/admin/approvals/${asked[0]}/approve`,
      token: world.decider,
      subject: () => Promise.resolve(subject),
      made: () => Promise.resolve(asked),
    };
  },
};

/** An order that a receipt has paid. */
async function paid(world: MoneyWorld) {
  const order = await ordered(world);
  const receipt = await received(world, order);
  await until({ what: `deposit ${order.id} is paid` }, async () => {
    const { rows } = await world.database.pool.query<{ advertiser_id: string }>(
      `SELECT advertiser_id FROM deposits WHERE id = $1 AND status = 'PAID'`,
      [order.id],
    );
    return rows[0];
  });
  return { ...order, receipt };
}

const askReceiptBack: MoneyRequest = {
  route: 'POST /api/admin/receipts/:id/take-back',
  way: 'what was credited is held',
  prepare: async (world) => {
    const { id, receipt, subject } = await paid(world);
    const statement = `SELECT id FROM deposit_receipts WHERE deposit_id = $1 AND state = 'TAKING_BACK'`;
    return {
      path: `/api/admin/receipts/${receipt}/take-back`,
      token: world.clerk,
      body: { reason: 'Typed on the wrong order' },
      subject: () => Promise.resolve(subject),
      made: async () => await idsOf(world, statement, String(id)),
    };
  },
};

const takeReceiptBack: MoneyRequest = {
  route: 'POST /api/admin/approvals/:id/approve',
  way: 'a receipt is taken back',
  prepare: async (world) => {
    const { receipt, subject } = await paid(world);
    const body = { reason: 'Typed twice' };
    await done(world, `/api/admin/receipts/${receipt}/take-back`, { token: world.clerk, body });
    const statement = `SELECT id FROM approvals WHERE kind = 'receipt_take_back' AND subject = $1`;
    const asked = await idsOf(world, statement, String(receipt));
    return {
      path: `/api/admin/approvals/${asked[0]}/approve`,
      token: world.decider,
      subject: () => Promise.resolve(subject),
      made: () => Promise.resolve(asked),
    };
  },
};

/** What somebody has paid in, and goes back to them. */
async function toGoBack(world: MoneyWorld) {
  const order = await paid(world);
  const [advertiser = 0] = await idsOf(
    world,
    'SELECT advertiser_id AS id FROM deposits WHERE id = $1',
    String(order.id),
  );
  const made = async () =>
    await idsOf(
      world,
      'SELECT id FROM balance_refunds WHERE advertiser_id = $1',
      String(advertiser),
    );
  return { advertiser, made };
}

const requestRefund: MoneyRequest = {
  route: 'POST /api/admin/balance-refunds',
  way: 'all that is left',
  prepare: async (world) => {
    const { advertiser, made } = await toGoBack(world);
    return {
      path: '/api/admin/balance-refunds',
      token: world.clerk,
      body: { advertiser_id: advertiser, reason: 'They stop' },
      subject: async () => ({ type: 'balance_refund', id: (await made())[0] ?? 0 }),
      made,
    };
  },
};

/** Another person's word, and it is so: of an operator, since each strike needs a subject of its own. */
const approveOperator: MoneyRequest = {
  route: 'POST /api/admin/approvals/:id/approve',
  way: 'a second person agrees',
  prepare: async (world) => {
    const username = `new_${randomUUID()}`;
    const { rows } = await world.database.pool.query<{ id: string }>(
      `WITH maker AS (SELECT min(id) AS id FROM operators WHERE role = 'FINANCE')
       INSERT INTO operators (username, email, password_hash, role, created_by)
       SELECT $1, $1 || '@example.com', 'no login', 'FINANCE', maker.id FROM maker RETURNING id`,
      [username],
    );
    const asked = await world.database.appPool.query<{ id: string }>(
      `INSERT INTO approvals (kind, subject, maker_id)
       SELECT 'operator', id::text, created_by FROM operators WHERE id = $1 RETURNING id`,
      [rows[0]?.id],
    );
    const id = Number(asked.rows[0]?.id);
    return {
      path: `/api/admin/approvals/${id}/approve`,
      token: world.decider,
      subject: () => Promise.resolve({ type: 'approval', id }),
      made: () => Promise.resolve([id]),
    };
  },
};

export const MONEY_REQUESTS: readonly MoneyRequest[] = [
  openDeposit,
  cancelDeposit,
  recordReceipt,
  recordStatementLine,
  depositDecision,
  suspenseDecision,
  requestWithdrawal,
  cancelWithdrawal,
  withdrawalDecision,
  returnWithdrawal,
  makePayoutFile,
  askFileBack,
  takeFileBack,
  requestRefund,
  askReceiptBack,
  takeReceiptBack,
  approveOperator,
];

/** Everything that a request about this subject leaves behind, by kind and in order. */
export async function tracesOf(
  { database }: MoneyWorld,
  { type, id }: Subject,
): Promise<Record<string, unknown> | undefined> {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `WITH subject AS (SELECT $1::text AS type, $2::bigint AS id),
     flows AS (
       SELECT type || ':' || id AS workflow_id FROM subject UNION ALL
       SELECT 'suspense:' || r.id FROM deposit_receipts r JOIN subject s
         ON s.type = 'deposit' AND r.deposit_id = s.id UNION ALL
       SELECT 'refund:' || w.id FROM deposit_refunds w JOIN subject s
         ON s.type = 'balance_refund' AND w.balance_refund_id = s.id),
     own_tasks AS (SELECT id FROM tasks WHERE workflow_id IN (SELECT workflow_id FROM flows))
     SELECT s.type, COALESCE(to_jsonb(t) ->> 'status', to_jsonb(t) ->> 'state') AS status,
       ARRAY(SELECT state FROM deposit_receipts
             WHERE s.type = 'deposit' AND deposit_id = s.id ORDER BY id) AS receipts,
       ARRAY(SELECT type FROM ledger_transfers
             WHERE subject_type = s.type AND subject_id = s.id ORDER BY id) AS transfers,
       ARRAY(SELECT action FROM audit_log WHERE (subject_type = s.type AND subject_id = s.id)
             OR (subject_type = 'task' AND subject_id IN (SELECT id FROM own_tasks))
             ORDER BY action) AS audit,
       ARRAY(SELECT decision || ' ' || status FROM task_decisions
             WHERE task_id IN (SELECT id FROM own_tasks) ORDER BY id) AS decisions,
       ARRAY(SELECT kind || CASE WHEN done_at IS NULL THEN ' waits' ELSE '' END FROM outbox
             WHERE payload->>'workflowId' IN (SELECT workflow_id FROM flows) ORDER BY id) AS messages
     FROM subject s JOIN ${type}s t ON t.id = s.id`,
    [type, id],
  );
  return rows[0];
}
