import type { PersonRole } from '../../domain/member.ts';
import type { Person } from '../../domain/person.ts';
import { flag, ref, text, whole, word } from '../schema/column.ts';
import { columnsOf, readRow, type RowOf, select } from '../schema/selection.ts';
import { type AccountRow, accounts } from '../tables/account.ts';
import { members } from '../tables/member.ts';
import { operators } from '../tables/operator.ts';
import type { SqlRunner } from '../sql-runner.ts';

export type AccountKind = AccountRow['kind'];
/** Accounts of both kinds, and operators, log in the same way. */
export type LoginKind = AccountKind | 'OPERATOR';

/** Who it is: an operator, an account's owner, or with `memberId` one of its members. */
export interface PersonKey {
  kind: LoginKind;
  /** accounts.id, or operators.id. */
  id: number;
  memberId?: number | null | undefined;
}

/** The same person as what is theirs alone is kept under. */
export function personOf({ kind, id, memberId }: PersonKey): Person {
  if (memberId !== undefined && memberId !== null) {
    return { personType: 'MEMBER', personId: memberId };
  }
  return { personType: kind === 'OPERATOR' ? 'OPERATOR' : 'ACCOUNT', personId: id };
}

const kindOf = (expression: string) =>
  word<LoginKind>(['ADVERTISER', 'PUBLISHER', 'OPERATOR']).of(expression);
const roleOf = (expression: string) => text<PersonRole>().of(expression);
const nobody = ref().orNull().of('NULL::bigint');

/** The rows of one kind: goes behind FROM. The kind is a word of ours, never a caller's text. */
const rowsOf = (kind: LoginKind): string =>
  kind === 'OPERATOR' ? 'operators a WHERE TRUE' : `accounts a WHERE a.kind = '${kind}'`;
const membersOf = (kind: AccountKind): string =>
  `members p JOIN accounts a ON a.id = p.account_id
   WHERE p.kind = '${kind}' AND a.kind = '${kind}' AND p.status = 'ACTIVE'`;

/**
 * Of `operators a`. Whoever counts as somebody that is suspended is out with them until another vouches: it may
 * be the same person's second login (interface 5.19).
 */
export const OPERATOR_STATUS = `CASE WHEN a.created_by IS NULL OR a.vouched_by IS NOT NULL
  OR operator_has_voice(a.id) THEN a.status ELSE 'SUSPENDED' END`;

const PERSON = ['id', 'username', 'email', 'nickname', 'status'] as const;
const SECRETS = ['passwordHash', 'tokenVersion'] as const;
/** A member as one sees an owner: who logs in and by what is theirs, the rest is the account's. */
const MEMBER = {
  ...columnsOf(accounts, 'a', ['id']),
  username: text().of('p.email'),
  email: text().of('p.email'),
  nickname: text().orNull().of('p.name'),
  ...columnsOf(accounts, 'a', ['status']),
  role: roleOf('p.role'),
  memberId: members.columns.id.of('p.id'),
};

const ACCOUNT_LOGIN = select({
  kind: kindOf('a.kind'),
  ...columnsOf(accounts, 'a', PERSON),
  role: roleOf('a.role'),
  memberId: nobody,
  ...columnsOf(accounts, 'a', SECRETS),
});
const OPERATOR_LOGIN: typeof ACCOUNT_LOGIN = select({
  kind: kindOf("'OPERATOR'"),
  ...columnsOf(operators, 'a', PERSON),
  status: operators.columns.status.of(OPERATOR_STATUS),
  role: roleOf('a.role'),
  memberId: nobody,
  ...columnsOf(operators, 'a', SECRETS),
});
/** In the order of ACCOUNT_LOGIN, to which it is added. */
const MEMBER_LOGIN = select({
  kind: kindOf('a.kind'),
  ...MEMBER,
  passwordHash: text().of('p.password_hash'),
  tokenVersion: whole().of('p.token_version'),
});

/** What login and tokens need of a person. */
export type LoginRow = RowOf<typeof ACCOUNT_LOGIN>;

const loginOf = (kind: LoginKind): typeof ACCOUNT_LOGIN =>
  kind === 'OPERATOR' ? OPERATOR_LOGIN : ACCOUNT_LOGIN;

/**
 * By username or e-mail address, case apart. A username has no `@`, so the two cannot be confused, and
 * in a realm an address is an owner's or a member's. One statement for all, so that it takes as long.
 */
export async function findLogin(
  sql: SqlRunner,
  kind: LoginKind,
  name: string,
): Promise<LoginRow | undefined> {
  const login = loginOf(kind);
  const members_ =
    kind === 'OPERATOR'
      ? ''
      : `UNION ALL SELECT ${MEMBER_LOGIN.list} FROM ${membersOf(kind)} AND lower(p.email) = lower($1)`;
  return await readRow(
    sql,
    login,
    `SELECT ${login.list} FROM ${rowsOf(kind)}
       AND (lower(a.username) = lower($1) OR lower(a.email) = lower($1)) ${members_} LIMIT 1`,
    [name],
  );
}

