import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { NEXT_VERSION } from '../../db/schema/move.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { conflict } from '../../domain/errors.ts';
import { moveRecord } from '../core/move-record.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import { auditMember, lockMember, type MemberCommand } from './members.ts';
import { endSessions } from './sessions.ts';

/** interface 5.7: how an ADMIN of the account shuts somebody out, for a moment or for a time. */
export function createMemberShutoutActivities(deps: ActivityDeps) {
  return {
    /** They may log in again at once. Raises not_found, state_conflict (oneself, nobody who is in). */
    async endMemberSessions(command: MemberCommand): Promise<void> {
      await runStep(deps.db, 'member.end_sessions', async (tx) => {
        const member = await lockMember(deps, tx, command);
        if (member.status !== 'ACTIVE')
          throw conflict(`Nobody is logged in while ${member.status}.`);
        const tokenVersion = member.tokenVersion + 1;
        await member.update({ tokenVersion }, { transaction: tx });
        await endAll(deps, tx, member);
        await auditMember(deps, tx, command, { action: 'member.end_sessions' });
      });
    },

    /** No token and no login of theirs counts until they are restored. Raises not_found, state_conflict. */
    async suspendMember(command: MemberCommand): Promise<void> {
      await runStep(deps.db, 'member.suspend', async (tx) => {
        const member = await lockMember(deps, tx, command);
        await move(deps, tx, member, 'suspend');
        await endAll(deps, tx, member);
        await auditMember(deps, tx, command, { action: 'member.suspend' });
      });
    },

    /** With the password of before; nothing that was open then is open now. Raises as suspendMember. */
    async restoreMember(command: MemberCommand): Promise<void> {
      await runStep(deps.db, 'member.restore', async (tx) => {
        await move(deps, tx, await lockMember(deps, tx, command), 'restore');
        await auditMember(deps, tx, command, { action: 'member.restore' });
      });
    },
  };
}

async function move(
  deps: ActivityDeps,
  tx: Transaction,
  record: RecordOf<'members'>,
  action: 'suspend' | 'restore',
): Promise<void> {
  const set = {
    tokenVersion: { computed: 'token_version + 1' },
    updatedAt: deps.clock(),
    version: NEXT_VERSION,
  };
  await moveRecord(deps.db, tx, 'members', { record, state: 'status', action, set });
}

async function endAll(
  { db, clock }: ActivityDeps,
  tx: Transaction,
  { id: personId }: RecordOf<'members'>,
): Promise<void> {
  const person = { personType: 'MEMBER' as const, personId };
  await endSessions(runner(db, tx), person, { except: null, now: clock() });
}
