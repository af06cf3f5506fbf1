import { createHash } from 'node:crypto';
import { Context } from '@temporalio/activity';
import type { Transaction } from 'sequelize';
import { eventReader } from '../../db/events/event-reader.ts';
import { inTransaction, runner } from '../../db/postgres.ts';
import { findExport, type ReportExport } from '../../db/queries/exports.ts';
import type { LineKeys } from '../../db/queries/report-sql.ts';
import { countLines } from '../../db/queries/reports.ts';
import { streamReport } from '../../db/queries/report-cursor.ts';
import { moveRows, moveSql } from '../../db/schema/move.ts';
import { columnsOf, readRow, select } from '../../db/schema/selection.ts';
import { reportExports } from '../../db/tables/report-export.ts';
import { invalid } from '../../domain/errors.ts';
import type { ExportFormat } from '../../domain/report-text.ts';
import { countsEvents, endOf, type ReportQuery, type ReportRow } from '../../domain/report.ts';
import {
  exportStart,
  type ExportInput,
  exportWorkflowId,
} from '../../workflows/contracts/export.ts';
import { notify } from '../accounts/notifications.ts';
import { startFlow } from '../core/outbox.ts';
import type { ActivityDeps } from '../deps.ts';
import { openOperation, reportOperation, reportProgress } from '../core/operations.ts';
import { readParts, removeParts, writeParts, writtenParts } from './export-parts.ts';
import { reportBytes } from './report-file.ts';
import { failRunsOf, sendRunsOf } from './report-letters.ts';

export interface ExportRequest {
  accountId: number;
  query: ReportQuery;
  format: ExportFormat;
  /** What the file is called when it is loaded. */
  fileName: string;
}

/** A report of more lines is refused: it is a copy of the events, not a report. */
const EXPORT_LINES_MAX = 5_000_000;
/** How long a written file may be loaded. */
const EXPORT_KEPT_HOURS = 24;
/** Until the first lines are grouped; below the start-to-close timeout of the step. */
const GROUPING_MS = 10 * 60_000;
/** How often the lines written are reported to the operation and to Temporal. */
const PROGRESS_MS = 2_000;

export function createExportActivities(deps: ActivityDeps) {
  return {
    /**
     * Row, operation and flow in one transaction. The same report for the same account, while
     * it is still being written, answers the operation that is under way.
     */
    async requestExport(request: ExportRequest): Promise<{ operationId: number }> {
      return await inTransaction(deps.db, async (tx) => {
        const { operationId } = await openExport(deps, tx, request);
        return { operationId };
      });
    },

    /**
     * Writes the lines in parts, puts them together, then reports the file in one transaction. An
     * attempt that follows a worker's death goes on behind the last part. Harmless twice: an export
     * that is no longer being written is left as it is, and the file is replaced whole. Raises 422
     * for more lines than an export may have.
     */
    async writeExport({ exportId }: ExportInput): Promise<void> {
      const found = await findExport(runner(deps.db), exportId);
      if (found === undefined) throw new Error(`export ${exportId} vanished`);
      if (found.status !== 'WRITING') {
        await removeParts(deps, exportId);
        return;
      }
      const { format, query } = found;
      await beating(async (written) => {
        const { settledAt, total } = await claimsOf(deps, found);
        const parts = await writtenParts(deps, exportId);
        written.lines = parts.reduce((sum, { lines }) => sum + lines, 0);
        const after = parts.at(-1)?.lastKeys ?? null;
        if (after !== null) deps.log.info({ export: exportId, ...written }, 'export goes on');
        const batches = watched(deps, found, { written, total, after });
        await writeParts(deps, { exportId, groupBy: query.groupBy }, parts, batches);
        const file = `${exportId}.${format}`;
        const { bytes } = await deps.providers.exportStore.write(
          file,
          reportBytes({
            format,
            side: query.side,
            groupBy: query.groupBy,
            state: { timezone: query.timezone, settledAt, endsAt: endOf(query) },
            batches: whileWanted(readParts(deps, exportId, parts)),
          }),
        );
        await markReady(deps, found, { file, bytes, lines: written.lines });
        await removeParts(deps, exportId);
      });
    },

    /** The flow has given up. `reason` is a token of domain/errors.ts. */
    async failExport({ exportId, reason }: ExportInput & { reason: string }): Promise<void> {
      await inTransaction(deps.db, async (tx) => {
        const failed = await moveRows(runner(deps.db, tx), reportExports, {
          state: 'status',
          action: 'fail',
          where: { id: exportId },
        });
        if (failed.length === 0) return;
        await failRunsOf(deps, tx, { exportId, reason });
        await reportOperation(deps, tx, exportWorkflowId({ exportId }), {
          status: 'failed',
          phase: 'failed',
          note: reason,
          error: { error: reason },
        });
      });
      await removeParts(deps, exportId);
    },
  };
}

const OPENED = select(columnsOf(reportExports, 'e', ['id', 'operationId']));

