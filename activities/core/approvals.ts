import type { Transaction } from 'sequelize';
import { runner, violatedConstraint } from '../../db/postgres.ts';
import { moveRow, moveRows } from '../../db/schema/move.ts';
import { columnsOf, readRow, select } from '../../db/schema/selection.ts';
import { type ApprovalRow, approvals } from '../../db/tables/approval.ts';
import { conflict, DomainError } from '../../domain/errors.ts';
import { type ApprovalKind, NO_VOICE } from '../../domain/approvals.ts';
import type { ActivityDeps } from '../deps.ts';

export interface Proposal {
  kind: ApprovalKind;
  /** An id, or the key of a setting. */
  subject: string | number;
  /** What its maker says beside what the rows do; part of what is approved. */
  ask?: Record<string, unknown>;
  /** Null: nobody but a provider or a setting, where the database knows it. */
  makerId: number | null;
}

export interface Consent extends Proposal {
  /** Who decides now, and asks where nobody is said to have; null: nobody yet, the step only asks. */
  deciderId: number | null;
  /** A provider has signed it: it was asked for by nobody. */
  isSigned?: boolean;
}

const ROW = select(columnsOf(approvals, 'a'));

/**
 * Asks for an approval; the database says of what, and whether its maker may give it alone. One that was
 * asked for before and is still open is void by this.
 */
export async function propose(
  deps: Pick<ActivityDeps, 'db'>,
  tx: Transaction,
  { kind, subject, ask, makerId }: Proposal,
): Promise<ApprovalRow> {
  const sql = runner(deps.db, tx);
  await voidApprovals(deps, tx, kind, subject);
  const made = await readRow(
    sql,
    ROW,
    `INSERT INTO approvals AS a (kind, subject, ask, maker_id) VALUES ($1, $2, $3, $4)
     RETURNING ${ROW.list}`,
    [kind, String(subject), JSON.stringify(ask ?? {}), makerId],
  );
  if (made === undefined) throw new Error(`approval of ${kind} ${subject} vanished`);
  return made;
}

/** Whatever is asked for of this subject and not yet used is asked for no more. */
export async function voidApprovals(
  deps: Pick<ActivityDeps, 'db'>,
  tx: Transaction,
  kind: ApprovalKind,
  subject: string | number,
): Promise<void> {
  await moveRows(runner(deps.db, tx), approvals, {
    state: 'state',
    action: 'void',
    where: { kind, subject: String(subject) },
  });
}

/** By a second person. Raises state_conflict for the same one, one without a voice, and for what has changed since; forbidden_role. */
export async function approve(
  deps: Pick<ActivityDeps, 'db'>,
  tx: Transaction,
  { id, checkerId }: { id: number; checkerId: number },
): Promise<ApprovalRow> {
  try {
    return await moveRow(runner(deps.db, tx), approvals, {
      state: 'state',
      action: 'approve',
      where: { id },
      set: { checkerId },
    });
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === 'approval_roles') throw new DomainError('forbidden_role');
    if (constraint === 'four_eyes') throw conflict('A second person must approve this.');
    if (constraint === 'approval_voice') throw conflict(NO_VOICE);
    if (constraint === 'approval_is_current') {
      throw conflict('What was asked for has changed since; it must be asked for again.');
    }
    throw error;
  }
}

/**
 * A decision by whoever may decide: GRANTED when the move may be made now, SECOND when another person must
 * agree first. Asks for the approval where nobody has; a decider who is not its maker approves it.
 */
export async function consent(
  deps: Pick<ActivityDeps, 'db'>,
  tx: Transaction,
  { deciderId, isSigned = false, ...proposal }: Consent,
): Promise<'GRANTED' | 'SECOND'> {
  const found = await findLive(deps, tx, proposal);
  const live =
    found ??
    (await propose(deps, tx, {
      ...proposal,
      makerId: isSigned ? null : (proposal.makerId ?? deciderId),
    }));
  if (live.state === 'APPROVED') return 'GRANTED';
  if (deciderId === null || deciderId === live.makerId) return 'SECOND';
  await approve(deps, tx, { id: live.id, checkerId: deciderId });
  return 'GRANTED';
}

async function findLive(
  deps: Pick<ActivityDeps, 'db'>,
  tx: Transaction,
  { kind, subject }: Proposal,
): Promise<ApprovalRow | undefined> {
  return await readRow(
    runner(deps.db, tx),
    ROW,
    `SELECT ${ROW.list} FROM approvals a
     WHERE kind = $1 AND subject = $2 AND state IN ('PROPOSED', 'APPROVED') FOR UPDATE`,
    [kind, String(subject)],
  );
}
