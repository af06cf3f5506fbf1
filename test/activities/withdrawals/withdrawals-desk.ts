import { byWorkers, type Person, unlessRefused } from '../../support/model.ts';
import { type Asked, type Command, ends, LOOKS_MAX } from './withdrawals-model.ts';
import type { World } from './withdrawals-world.ts';

const REVIEW = { yes: 'approve', no: 'reject', wait: null } as const;
const DECIDED: ReadonlySet<string> = new Set(['PAID', 'FAILED', 'REJECTED']);

/** What operators do: reviews, files that are carried to the bank, what became of a payout, and what came back. */
export class Desk {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Whatever is asked about it, answered by what is true at its provider. */
  async decide(
    of: Asked,
    each: Omit<Extract<Command, { do: 'decide' }>, 'do' | 'of'>,
  ): Promise<void> {
    // Nobody is asked before what was sent has been answered or given up.
    await Promise.all(of.sending);
    const by = this.#world.person(each.by);
    const { pool } = this.#world.stand.database;
    const { rows } = await pool.query<{ id: string; kind: string }>(
      `SELECT id, kind FROM tasks WHERE workflow_id = $1 AND status = 'open'`,
      [`withdrawal:${of.id}`],
    );
    const [task] = rows;
    if (task === undefined) return;
    const said = task.kind === 'payout_unknown' ? await this.#truth(of, each) : REVIEW[each.says];
    if (said === null) return;
    const taskId = Number(task.id);
    const made = await unlessRefused(
      this.#world.steps.decideTask({
        taskId,
        operator: by,
        decision: said,
        reasons: said === 'reject' ? [{ code: 'OTHER', note: 'Not as agreed' }] : [],
        note: null,
        evidenceMediaId: null,
        requestId: 'model',
      }),
    );
    if (made === undefined) return;
    const decision = { taskId, decisionId: made.decisionId };
    if (said === 'approve') of.approvedBy.add(by.id);
    if (said === 'confirm_failed') of.failedBy.add(by.id);
    const answers = await byWorkers(each.workers, async () => await this.#apply(of, decision));
    if (answers.every((answer) => answer === undefined)) {
      await this.#world.steps.refuseDecision(decision, 'refused');
      if (said === 'approve') of.approvedBy.delete(by.id);
      if (said === 'confirm_failed') of.failedBy.delete(by.id);
    }
    for (const answer of answers) {
      if (answer !== undefined && DECIDED.has(answer))
        ends(of, answer as NonNullable<Asked['end']>);
    }
  }

  /** As its flow: the provider is asked first where it must be. */
  async #apply(
    of: Asked,
    decision: { taskId: number; decisionId: number },
  ): Promise<string | undefined> {
    for (let look = 0; look < LOOKS_MAX; look += 1) {
      const applied = this.#world.steps.applyWithdrawalDecision({
        withdrawalId: of.id,
        decision,
      });
      const answer = await unlessRefused(applied);
      if (answer === undefined || typeof answer === 'string') return answer;
      await this.#world.look(of, null);
    }
    return undefined;
  }

  /** Null: this person says nothing. */
  async #truth(
    of: Asked,
    { says, by }: { says: 'yes' | 'no' | 'wait'; by: number },
  ): Promise<string | null> {
    if (says === 'wait') return 'keep_waiting';
    // Whoever is asked about a bank's file has carried it there, or leaves it.
    if (of.channel === 'BANK' && says === 'yes') await this.carry(of, { by, booked: false });
    if (this.#world.isPaid(of)) return 'confirm_paid';
    if (of.channel === 'BANK') of.desk ??= 'gives_up';
    if (of.desk === 'carries') return null;
    return 'confirm_failed';
  }

  /** A bank's file, carried there; the bank books it, and says so then or later. */
  async carry(of: Asked, { by, booked }: { by: number; booked: boolean }): Promise<void> {
    if (of.channel !== 'BANK' || of.desk === 'gives_up') return;
    of.desk = 'carries';
    const { id: operatorId } = this.#world.person(by);
    const take = { withdrawalId: of.id, operatorId, requestId: 'model' };
    if (
      !of.isBooked &&
      (await unlessRefused(this.#world.steps.takePayoutFile(take))) === undefined
    ) {
      of.desk = null;
      return;
    }
    of.isBooked = true;
    if (!booked) return;
    const reference = `WD-${of.id}`;
    const remark = {
      line: 1,
      file: null,
      reference,
      status: 'BOOKED',
      code: 'BOOK',
      reason: null,
    } as const;
    const more = {
      words: null,
      amountNanos: null,
      bankReference: `BANK-${of.id}`,
    };
    const told = await unlessRefused(
      this.#world.steps.importStatusFile({
        file: {
          kind: 'CAMT054',
          account: null,
          remarks: [{ ...remark, ...more }],
        },
        fileName: null,
        sha256: `model-${of.id}`,
        operatorId,
        requestId: 'model',
      }),
    );
    if (told?.remarks[0]?.outcome === 'PAID') ends(of, 'PAID');
  }

  async giveBack(of: Asked, by: Person): Promise<void> {
    const command = {
      withdrawalId: of.id,
      reference: 'R',
      operatorId: by.id,
      requestId: 'model',
    };
    const asked = await unlessRefused(this.#world.steps.returnWithdrawal(command));
    if (asked === undefined) return;
    if (asked.approvalId !== null) of.returns.push({ approvalId: asked.approvalId, by: by.id });
    else ends(of, 'RETURNED');
  }

  async agreeToGiveBack(of: Asked, by: Person): Promise<void> {
    const asked = of.returns.at(-1);
    if (asked === undefined) return;
    const command = {
      approvalId: asked.approvalId,
      operatorId: by.id,
      requestId: 'model',
    };
    const done = await unlessRefused(this.#world.steps.approveApproval(command).then(() => true));
    if (done === undefined) return;
    if (asked.by === by.id) throw new Error(`${of.id} was given back by one person`);
    ends(of, 'RETURNED');
  }
}
