import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { ref } from '../../db/schema/column.ts';
import { readRow, select } from '../../db/schema/selection.ts';
import { sendsBack } from '../../domain/deposit-terms.ts';
import { presentAmount } from '../../domain/money.ts';
import type { Question } from '../../workflows/contracts/stages.ts';
import type { ActivityDeps } from '../deps.ts';
import { openQuestion } from '../review/open-question.ts';
import { openTask } from '../review/tasks.ts';
import { flowOfRefund, lockRefund } from './deposit-refund-rows.ts';

const DUE_MS = 24 * 3_600_000;

const ASKED = select({ times: ref().of('count(*)') });

/** The task of whoever sends it by hand or mends it at the provider, or the one that is open. Null: it has ended. */
export async function openRefundTask(
  deps: ActivityDeps,
  tx: Transaction,
  refundId: number,
): Promise<Question | null> {
  const { refund, receipt, deposit } = await lockRefund(deps, tx, refundId);
  if (refund.state === 'SENT' || refund.state === 'RELEASED') return null;
  const workflowId = flowOfRefund(refund);
  const isPart = refund.balanceRefundId !== null;
  const open = await openQuestion(deps, workflowId, tx, 'deposit_refund');
  if (open !== null) return open;
  const asked = await readRow(
    runner(deps.db, tx),
    ASKED,
    `SELECT ${ASKED.list} FROM tasks t WHERE t.workflow_id = $1 AND t.kind = 'deposit_refund'`,
    [workflowId],
  );
  const byMachine = sendsBack(deposit.paymentMethod);
  await openTask(deps, tx, {
    kind: 'deposit_refund',
    subject: { type: 'deposit', id: deposit.id },
    accountId: deposit.advertiserId,
    heading: {
      form: isPart ? 'SEND_BACK_BALANCE' : 'SEND_BACK',
      amount: presentAmount(refund.amountNanos),
      reference: deposit.reference,
      method: deposit.paymentMethod,
      provider_reference: receipt.providerReference,
    },
    findings: byMachine
      ? [
          {
            code: refund.state === 'BY_HAND' ? 'REFUND_REFUSED' : 'REFUND_WITHOUT_END',
            severity: 'notice',
            note: refund.answer ?? 'no answer',
          },
        ]
      : [],
    decisions: [
      'sent_back',
      ...(byMachine ? ['send_again'] : []),
      // Where no way leads back: it is the advertiser's to spend again.
      ...(isPart ? ['give_back'] : []),
    ],
    payload: {
      receipt_id: receipt.id,
      ...(isPart ? { balance_refund_id: refund.balanceRefundId } : {}),
    },
    workflowId,
    dedupeKey: `${workflowId}:refund:${(asked?.times ?? 0) + 1}`,
    dueAt: new Date(deps.clock().getTime() + DUE_MS),
  });
  return await openQuestion(deps, workflowId, tx, 'deposit_refund');
}
