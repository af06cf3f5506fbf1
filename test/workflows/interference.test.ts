import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createOutbound } from '../../activities/providers/outbound.ts';
import { submitReview } from '../../activities/review/reviews.ts';
import { inTransaction, runner } from '../../db/postgres.ts';
import { runBooks } from '../../db/queries/books.ts';
import {
  depositWorkflowId,
  refundWorkflowId,
  suspenseWorkflowId,
} from '../../workflows/contracts/deposit.ts';
import { kycWorkflowId } from '../../workflows/contracts/kyc.ts';
import { siteVerificationWorkflowId } from '../../workflows/contracts/site-verification.ts';
import { withdrawalWorkflowId } from '../../workflows/contracts/withdrawal.ts';
import { dataOf, idOf } from '../support/call.ts';
import { flowDesk } from '../support/flow-desk.ts';
import type { TestFlows } from '../support/flows.ts';
import { image } from '../support/images.ts';
import { type Listener, startListener } from '../support/listener.ts';
import { makeAdvertiser, makeOperator, makePublisher } from '../support/make/account.ts';
import { payIn } from '../support/make/paid-in.ts';
import { fundPublisher, UNIT } from '../support/make/money.ts';
import { makeSite } from '../support/make/place.ts';
import { makeReviewRows } from '../support/make/review-rows.ts';
import { passKyc } from '../support/payouts.ts';
import { interfereAtRefusal } from '../support/refused-step.ts';
import { createStand, type FlowStand } from '../support/stand.ts';
import { eventually, until } from '../support/until.ts';

/**
 * Cancel, terminate and reset from Temporal's pages, on the flows of which armour.test.ts does not tell, and
 * on flows that have ended: the rows hold the truth, so none of it moves money or decides anything.
 */
const sandboxDir = mkdtempSync(path.join(tmpdir(), 'payouts-'));

let stand: FlowStand;
let flows: TestFlows;
let server: Listener;
let finance: number;
let reviewer: number;

beforeAll(async () => {
  stand = await createStand({ flows: { PAYOUT_SANDBOX_DIR: sandboxDir }, realTime: true });
  ({ flows } = stand);
  server = await startListener((_req, res) => void res.writeHead(404).end());
  flows.deps.providers.outbound = createOutbound({
    baseUrl: 'https://ads.platform.example',
    devHosts: new Map([['proof.example', server.host]]),
    devTxt: new Map(),
  });
  finance = (await makeOperator(stand.database.db, 'FINANCE')).id;
  reviewer = (await makeOperator(stand.database.db, 'REVIEWER')).id;
  await put('payout.cooling_off_seconds', 0);
}, 90_000);

afterEach(async () => {
  const checks = await runBooks(runner(stand.database.db));
  expect(checks.filter((check) => !check.ok)).toEqual([]);
});

afterAll(async () => {
  await stand?.close();
  await server?.close();
}, 60_000);

const desk = flowDesk(() => stand);
const { query, put, handle, stateOf, openTask, reset, reconcile, askWallet } = desk;
const decide = async (
  workflowId: string,
  decision: string,
  operator: number,
  note?: string,
): Promise<void> => {
  const body = { decision, reasons: [], ...(note === undefined ? {} : { note }) };
  const task = await openTask(workflowId);
  const answer = await stand.as('admin', operator).post(`/tasks/${task}/decision`, body);
  expect(answer.status).toBe(200);
};

interface Wait {
  begin: () => Promise<string>;
  /** On the way to its question: it may be refused. */
  step: Parameters<TestFlows['faults']['set']>[0];
  /** Of what its rows say; changes by nothing but its end. */
  rows: (workflowId: string) => Promise<unknown>;
  end: (workflowId: string) => Promise<void>;
  result: unknown;
}

/** But for those about a refused step. */
const tasksOf = async (workflowId: string): Promise<unknown> =>
  await query(
    `SELECT id, kind, status FROM tasks WHERE workflow_id = $1 AND kind NOT LIKE '%\\_refused' ORDER BY id`,
    [workflowId],
  );

/** Money for an order that was cancelled; another person than its recorder may say where it belongs. */
async function inSuspense(): Promise<string> {
  const advertiser = await stand.newAdvertiser();
  const order = idOf(await advertiser.post('/deposits', { amount: 100, payment_method: 'BANK' }));
  await advertiser.post(`/deposits/${order}/cancel`);
  const receipt = await stand
    .as('admin', finance)
    .post(`/deposits/${order}/receipts`, { amount: 100, reference: `LATE-${order}` });
  const workflowId = suspenseWorkflowId(idOf(receipt));
  await openTask(workflowId);
  return workflowId;
}

const suspenseRows = async (workflowId: string): Promise<unknown> => [
  await tasksOf(workflowId),
  await query('SELECT state, amount_nanos FROM deposit_receipts WHERE id = $1', [
    workflowId.replace('suspense:', ''),
  ]),
];

const decideAsAnother = async (workflowId: string, decision: string, note?: string) => {
  const { id } = await makeOperator(stand.database.db, 'FINANCE');
  await decide(workflowId, decision, id, note);
};

