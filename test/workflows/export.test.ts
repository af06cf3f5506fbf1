import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { tmpdir } from 'node:os';
import { createExportStore } from '../../db/files/export-store.ts';
import { exportWorkflowId } from '../../workflows/contracts/export.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createTestFlows, type TestFlows } from '../support/flows.ts';
import { captureHistory } from '../support/histories.ts';
import { eventually } from '../support/until.ts';
import { makeAdvertiser } from '../support/make/account.ts';

/** Exports that a flow writes, on a real Temporal; the HTTP side is in test/api/reports/exports.test.ts. */
const LINES = 60_000;

let database: TestDatabase;
let flows: TestFlows;
let folder: string;
let buyer: number;

beforeAll(async () => {
  database = await createTestDatabase();
  flows = await createTestFlows(database);
  folder = mkdtempSync(path.join(tmpdir(), 'adplatform-exports-'));
  flows.deps.providers.exportStore = createExportStore(folder);
  buyer = (await makeAdvertiser(database.db)).id;
  await database.pool.query(
    `INSERT INTO rollup_ad_hours (hour, advertiser_id, campaign_id, adgroup_id, ad_id, creative_id, impressions, spend_nanos)
     SELECT TIMESTAMPTZ '2026-11-01T00:00Z' + (i % 24) * interval '1 hour', $1, 1, 1, 1 + i / 24, 1, 10, 1500000
     FROM generate_series(0, ${LINES} - 1) i`,
    [buyer],
  );
}, 60_000);
afterAll(async () => {
  await flows.close();
  await database.close();
});

/** All of the day, unless an hour's lines tell the same. */
const queryOf = (ownerId: number, to = '2026-11-02T00:00:00Z') => ({
  side: 'advertiser' as const,
  ownerId,
  groupBy: ['hour', 'ad'] as const,
  filter: {},
  timezone: 'UTC',
  parts: [
    {
      source: 'ad_hours' as const,
      from: new Date('2026-11-01T00:00:00Z'),
      to: new Date(to),
    },
  ],
});
const anHour = (ownerId: number) => queryOf(ownerId, '2026-11-01T01:00:00Z');
const operation = async (id: number) =>
  (await database.db.models.operations.findByPk(id))?.toJSON();
const exportOf = async (operationId: number): Promise<number> =>
  Number((await operation(operationId))?.subjectId);

it('an export · requested · written, told with its figures, each line once', async () => {
  const { operationId } = await flows.activities.requestExport({
    accountId: buyer,
    query: queryOf(buyer),
    format: 'csv',
    fileName: 'report.csv',
  });
  const exportId = await exportOf(operationId);
  const workflowId = exportWorkflowId({ exportId });
  expect(await flows.resultOf(workflowId)).toEqual({ status: 'READY' });
  const told = await operation(operationId);
  const text = readFileSync(path.join(folder, `${exportId}.csv`), 'utf8');
  const lines = text.trimEnd().split('\r\n');
  expect(told).toMatchObject({
    accountId: buyer,
    kind: 'report_export',
    status: 'succeeded',
    progress: { rows: LINES, total_rows: LINES },
    result: {
      url: `/api/advertiser/statistics/exports/${exportId}/file`,
      format: 'csv',
      rows: LINES,
      bytes: Buffer.byteLength(text),
    },
  });
  expect(lines).toHaveLength(LINES + 1);
  expect(lines[0]).toBe(
    '\ufeffhour,ad_id,ad_name,requests,impressions,viewable,views,clicks,conversions,removed,spend,ctr,cvr,ecpm,pending_conversions,approved_conversions,rejected_conversions,pending_spend,approved_spend,rejected_spend,timezone,as_of,is_final',
  );
  expect(lines[1]).toMatch(
    /^0,1,,,10,0,0,0,0,0,0\.0015,0,0,0\.15,0,0,0,0,0,0,UTC,[^,]*,(?:true|false)$/,
  );
  expect(new Set(lines).size).toBe(LINES + 1);
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  await captureHistory(flows.client, { workflowId }, 'exportWorkflow.written');
});

it('the same export · requested again while it is written · one flow, one file', async () => {
  flows.delivery.on = false;
  const request = {
    accountId: buyer,
    query: anHour(buyer),
    format: 'jsonl' as const,
    fileName: 'report.jsonl',
  };
  const asked = await Promise.all(
    [1, 2, 3].map(async () => await flows.activities.requestExport(request)),
  );
  flows.delivery.on = true;
  expect(new Set(asked.map(({ operationId }) => operationId)).size).toBe(1);
  await eventually(async () => {
    await flows.dispatcher.dispatchDue(10);
    expect(await operation(asked[0]?.operationId ?? 0)).toMatchObject({ status: 'succeeded' });
  });
  const again = await flows.activities.requestExport(request);
  expect(again.operationId).not.toBe(asked[0]?.operationId);
  const workflowId = exportWorkflowId({ exportId: await exportOf(again.operationId) });
  expect(await flows.resultOf(workflowId)).toEqual({ status: 'READY' });
});

it('a disk that fails for good · some attempts · failed by name, nothing to load, nothing left', async () => {
  const store = flows.deps.providers.exportStore;
  let attempts = 0;
  flows.deps.providers.exportStore = {
    ...store,
    write: async (file, content) => {
      attempts += 1;
      // Half-read, as by a disk that fills up; the rest is given up.
      for await (const part of content) if (part.length > 0) throw new Error('no space left');
      return await store.write(file, content);
    },
  };
  const { operationId } = await flows.activities.requestExport({
    accountId: buyer,
    query: anHour(buyer),
    format: 'xlsx',
    fileName: 'report.xlsx',
  });
  const exportId = await exportOf(operationId);
  const workflowId = exportWorkflowId({ exportId });
  await eventually(async () => {
    const described = await flows.client.workflow.getHandle(workflowId).describe();
    expect(described.raw.pendingActivities?.[0]?.attempt ?? 5).toBeGreaterThan(1);
  });
  expect(await flows.resultOf(workflowId)).toEqual({ status: 'FAILED' });
  flows.deps.providers.exportStore = store;
  expect(attempts).toBe(5);
  expect(await operation(operationId)).toMatchObject({
    status: 'failed',
    error: { error: 'internal' },
    result: null,
  });
  const { rows } = await database.pool.query(
    'SELECT status, file FROM report_exports WHERE id = $1',
    [exportId],
  );
  expect(rows).toEqual([{ status: 'FAILED', file: null }]);
  // Each attempt gave its connection back: the pool has all of its ten.
  await Promise.all(
    Array.from(
      { length: 10 },
      async () => await database.db.sequelize.query('SELECT pg_sleep(0.05)'),
    ),
  );
  await captureHistory(flows.client, { workflowId }, 'exportWorkflow.failed');
}, 60_000);
