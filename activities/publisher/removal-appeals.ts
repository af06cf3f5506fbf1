import { nextId } from '../../db/next-id.ts';
import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { sumUnbilled } from '../../db/queries/unbilled-events.ts';
import { loadSettings } from '../../db/settings.ts';
import { needsSecondPerson } from '../../domain/second-person.ts';
import { conflict, DomainError, invalid, notFound } from '../../domain/errors.ts';
import type { RemovalAppealStatus } from '../../domain/lifecycle/removal-appeal.ts';
import { checkAppealDay } from '../../domain/removal-appeal.ts';
import type { Reason } from '../../domain/tracking/facts.ts';
import type { DecideInput } from '../../workflows/contracts/decision.ts';
import {
  type RemovalAppealInput,
  removalAppealStart,
  removalAppealWorkflowId,
} from '../../workflows/contracts/removal-appeal.ts';
import type { Question } from '../../workflows/contracts/stages.ts';
import { notify } from '../accounts/notifications.ts';
import { recordOwn } from '../core/history.ts';
import { moveRecord } from '../core/move-record.ts';
import { startFlow } from '../core/outbox.ts';
import { runOnce, runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import { wouldEarn } from '../reversals/appeal-restores.ts';
import { openQuestion } from '../review/open-question.ts';
import { loadDecision, markDecided } from '../review/task-decisions.ts';
import { openTask } from '../review/tasks.ts';

/** An operator should look within three days. */
const DUE_MS = 3 * 86_400_000;

export interface RemovalAppeal {
  publisherId: number;
  zoneId: number;
  /** `YYYY-MM-DD`, UTC */
  day: string;
  reason: Reason;
  text: string;
}

/** SECOND: one person upheld it, and another is asked. A type and no interface: it is kept as JSON. */
type Outcome = { outcome: RemovalAppealStatus | 'SECOND' };

export function createRemovalAppealActivities(deps: ActivityDeps) {
  return {
    /**
     * Asks a person to look at what was removed of one zone, day and reason; once, ever. Raises
     * validation_failed (a day that is not over or too old, another's zone), state_conflict where
     * nothing was removed, already_claimed when it was appealed before.
     */
    openRemovalAppeal: async (appeal: RemovalAppeal): Promise<{ appealId: number }> =>
      await runStep(deps.db, 'removal_appeal.appeal', async (tx) => await open(deps, tx, appeal)),

    /** Key `removal-appeal:{id}:task`. The outcome where it was decided: its flow is begun again. */
    async openRemovalAppealTask(input: RemovalAppealInput): Promise<Question | Outcome> {
      const workflowId = removalAppealWorkflowId(input);
      const appeal = await deps.db.models.removalAppeals.findByPk(input.appealId);
      if (appeal === null) throw notFound();
      const { publisherId, zoneId, day, reason, status, upheldBy } = appeal;
      if (status !== 'OPEN') return { outcome: status };
      if (upheldBy !== null) return { outcome: 'SECOND' };
      return await runOnce(deps.db, `${workflowId}:task`, async (tx) => {
        const taskId = await openTask(deps, tx, {
          kind: 'removal_appeal',
          subject: { type: 'removal_appeal', id: input.appealId },
          accountId: publisherId,
          heading: { form: 'REMOVED_EVENTS', reason, zone_id: zoneId, day },
          decisions: ['uphold', 'reject'],
          workflowId,
          dedupeKey: `${workflowId}:task`,
          dueAt: new Date(deps.clock().getTime() + DUE_MS),
        });
        return (await openQuestion(deps, workflowId, tx)) ?? { taskId };
      });
    },

    /** Whoever upheld it is not asked. Key `removal-appeal:{id}:second`. */
    async openRemovalAppealSecondTask(input: RemovalAppealInput): Promise<Question> {
      const workflowId = removalAppealWorkflowId(input);
      return await runOnce(deps.db, `${workflowId}:second`, async (tx) => {
        const appeal = await deps.db.models.removalAppeals.findByPk(input.appealId, {
          transaction: tx,
          rejectOnEmpty: true,
        });
        const { publisherId, zoneId, day, reason, upheldBy } = appeal;
        const taskId = await openTask(deps, tx, {
          kind: 'removal_appeal_second_approval',
          subject: { type: 'removal_appeal', id: input.appealId },
          accountId: publisherId,
          heading: { form: 'REMOVED_EVENTS', reason, zone_id: zoneId, day },
          decisions: ['uphold', 'reject'],
          makerId: upheldBy,
          workflowId,
          dedupeKey: `${workflowId}:second`,
          dueAt: new Date(deps.clock().getTime() + DUE_MS),
        });
        return (await openQuestion(deps, workflowId, tx)) ?? { taskId };
      });
    },

    /**
     * Key `removal-appeal:{id}:apply:{decision}`. SECOND: what it brings is above the operators' limit, and
     * another person must agree. Raises state_conflict when it was decided before, and for that other
     * person who is the same.
     */
    async applyRemovalAppealDecision(
      input: RemovalAppealInput & { decision: DecideInput },
    ): Promise<Outcome> {
      const key = `${removalAppealWorkflowId(input)}:apply:${input.decision.decisionId}`;
      return await runOnce(deps.db, key, async (tx) => await decide(deps, tx, input));
    },
  };
}

async function open(
  deps: ActivityDeps,
  tx: Transaction,
  appeal: RemovalAppeal,
): Promise<{ appealId: number }> {
  const { publisherId, zoneId, day, reason } = appeal;
  checkAppealDay(day, deps.clock());
  const sql = runner(deps.db, tx);
  const zone = await deps.db.models.zones.findOne({
    where: { id: zoneId, publisherId },
    transaction: tx,
  });
  if (zone === null) {
    throw invalid({ field: 'zone_id', code: 'unknown', message: 'is not among your zones' });
  }
  const days = { startDate: day, endDate: day };
  const filter = { ...days, reason, publisherId, zoneId, isReported: true, isJudgedSo: true };
  const [removed] = await sumUnbilled(sql, filter, { by: ['date'], limit: 1 });
  if (removed === undefined) {
    throw conflict('Nothing of this zone was removed that day for this reason.');
  }
  // The id names the flow, so it is taken before the row is written.
  const appealId = await nextId(sql, 'removal_appeals');
  const input: RemovalAppealInput = { appealId };
  const { impressions, clicks, conversions } = removed;
  const { rows } = await sql.query(
    `INSERT INTO removal_appeals (id, publisher_id, zone_id, day, reason, text, impressions, clicks,
       conversions, workflow_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (publisher_id, zone_id, day, reason) DO NOTHING RETURNING id`,
    [
      appealId,
      publisherId,
      zoneId,
      day,
      reason,
      appeal.text,
      impressions,
      clicks,
      conversions,
      removalAppealWorkflowId(input),
    ],
  );
  if (rows.length === 0) {
    throw new DomainError('already_claimed', { message: 'This was appealed before.' });
  }
  const subject = { type: 'removal_appeal', id: appealId };
  await recordOwn(deps.db, tx, {
    accountId: publisherId,
    action: 'removal_appeal.appeal',
    subject,
  });
  await startFlow(deps, tx, removalAppealStart(input), { accountId: publisherId });
  return { appealId: appealId };
}

async function decide(
  deps: ActivityDeps,
  tx: Transaction,
  input: RemovalAppealInput & { decision: DecideInput },
): Promise<Outcome> {
  const workflowId = removalAppealWorkflowId(input);
  const decided = await loadDecision(deps, tx, {
    ...input.decision,
    workflowId,
    kinds: ['removal_appeal', 'removal_appeal_second_approval'],
  });
  const record = await deps.db.models.removalAppeals.findByPk(input.appealId, {
    transaction: tx,
    lock: tx.LOCK.UPDATE,
    rejectOnEmpty: true,
  });
  const isUpheld = decided.decision === 'uphold';
  const { operatorId } = decided;
  if (isUpheld && record.upheldBy === operatorId) {
    throw conflict('A second person must approve this.');
  }
  if (isUpheld && record.upheldBy === null) {
    const sql = runner(deps.db, tx);
    const isLarge = needsSecondPerson(
      await loadSettings(sql),
      'payout',
      await wouldEarn(sql, record),
    );
    await record.update({ upheldBy: operatorId }, { transaction: tx });
    if (isLarge) {
      await markDecided(deps, tx, decided);
      return { outcome: 'SECOND' };
    }
  }
  const reasons = isUpheld ? null : decided.reasons;
  await moveRecord(deps.db, tx, 'removalAppeals', {
    record,
    state: 'status',
    action: isUpheld ? 'uphold' : 'reject',
    set: { reasons, decidedAt: deps.clock() },
  });
  await markDecided(deps, tx, decided);
  const { publisherId: accountId, day } = record;
  const subject = { type: 'removal_appeal', id: input.appealId };
  await recordOwn(deps.db, tx, {
    accountId,
    by: { operatorId: decided.operatorId },
    action: isUpheld ? 'removal_appeal.uphold' : 'removal_appeal.reject',
    subject,
    reasons,
  });
  await notify(deps, tx, {
    accountId,
    kind: 'appeal_decided',
    subject,
    params: { name: day, decision: isUpheld ? 'approved' : 'rejected', reasons },
  });
  return { outcome: isUpheld ? 'UPHELD' : 'REJECTED' };
}
