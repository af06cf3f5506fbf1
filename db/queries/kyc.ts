import { SETTINGS } from '../../domain/settings.ts';
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
    'erasedAt',
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

/** In the order of upload, without those that were erased. */
export async function listKycDocuments(
  sql: SqlRunner,
  ids: readonly number[],
): Promise<KycDocumentRow[]> {
  return await readRows(
    sql,
    DOCUMENT,
    `SELECT ${DOCUMENT.list} FROM kyc_documents d WHERE id = ANY($1::bigint[]) AND erased_at IS NULL ORDER BY id`,
    [ids],
  );
}

/** Rounds whose papers wait to be erased, but for the time: of nobody who is held. */
export const KYC_DUE_FOR_ERASURE = `kyc_applications k JOIN accounts a ON a.id = k.account_id
  WHERE k.erased_at IS NULL AND k.ended_at IS NOT NULL AND a.legal_hold_at IS NULL`;

/** What should have been erased: a day later than it is due, as a round may be late. Shape as in books.ts. */
export const KYC_INVARIANTS = [
  {
    name: 'papers_are_erased_in_time',
    detail: 'Rounds of papers that are kept for longer than kyc.retention_days, and nobody holds.',
    sql: `SELECT count(*)::text AS figure FROM ${KYC_DUE_FOR_ERASURE}
            AND k.ended_at < now() - interval '1 day' - make_interval(days => COALESCE(
              (SELECT (value #>> '{}')::int FROM settings WHERE key = 'kyc.retention_days'), ${SETTINGS['kyc.retention_days'].default}))`,
  },
  {
    name: 'erased_papers_are_gone',
    detail:
      'Papers that are kept though every round that showed them is erased, and the other way round.',
    sql: `SELECT count(*)::text AS figure FROM kyc_documents d
          CROSS JOIN LATERAL (SELECT count(*) AS rounds, count(*) FILTER (WHERE k.erased_at IS NULL) AS kept
            FROM kyc_applications k WHERE k.account_id = d.account_id AND k.document_ids @> ARRAY[d.id]) k
          WHERE k.rounds > 0 AND (k.kept = 0) <> (d.erased_at IS NOT NULL)`,
  },
];

const HELD = select(columnsOf(kycApplications, 'k', ['expiresAt']));

/** Until when what was approved of an account holds; undefined: nothing is. */
export const readApprovedIdentity = async (
  sql: SqlRunner,
  accountId: number,
): Promise<RowOf<typeof HELD> | undefined> =>
  await readRow(
    sql,
    HELD,
    `SELECT ${HELD.list} FROM kyc_applications k WHERE account_id = $1 AND status = 'APPROVED'
     ORDER BY round DESC LIMIT 1`,
    [accountId],
  );

export async function readKycStatus(sql: SqlRunner, accountId: number): Promise<KycStatus> {
  const statement = `SELECT ${STATUS.list} FROM accounts a WHERE id = $1`;
  return (await readRow(sql, STATUS, statement, [accountId]))?.kycStatus ?? 'none';
}
