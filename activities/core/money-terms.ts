import type { Transaction } from 'sequelize';
import { violatedConstraint } from '../../db/postgres.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { NOW } from '../../db/schema/move.ts';
import { conflict, invalid, notFound } from '../../domain/errors.ts';
import { beginOf, checkProposal, isToCome, type TermProposal } from '../../domain/money-terms.ts';
import type { ActivityDeps } from '../deps.ts';
import { recordAudit } from './audit.ts';
import { moveRecord } from './move-record.ts';
import { runStep } from './run-once.ts';

export interface TermCommand {
  termId: number;
  operatorId: number;
  requestId: string;
}

/** interface 5.21: shares and taxes, each from a day that is still to come and by two operators. */
export function createMoneyTermActivities(deps: ActivityDeps) {
  return {
    /** Waits for another operator. Raises validation_failed with every wrong field. */
    proposeTerm: async (
      proposal: TermProposal & { operatorId: number; requestId: string },
    ): Promise<{ termId: number }> => {
      const { operatorId, requestId, from, ...values } = proposal;
      checkProposal({ ...values, from }, deps.clock());
      return await runStep(deps.db, 'money_term.propose', async (tx) => {
        const { publisherId } = values;
        if (publisherId !== null) await holdPublisher(deps, tx, publisherId);
        const { id: termId } = await deps.db.models.moneyTerms.create(
          { ...values, effectiveFrom: beginOf(from), makerId: operatorId },
          { transaction: tx },
        );
        await audit(deps, tx, { termId, operatorId, requestId, move: 'propose' }, proposal);
        return { termId };
      });
    },

    /**
     * Puts it in force from its day on, between its neighbours. Raises not_found, and state_conflict for whoever
     * proposed it, for one that was decided before, and for a day that has come meanwhile.
     */
    approveTerm: async (command: TermCommand): Promise<void> => {
      try {
        await decide(deps, command, 'approve');
      } catch (error) {
        // On the database's clock, and whoever made an operator counts as him.
        const violated = violatedConstraint(error);
        if (violated === 'money_terms_to_come') throw tooLate();
        if (violated === 'money_terms_four_eyes') throw samePerson();
        throw error;
      }
    },

    /** Nothing changes; by anybody, also whoever proposed it. Raises not_found and state_conflict. */
    rejectTerm: async (command: TermCommand): Promise<void> =>
      await decide(deps, command, 'reject'),
  };
}

const samePerson = () => conflict('A second person must approve this.');
const tooLate = () => conflict('Its day has come: propose it for a later one.');

async function decide(
  deps: ActivityDeps,
  command: TermCommand,
  move: 'approve' | 'reject',
): Promise<void> {
  await runStep(deps.db, `money_term.${move}`, async (tx) => {
    const lock = { transaction: tx, lock: tx.LOCK.UPDATE };
    const term = await deps.db.models.moneyTerms.findByPk(command.termId, lock);
    if (term === null) throw notFound();
    if (move === 'approve') checkApproval(deps, term, command.operatorId);
    await moveRecord(deps.db, tx, 'moneyTerms', {
      record: term,
      state: 'status',
      action: move,
      set: { checkerId: command.operatorId, decidedAt: NOW },
    });
    await audit(deps, tx, { ...command, move }, term);
  });
}

function checkApproval(
  deps: ActivityDeps,
  { makerId, effectiveFrom, status }: RecordOf<'moneyTerms'>,
  operatorId: number,
): void {
  if (makerId === operatorId) throw samePerson();
  if (status === 'PENDING' && !isToCome(effectiveFrom, deps.clock())) throw tooLate();
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
  { termId, operatorId, requestId, move }: TermCommand & { move: string },
  term: Pick<TermProposal, 'kind' | 'publisherId' | 'country' | 'entityType' | 'ppm'>,
): Promise<void> {
  const { kind, publisherId, country, entityType, ppm } = term;
  await recordAudit(deps.db, tx, {
    actor: { type: 'OPERATOR', id: operatorId },
    action: `money_term.${move}`,
    subject: { type: 'money_term', id: termId },
    detail: { kind, publisher_id: publisherId, country, entity_type: entityType, ppm },
    requestId,
    ...(publisherId === null ? {} : { accountId: publisherId }),
  });
}
