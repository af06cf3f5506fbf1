import { flag, text, word } from '../schema/column.ts';
import { columnsOf, readRow, type RowOf, select } from '../schema/selection.ts';
import { type AccountRow, accounts } from '../tables/account.ts';
import { operators } from '../tables/operator.ts';
import type { SqlRunner } from '../sql-runner.ts';

export type AccountKind = AccountRow['kind'];
/** Accounts of both kinds, and operators, log in the same way. */
export type LoginKind = AccountKind | 'OPERATOR';

const kindOf = (expression: string) =>
  word<LoginKind>(['ADVERTISER', 'PUBLISHER', 'OPERATOR']).of(expression);

/** The rows of one kind: goes behind FROM. The kind is a word of ours, never a caller's text. */
const rowsOf = (kind: LoginKind): string =>
  kind === 'OPERATOR' ? 'operators a WHERE TRUE' : `accounts a WHERE a.kind = '${kind}'`;

const PERSON = ['id', 'username', 'email', 'nickname', 'role', 'status'] as const;
const LOGIN = [...PERSON, 'passwordHash', 'tokenVersion'] as const;
const ACCOUNT_LOGIN = select({ kind: kindOf('a.kind'), ...columnsOf(accounts, 'a', LOGIN) });
const OPERATOR_LOGIN = select({ kind: kindOf("'OPERATOR'"), ...columnsOf(operators, 'a', LOGIN) });

/** What login and tokens need of an account or operator. */
export type LoginRow = RowOf<typeof ACCOUNT_LOGIN>;

const loginOf = (kind: LoginKind): typeof ACCOUNT_LOGIN =>
  kind === 'OPERATOR' ? OPERATOR_LOGIN : ACCOUNT_LOGIN;

/** By username or e-mail address, case apart. A username has no `@`, so the two cannot be confused. */
export async function findLogin(
  sql: SqlRunner,
  kind: LoginKind,
  name: string,
): Promise<LoginRow | undefined> {
  const login = loginOf(kind);
  return await readRow(
    sql,
    login,
    `SELECT ${login.list} FROM ${rowsOf(kind)}
       AND (lower(a.username) = lower($1) OR lower(a.email) = lower($1)) LIMIT 1`,
    [name],
  );
}

export async function findLoginById(
  sql: SqlRunner,
  kind: LoginKind,
  id: number,
): Promise<LoginRow | undefined> {
  const login = loginOf(kind);
  return await readRow(sql, login, `SELECT ${login.list} FROM ${rowsOf(kind)} AND a.id = $1`, [id]);
}

const PROFILE = [...PERSON, 'version', 'createdAt', 'updatedAt'] as const;
const ACCOUNT_PROFILE = select({
  kind: kindOf('a.kind'),
  ...columnsOf(accounts, 'a', PROFILE),
  ...columnsOf(accounts, 'a', ['mobile', 'companyName', 'contactName', 'industry', 'siteUrl']),
  ...columnsOf(accounts, 'a', ['kycStatus']),
  hasPayoutAccount: flag().of(
    `EXISTS (SELECT FROM bank_cards c WHERE c.publisher_id = a.id
             AND c.status = 'ACTIVE' AND c.usable_from <= now())`,
  ),
});
const none = text().orNull().of('NULL');
const OPERATOR_PROFILE = select({
  kind: kindOf("'OPERATOR'"),
  ...columnsOf(operators, 'a', PROFILE),
  mobile: none,
  companyName: none,
  contactName: none,
  industry: none,
  siteUrl: none,
  kycStatus: accounts.columns.kycStatus.of("'none'"),
  hasPayoutAccount: flag().of('false'),
});

/** The own view of an account or operator; operators have no company. */
export type ProfileRow = RowOf<typeof ACCOUNT_PROFILE>;

export async function findProfile(
  sql: SqlRunner,
  kind: LoginKind,
  id: number,
): Promise<ProfileRow | undefined> {
  const profile: typeof ACCOUNT_PROFILE = kind === 'OPERATOR' ? OPERATOR_PROFILE : ACCOUNT_PROFILE;
  const statement = `SELECT ${profile.list} FROM ${rowsOf(kind)} AND a.id = $1`;
  return await readRow(sql, profile, statement, [id]);
}

const KIND_OF_REALM = {
  advertiser: 'ADVERTISER',
  publisher: 'PUBLISHER',
  admin: 'OPERATOR',
} as const satisfies Record<string, LoginKind>;

export const kindOfRealm = (realm: keyof typeof KIND_OF_REALM): LoginKind => KIND_OF_REALM[realm];

const TOKEN_OWNER = select({
  ...columnsOf(accounts, 'a', ['role', 'status']),
  current: flag().of('a.token_version = $2::int'),
  revoked: flag().of('EXISTS (SELECT FROM revoked_tokens WHERE jti = $3)'),
});

/**
 * Whether a token that is genuine still counts: its account exists in this realm and is active, the
 * token's version is the account's, and its id was not revoked. One statement by primary keys.
 */
export async function confirmToken(
  sql: SqlRunner,
  realm: keyof typeof KIND_OF_REALM,
  claims: { sub: string; ver: number; jti: string },
): Promise<{ role: string } | 'revoked' | 'suspended'> {
  const { sub, ver, jti } = claims;
  // Sealed with our key and yet not as we write tokens: nobody's.
  if (!/^[1-9]\d{0,14}$/.test(sub) || !Number.isInteger(ver) || typeof jti !== 'string') {
    return 'revoked';
  }
  const row = await readRow(
    sql,
    TOKEN_OWNER,
    `SELECT ${TOKEN_OWNER.list} FROM ${rowsOf(KIND_OF_REALM[realm])} AND a.id = $1`,
    [sub, ver, jti],
  );
  if (row === undefined) return 'revoked';
  // Checked first: a suspension also moves the version, and its owner should learn which of the two it is.
  if (row.status === 'SUSPENDED') return 'suspended';
  return row.revoked || !row.current ? 'revoked' : { role: row.role };
}
