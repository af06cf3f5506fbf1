import { ActivityFailure, ApplicationFailure, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { ExportInput, ExportResult } from './contracts/export.ts';
import { DATABASE_STEP, FILE_WRITE } from './policies.ts';

const { writeExport } = proxyActivities<Pick<Activities, 'writeExport'>>(FILE_WRITE);
const { failExport } = proxyActivities<Pick<Activities, 'failExport'>>(DATABASE_STEP);

/** Writes the file of one export; after some attempts it is marked as failed rather than tried for ever. */
export async function exportWorkflow(input: ExportInput): Promise<ExportResult> {
  try {
    await writeExport.executeWithOptions({ summary: `Write export ${input.exportId}` }, [input]);
    return { status: 'READY' };
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    // A refusal by its name (domain/errors.ts); anything else is our own trouble.
    const refused = error.cause instanceof ApplicationFailure && error.cause.nonRetryable === true;
    const reason = refused ? (error.cause.type ?? 'internal') : 'internal';
    await failExport({ ...input, reason });
    return { status: 'FAILED' };
  }
}
