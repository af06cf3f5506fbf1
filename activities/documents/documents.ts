import { Context } from '@temporalio/activity';
import { inTransaction, runner } from '../../db/postgres.ts';
import { type DocumentFile, findDocumentFile } from '../../db/queries/documents.ts';
import type { DocumentFormat } from '../../domain/documents.ts';
import { notFound } from '../../domain/errors.ts';
import { recordAudit } from '../core/audit.ts';
import type { ActivityDeps } from '../deps.ts';
import { issueDocuments } from './issue.ts';

export function createDocumentActivities(deps: ActivityDeps) {
  return {
    /** One round of the schedule. Answers how many were issued. */
    async issueDocuments(): Promise<number> {
      return await issueDocuments(deps, Context.current().cancellationSignal);
    },

    /** A document's file for an operator; who looked is in the account's history. Raises not_found. */
    async readDocumentFile(read: {
      id: number;
      format: DocumentFormat;
      operatorId: number;
      requestId: string;
    }): Promise<DocumentFile> {
      const { id, format, operatorId, requestId } = read;
      const file = await findDocumentFile(runner(deps.db), { id, format });
      if (file === undefined) throw notFound();
      await inTransaction(deps.db, async (tx) => {
        await recordAudit(deps.db, tx, {
          actor: { type: 'OPERATOR', id: operatorId },
          action: 'document.read',
          subject: { type: 'document', id },
          detail: { format },
          requestId,
          accountId: file.accountId,
        });
      });
      return file;
    },
  };
}
