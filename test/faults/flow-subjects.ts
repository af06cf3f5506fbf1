import { submitReview } from '../../activities/review/reviews.ts';
import { createSiteVerificationActivities } from '../../activities/publisher/site-verification.ts';
import { inTransaction } from '../../db/postgres.ts';
import { image } from '../support/images.ts';
import { makeAdvertiser, makePublisher } from '../support/make/account.ts';
import { nanos } from '../support/make/money.ts';
import { payIn } from '../support/make/paid-in.ts';
import { makeSite } from '../support/make/place.ts';
import { makeReviewRows } from '../support/make/review-rows.ts';
import { activityDeps } from '../support/settlement.ts';
import {
  anotherClerk,
  done,
  type MoneyWorld,
  ordered,
  received,
  requested,
} from './money-requests.ts';

/** Something that a flow leads to its end, and what its operators say when they are asked. */
export interface FlowSubject {
  /** `withdrawal`, as audit log, ledger and notifications call it. */
  type: string;
  id: number;
  workflowId: string;
  /** What the flow answers in the end. */
  end: unknown;
  /** Of whoever is asked first; null: it asks nobody. */
  decision: string | null;
}

export interface FlowWorld extends MoneyWorld {
  /** Has a wallet know what was paid for an order: its reference, what the wallet calls the payment, and how much. */
  payByWallet(orderNo: string, transaction: string, amount: number): void;
  /** Puts the proof of a site where it is looked for; answers its domain, one that the worker can reach. */
  placeProof(token: string): string;
}

type Begin = (world: FlowWorld) => Promise<FlowSubject>;

const deposit = (paidMore: number): Begin => {
  return async (world) => {
    const order = await ordered(world);
    await received(world, order, paidMore);
    const { id } = order;
    const decision = paidMore === 0 ? null : 'approve';
    return { type: 'deposit', id, workflowId: `deposit:${id}`, end: 'PAID', decision };
  };
};

const suspense = (decision: 'credit' | 'refund', end: string): Begin => {
  return async (world) => {
    const order = await ordered(world);
    await done(world, `/api/advertiser/deposits/${order.id}/cancel`, order);
    const workflowId = `suspense:${await received(world, order)}`;
    return { type: 'deposit', id: order.id, workflowId, end, decision };
  };
};

/** A balance that was paid in and goes back: by its wallet, or as a person says who is asked. */
const refund = (method: 'ALIPAY' | 'BANK', decision: string | null, end: string): Begin => {
  return async (world) => {
    const { db, pool } = world.database;
    const { id: advertiserId } = await makeAdvertiser(db);
    const amount = world.ownAmount();
    const receiptId = await payIn(world.database, advertiserId, method, amount);
    if (method === 'ALIPAY') {
      const { rows } = await pool.query<{ id: string; order_no: string; transaction: string }>(
        `SELECT d.id, d.reference AS order_no, r.provider_reference AS transaction
         FROM deposit_receipts r JOIN deposits d ON d.id = r.deposit_id WHERE r.id = $1`,
        [receiptId],
      );
      const { id: depositId, order_no: orderNo = '', transaction = '' } = rows[0] ?? {};
      await pool.query(
        `INSERT INTO deposit_payments (deposit_id, pay_nanos, pay_currency, opened_at) VALUES ($1, $2, 'CNY', now())`,
        [depositId, nanos(amount)],
      );
      world.payByWallet(orderNo, transaction, amount);
    }
    // Less than half, so that its wallet would send it twice.
    const body = { advertiser_id: advertiserId, amount: 40, reason: 'They stop advertising' };
    const id = await done(world, '/api/admin/balance-refunds', {
      token: await anotherClerk(world),
      body,
    });
    const { rows } = await pool.query<{ id: string }>(
      'SELECT id FROM deposit_refunds WHERE balance_refund_id = $1',
      [id],
    );
    return { type: 'balance_refund', id, workflowId: `refund:${rows[0]?.id}`, end, decision };
  };
};

const withdrawal = (mark: string, decision: string, end: string): Begin => {
  return async (world) => {
    const { id } = await requested(world, mark);
    return { type: 'withdrawal', id, workflowId: `withdrawal:${id}`, end, decision };
  };
};

const review: Begin = async ({ database }) => {
  const { creativeId: id, advertiserId: accountId } = await makeReviewRows(database);
  const { workflowId } = await inTransaction(
    database.db,
    async (tx) =>
      await submitReview(activityDeps(database), tx, {
        type: 'creative',
        id,
        accountId,
        revision: 1,
      }),
  );
  return { type: 'creative', id, workflowId, end: 'APPROVED', decision: 'approve' };
};