const WAITS: Record<string, Wait> = {
  'a review that waits for a person': {
    begin: async () => {
      const { creativeId: id, advertiserId: accountId } = await makeReviewRows(stand.database);
      const about = { type: 'creative', id, accountId, revision: 1 } as const;
      const { workflowId } = await inTransaction(
        stand.database.db,
        async (tx) => await submitReview(flows.deps, tx, about),
      );
      await openTask(workflowId);
      return workflowId;
    },
    step: 'openReviewTask',
    rows: tasksOf,
    end: async (workflowId) => await decide(workflowId, 'approve', reviewer),
    result: 'APPROVED',
  },
  'a proof of identity that waits for a person': {
    begin: async () => {
      const { id: publisherId } = await makePublisher(stand.database.db);
      const owner = stand.as('publisher', publisherId);
      const picture = await image('png', { width: 50, height: 20 });
      const sent = await owner.post('/kyc', {
        entity_type: 'BUSINESS',
        legal_name: 'Engines',
        country: 'DE',
        document_number: 'D-1',
        document_ids: [idOf(await owner.upload('/kyc/documents', picture))],
      });
      const { operation } = dataOf(sent) as { operation: { subject: { id: number } } };
      const workflowId = kycWorkflowId({ applicationId: operation.subject.id });
      await openTask(workflowId);
      return workflowId;
    },
    step: 'openKycTask',
    rows: tasksOf,
    end: async (workflowId) => await decide(workflowId, 'approve', reviewer),
    result: 'approved',
  },
  'money in suspense': {
    begin: inSuspense,
    step: 'openSuspenseTask',
    rows: suspenseRows,
    end: async (workflowId) => await decideAsAnother(workflowId, 'credit'),
    result: 'CREDITED',
  },
  'money on its way back, which a person sends': {
    begin: async () => {
      const workflowId = await inSuspense();
      await decideAsAnother(workflowId, 'refund');
      await openTask(workflowId);
      return workflowId;
    },
    step: 'sendRefund',
    rows: suspenseRows,
    end: async (workflowId) => await decideAsAnother(workflowId, 'sent_back', 'TR-77'),
    result: 'REFUNDED',
  },
  'balance on its way back, which a person sends': {
    begin: async () => {
      const { id: advertiser_id } = await makeAdvertiser(stand.database.db);
      await payIn(stand.database, advertiser_id, 'BANK', 100);
      const body = { advertiser_id, amount: 60, reason: 'They stop' };
      const asked = await stand.as('admin', finance).post('/balance-refunds', body);
      const { parts } = asked.body.data as { parts: { id: number }[] };
      const workflowId = refundWorkflowId(parts[0]?.id ?? 0);
      await openTask(workflowId);
      return workflowId;
    },
    step: 'sendRefund',
    rows: async (workflowId) => [
      await tasksOf(workflowId),
      await query(
        `SELECT w.state, w.amount_nanos, l.balance_nanos FROM deposit_refunds w
         JOIN balance_refunds b ON b.id = w.balance_refund_id
         JOIN ledger_accounts l ON l.code = 'adv:' || b.advertiser_id || ':refund_hold' WHERE w.id = $1`,
        [workflowId.replace('refund:', '')],
      ),
    ],
    end: async (workflowId) => await decideAsAnother(workflowId, 'sent_back', 'TR-78'),
    result: 'SENT',
  },
};

const waitsAgain = async (workflowId: string): Promise<void> => {
  await until('it waits again', async () => {
    const { historyLength, raw } = await handle(workflowId).describe();
    return historyLength > 6 && (raw.pendingActivities ?? []).length === 0;
  });
};

describe.each(Object.entries(WAITS))('in Temporal, on %s', (_name, wait) => {
  it('cancel, terminate, reset, each after the other · it waits on, nothing was decided, and then it is', async () => {
    const workflowId = await wait.begin();
    const before = await wait.rows(workflowId);
    await desk.cancel(workflowId);
    await desk.terminate(workflowId);
    await waitsAgain(workflowId);
    await reset(workflowId);
    expect(await stateOf(workflowId)).toBe('RUNNING');
    expect(await wait.rows(workflowId)).toEqual(before);
    await wait.end(workflowId);
    await expect(handle(workflowId).result()).resolves.toEqual(wait.result);
  });

  it('cancel · is heard and changes nothing: a decision ends it', async () => {
    const workflowId = await wait.begin();
    const before = await wait.rows(workflowId);
    await desk.cancel(workflowId);
    expect([await stateOf(workflowId), await wait.rows(workflowId)]).toEqual(['RUNNING', before]);
    await wait.end(workflowId);
    await expect(handle(workflowId).result()).resolves.toEqual(wait.result);
  });

  it('reset, and not told again what it was told · reads its rows and waits as before; a decision ends it', async () => {
    const workflowId = await wait.begin();
    const before = await wait.rows(workflowId);
    await reset(workflowId, false);
    expect([await stateOf(workflowId), await wait.rows(workflowId)]).toEqual(['RUNNING', before]);
    await wait.end(workflowId);
    await expect(handle(workflowId).result()).resolves.toEqual(wait.result);
    // Once more, behind its end: its rows are closed, and it waits for nobody.
    const closed = await wait.rows(workflowId);
    await reset(workflowId, false);
    await eventually(async () => expect(await stateOf(workflowId)).toBe('COMPLETED'));
    expect(await wait.rows(workflowId)).toEqual(closed);
  });

  it('at a refused step · cancel, terminate, reset · asked about, nothing moves; tried again, it ends as ever', async () => {
    const workflowId = await interfereAtRefusal(stand, desk, wait);
    await wait.end(workflowId);
    await expect(handle(workflowId).result()).resolves.toEqual(wait.result);
  });
});

