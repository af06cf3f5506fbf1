import type { FileSweep, FileSweepReport } from '../../db/files/file-sweep.ts';
import { runner } from '../../db/postgres.ts';
import type { ActivityDeps } from '../deps.ts';

/** Files removed, by store. */
export interface UnnamedFiles {
  media: number;
  documents: number;
}

const HOUR_MS = 3_600_000;
/** A file gets its row seconds after it was written, and whoever waits longer has been given up. */
const ROW_COMES_WITHIN_MS = 24 * HOUR_MS;

/**
 * Nothing names a file but the `path` of its row: revisions, jobs and evidence name rows of media,
 * rounds name rows of documents, and a row of media is archived, not deleted. The same bytes sent
 * again find their row, or are written under a new name.
 */
const NAMED_MEDIA_SQL = `SELECT DISTINCT substr(path, 4, 32) AS name FROM media
  WHERE substr(path, 4, 32) = ANY($1::text[])`;
const NAMED_DOCUMENTS_SQL = `SELECT path AS name FROM kyc_documents WHERE path = ANY($1::text[])
  UNION ALL SELECT path FROM receipt_evidence WHERE path = ANY($1::text[])`;

/** A step of upkeep: files whose process died before their row was written. Harmless twice. */
export async function removeUnnamedFiles(deps: ActivityDeps): Promise<UnnamedFiles> {
  const { mediaStore, privateStore } = deps.providers;
  const now = deps.clock().getTime();
  const sweep = (namedSql: string): FileSweep => ({
    before: new Date(now - ROW_COMES_WITHIN_MS),
    turn: Math.floor(now / HOUR_MS),
    named: async (names) => {
      const { rows } = await runner(deps.db).query<{ name: string }>(namedSql, [names]);
      return new Set(rows.map(({ name }) => name));
    },
  });
  const media = await mediaStore.sweepUnnamed(sweep(NAMED_MEDIA_SQL));
  logRemoved(deps, 'media', media);
  const documents = await privateStore.sweepUnnamed(sweep(NAMED_DOCUMENTS_SQL));
  logRemoved(deps, 'documents', documents);
  return { media: media.removed, documents: documents.removed };
}

function logRemoved(deps: ActivityDeps, store: keyof UnnamedFiles, report: FileSweepReport): void {
  if (report.removed === 0) return;
  // Hardly ever so many that a round does not finish: the database may not be this folder's.
  const level = report.cut ? 'warn' : 'info';
  deps.log[level]({ store, ...report }, 'files that no row names were removed');
}
