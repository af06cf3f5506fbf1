import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { type PersonKey, personOf } from '../../db/queries/accounts.ts';
import { columnsOf, readRow, select } from '../../db/schema/selection.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import { members } from '../../db/tables/member.ts';
import { securityAlerts } from '../../db/tables/security-alert.ts';
import { invalid } from '../../domain/errors.ts';
import { recordAudit } from '../core/audit.ts';
import type { ActivityDeps } from '../deps.ts';
import { undoEmailChanges } from './email-confirmations.ts';
import { endRecoveries } from './recovery-ends.ts';
import { requestReset } from './password-resets.ts';
import { hashOfToken } from './secret-tokens.ts';
import { endSessions } from './sessions.ts';

const ALERT = select(columnsOf(securityAlerts, 's', ['id', 'personType', 'personId', 'createdAt']));
const ACCOUNT_OF = select(columnsOf(members, 'p', ['accountId']));

export function createDisownActivities(deps: ActivityDeps) {
  return {
    /**
     * "This was not me": ends every session, forgets every device, takes away what was added to the login
     * since, gives it back the e-mail address that it had, and sends the letter that sets a new password. Raises validation_failed on `token` when it is
     * unknown, of another realm, used or too old.
     */
    async disown({ kind, token, requestId }: Disowned): Promise<void> {
      await inTransaction(deps.db, async (tx) => {
        const sql = runner(deps.db, tx);
        const alert = await readRow(
          sql,
          ALERT,
          `UPDATE security_alerts s SET used_at = $2
           WHERE s.token_hash = $1 AND s.used_at IS NULL AND s.expires_at > $2 RETURNING ${ALERT.list}`,
          [hashOfToken(token), deps.clock()],
        );
        if (alert === undefined) throw badToken();
        const person = await personWithin(sql, kind, alert);
        if (person === undefined) throw badToken();
        await endEverything(deps, tx, person, { alert, requestId });
        await recordAudit(deps.db, tx, {
          actor: { type: 'SYSTEM', id: null },
          action: 'login.disown',
          subject: { type: alert.personType.toLowerCase(), id: alert.personId },
          accountId: kind === 'OPERATOR' ? undefined : person.id,
          requestId,
        });
        await requestReset(deps, tx, person);
      });
    },
  };
}

export interface Disowned {
  kind: PersonKey['kind'];
  token: string;
  requestId: string;
}

/** Of the realm that was asked, or nobody. */
async function personWithin(
  sql: SqlRunner,
  kind: PersonKey['kind'],
  { personType, personId }: { personType: string; personId: number },
): Promise<PersonKey | undefined> {
  if ((personType === 'OPERATOR') !== (kind === 'OPERATOR')) return undefined;
  if (kind === 'OPERATOR') return { kind, id: personId };
  if (personType === 'MEMBER') {
    const row = await readRow(
      sql,
      ACCOUNT_OF,
      `SELECT ${ACCOUNT_OF.list} FROM members p WHERE p.id = $1 AND p.kind = $2`,
      [personId, kind],
    );
    return row === undefined ? undefined : { kind, id: row.accountId, memberId: personId };
  }
  const { rows } = await sql.query('SELECT 1 FROM accounts WHERE id = $1 AND kind = $2', [
    personId,
    kind,
  ]);
  return rows.length === 0 ? undefined : { kind, id: personId };
}

/** The letter is written a moment after what it tells of, in the same transaction. */
const WRITTEN_WITHIN_MS = 10_000;

async function endEverything(
  deps: ActivityDeps,
  tx: Transaction,
  key: PersonKey,
  { alert, requestId }: { alert: { createdAt: Date }; requestId: string },
): Promise<void> {
  const sql = runner(deps.db, tx);
  const since = new Date(alert.createdAt.getTime() - WRITTEN_WITHIN_MS);
  const person = personOf(key);
  const { personType, personId } = person;
  const table = { ACCOUNT: 'accounts', MEMBER: 'members', OPERATOR: 'operators' }[personType];
  await sql.query(
    `UPDATE ${table} SET token_version = token_version + 1 WHERE id = $1 RETURNING id`,
    [personId],
  );
  await endSessions(sql, person, { except: null, now: deps.clock() });
  const mine = 'person_type = $1 AND person_id = $2';
  await endRecoveries(deps, tx, person, 'DISOWNED');
  await sql.query(`DELETE FROM known_devices WHERE ${mine} RETURNING id`, [personType, personId]);
  // Before the letter that sets a password, which goes to the login's address.
  await undoEmailChanges(deps, tx, { person: key, since, requestId });
  const added = [personType, personId, since];
  await sql.query(
    `DELETE FROM factors WHERE ${mine} AND (confirmed_at IS NULL OR confirmed_at >= $3) RETURNING id`,
    added,
  );
  await sql.query(
    `DELETE FROM recovery_codes WHERE ${mine} AND created_at >= $3 RETURNING id`,
    added,
  );
}

const badToken = () =>
  invalid({ field: 'token', code: 'not_valid', message: 'is used, too old, or not ours' });
