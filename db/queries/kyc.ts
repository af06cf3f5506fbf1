import type { KycStatus } from '../../domain/lifecycle/profile.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import { accounts } from '../tables/account.ts';
import { kycApplications } from '../tables/kyc-application.ts';
import { type KycDocumentRow, kycDocuments } from '../tables/kyc-document.ts';
import type { SqlRunner } from '../sql-runner.ts';

/** One submission. The number itself is sealed and not read here; its end is. */
const ROUND = select(
  columnsOf(kycApplications, 'k', [
    'id',
    'accountId',
    'round',
    'status',
    'entityType',
    'legalName',
    'country',
    'documentNumberTail',
    'documentExpiresOn',
    'documentIds',
    'reasons',
    'expiresAt',
    'createdAt',
    'decidedAt',
  ]),
);
export type KycRound = RowOf<typeof ROUND>;

const DOCUMENT = select(columnsOf(kycDocuments, 'd'));
const STATUS = select(columnsOf(accounts, 'a', ['kycStatus']));

const ROUNDS_SHOWN_MAX = 20;

/** Newest first, by account or by one of its rounds. */
export async function listKycApplications(
  sql: SqlRunner,
  of: { accountId: number } | { applicationId: number },
): Promise<KycRound[]> {
  const where =
    'accountId' in of
      ? 'account_id = $1'
      : 'account_id = (SELECT account_id FROM kyc_applications WHERE id = $1)';
  return await readRows(
    sql,
    ROUND,
    `SELECT ${ROUND.list} FROM kyc_applications k WHERE ${where}
     ORDER BY round DESC LIMIT ${ROUNDS_SHOWN_MAX}`,
    ['accountId' in of ? of.accountId : of.applicationId],
  );
}

/** In the order of upload. */
export async function listKycDocuments(
  sql: SqlRunner,
  ids: readonly number[],
): Promise<KycDocumentRow[]> {
  return await readRows(
    sql,
    DOCUMENT,
    `SELECT ${DOCUMENT.list} FROM kyc_documents d WHERE id = ANY($1::bigint[]) ORDER BY id`,
    [ids],
  );
}

export async function readKycStatus(sql: SqlRunner, accountId: number): Promise<KycStatus> {
  const statement = `SELECT ${STATUS.list} FROM accounts a WHERE id = $1`;
  return (await readRow(sql, STATUS, statement, [accountId]))?.kycStatus ?? 'none';
}