const kyc: Begin = async (world) => {
  const token = world.tokenOf('advertiser', (await makeAdvertiser(world.database.db)).id);
  const form = new FormData();
  const picture = await image('png', { width: 50, height: 20 });
  form.append('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'proof.png');
  const kept = await fetch(`${world.platform.baseUrl}/api/advertiser/kyc/documents`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: form,
  });
  const { data } = (await kept.json()) as { data: { id: number } };
  await done(world, '/api/advertiser/kyc', {
    token,
    body: {
      entity_type: 'BUSINESS',
      legal_name: 'Engines',
      country: 'DE',
      document_number: 'D-1',
      document_ids: [data.id],
    },
  });
  const { rows } = await world.database.pool.query<{ id: string }>(
    'SELECT max(id) AS id FROM kyc_applications',
  );
  const id = Number(rows[0]?.id);
  return { type: 'kyc', id, workflowId: `kyc:${id}`, end: 'approved', decision: 'approve' };
};

const verification: Begin = async (world) => {
  const { id: publisherId } = await makePublisher(world.database.db);
  const verifyToken = crypto.randomUUID().replaceAll('-', '');
  const domain = world.placeProof(verifyToken);
  const site = await makeSite(world.database.db, publisherId, {
    domain,
    verifyToken,
    verifyStatus: 'UNVERIFIED',
  });
  const asked = { siteId: site.id, publisherId, method: 'FILE', retryAfterSeconds: [] } as const;
  await createSiteVerificationActivities(activityDeps(world.database)).requestSiteVerification(
    asked,
  );
  return {
    type: 'site',
    id: site.id,
    workflowId: `site-verify:${site.id}:1`,
    end: { state: 'VERIFIED', outcome: 'PROOF_FOUND' },
    decision: null,
  };
};

/** Nobody knows what became of its payment, and nothing did: an operator gives the money back. */
export const UNSENT = 'withdrawal that was never sent';

/** Each of them is one refund at its wallet. */
export const BY_WALLET = 'balance that its wallet sends back';

export const FLOW_SUBJECTS: Readonly<Record<string, Begin>> = {
  'deposit of the ordered amount': deposit(0),
  'deposit of another amount': deposit(1),
  'money for a cancelled order': suspense('credit', 'CREDITED'),
  'money for a cancelled order that goes back': suspense('refund', 'REFUNDED'),
  [BY_WALLET]: refund('ALIPAY', null, 'SENT'),
  'balance that a person sends back': refund('BANK', 'sent_back', 'SENT'),
  'balance that is given back': refund('BANK', 'give_back', 'RELEASED'),
  'withdrawal that is paid': withdrawal('', 'approve', 'PAID'),
  'withdrawal that is paid later': withdrawal('+pending', 'approve', 'PAID'),
  [UNSENT]: withdrawal('+lost', 'approve', 'FAILED'),
  'withdrawal that is refused': withdrawal('', 'reject', 'REJECTED'),
  review,
  kyc,
  verification,
};

/** A look that an answer took, and a sending that was lost on the way and found again: ways, not ends. */
const WAYS = ['withdrawal.view', 'kyc.view', 'withdrawal.lose_track'];

/** All that a flow has left behind, in order and without ids of its own. */
export async function tracesOfFlow(
  { database }: MoneyWorld,
  { type, id, workflowId }: FlowSubject,
): Promise<unknown> {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `WITH own AS (SELECT id FROM tasks WHERE workflow_id = $3),
     posted AS (SELECT t.type, t.id FROM ledger_transfers t WHERE t.subject_type = $1 AND t.subject_id = $2)
     SELECT
       ARRAY(SELECT type FROM posted ORDER BY id) AS transfers,
       ARRAY(SELECT action FROM audit_log WHERE ((subject_type = $1 AND subject_id = $2)
             OR (subject_type = 'task' AND subject_id IN (SELECT id FROM own)))
             AND action <> ALL ($4) ORDER BY action) AS audit,
       ARRAY(SELECT kind || ' ' || status FROM tasks WHERE workflow_id = $3 ORDER BY id) AS tasks,
       ARRAY(SELECT decision || ' ' || status FROM task_decisions
             WHERE task_id IN (SELECT id FROM own) ORDER BY id) AS decisions,
       ARRAY(SELECT kind FROM notifications WHERE subject_type = $1 AND subject_id = $2 ORDER BY kind) AS told,
       ARRAY(SELECT status || ' ' || phase FROM operations WHERE workflow_id = $3 ORDER BY id) AS operations,
       ARRAY(SELECT state || ' ' || tries FROM payouts WHERE $1 = 'withdrawal' AND withdrawal_id = $2) AS payouts,
       ARRAY(SELECT kind FROM outbox WHERE payload->>'workflowId' = $3 ORDER BY id) AS messages`,
    [type, id, workflowId, WAYS],
  );
  return rows[0];
}
