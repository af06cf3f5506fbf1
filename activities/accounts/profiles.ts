import { inTransaction } from '../../db/postgres.ts';
import type { PersonKey } from '../../db/queries/accounts.ts';
import { accounts } from '../../db/tables/account.ts';
import { notFound } from '../../domain/errors.ts';
import { expectVersion } from '../../domain/lifecycle/version.ts';
import { changesBetween, recordOwn, valuesOf } from '../core/history.ts';
import type { ActivityDeps } from '../deps.ts';

export interface ProfileFields {
  mobile?: string | null | undefined;
  companyName?: string | null | undefined;
  contactName?: string | null | undefined;
  industry?: string | null | undefined;
  /** On documents that are issued from then on. */
  billingAddress?: string | null | undefined;
  taxId?: string | null | undefined;
  /** Publishers only. */
  siteUrl?: string | null | undefined;
  /** Of the person; all others are the account's. */
  nickname?: string | null | undefined;
  /** Operators only. */
  taskLetters?: boolean | undefined;
}

export interface UpdateProfile extends PersonKey {
  fields: ProfileFields;
  /** Versions that the caller has seen; undefined when it did not say. */
  ifMatch?: readonly number[] | undefined;
}

type Given = { [Field in Exclude<keyof ProfileFields, 'taskLetters'>]: string | null } & {
  taskLetters?: boolean;
};

export function createProfileActivities({ db }: Pick<ActivityDeps, 'db'>) {
  return {
    /** Sets the given fields; the others stay. Raises not_found, precondition_failed. */
    async updateProfile(input: UpdateProfile): Promise<void> {
      const given = Object.fromEntries(
        Object.entries(input.fields).filter(([, value]) => value !== undefined),
      ) as Given;
      await (input.kind === 'OPERATOR'
        ? updateOperator({ db }, input, given)
        : updateAccount({ db }, input, given));
    },
  };
}

type Deps = Pick<ActivityDeps, 'db'>;

async function updateOperator(
  { db }: Deps,
  { id, ifMatch }: UpdateProfile,
  given: Given,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const lock = { transaction: tx, lock: tx.LOCK.UPDATE };
    const operator = await db.models.operators.findByPk(id, lock);
    if (operator === null) throw notFound();
    expectVersion(ifMatch, operator.version);
    if (Object.keys(given).length === 0) return;
    const before = { nickname: operator.nickname, taskLetters: operator.taskLetters };
    const { nickname, taskLetters } = { ...before, ...given };
    const version = operator.version + 1;
    await operator.update({ nickname, taskLetters, version }, { transaction: tx });
  });
}

async function updateAccount(
  { db }: Deps,
  { kind, id, memberId = null, ifMatch }: UpdateProfile,
  given: Given,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const lock = { transaction: tx, lock: tx.LOCK.UPDATE };
    const account = await db.models.accounts.findOne({ where: { id, kind }, ...lock });
    if (account === null) throw notFound();
    const member =
      memberId === null
        ? null
        : await db.models.members.findOne({
            where: { id: memberId, accountId: id, status: 'ACTIVE' },
            ...lock,
            rejectOnEmpty: true,
          });
    expectVersion(ifMatch, account.version + (member?.version ?? 0));
    const { nickname, taskLetters: _ofOperators, ...company } = given;
    const own = nickname === undefined ? {} : { nickname };
    const ofAccount = member === null ? { ...company, ...own } : company;
    if (Object.keys(ofAccount).length > 0) {
      const version = account.version + 1;
      const names = Object.keys(ofAccount);
      const before = valuesOf(account, names);
      await account.update({ ...ofAccount, version }, { transaction: tx });
      const changes = changesBetween(accounts, names, { before, after: account });
      const subject = { type: kind.toLowerCase(), id };
      if (changes.length > 0) {
        await recordOwn(db, tx, { accountId: id, action: 'profile.update', subject, changes });
      }
    }
    if (member !== null && nickname !== undefined) {
      await member.update({ name: nickname, version: member.version + 1 }, { transaction: tx });
    }
  });
}