describe('in Temporal, on a site verification between two looks', () => {
  let site: number;
  let workflowId: string;
  beforeEach(async () => {
    const { id: publisherId } = await makePublisher(stand.database.db);
    await query(`UPDATE sites SET domain = 'gone-' || id || '.example' WHERE domain = $1`, [
      'proof.example',
    ]);
    const made = await makeSite(stand.database.db, publisherId, {
      domain: 'proof.example',
      verifyStatus: 'UNVERIFIED',
    });
    site = made.id;
    workflowId = siteVerificationWorkflowId({ siteId: site, round: 1 });
    const retryAfterSeconds = [3_600, 3_600];
    const asked = { siteId: site, publisherId, method: 'FILE', retryAfterSeconds } as const;
    await flows.activities.requestSiteVerification(asked);
    await looks(1);
  });
  const looks = async (count: number): Promise<void> => {
    await until(`look ${count}`, async () => {
      const [row] = await query<{ attempts: number }>(
        'SELECT attempts FROM site_verifications WHERE site_id = $1',
        [site],
      );
      return row?.attempts === count;
    });
  };
  const verification = async () =>
    await query('SELECT status, round FROM site_verifications WHERE site_id = $1', [site]);
  const open = [{ status: 'RUNNING', round: 1 }];

  it.each(['cancel', 'terminate'] as const)(
    '%s · ends it; its row is open, so the reconciler begins it again with the next look',
    async (how) => {
      if (how === 'cancel') await handle(workflowId).cancel();
      else await handle(workflowId).terminate('by mistake');
      await eventually(async () => {
        expect(await stateOf(workflowId)).toBe(how === 'cancel' ? 'CANCELLED' : 'TERMINATED');
      });
      expect(await verification()).toEqual(open);
      await eventually(async () => {
        await reconcile();
        expect(await stateOf(workflowId)).toBe('RUNNING');
      });
      await looks(2);
      expect(await verification()).toEqual(open);
    },
  );

  it('reset to its beginning · looks again, and a look that was counted is not counted twice', async () => {
    await reset(workflowId);
    expect(await stateOf(workflowId)).toBe('RUNNING');
    await looks(1);
    expect(await verification()).toEqual(open);
  });
});

describe('a flow that has ended, reset in Temporal to its beginning', () => {
  it('a withdrawal that was paid · reads that it is closed, ends as before, pays nothing', async () => {
    const { id: publisherId } = await makePublisher(stand.database.db);
    await passKyc(stand.database, publisherId);
    await fundPublisher(stand.database.db, publisherId, 500n * UNIT);
    const withdrawalId = await askWallet(publisherId);
    const workflowId = withdrawalWorkflowId(withdrawalId);
    await decide(workflowId, 'approve', finance);
    await expect(handle(workflowId).result()).resolves.toBe('PAID');
    const transfers = async () =>
      await query('SELECT type FROM ledger_transfers WHERE subject_type = $1 AND subject_id = $2', [
        'withdrawal',
        withdrawalId,
      ]);
    const [moved, payments] = [await transfers(), readdirSync(sandboxDir).length];
    await reset(workflowId);
    await expect(handle(workflowId).result()).resolves.toBe('PAID');
    expect([await transfers(), readdirSync(sandboxDir).length]).toEqual([moved, payments]);
  });

  it('a deposit that was credited · reads that it is closed, ends as before, credits nothing', async () => {
    const advertiser = await stand.newAdvertiser();
    const id = idOf(await advertiser.post('/deposits', { amount: 100, payment_method: 'BANK' }));
    const receipt = { amount: 100, reference: `PAID-${id}` };
    await stand.as('admin', finance).post(`/deposits/${id}/receipts`, receipt);
    await expect(flows.resultOf(depositWorkflowId(id))).resolves.toBe('PAID');
    const transfers = async () =>
      await query('SELECT type FROM ledger_transfers WHERE subject_type = $1 AND subject_id = $2', [
        'deposit',
        id,
      ]);
    const moved = await transfers();
    await reset(depositWorkflowId(id));
    await expect(handle(depositWorkflowId(id)).result()).resolves.toBe('PAID');
    expect(await transfers()).toEqual(moved);
  });
});
