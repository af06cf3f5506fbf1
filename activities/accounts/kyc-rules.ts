import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { listKycDocuments, readApprovedIdentity } from '../../db/queries/kyc.ts';
import { conflict, invalid } from '../../domain/errors.ts';
import { renewableFrom } from '../../domain/lifecycle/kyc.ts';
import type { ActivityDeps } from '../deps.ts';

/** Raises state_conflict: too early, or asked for before. */
export async function requireRenewable(
  deps: ActivityDeps,
  tx: Transaction,
  accountId: number,
): Promise<void> {
  const held = await readApprovedIdentity(runner(deps.db, tx), accountId);
  const until = held?.expiresAt ?? null;
  const from = until === null ? null : renewableFrom(until);
  const hints = { kyc_status: 'approved', renewable_from: from?.toISOString() ?? null };
  if (from === null || from > deps.clock()) {
    const message =
      from === null
        ? 'Not possible while the verification is approved.'
        : `The verification is approved: it can be renewed from ${from.toISOString().slice(0, 10)} on.`;
    throw conflict(message, hints);
  }
  const pending = { where: { accountId, status: 'PENDING' as const }, transaction: tx };
  if ((await deps.db.models.kycApplications.count(pending)) > 0) {
    throw conflict('The renewal is being looked at.', hints);
  }
}

export async function requireOwnDocuments(
  deps: ActivityDeps,
  tx: Transaction,
  { accountId, documentIds }: { accountId: number; documentIds: readonly number[] },
): Promise<void> {
  const found = await listKycDocuments(runner(deps.db, tx), documentIds);
  const own = new Set(found.filter((row) => row.accountId === accountId).map(({ id }) => id));
  const foreign = documentIds.filter((id) => !own.has(id));
  if (foreign.length === 0) return;
  const message = `not among your documents: ${foreign.join(', ')}`;
  throw invalid({ field: 'document_ids', code: 'unknown', message });
}
