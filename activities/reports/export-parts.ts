import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import { runner } from '../../db/postgres.ts';
import { columnsOf, readRows, select } from '../../db/schema/selection.ts';
import { type ReportExportPartRow, reportExportParts } from '../../db/tables/report-export-part.ts';
import type { Dimension, ReportRow } from '../../domain/report.ts';
import type { ActivityDeps } from '../deps.ts';

/**
 * Lines of an export in files of their own, each behind the one before. A file counts once its row is
 * there, so an attempt that is cut anywhere leaves whole parts, and the next one goes on behind the last.
 */
export type WrittenPart = Pick<ReportExportPartRow, 'part' | 'file' | 'lines' | 'lastKeys'>;

/** What is lost at most when a worker dies. */
const PART_LINES = 10_000;

const PART = select(columnsOf(reportExportParts, 'p', ['part', 'file', 'lines', 'lastKeys']));

export async function writtenParts(deps: ActivityDeps, exportId: number): Promise<WrittenPart[]> {
  return await readRows(
    runner(deps.db),
    PART,
    `SELECT ${PART.list} FROM report_export_parts p WHERE p.export_id = $1 ORDER BY p.part`,
    [exportId],
  );
}

/** Writes what comes behind `parts` and adds it to them, a part at a time. */
export async function writeParts(
  deps: ActivityDeps,
  { exportId, groupBy }: { exportId: number; groupBy: readonly Dimension[] },
  parts: WrittenPart[],
  batches: AsyncIterable<ReportRow[]>,
): Promise<void> {
  let rows: ReportRow[] = [];
  const write = async (): Promise<void> => {
    const last = rows.at(-1);
    if (last === undefined) return;
    const part = (parts.at(-1)?.part ?? 0) + 1;
    const lastKeys = groupBy.map((dimension) => last.keys[dimension] ?? null);
    parts.push(await writePart(deps, { exportId, part, rows, lastKeys }));
    rows = [];
  };
  for await (const batch of batches) {
    rows.push(...batch);
    if (rows.length >= PART_LINES) await write();
  }
  await write();
}

async function writePart(
  deps: ActivityDeps,
  {
    exportId,
    part,
    rows,
    lastKeys,
  }: { exportId: number; part: number; rows: readonly ReportRow[]; lastKeys: (string | null)[] },
): Promise<WrittenPart> {
  // An attempt that was thought lost may write the same part: each has a file of its own.
  const file = `${exportId}.${part}.${randomBytes(6).toString('hex')}.lines`;
  const content = await promisify(gzip)(JSON.stringify(rows, amounts));
  await deps.providers.exportStore.write(file, only(content));
  const { rows: kept } = await runner(deps.db).query(
    `INSERT INTO report_export_parts (export_id, part, file, lines, last_keys) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING RETURNING part`,
    [exportId, part, file, rows.length, JSON.stringify(lastKeys)],
  );
  if (kept.length === 0) throw new Error(`part ${part} of export ${exportId} is another attempt's`);
  return { part, file, lines: rows.length, lastKeys };
}

/** Every line, part by part. Where a file is gone, its export is begun anew with the next attempt. */
export async function* readParts(
  deps: ActivityDeps,
  exportId: number,
  parts: readonly WrittenPart[],
): AsyncGenerator<ReportRow[]> {
  for (const { file, part } of parts) {
    const found = await deps.providers.exportStore.read(file);
    if (found === undefined) {
      await forgetParts(deps, exportId);
      throw new Error(`part ${part} of export ${exportId} has vanished`);
    }
    const text = await promisify(gunzip)(await buffer(found.stream));
    yield JSON.parse(text.toString(), fromAmounts) as ReportRow[];
  }
}

const forgetParts = async (deps: ActivityDeps, exportId: number): Promise<unknown> =>
  await runner(deps.db).query('DELETE FROM report_export_parts WHERE export_id = $1', [exportId]);

/** The export has ended. First no row leads to the files any more, then the files go. Harmless twice. */
export async function removeParts(deps: ActivityDeps, exportId: number): Promise<void> {
  const parts = await writtenParts(deps, exportId);
  await forgetParts(deps, exportId);
  await deps.providers.exportStore.remove(parts.map(({ file }) => file));
}

async function* only(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(content);
}

const amounts = (_name: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;
const fromAmounts = (name: string, value: unknown): unknown =>
  name === 'moneyNanos' ? BigInt(value as string) : value;
