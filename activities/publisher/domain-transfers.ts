import type { Transaction } from 'sequelize';
import { inTransaction } from '../../db/postgres.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import type { DecideInput } from '../../workflows/contracts/decision.ts';
import {
  domainTransferWorkflowId,
  type TransferLook,
  type TransferSeen,
} from '../../workflows/contracts/domain-transfer.ts';
import { recordOwn } from '../core/history.ts';
import { runOnce, runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import { loadDecision, markDecided } from '../review/task-decisions.ts';
import { answer, lockAll, lookAtBoth, siteOf } from './domain-transfer-look.ts';
import {
  endTransfer,
  moveDomain,
  wakeTransfer,
  withdrawTransfersOf,
} from './domain-transfer-steps.ts';

/** The steps of workflows/domain-transfer.ts, and what either side may say. */
export function createDomainTransferActivities(deps: ActivityDeps) {
  return {
    /**
     * Whoever holds a domain that somebody asks for says that it is theirs: a person decides then. Raises
     * not_found for a site of another account, state_conflict when nobody asks or it was said before.
     */
    async objectToTransfer(of: TransferSide & { text: string }): Promise<void> {
      await runStep(deps.db, 'domain_transfer.object', async (tx) => {
        await lockOwnSite(deps, tx, of);
        const asked = await deps.db.models.domainTransfers.findAll({
          where: { holderSiteId: of.siteId, status: ['NOTICE'], objectedAt: null },
          transaction: tx,
          lock: tx.LOCK.UPDATE,
        });
        if (asked.length === 0) throw conflict('Nobody asks for this domain.');
        for (const transfer of asked) {
          const said = { objection: of.text, objectedAt: deps.clock() };
          await transfer.update(said, { transaction: tx });
          await wakeTransfer(deps, tx, transfer.id, 'objected');
        }
        await recordTransfer(deps, tx, of, 'object');
      });
    },

    /** The claimant asks no more. Raises not_found, and state_conflict when nothing is asked. */
    async withdrawTransfer(of: TransferSide): Promise<void> {
      await runStep(deps.db, 'domain_transfer.withdraw', async (tx) => {
        await lockOwnSite(deps, tx, of);
        if ((await withdrawTransfersOf(deps, tx, of.siteId)) === 0) {
          throw conflict('No transfer of this domain is asked for.');
        }
        await recordTransfer(deps, tx, of, 'withdraw');
      });
    },

    async readTransferStatus({ transferId }: { transferId: number }): Promise<string> {
      const transfer = await deps.db.models.domainTransfers.findByPk(transferId);
      return transfer?.status ?? 'WITHDRAWN';
    },

    /**
     * Looks at both proofs when the notice has ended or the holder objected, and answers. The network answers
     * before the transaction opens. What was answered before is in the rows, and harmless twice: a flow that is
     * begun again hears how it stands by now.
     */
    async lookAtTransfer({ transferId }: TransferLook): Promise<TransferSeen> {
      const proofs = await lookAtBoth(deps, transferId);
      return await inTransaction(deps.db, async (tx) => await answer(deps, tx, transferId, proofs));
    },

    /** Key `domain-transfer:<id>:decide:<decision>`. Answers the status that it led to. */
    async applyTransferDecision(input: {
      transferId: number;
      decision: DecideInput;
    }): Promise<string> {
      const workflowId = domainTransferWorkflowId(input.transferId);
      const key = `${workflowId}:decide:${input.decision.decisionId}`;
      return await runOnce(deps.db, key, async (tx) => {
        const { transfer, claimant, holder } = await lockAll(deps, tx, input.transferId);
        const decision = await loadDecision(deps, tx, {
          ...input.decision,
          workflowId,
          kinds: ['domain_transfer'],
        });
        if (decision.decision === 'approve') {
          if (claimant === null) throw conflict('The site that asks is no more.');
          await moveDomain(deps, tx, {
            transfer,
            claimant,
            holder: await siteOf(deps, tx, holder),
          });
        } else {
          const reason = decision.reasons[0]?.code ?? 'DECIDED';
          await endTransfer(deps, tx, transfer, { action: 'refuse', status: 'failed', reason });
        }
        await markDecided(deps, tx, decision);
        return transfer.status;
      });
    },
  };
}

/** A site of either side, and whose it is. */
interface TransferSide {
  siteId: number;
  publisherId: number;
}

async function lockOwnSite(
  deps: ActivityDeps,
  tx: Transaction,
  { siteId: id, publisherId }: TransferSide,
): Promise<void> {
  const site = await deps.db.models.sites.findOne({
    where: { id, publisherId },
    transaction: tx,
    lock: tx.LOCK.UPDATE,
  });
  if (site === null || site.status === 'ARCHIVED') throw notFound();
}

const recordTransfer = async (
  deps: ActivityDeps,
  tx: Transaction,
  { siteId: id, publisherId: accountId }: TransferSide,
  verb: 'object' | 'withdraw',
): Promise<void> => {
  const subject = { type: 'site', id };
  await recordOwn(deps.db, tx, { accountId, action: `site.transfer_${verb}`, subject });
};
