import type { Transaction } from 'sequelize';
import { invalid } from '../../domain/errors.ts';
import { beginOf, checkProposal, type TermProposal } from '../../domain/money-terms.ts';
import type { ActivityDeps } from '../deps.ts';
import { recordAudit } from './audit.ts';
import { runStep } from './run-once.ts';

interface ProposeTerm extends TermProposal {
  operatorId: number;
  requestId: string;
}

/** interface 5.21: shares and taxes, each from a day that is still to come and by two operators. */
export function createMoneyTermActivities(deps: ActivityDeps) {
  return {
    /** Waits for another operator, by the approval that the database asks for. Raises validation_failed with every wrong field. */
    proposeTerm: async (proposal: ProposeTerm): Promise<{ termId: number }> => {
      const { operatorId, requestId: _request, from, ...values } = proposal;
      checkProposal({ ...values, from }, deps.clock());
      return await runStep(deps.db, 'money_term.propose', async (tx) => {
        const { publisherId } = values;
        if (publisherId !== null) await holdPublisher(deps, tx, publisherId);
        const { id: termId } = await deps.db.models.moneyTerms.create(
          { ...values, effectiveFrom: beginOf(from), makerId: operatorId },
          { transaction: tx },
        );
        await audit(deps, tx, { ...proposal, termId });
        return { termId };
      });
    },
  };
}

async function holdPublisher(deps: ActivityDeps, tx: Transaction, id: number): Promise<void> {
  const found = await deps.db.models.accounts.findOne({
    where: { id, kind: 'PUBLISHER' },
    transaction: tx,
  });
  if (found === null) {
    const message = 'is no publisher of this platform';
    throw invalid({ field: 'publisher_id', code: 'not_found', message });
  }
}

async function audit(
  deps: ActivityDeps,
  tx: Transaction,
  { termId, operatorId, requestId, ...term }: ProposeTerm & { termId: number },
): Promise<void> {
  const { kind, publisherId, country, entityType, ppm } = term;
  await recordAudit(deps.db, tx, {
    actor: { type: 'OPERATOR', id: operatorId },
    action: 'money_term.propose',
    subject: { type: 'money_term', id: termId },
    detail: { kind, publisher_id: publisherId, country, entity_type: entityType, ppm },
    requestId,
    ...(publisherId === null ? {} : { accountId: publisherId }),
  });
}
