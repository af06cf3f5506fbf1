import { randomBytes } from 'node:crypto';
import { notify } from '../../activities/accounts/notifications.ts';
import { createOutbound } from '../../activities/providers/outbound.ts';
import { inTransaction } from '../../db/postgres.ts';
import { exportWorkflowId } from '../../workflows/contracts/export.ts';
import { mailWorkflowId } from '../../workflows/contracts/mail.ts';
import { postbackWorkflowId } from '../../workflows/contracts/postback.ts';
import { rewardCallbackWorkflowId } from '../../workflows/contracts/reward-callback.ts';
import { webhookWorkflowId } from '../../workflows/contracts/webhook.ts';
import { flowDesk } from '../support/flow-desk.ts';
import type { TestFlows } from '../support/flows.ts';
import { type ScriptedListener, startScripted, status } from '../support/listener.ts';
import { makeAdvertiser } from '../support/make/account.ts';
import { makePlace } from '../support/make/place.ts';
import { insertRow } from '../support/make/row.ts';
import { createStand, type FlowStand } from '../support/stand.ts';
import { eventually } from '../support/until.ts';

/**
 * Cancel, terminate and reset from Temporal's pages on flows that make something or tell somebody: none of them
 * holds money. Their rows are open, so what was ended begins again, and is done once.
 */
const HOST = 'told.example';

let stand: FlowStand;
let flows: TestFlows;
let server: ScriptedListener;

beforeAll(async () => {
  stand = await createStand({ flows: {}, realTime: true });
  ({ flows } = stand);
  server = await startScripted(status(204));
  flows.deps.providers.outbound = createOutbound({
    baseUrl: 'https://ads.platform.example',
    devHosts: new Map([[HOST, server.host]]),
  });
}, 90_000);

beforeEach(() => {
  server.asked.length = 0;
});

afterEach(() => {
  flows.faults.clear();
});

afterAll(async () => {
  await stand?.close();
  await server?.close();
}, 60_000);

const desk = flowDesk(() => stand);
const { query, handle, stateOf } = desk;

interface Job {
  step: Parameters<TestFlows['faults']['set']>[0];
  /** Writes its row; answers its flow, and the row's table, its column and its id. */
  begin: () => Promise<{ workflowId: string; table: string; state: string; id: number }>;
  open: string;
  /** What the row says in the end, and the flow. */
  end: [state: string, result: unknown];
  /** How often the server heard of it. */
  told: number;
}

const advertiser = async (): Promise<number> => (await makeAdvertiser(stand.database.db)).id;
const newest = async (table: string): Promise<number> =>
  Number((await query<{ id: string }>(`SELECT max(id) AS id FROM ${table}`))[0]?.id);
const HTTP_204 = { state: 'DELIVERED', outcome: 'HTTP_204' };