export async function findLoginById(
  sql: SqlRunner,
  { kind, id, memberId }: PersonKey,
): Promise<LoginRow | undefined> {
  if (isMember(memberId) && kind !== 'OPERATOR') {
    const statement = `SELECT ${MEMBER_LOGIN.list} FROM ${membersOf(kind)} AND a.id = $1 AND p.id = $2`;
    return await readRow(sql, MEMBER_LOGIN, statement, [id, memberId]);
  }
  const login = loginOf(kind);
  return await readRow(sql, login, `SELECT ${login.list} FROM ${rowsOf(kind)} AND a.id = $1`, [id]);
}

const isMember = (memberId: number | null | undefined): memberId is number =>
  memberId !== undefined && memberId !== null;

/** Of an operator who is out: not they were suspended, but whom they count as. */
export async function isOutWithAnother(sql: SqlRunner, operatorId: number): Promise<boolean> {
  const { rows } = await sql.query(
    `SELECT 1 FROM operators WHERE id = $1 AND status = 'ACTIVE' AND NOT operator_has_voice(id)`,
    [operatorId],
  );
  return rows.length > 0;
}

/** The address that a change is under way to. */
const pendingEmail = (person: Person['personType'], idColumn: string) =>
  text().orNull().of(`(SELECT c.email FROM email_confirmations c WHERE c.person_type = '${person}'
    AND c.person_id = ${idColumn} AND c.status = 'OPEN' AND c.previous_email IS NOT NULL AND c.expires_at > now())`);
const DATES = ['createdAt', 'updatedAt'] as const;
const COMPANY = {
  ...columnsOf(accounts, 'a', ['mobile', 'companyName', 'contactName', 'industry', 'siteUrl']),
  ...columnsOf(accounts, 'a', ['billingAddress', 'taxId']),
  ...columnsOf(accounts, 'a', ['kycStatus']),
  hasPayoutAccount: flag().of(
    `EXISTS (SELECT FROM bank_cards c WHERE c.publisher_id = a.id
             AND c.status = 'ACTIVE' AND c.usable_from <= now())`,
  ),
};
/** Operators alone are given tasks. */
const noTasks = flag().of('false');
const ACCOUNT_PROFILE = select({
  kind: kindOf('a.kind'),
  ...columnsOf(accounts, 'a', PERSON),
  role: roleOf('a.role'),
  memberId: nobody,
  ...columnsOf(accounts, 'a', ['emailConfirmedAt', 'version', ...DATES]),
  taskLetters: noTasks,
  pendingEmail: pendingEmail('ACCOUNT', 'a.id'),
  ...COMPANY,
});
const MEMBER_PROFILE = select({
  kind: kindOf('a.kind'),
  ...MEMBER,
  // Both rows are shown, and neither version ever falls: an edit of either makes another sum.
  version: whole().of('a.version + p.version'),
  ...columnsOf(members, 'p', ['emailConfirmedAt']),
  pendingEmail: pendingEmail('MEMBER', 'p.id'),
  ...columnsOf(accounts, 'a', DATES),
  taskLetters: noTasks,
  ...COMPANY,
});
const none = text().orNull().of('NULL');
const OPERATOR_PROFILE: typeof ACCOUNT_PROFILE = select({
  kind: kindOf("'OPERATOR'"),
  ...columnsOf(operators, 'a', PERSON),
  role: roleOf('a.role'),
  memberId: nobody,
  ...columnsOf(operators, 'a', ['emailConfirmedAt', 'version', 'taskLetters', ...DATES]),
  pendingEmail: pendingEmail('OPERATOR', 'a.id'),
  mobile: none,
  companyName: none,
  contactName: none,
  industry: none,
  siteUrl: none,
  billingAddress: none,
  taxId: none,
  kycStatus: accounts.columns.kycStatus.of("'none'"),
  hasPayoutAccount: flag().of('false'),
});

/** The own view of a person: of themselves, and of the account. Operators have no company. */
export type ProfileRow = RowOf<typeof ACCOUNT_PROFILE>;

export async function findProfile(
  sql: SqlRunner,
  { kind, id, memberId }: PersonKey,
): Promise<ProfileRow | undefined> {
  if (isMember(memberId) && kind !== 'OPERATOR') {
    const statement = `SELECT ${MEMBER_PROFILE.list} FROM ${membersOf(kind)} AND a.id = $1 AND p.id = $2`;
    return await readRow(sql, MEMBER_PROFILE, statement, [id, memberId]);
  }
  const profile = kind === 'OPERATOR' ? OPERATOR_PROFILE : ACCOUNT_PROFILE;
  const statement = `SELECT ${profile.list} FROM ${rowsOf(kind)} AND a.id = $1`;
  return await readRow(sql, profile, statement, [id]);
}

const KIND_OF_REALM = {
  advertiser: 'ADVERTISER',
  publisher: 'PUBLISHER',
  admin: 'OPERATOR',
} as const satisfies Record<string, LoginKind>;

export const kindOfRealm = (realm: keyof typeof KIND_OF_REALM): LoginKind => KIND_OF_REALM[realm];
