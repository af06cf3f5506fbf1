import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import type { ExportInput, ExportResult } from './contracts/export.ts';
import { DATABASE_STEP, FILE_WRITE } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

const { writeExport } = stepsOf(FILE_WRITE, { writeExport: 'Write the file' });
const { failExport } = stepsOf(DATABASE_STEP, { failExport: 'Write down that it failed' });

/** Writes the file of one export; after some attempts it is marked as failed rather than tried for ever. */
export async function exportWorkflow(input: ExportInput): Promise<ExportResult> {
  show({ stage: 'making' });
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