/** Row, operation and flow, in the caller's transaction. */
export async function openExport(
  deps: ActivityDeps,
  tx: Transaction,
  { accountId, query, format, fileName }: ExportRequest,
): Promise<{ operationId: number; exportId: number }> {
  const sql = runner(deps.db, tx);
  const queryHash = createHash('sha256')
    .update(JSON.stringify([query, format]))
    .digest('hex');
  const row = await readRow(
    sql,
    OPENED,
    `INSERT INTO report_exports AS e (account_id, ask, ask_hash, format, file_name)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (account_id, ask_hash) WHERE status = 'WRITING' DO UPDATE SET ask_hash = e.ask_hash
     RETURNING ${OPENED.list}`,
    [accountId, JSON.stringify(query), queryHash, format, fileName],
  );
  if (row === undefined) throw new Error('the export was not written');
  if (row.operationId !== null) return { operationId: row.operationId, exportId: row.id };
  const input: ExportInput = { exportId: row.id };
  const workflowId = exportWorkflowId(input);
  const operationId = await openOperation(deps, tx, {
    accountId,
    kind: 'report_export',
    subject: { type: 'export', id: input.exportId },
    workflowId,
    note: fileName,
  });
  const where = { id: input.exportId };
  await deps.db.models.reportExports.update({ operationId }, { where, transaction: tx });
  await startFlow(deps, tx, exportStart(input), { accountId });
  return { operationId, exportId: row.id };
}

function requireFew(lines: number): void {
  if (lines <= EXPORT_LINES_MAX) return;
  const message = `more than ${EXPORT_LINES_MAX} lines; choose fewer days or dimensions`;
  throw invalid({ field: 'group_by', code: 'too_many_rows', message });
}

/** What the whole file says of itself: what the first attempt found, also for those after it. */
async function claimsOf(
  deps: ActivityDeps,
  { id, query, begunAt, ...found }: ReportExport,
): Promise<{ settledAt: Date | null; total: number | null }> {
  if (begunAt !== null) return { settledAt: found.settledAt, total: found.linesExpected };
  // Lines that are counted from events would be grouped twice to know how many they are.
  const total = query.parts.some(countsEvents)
    ? null
    : await countLines(runner(deps.db), query, EXPORT_LINES_MAX + 1);
  requireFew(total ?? 0);
  // Read before the numbers, so that they can only be newer than what is claimed of them.
  const settledAt = await eventReader.settledUntil(runner(deps.db), deps.clock());
  const where = { id };
  await deps.db.models.reportExports.update(
    { begunAt: deps.clock(), settledAt, linesExpected: total },
    { where },
  );
  return { settledAt, total };
}

/** While rows are grouped no line arrives to report: the step sends its own heartbeats. */
async function beating(write: (written: { lines: number }) => Promise<void>): Promise<void> {
  const context = Context.current();
  const written = { lines: 0 };
  const beat = setInterval(() => {
    context.heartbeat(written);
  }, PROGRESS_MS);
  try {
    await write(written);
  } finally {
    clearInterval(beat);
  }
}

/** The lines on their way to a part; reports to the operation how far they are. */
async function* watched(
  deps: ActivityDeps,
  { id, query }: ReportExport,
  {
    written,
    total,
    after,
  }: { written: { lines: number }; total: number | null; after: LineKeys | null },
): AsyncGenerator<ReportRow[]> {
  const workflowId = exportWorkflowId({ exportId: id });
  let reportedAt = 0;
  const report = streamReport(deps.db, query, { statementMs: GROUPING_MS, after });
  for await (const rows of whileWanted(report)) {
    if (Date.now() - reportedAt >= PROGRESS_MS) {
      reportedAt = Date.now();
      await reportProgress(deps, workflowId, {
        phase: 'writing',
        progress: { rows: written.lines, total_rows: total },
      });
    }
    written.lines += rows.length;
    requireFew(written.lines);
    yield rows;
  }
}

/** Until the step is cancelled, or its worker is told to end. */
async function* whileWanted(batches: AsyncIterable<ReportRow[]>): AsyncGenerator<ReportRow[]> {
  const { cancellationSignal } = Context.current();
  for await (const rows of batches) {
    cancellationSignal.throwIfAborted();
    yield rows;
  }
}

async function markReady(
  deps: ActivityDeps,
  { id, query, format }: ReportExport,
  { file, bytes, lines }: { file: string; bytes: number; lines: number },
): Promise<void> {
  const expiresAt = new Date(deps.clock().getTime() + EXPORT_KEPT_HOURS * 3_600_000);
  await inTransaction(deps.db, async (tx) => {
    const finished = await moveRows(runner(deps.db, tx), reportExports, {
      state: 'status',
      action: 'finish',
      where: { id },
      set: { file, bytes, rows: lines, expiresAt },
    });
    const [done] = finished;
    if (done === undefined) return;
    const url = `/api/${query.side}/statistics/exports/${id}/file`;
    // Whoever asked for it by a schedule is written to, and nobody else of the account waits for it.
    if (!(await sendRunsOf(deps, tx, { exportId: id, side: query.side, until: expiresAt }))) {
      await notify(deps, tx, {
        accountId: done.accountId,
        kind: 'export_ready',
        subject: { type: 'export', id },
        params: { name: done.fileName, url },
      });
    }
    await reportOperation(deps, tx, exportWorkflowId({ exportId: id }), {
      status: 'succeeded',
      phase: 'ready',
      progress: { rows: lines, total_rows: lines },
      result: {
        url,
        expires_at: expiresAt.toISOString(),
        format,
        bytes,
        rows: lines,
      },
    });
  });
}

/** A step of upkeep. First no row leads to the file any more, then the file goes. */
export async function removeExpiredExports(deps: ActivityDeps): Promise<number> {
  const now = deps.clock();
  const { set, only } = moveSql(reportExports, 'status', 'expire');
  await runner(deps.db).query(
    `UPDATE report_exports SET ${set} WHERE ${only} AND expires_at <= $1`,
    [now.toISOString()],
  );
  // An hour later than the last link to it: a slow reader may have it open.
  const past = new Date(now.getTime() - (EXPORT_KEPT_HOURS + 1) * 3_600_000);
  return await deps.providers.exportStore.removeOlderThan(past);
}
