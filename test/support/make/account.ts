import { randomBytes } from 'node:crypto';
import type { Db } from '../../../db/postgres.ts';
import type { RecordOf } from '../../../db/schema/models.ts';
import type { MemberRole } from '../../../domain/member.ts';
import type { OperatorRow } from '../../../db/tables/operator.ts';
import { fundAdvertiser, nanos } from './money.ts';

type Account = RecordOf<'accounts'>;
type Kind = Account['kind'];
type Fields = Partial<Omit<Account, 'status'>> & { status?: 'ACTIVE' | 'SUSPENDED' };

/** Somebody whose profile is complete and who has no password to log in with. */
export async function makeAccount(
  db: Db,
  kind: Kind,
  { status, ...fields }: Fields = {},
): Promise<Account> {
  const name = `${kind.toLowerCase()}_${randomBytes(6).toString('hex')}`;
  const account = await db.models.accounts.create({
    kind,
    username: name,
    email: `${name}@example.com`,
    emailConfirmedAt: new Date(),
    passwordHash: 'no login',
    nickname: name,
    contactName: 'Ada',
    companyName: 'Engines',
    ...fields,
  });
  // Past the law of its states: a test begins where others end.
  if (status !== undefined) await account.update({ status }, { hooks: false });
  return account;
}

/** `balance` in units arrives by the same ledger postings as a deposit's; none unless asked for. */
export async function makeAdvertiser(
  db: Db,
  { balance = 0, ...fields }: Fields & { balance?: number } = {},
): Promise<Account> {
  const account = await makeAccount(db, 'ADVERTISER', fields);
  await fundAdvertiser(db, account.id, nanos(balance));
  return account;
}

export const makePublisher = async (db: Db, fields: Fields = {}): Promise<Account> =>
  await makeAccount(db, 'PUBLISHER', fields);

export async function makeOperator(
  db: Db,
  role: OperatorRow['role'],
  /** Whoever makes others counts as them; null is made on the machine. */
  createdBy: number | null = null,
): Promise<RecordOf<'operators'>> {
  const username = `${role.toLowerCase()}_${randomBytes(6).toString('hex')}`;
  return await db.models.operators.create({
    username,
    email: `${username}@example.com`,
    passwordHash: 'no login',
    role,
    createdBy,
  });
}

/** Somebody of the account who has come in and has no password to log in with. */
export async function makeMember(
  db: Db,
  { id: accountId, kind }: Pick<Account, 'id' | 'kind'>,
  role: MemberRole,
): Promise<RecordOf<'members'>> {
  const name = `${role.toLowerCase()}_${randomBytes(6).toString('hex')}`;
  const now = new Date();
  const member = await db.models.members.create({
    accountId,
    kind,
    name,
    email: `${name}@example.com`,
    role,
    passwordHash: 'no login',
    invitedAt: now,
    invitationExpiresAt: now,
    joinedAt: now,
  });
  return await member.update({ status: 'ACTIVE' }, { hooks: false });
}