const JOBS: Record<string, Job> = {
  'a letter': {
    step: 'deliverMail',
    begin: async () => {
      const id = await insertRow(stand.database, 'mails', {
        account_id: await advertiser(),
        kind: 'kyc_approved',
        expires_at: new Date(Date.now() + 86_400_000),
        created_at: new Date(Date.now() - 3_600_000),
      });
      await desk.begunAgain(mailWorkflowId({ mailId: id }));
      return { workflowId: mailWorkflowId({ mailId: id }), table: 'mails', state: 'status', id };
    },
    open: 'QUEUED',
    end: ['SENT', 'SENT'],
    told: 0,
  },
  'an export': {
    step: 'writeExport',
    begin: async () => {
      const accountId = await advertiser();
      const [from, to] = [new Date('2026-11-01T00:00:00Z'), new Date('2026-11-02T00:00:00Z')];
      await flows.activities.requestExport({
        accountId,
        query: {
          side: 'advertiser',
          ownerId: accountId,
          groupBy: ['hour', 'ad'],
          filter: {},
          timezone: 'UTC',
          parts: [{ source: 'ad_hours', from, to }],
        },
        format: 'csv',
        fileName: 'report.csv',
      });
      const id = await newest('report_exports');
      const workflowId = exportWorkflowId({ exportId: id });
      return { workflowId, table: 'report_exports', state: 'status', id };
    },
    open: 'WRITING',
    end: ['READY', { status: 'READY' }],
    told: 0,
  },
  'a postback': {
    step: 'sendPostback',
    begin: async () => {
      const advertiserId = await advertiser();
      const tracker = await stand.database.db.models.trackers.create({
        advertiserId,
        name: 'Sale',
        eventType: 'PURCHASE',
        trackingCode: `trk_${advertiserId}`,
        postbackUrl: `http://${HOST}/pb?cid={click_id}`,
      });
      const asked = { trackerId: tracker.id, advertiserId, callNow: true };
      await flows.activities.beginTrackerTest(asked);
      const id = await newest('postbacks');
      const workflowId = postbackWorkflowId({ postbackId: id, firstAttempt: 1 });
      return { workflowId, table: 'postbacks', state: 'status', id };
    },
    open: 'PENDING',
    end: ['DELIVERED', HTTP_204],
    told: 1,
  },
  'a webhook': {
    step: 'sendWebhook',
    begin: async () => {
      const accountId = await advertiser();
      const url = `http://${HOST}/hook`;
      await flows.activities.addWebhook({ accountId, url, kinds: ['deposit_paid'] });
      const subject = { type: 'deposit', id: 1 };
      const params = { amount: 5, currency: 'USD' };
      await inTransaction(stand.database.db, async (tx) => {
        await notify(flows.deps, tx, { accountId, kind: 'deposit_paid', subject, params });
      });
      const id = await newest('webhook_deliveries');
      const workflowId = webhookWorkflowId({ deliveryId: id, firstAttempt: 1 });
      return { workflowId, table: 'webhook_deliveries', state: 'status', id };
    },
    open: 'PENDING',
    end: ['DELIVERED', HTTP_204],
    told: 1,
  },
  'a reward': {
    step: 'sendRewardCallback',
    begin: async () => {
      const { zone, publisher } = await makePlace(stand.database.db, {
        zone: { type: 'REWARDED' },
      });
      const anHourAgo = new Date(Date.now() - 3_600_000);
      const id = await insertRow(stand.database, 'rewards', {
        bid_id: randomBytes(8).toString('hex'),
        transaction_id: randomBytes(16).toString('hex'),
        zone_id: zone.id,
        publisher_id: publisher.id,
        ad_unit: zone.zoneKey,
        watch_seconds: 1,
        reward_amount: 1,
        reward_item: 'coin',
        issued_at: anHourAgo,
        expires_at: new Date(),
        granted_at: anHourAgo,
        payload: 'reward=1',
        signature: 'signed',
        key_id: 1,
        callback_url: `http://${HOST}/ssv`,
        callback_status: 'QUEUED',
      });
      const workflowId = rewardCallbackWorkflowId(id);
      await desk.begunAgain(workflowId);
      return { workflowId, table: 'rewards', state: 'callback_status', id };
    },
    open: 'QUEUED',
    end: ['DELIVERED', HTTP_204],
    told: 1,
  },
};

const isAtItsStep = async (workflowId: string): Promise<void> => {
  await eventually(async () => {
    const { status: at, raw } = await handle(workflowId).describe();
    expect([at.name, raw.pendingActivities?.length]).toEqual(['RUNNING', 1]);
  });
};

describe.each(Object.entries(JOBS))('in Temporal, on %s', (_name, job) => {
  it('cancel, terminate, reset, each after the other · its row is open, so it begins again; then it is done, once', async () => {
    flows.faults.set(job.step, new Error('away'));
    const { workflowId, table, state, id } = await job.begin();
    const row = async () =>
      (
        await query<{ state: string }>(`SELECT ${state} AS state FROM ${table} WHERE id = $1`, [id])
      )[0]?.state;
    await isAtItsStep(workflowId);
    await handle(workflowId).cancel();
    await eventually(async () => expect(await stateOf(workflowId)).toBe('CANCELLED'));
    expect(await row()).toBe(job.open);
    await desk.begunAgain(workflowId);
    await isAtItsStep(workflowId);
    await desk.terminate(workflowId);
    await isAtItsStep(workflowId);
    await desk.reset(workflowId, false);
    await isAtItsStep(workflowId);
    expect([await row(), server.asked.length]).toEqual([job.open, 0]);
    flows.faults.clear();
    await expect(handle(workflowId).result()).resolves.toEqual(job.end[1]);
    expect([await row(), server.asked.length]).toEqual([job.end[0], job.told]);
    // Done is done, also for a run that begins anew.
    await desk.reset(workflowId, false);
    await handle(workflowId).result();
    expect([await row(), server.asked.length]).toEqual([job.end[0], job.told]);
  });
});
