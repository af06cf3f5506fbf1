import { randomBytes } from 'node:crypto';
import { isRail } from '../../../domain/deposit-terms.ts';
import { insertRow } from '../../support/make/row.ts';
import { byWorkers, pick, together, unlessRefused } from '../../support/model.ts';
import type { Command, Order, Receipt } from './deposits-model.ts';
import type { World } from './deposits-world.ts';

let serial = 0;

/** What operators do: receipts that they enter, statements, decisions, and balance that is asked back. */
export class Desk {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** One whose receipts persons enter. */
  byHand(of: number): Order | undefined {
    return pick(
      this.#world.model.orders.filter(({ method }) => !isRail(method)),
      of,
    );
  }

  /** Typed in by an operator, once or twice at once, for this order or for another one at the same time. */
  async record(order: Order, each: Extract<Command, { do: 'record' }>): Promise<void> {
    const { id: operatorId } = this.#world.person(each.by);
    const alike = this.#world.model.orders.filter(
      (one) => one.method === order.method && one !== order,
    );
    const other = pick(alike, each.other) ?? order;
    const reference = `PAID-${each.reference}-${this.#world.advertisers[0]}`;
    const amountNanos = (order.amountNanos * BigInt(each.percent)) / 100n;
    const of = each.isElsewhere ? [order, other] : [order];
    await together(
      of.map(async (one) => {
        const evidence = one.method === 'OFFLINE' ? await this.#evidence(operatorId) : null;
        const made = await unlessRefused(
          this.#world.steps.recordReceipt({
            depositId: one.id,
            amountNanos,
            reference,
            receivedAt: null,
            evidence: evidence === null ? null : { id: evidence, field: 'evidence_id' },
            reason: 'brought',
            operatorId,
            requestId: 'model',
          }),
        );
        if (made === undefined) return;
        this.#world.model.claims(one, reference, amountNanos);
      }),
    );
  }

  async #evidence(operatorId: number): Promise<number> {
    return await insertRow(this.#world.stand.database, 'receipt_evidence', {
      sha256: randomBytes(32).toString('hex'),
      mime: 'application/pdf',
      bytes: 1,
      path: `model-${(serial += 1)}`,
      operator_id: operatorId,
    });
  }

  /** A line that fits its order, in one statement or in two; recorded by so many operators at once. */
  async statement(order: Order, each: Extract<Command, { do: 'statement' }>): Promise<void> {
    if (order.method !== 'BANK') return;
    const { id: operatorId } = this.#world.person(each.by);
    const by = { operatorId, requestId: 'model' };
    const reference = `PAID-${each.reference}-${this.#world.advertisers[0]}`;
    const bookedOn = new Date().toISOString().slice(0, 10);
    const said = {
      line: 2,
      bookedOn,
      amountNanos: order.amountNanos,
      currency: 'USD',
      payer: null,
    };
    const line = { ...said, reference, remittance: order.reference };
    await byWorkers(each.workers, async () => {
      const made = await unlessRefused(
        this.#world.steps.importStatement({
          ...by,
          account: `DE-${this.#world.advertisers[0]}`,
          fileName: null,
          format: 'CSV',
          sha256: randomBytes(32).toString('hex'),
          statement: { lines: [line], others: [], balances: [] },
        }),
      );
      if (made === undefined) return;
      const { statementId } = made;
      const { rows } = await this.#world.query<{ id: string }>(
        'SELECT id FROM bank_statement_lines WHERE statement_id = $1',
        [statementId],
      );
      const lines = rows.map(({ id }) => ({ id: Number(id), depositId: null }));
      if (lines.length === 0) return;
      const recorded = await this.#world.steps.recordStatementLines({
        ...by,
        statementId,
        lines,
        isRehearsal: false,
      });
      if (recorded.every(({ refusal }) => refusal === null)) {
        this.#world.model.claims(order, reference, order.amountNanos);
      }
    });
  }

  /** Whatever is asked about an order or its money, answered by one person. */
  async decide(
    order: Order,
    each: { by: number; says: 'yes' | 'no'; workers: number; nth: number },
  ): Promise<void> {
    const { rows } = await this.#world.query<{
      id: string;
      kind: string;
      flow: string;
      receipt: string;
    }>(
      `SELECT id, kind, workflow_id AS flow, payload ->> 'receipt_id' AS receipt FROM tasks
       WHERE subject_type = 'deposit' AND subject_id = $1 AND status = 'open' ORDER BY id`,
      [order.id],
    );
    const task = pick(rows, each.nth);
    if (task === undefined) return;
    const receipt = await this.#world.receipt(Number(task.receipt));
    const by = this.#world.person(each.by);
    const of = { id: Number(task.id), kind: task.kind, flow: task.flow };
    const decision = this.#wordOf(of, receipt, each.says);
    const made = await unlessRefused(
      this.#world.steps.decideTask({
        taskId: of.id,
        operator: by,
        decision,
        reasons: decision === 'reject' ? [{ code: 'WRONG_AMOUNT' }] : [],
        note: decision === 'sent_back' ? `BY-HAND-${of.id}` : null,
        evidenceMediaId: null,
        requestId: 'model',
      }),
    );
    if (made === undefined) return;
    const input = { taskId: of.id, decisionId: made.decisionId };
    const answers = await byWorkers(
      each.workers,
      async () => await unlessRefused(this.#apply(order, receipt, of, input)),
    );
    const [answer] = answers.filter((said) => said !== undefined);
    if (answer === undefined) await this.#world.steps.refuseDecision(input, 'refused');
    else
      this.#world.model.decided({
        order,
        receipt,
        flow: of.flow,
        kind: of.kind,
        decision,
        by: by.id,
        answer,
      });
  }

  async #apply(
    order: Order,
    receipt: Receipt,
    { kind, flow }: { kind: string; flow: string },
    decision: { taskId: number; decisionId: number },
  ): Promise<string> {
    if (kind === 'suspense') {
      return await this.#world.steps.applySuspenseDecision({ receiptId: receipt.id, decision });
    }
    if (kind === 'deposit_refund') {
      const way = flow.startsWith('refund:')
        ? { refundId: Number(flow.slice('refund:'.length)) }
        : { receiptId: receipt.id };
      return await this.#world.steps.applyRefundDecision({ ...way, decision });
    }
    return await this.#world.steps.applyDepositDecision({ depositId: order.id, decision });
  }

  /** A person looks at the wallet before they say that they sent it back by hand. */
  #wordOf(
    { kind, flow }: { kind: string; flow: string },
    receipt: Receipt,
    says: 'yes' | 'no',
  ): string {
    if (kind === 'suspense') return says === 'yes' ? 'credit' : 'refund';
    if (kind !== 'deposit_refund') return says === 'yes' ? 'approve' : 'reject';
    const refundId = flow.startsWith('refund:') ? Number(flow.slice('refund:'.length)) : receipt.id;
    if (this.#world.wentBack(receipt.order, refundId) > 0n) return 'send_again';
    if (says === 'yes') return 'sent_back';
    return flow.startsWith('refund:') ? 'give_back' : 'send_again';
  }

  async askRefund(each: Extract<Command, { do: 'refund' }>): Promise<void> {
    const advertiserId = pick(this.#world.advertisers, each.of) ?? 0;
    const { id: operatorId } = this.#world.person(each.by);
    await byWorkers(each.workers, async () => {
      const asked = await unlessRefused(
        this.#world.steps.requestBalanceRefund({
          advertiserId,
          amountNanos: each.amount,
          reason: 'They stop',
          operatorId,
          requestId: 'model',
        }),
      );
      if (asked === undefined) return;
      const { rows } = await this.#world.query<{ id: string; receipt: string; nanos: string }>(
        `SELECT id, receipt_id AS receipt, amount_nanos AS nanos FROM deposit_refunds WHERE balance_refund_id = $1`,
        [asked.balanceRefundId],
      );
      const parts = [];
      for (const row of rows) {
        const receipt = await this.#world.receipt(Number(row.receipt));
        parts.push({ id: Number(row.id), receipt, amountNanos: BigInt(row.nanos) });
      }
      this.#world.model.asksRefund(
        { ...asked, advertiserId, maker: operatorId, amountNanos: each.amount },
        parts,
      );
    });
  }

  async answerRefund(each: Extract<Command, { do: 'answer_refund' }>): Promise<void> {
    const request = pick(this.#world.model.requests, each.of);
    if (request?.approvalId === undefined || request.approvalId === null) return;
    const { id: operatorId } = this.#world.person(each.by);
    const { approvalId } = request;
    const command = { approvalId, operatorId, requestId: 'model' };
    const steps = this.#world.steps;
    const asked = {
      approve: async () => await steps.approveApproval(command),
      refuse: async () => await steps.refuseApproval({ ...command, note: 'no' }),
      withdraw: async () => await steps.withdrawApproval(command),
    }[each.says];
    const done = await unlessRefused(asked().then(() => true));
    if (done === true) this.#world.model.answersRefund(request, each.says, operatorId);
  }
}
