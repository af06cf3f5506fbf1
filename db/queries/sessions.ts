import type { Person } from '../../domain/person.ts';
import { flag } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { sessions } from '../tables/session.ts';

const SESSION = select(
  columnsOf(sessions, 's', [
    'id',
    'tokenId',
    'device',
    'network',
    'country',
    'provenAt',
    'createdAt',
    'lastSeenAt',
    'expiresAt',
  ]),
);
export type OpenSession = RowOf<typeof SESSION>;

const SESSIONS_SHOWN_MAX = 100;

/** Where one person is logged in now; who was last seen first. */
export async function listSessions(
  sql: SqlRunner,
  { personType, personId }: Person,
  now: Date,
): Promise<OpenSession[]> {
  return await readRows(
    sql,
    SESSION,
    `SELECT ${SESSION.list} FROM sessions s
     WHERE s.person_type = $1 AND s.person_id = $2 AND s.ended_at IS NULL AND s.expires_at > $3
     ORDER BY s.last_seen_at DESC, s.id DESC LIMIT ${SESSIONS_SHOWN_MAX}`,
    [personType, personId, now],
  );
}

const KNOWN = select({
  device: flag().of(`EXISTS (SELECT FROM known_devices d
    WHERE d.person_type = $1 AND d.person_id = $2 AND d.token_hash = $3)`),
  network: flag().of(`EXISTS (SELECT FROM known_devices d WHERE d.person_type = $1
    AND d.person_id = $2 AND d.network = $4 AND d.last_seen_at > now() - interval '90 days')`),
});

/** Whether somebody has logged in before with this browser, or from this network. */
export async function readAcquaintance(
  sql: SqlRunner,
  { personType, personId }: Person,
  from: { deviceHash: string | null; network: string },
): Promise<{ device: boolean; network: boolean }> {
  const row = await readRow(sql, KNOWN, `SELECT ${KNOWN.list}`, [
    personType,
    personId,
    from.deviceHash,
    from.network,
  ]);
  return row ?? { device: false, network: false };
}
