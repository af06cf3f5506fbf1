import { inTransaction } from '../../db/postgres.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { isRail, worthOf } from '../../domain/deposit-terms.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import type { ActivityDeps } from '../deps.ts';
import type { DepositProvider, PaymentFinding, PaymentOrder } from '../providers/deposit-port.ts';
import { moveDeposit } from './deposit-moves.ts';
import { lockDeposit, postReceipt, tookReference } from './deposits.ts';

type Payment = RecordOf<'depositPayments'>;
type Deposit = RecordOf<'deposits'>;

/** AWAY: the provider could not be asked, or did not answer so that it can be believed. */
export type Opened = 'OPEN' | 'REFUSED' | 'AWAY';
/** COMING: seen on its way, and not final yet. */
export type Asked = 'PAID' | 'WAITING' | 'COMING' | 'CLOSED' | 'ODD' | 'AWAY';
export type Closed = 'CLOSED' | 'PAID' | 'AWAY';

type Paid = Extract<PaymentFinding, { state: 'PAID' }>;

/** What workflows/deposit.ts and workflows/deposit-payment.ts do with an order's provider. */
export function createDepositPaymentActivities(deps: ActivityDeps) {
  return {
    /**
     * Tells the provider of the order, once or again: its number is the same in every try, so that it is
     * one there also where the answer was lost. A refusal ends the order.
     */
    async openPayment({ depositId }: { depositId: number }): Promise<Opened> {
      const { payment, order, provider } = await paymentOf(deps, depositId);
      if (payment.refused !== null) return 'REFUSED';
      if (payment.openedAt !== null) return 'OPEN';
      const opening = await tried(deps, depositId, provider, async (at) => await at.open(order));
      if (opening === undefined) return 'AWAY';
      return await inTransaction(deps.db, async (tx) => {
        const deposit = await lockDeposit(deps, tx, depositId);
        if (opening.state === 'REFUSED') {
          await payment.update({ refused: opening.reason }, { transaction: tx });
          if (deposit.status === 'PENDING') await moveDeposit(deps, tx, deposit, 'fail');
          return 'REFUSED';
        }
        const { instructions } = opening;
        const address = instructions.kind === 'ADDRESS' ? instructions.address : null;
        const opened = { instructions, address, openedAt: deps.clock() };
        await payment.update(opened, { transaction: tx });
        return 'OPEN';
      });
    },

    /**
     * Asks the provider, and posts what it says has been paid: a receipt of its own reference, once,
     * however often and by whomever this is called. Nothing else of a notification is believed.
     */
    async askPayment({ depositId }: { depositId: number }): Promise<Asked> {
      const { payment, deposit, order, provider } = await paymentOf(deps, depositId);
      const finding = await tried(deps, depositId, provider, async (at) => await at.query(order));
      const said = finding === undefined ? 'AWAY' : saidOf(finding, payment);
      await payment.update({ askedAt: deps.clock(), answer: said });
      if (finding?.state === 'PAID' && said === 'PAID') {
        await receivePayment(deps, deposit, {
          ...finding,
          amountNanos: worthOf(finding.paidNanos, {
            payNanos: order.payNanos,
            amountNanos: deposit.amountNanos,
          }),
        });
        return 'PAID';
      }
      if (finding === undefined) return 'AWAY';
      if (finding.state === 'WAITING' && payment.confirmationsSeen !== null) return 'COMING';
      return finding.state === 'PAID' ? 'ODD' : finding.state;
    },

    /** Nobody can pay it any more. PAID: somebody was faster, and it has to be asked about. */
    async closePayment({ depositId }: { depositId: number }): Promise<Closed> {
      const { payment, order, provider } = await paymentOf(deps, depositId);
      if (payment.closedAt !== null) return 'CLOSED';
      const closed = await tried(deps, depositId, provider, async (at) => await at.close(order));
      if (closed === undefined) return 'AWAY';
      if (closed === 'CLOSED') await payment.update({ closedAt: deps.clock() });
      return closed;
    },
  };
}

/** A word for the operators' page. */
function saidOf(finding: PaymentFinding, { payCurrency }: Payment): string {
  if (finding.state === 'ODD') return finding.reason;
  if (finding.state === 'PAID' && finding.currency !== payCurrency) return 'OTHER_CURRENCY';
  return finding.state;
}

/** Raises not_found where the order has no provider. */
export async function paymentOf(
  deps: ActivityDeps,
  depositId: number,
): Promise<{
  deposit: Deposit;
  payment: Payment;
  order: PaymentOrder;
  provider: DepositProvider | undefined;
}> {
  const deposit = await deps.db.models.deposits.findByPk(depositId);
  const payment = await deps.db.models.depositPayments.findByPk(depositId);
  if (deposit === null || payment === null || !isRail(deposit.paymentMethod)) throw notFound();
  return {
    deposit,
    payment,
    provider: deps.providers.rails.provider(deposit.paymentMethod),
    order: {
      orderNo: deposit.reference,
      depositId,
      payNanos: payment.payNanos,
      payCurrency: payment.payCurrency,
      network: payment.network,
      expiresAt: deposit.expiresAt,
    },
  };
}

/** Undefined: no answer that can be believed. What the call did is found out by asking. */
export async function tried<Answer>(
  deps: ActivityDeps,
  depositId: number,
  provider: DepositProvider | undefined,
  call: (provider: DepositProvider) => Promise<Answer>,
): Promise<Answer | undefined> {
  if (provider === undefined) return undefined;
  try {
    return await call(provider);
  } catch (error) {
    deps.log.warn({ err: error, deposit_id: depositId }, 'a payment provider could not be asked');
    return undefined;
  }
}

/** Money that a provider says has come for an order, in whatever state the order is. */
export async function receivePayment(
  deps: ActivityDeps,
  { id: depositId }: Pick<Deposit, 'id'>,
  paid: Pick<Paid, 'reference' | 'paidAt'> & { amountNanos: bigint },
): Promise<void> {
  if (paid.amountNanos <= 0n) return;
  const now = deps.clock();
  try {
    await inTransaction(deps.db, async (tx) => {
      const deposit = await lockDeposit(deps, tx, depositId);
      await postReceipt(deps, tx, deposit, {
        depositId,
        amountNanos: paid.amountNanos,
        reference: paid.reference,
        // A provider's clock may run ahead of ours.
        receivedAt: paid.paidAt !== null && paid.paidAt < now ? paid.paidAt : now,
        evidence: null,
        operatorId: null,
        requestId: null,
      });
    });
  } catch (error) {
    // Another order or another sum has it: a provider that names one payment twice credits it once.
    const isTaken = error instanceof DomainError && error.token === 'already_claimed';
    if (!isTaken && !tookReference(error)) throw error;
    deps.log.error({ deposit_id: depositId }, 'a provider named one payment twice, and otherwise');
  }
}
