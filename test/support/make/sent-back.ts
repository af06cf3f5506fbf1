import { partSent } from '../../../activities/deposits/balance-refund-parts.ts';
import { createActivities } from '../../../activities/index.ts';
import { inTransaction } from '../../../db/postgres.ts';
import type { TestDatabase } from '../database.ts';
import { activityDeps } from '../settlement.ts';
import { makeOperator } from './account.ts';
import { nanos } from './money.ts';

/** Unused balance that a person has sent back by hand under a reference, and that its books say so; its part's id. */
export async function sendBack(
  database: TestDatabase,
  {
    advertiserId,
    amount,
    reference,
    sentAt = new Date(),
  }: { advertiserId: number; amount: number; reference: string; sentAt?: Date },
): Promise<number> {
  const { db } = database;
  const deps = activityDeps(database);
  const activities = createActivities(deps);
  const operatorId = (await makeOperator(db, 'FINANCE')).id;
  const { balanceRefundId } = await activities.requestBalanceRefund({
    advertiserId,
    amountNanos: nanos(amount),
    reason: 'They stop',
    operatorId,
    requestId: 'test',
  });
  const refund = await db.models.depositRefunds.findOne({ where: { balanceRefundId } });
  if (refund === null) throw new Error('a request has a part');
  const said = await activities.sendRefund({ refundId: refund.id });
  if (said !== 'BY_HAND') throw new Error(`nobody sends it by hand: ${said}`);
  await inTransaction(db, async (tx) => {
    const at = { transaction: tx, hooks: false };
    const sent = { state: 'SENT', reference, sentBy: operatorId, sentAt } as const;
    await refund.update(sent, at);
    const receipt = await db.models.depositReceipts.findByPk(refund.receiptId, at);
    if (receipt === null) throw new Error('a part is of a receipt');
    await partSent(deps, tx, { refund, receipt }, operatorId);
  });
  return refund.id;
}
