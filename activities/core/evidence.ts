import type { Transaction } from 'sequelize';
import { invalid } from '../../domain/errors.ts';
import type { ActivityDeps } from '../deps.ts';

/** Evidence is shown by whoever uploaded it: another's is as unknown as what never was. Raises validation_failed. */
export async function requireOwnEvidence(
  { db }: Pick<ActivityDeps, 'db'>,
  tx: Transaction,
  { evidenceId: id, operatorId }: { evidenceId: number | null; operatorId: number },
): Promise<void> {
  if (id === null) return;
  const found = await db.models.receiptEvidence.findOne({
    where: { id, operatorId },
    transaction: tx,
  });
  if (found !== null) return;
  const message = 'No such evidence of yours.';
  throw invalid({ field: 'evidence_id', code: 'unknown', message });
}
