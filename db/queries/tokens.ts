import type { PersonRole } from '../../domain/member.ts';
import { flag, ref, text, time } from '../schema/column.ts';
import { columnsOf, readRow, select } from '../schema/selection.ts';
import { accounts } from '../tables/account.ts';
import { members } from '../tables/member.ts';
import { OPERATOR_STATUS } from './accounts.ts';
import type { SqlRunner } from '../sql-runner.ts';

/** Of a token that is genuine. `mem` is members.id, where it is a member's. */
export interface ClaimedPerson {
  sub: string;
  ver: number;
  jti: string;
  mem?: number | undefined;
}

/** Who it is, as the database says it now. */
export interface ConfirmedPerson {
  role: PersonRole;
  name: string;
  memberId: number | null;
  /** sessions.id; null where the token is of before sessions were kept. */
  sessionId: number | null;
  lastSeenAt: Date | null;
  /** When a second factor was last shown in this session. */
  provenAt: Date | null;
  /** The person has a second factor. */
  hasFactor: boolean;
}

const REVOKED = flag().of(
  'EXISTS (SELECT FROM revoked_tokens WHERE jti = $3) OR s.ended_at IS NOT NULL',
);
const SESSION = {
  sessionId: ref().orNull().of('s.id'),
  lastSeenAt: time().orNull().of('s.last_seen_at'),
  provenAt: time().orNull().of('s.proven_at'),
};
const hasFactor = (person: string) =>
  flag().of(`EXISTS (SELECT FROM factors f WHERE (f.person_type, f.person_id) = (${person})
    AND f.confirmed_at IS NOT NULL)`);
const ownerOf = (personType: 'ACCOUNT' | 'OPERATOR') =>
  select({
    status: accounts.columns.status.of(personType === 'OPERATOR' ? OPERATOR_STATUS : 'a.status'),
    role: text<PersonRole>().of('a.role'),
    name: text().of('COALESCE(a.nickname, a.username)'),
    memberId: ref().orNull().of('NULL::bigint'),
    current: flag().of('a.token_version = $2::int'),
    revoked: REVOKED,
    ...SESSION,
    hasFactor: hasFactor(`'${personType}', a.id`),
  });
const OWNER = ownerOf('ACCOUNT');
const OPERATOR = ownerOf('OPERATOR');
const MEMBER = select({
  ...columnsOf(accounts, 'a', ['status']),
  role: text<PersonRole>().of('p.role'),
  name: text().of('COALESCE(p.name, p.email)'),
  memberId: members.columns.id.of('p.id'),
  current: flag().of(`p.status = 'ACTIVE' AND p.token_version = $2::int`),
  revoked: REVOKED,
  ...SESSION,
  hasFactor: hasFactor(`'MEMBER', p.id`),
});

type Realm = 'advertiser' | 'publisher' | 'admin';

/** Goes behind FROM. */
function rowsOf(realm: Realm, isMember: boolean): string {
  const session = 'LEFT JOIN sessions s ON s.token_id = $3';
  if (realm === 'admin') return `operators a ${session} WHERE a.id = $1`;
  const account = `a.kind = '${realm === 'advertiser' ? 'ADVERTISER' : 'PUBLISHER'}' AND a.id = $1`;
  return isMember
    ? `members p JOIN accounts a ON a.id = p.account_id ${session} WHERE p.id = $4 AND ${account}`
    : `accounts a ${session} WHERE ${account}`;
}

/**
 * Whether a token that is genuine still counts: its person exists in this realm and is active, the
 * token's version is theirs, and its id was not revoked. One statement by primary keys.
 */
export async function confirmToken(
  sql: SqlRunner,
  realm: Realm,
  { sub, ver, jti, mem }: ClaimedPerson,
): Promise<ConfirmedPerson | 'revoked' | 'suspended'> {
  // Sealed with our key and yet not as we write tokens: nobody's.
  const isOurs = /^[1-9]\d{0,14}$/.test(sub) && Number.isInteger(ver) && typeof jti === 'string';
  const isMember = mem !== undefined;
  if (!isOurs || (isMember && (!Number.isSafeInteger(mem) || mem < 1 || realm === 'admin'))) {
    return 'revoked';
  }
  const rows = rowsOf(realm, isMember);
  const row = isMember
    ? await readRow(sql, MEMBER, `SELECT ${MEMBER.list} FROM ${rows}`, [sub, ver, jti, mem])
    : realm === 'admin'
      ? await readRow(sql, OPERATOR, `SELECT ${OPERATOR.list} FROM ${rows}`, [sub, ver, jti])
      : await readRow(sql, OWNER, `SELECT ${OWNER.list} FROM ${rows}`, [sub, ver, jti]);
  if (row === undefined) return 'revoked';
  // Checked first: a suspension also moves the version, and its owner should learn which of the two it is.
  if (row.status === 'SUSPENDED') return 'suspended';
  if (row.revoked || !row.current) return 'revoked';
  const { role, name, memberId, sessionId, lastSeenAt, provenAt, hasFactor: factor } = row;
  return { role, name, memberId, sessionId, lastSeenAt, provenAt, hasFactor: factor };
}
