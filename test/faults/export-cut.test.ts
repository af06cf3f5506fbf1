import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createExportActivities } from '../../activities/reports/exports.ts';
import { reportBytes } from '../../activities/reports/report-file.ts';
import { findExport } from '../../db/queries/exports.ts';
import { streamReport } from '../../db/queries/report-cursor.ts';
import { runner } from '../../db/postgres.ts';
import type { ExportFormat } from '../../domain/report-text.ts';
import { endOf } from '../../domain/report.ts';
import { makeAdvertiser } from '../support/make/account.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { activityDeps } from '../support/settlement.ts';
import { eventually, until } from '../support/until.ts';
import { soonLostBundle } from '../support/workflow-bundle.ts';

/** A worker dies in the middle of an export: the next one goes on behind what is written. */
const LINES = 45_000;
const DAY = { from: new Date('2026-11-01T00:00:00Z'), to: new Date('2026-11-02T00:00:00Z') };

let platform: Platform;
let buyer: number;
beforeAll(async () => {
  platform = await startPlatform({ WORKFLOW_BUNDLE: await soonLostBundle() });
  buyer = (await makeAdvertiser(platform.db)).id;
  await platform.pool.query(
    `INSERT INTO rollup_ad_hours (hour, advertiser_id, campaign_id, adgroup_id, ad_id, creative_id, impressions, spend_nanos)
     SELECT TIMESTAMPTZ '2026-11-01T00:00Z' + (i % 24) * interval '1 hour', $1, 1, 1, 1 + i / 24, 1, 10, 1500000
     FROM generate_series(0, ${LINES} - 1) i`,
    [buyer],
  );
}, 240_000);
afterAll(async () => {
  await platform?.close();
}, 60_000);

const query = () => ({
  side: 'advertiser' as const,
  ownerId: buyer,
  groupBy: ['hour', 'ad'] as const,
  filter: {},
  timezone: 'UTC',
  parts: [{ source: 'ad_hours' as const, ...DAY }],
});

async function requested(format: ExportFormat): Promise<number> {
  const deps = activityDeps(platform);
  const request = { accountId: buyer, query: query(), format, fileName: `report.${format}` };
  const { operationId } = await createExportActivities(deps).requestExport(request);
  return Number((await platform.db.models.operations.findByPk(operationId))?.subjectId);
}

/** What an attempt that nobody cut would have written, from the rows as they are now. */
async function uncut(id: number): Promise<Buffer> {
  const found = await findExport(runner(platform.db), id);
  if (found === undefined) throw new Error('no export');
  const { format, query: asked, settledAt } = found;
  const { side, groupBy, timezone } = asked;
  const state = { timezone, settledAt, endsAt: endOf(asked) };
  const batches = streamReport(platform.db, asked, { statementMs: 60_000 });
  return await buffer(reportBytes({ format, side, groupBy, state, batches }));
}

const partsOf = async (id: number): Promise<number[]> => {
  const { rows } = await platform.pool.query<{ part: number }>(
    'SELECT part FROM report_export_parts WHERE export_id = $1 ORDER BY part',
    [id],
  );
  return rows.map(({ part }) => part);
};

test.each(['csv', 'xlsx'] as const)(
  'a worker that dies in the middle of a %s · another goes on where it was · the same bytes',
  async (format) => {
    const { worker, pool, env } = platform;
    const folder = env['EXPORT_DIR'] ?? '';
    await worker.kill('SIGTERM');
    const id = await requested(format);
    // The third part is on the disk, its row is not.
    worker.launch({ CRASH_AT: `after:file:${id}.3` });
    await until({ what: 'the worker dies', withinMs: 120_000 }, () => !worker.isRunning());
    expect(await partsOf(id)).toEqual([1, 2]);
    const expected = await uncut(id);
    // Whoever read the first lines again would see them changed.
    await pool.query(
      `UPDATE rollup_ad_hours SET impressions = impressions + 1 WHERE advertiser_id = $1 AND hour < $2`,
      [buyer, '2026-11-01T05:00Z'],
    );

    await worker.restart();
    const file = path.join(folder, `${id}.${format}`);
    await eventually({ withinMs: 180_000 }, async () => {
      const { rows } = await pool.query('SELECT status, rows FROM report_exports WHERE id = $1', [
        id,
      ]);
      expect(rows).toEqual([{ status: 'READY', rows: String(LINES) }]);
    });
    expect(readFileSync(file).equals(expected)).toBe(true);
    expect((await uncut(id)).equals(expected)).toBe(false);
    // Nothing is left of the parts; a file without a row goes with upkeep.
    await eventually(async () => {
      expect(await partsOf(id)).toEqual([]);
      const left = readdirSync(folder).filter((name) => name.startsWith(`${id}.`));
      expect(left.filter((name) => name.endsWith('.lines')).length).toBeLessThan(2);
    });
  },
  300_000,
);
