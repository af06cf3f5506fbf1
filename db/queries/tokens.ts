import type { PersonRole } from '../../domain/member.ts';
import { flag, ref, text } from '../schema/column.ts';
import { columnsOf, readRow, select } from '../schema/selection.ts';
import { accounts } from '../tables/account.ts';
import { members } from '../tables/member.ts';
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
}

const REVOKED = flag().of('EXISTS (SELECT FROM revoked_tokens WHERE jti = $3)');
const OWNER = select({
  ...columnsOf(accounts, 'a', ['status']),
  role: text<PersonRole>().of('a.role'),
  name: text().of('COALESCE(a.nickname, a.username)'),
  memberId: ref().orNull().of('NULL::bigint'),
  current: flag().of('a.token_version = $2::int'),
  revoked: REVOKED,
});
const MEMBER = select({
  ...columnsOf(accounts, 'a', ['status']),
  role: text<PersonRole>().of('p.role'),
  name: text().of('COALESCE(p.name, p.email)'),
  memberId: members.columns.id.of('p.id'),
  current: flag().of(`p.status = 'ACTIVE' AND p.token_version = $2::int`),
  revoked: REVOKED,
});

type Realm = 'advertiser' | 'publisher' | 'admin';

/** Goes behind FROM. */
function rowsOf(realm: Realm, isMember: boolean): string {
  if (realm === 'admin') return 'operators a WHERE a.id = $1';
  const account = `a.kind = '${realm === 'advertiser' ? 'ADVERTISER' : 'PUBLISHER'}' AND a.id = $1`;
  return isMember
    ? `members p JOIN accounts a ON a.id = p.account_id WHERE p.id = $4 AND ${account}`
    : `accounts a WHERE ${account}`;
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
    : await readRow(sql, OWNER, `SELECT ${OWNER.list} FROM ${rows}`, [sub, ver, jti]);
  if (row === undefined) return 'revoked';
  // Checked first: a suspension also moves the version, and its owner should learn which of the two it is.
  if (row.status === 'SUSPENDED') return 'suspended';
  if (row.revoked || !row.current) return 'revoked';
  const { role, name, memberId } = row;
  return { role, name, memberId };
}
