import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler, Response } from 'express';
import * as yup from 'yup';
import { reportBytes } from '../../activities/reports/report-file.ts';
import {
  EXPORT_EVENTS_MAX,
  fileNameOf,
  planReportQuery,
  type PlannedReport,
} from '../../activities/reports/report-plan.ts';
import { eventReader } from '../../db/events/event-reader.ts';
import { createExportStore } from '../../db/files/export-store.ts';
import { runner } from '../../db/postgres.ts';
import { findReadyExport } from '../../db/queries/exports.ts';
import { findOperation } from '../../db/queries/operations.ts';
import { countLines } from '../../db/queries/reports.ts';
import { streamReport } from '../../db/queries/report-cursor.ts';
import { notFound } from '../../domain/errors.ts';
import { EXPORT_FORMATS, EXPORT_MIME, type ExportFormat } from '../../domain/report-text.ts';
import type { ReportFilter, ReportSide } from '../../domain/report.ts';
import type { ConsoleDeps } from '../deps.ts';
import { acceptedShape, presentOperation } from '../present/operation.ts';
import { nothing } from '../http/response-shapes.ts';
import { paramsOf } from './report-request.ts';
import { REPORT_EVENTS_MAX } from './reports.ts';
import { goesOn, route, SENT } from '../http/route.ts';

/** More lines are written by a flow: a client that reads slowly would hold a connection for them. */
const DIRECT_LINES_MAX = 50_000;
/** Streams of one process at once, each with a database connection; further ones become flows. */
const STREAMS_MAX = 3;
/** A client that takes longer than that is cut off. */
const STREAM_MS_MAX = 120_000;
/** Until the first lines are grouped. */
const GROUPING_MS = 15_000;

const MIMES = Object.values(EXPORT_MIME);

export const exportFields = { format: yup.string().oneOf(EXPORT_FORMATS) };

interface ExportKind<Query extends yup.AnyObjectSchema> {
  side: ReportSide;
  rule: string;
  query: Query;
  filterOf: (query: yup.InferType<Query>) => ReportFilter;
}

/**
 * `GET /statistics/export`: the report as a file, at once when it is short, else as an operation
 * whose result says where to load it (interface 4.5). `format`, or else Accept, chooses csv, xlsx or
 * jsonl.
 */
export function exportRoute<Query extends yup.AnyObjectSchema>(
  deps: ConsoleDeps,
  kind: ExportKind<Query>,
): RequestHandler {
  const streams = { open: 0 };
  return route(
    {
      summary: 'Export the report as csv, xlsx or jsonl',
      rule: kind.rule,
      query: kind.query,
      answer: acceptedShape,
      statuses: [200, 202],
      refusals: ['not_found'],
      produces: MIMES,
    },
    async ({ query, caller, req, res }) => {
      const { format: chosen } = query as { format?: ExportFormat };
      const format = chosen ?? acceptedFormat(req);
      const request = {
        side: kind.side,
        ownerId: caller.id,
        params: paramsOf(query),
        filter: kind.filterOf(query),
      };
      const planned = await planReportQuery(deps, request, EXPORT_EVENTS_MAX);
      const fileName = fileNameOf(planned, format);
      if (await isDirect(deps, planned, streams.open)) {
        streams.open += 1;
        try {
          await sendReport(deps, res, { planned, format, fileName });
        } finally {
          streams.open -= 1;
        }
        return SENT;
      }
      const { operationId } = await deps.activities.requestExport({
        accountId: caller.id,
        query: planned.query,
        format,
        fileName,
      });
      const operation = await findOperation(runner(deps.db), {
        id: operationId,
        accountId: caller.id,
      });
      if (operation === undefined) throw new Error(`operation ${operationId} vanished`);
      goesOn(res, `/api/${kind.side}/operations/${operationId}`);
      return { operation: presentOperation(operation) };
    },
  );
}

async function isDirect(
  deps: ConsoleDeps,
  { query, events }: PlannedReport,
  openStreams: number,
): Promise<boolean> {
  if (openStreams >= STREAMS_MAX || events > REPORT_EVENTS_MAX) return false;
  return (await countLines(runner(deps.db), query, DIRECT_LINES_MAX + 1)) <= DIRECT_LINES_MAX;
}

function acceptedFormat(req: Request): ExportFormat {
  const best = req.accepts([...MIMES, 'application/x-ndjson']);
  if (best === 'application/x-ndjson') return 'jsonl';
  return EXPORT_FORMATS.find((format) => EXPORT_MIME[format] === best) ?? 'csv';
}

function asFile(res: Response, { format, fileName }: { format: ExportFormat; fileName: string }) {
  res.setHeader(
    'Content-Type',
    `${EXPORT_MIME[format]}${format === 'xlsx' ? '' : '; charset=utf-8'}`,
  );
  res.setHeader('Content-Disposition', `attachment; filename="${fileName}"`);
  res.setHeader('Cache-Control', 'private, no-store');
}

async function sendReport(
  deps: ConsoleDeps,
  res: Response,
  file: { planned: PlannedReport; format: ExportFormat; fileName: string },
): Promise<void> {
  const { query, endsAt } = file.planned;
  // Read before the numbers, so that they can only be newer than what is claimed of them.
  const settledAt = await eventReader.settledUntil(runner(deps.db), deps.clock());
  const state = { timezone: query.timezone, settledAt, endsAt };
  const report = streamReport(deps.db, query, { statementMs: GROUPING_MS });
  try {
    const batches = await begun(report);
    asFile(res, file);
    const { format } = file;
    await sendAll(
      res,
      reportBytes({ format, side: query.side, groupBy: query.groupBy, state, batches }),
    );
  } finally {
    // A client may leave before the first line is asked for: then nobody else frees the connection.
    await report.return(undefined);
  }
}

/** The same batches, the first one read: what fails until then is answered by its name. */
async function begun<Batch>(batches: AsyncGenerator<Batch>): Promise<AsyncIterable<Batch>> {
  const first = await batches.next();
  return (async function* rest() {
    if (first.done === true) return;
    yield first.value;
    yield* batches;
  })();
}

async function sendAll(res: Response, content: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    await pipeline(Readable.from(content), res, { signal: AbortSignal.timeout(STREAM_MS_MAX) });
  } catch (error) {
    // The client went away, or reads too slowly; the pipeline has closed both ends.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_STREAM_PREMATURE_CLOSE' && code !== 'ABORT_ERR') throw error;
  }
}

/** `GET /statistics/exports/{id}/file`: what a flow has written, for its owner, until it expires. */
export function exportFileRoute(deps: ConsoleDeps, { rule }: { rule: string }): RequestHandler {
  const store = createExportStore(deps.config.exportDir);
  return route(
    {
      summary: 'Load an export that was written by an operation',
      rule,
      answer: nothing(),
      produces: MIMES,
    },
    async ({ id, caller, res }) => {
      const key = { id, accountId: caller.id, now: deps.clock() };
      const found = await findReadyExport(runner(deps.db), key);
      const stored =
        found?.file === undefined || found.file === null ? undefined : await store.read(found.file);
      if (found === undefined || stored === undefined) throw notFound();
      asFile(res, found);
      res.setHeader('Content-Length', String(stored.bytes));
      await sendAll(res, stored.stream);
      return SENT;
    },
  );
}
