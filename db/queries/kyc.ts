import type { KycEntityType } from '../../domain/lifecycle/kyc.ts';
import type { KycStatus } from '../../domain/lifecycle/profile.ts';
import type { ReviewReason } from '../tables/json.ts';
import type { SqlRunner } from '../sql-runner.ts';

/** One submission. The number itself is sealed and not read here; its end is. */
export interface KycApplicationRow {
  id: number;
  accountId: number;
  round: number;
  status: 'PENDING' | 'APPROVED' | 'REJECTED' | 'EXPIRED';
  entityType: KycEntityType;
  legalName: string;
  country: string;
  documentNumberTail: string;
  /** `YYYY-MM-DD` */
  documentExpiresOn: string | null;
  documentIds: number[];
  reasons: ReviewReason[] | null;
  expiresAt: Date | null;
  createdAt: Date;
  decidedAt: Date | null;
}

/** The file lies in the private store. */
export interface KycDocumentRow {
  id: number;
  accountId: number;
  mime: string;
  bytes: number;
  sha256: string;
  path: string;
  createdAt: Date;
}

const APPLICATION_COLUMNS = `id, account_id AS "accountId", round, status,
  entity_type AS "entityType", legal_name AS "legalName", country,
  document_number_tail AS "documentNumberTail", document_expires_on::text AS "documentExpiresOn",
  document_ids AS "documentIds", reasons, expires_at AS "expiresAt", created_at AS "createdAt",
  decided_at AS "decidedAt"`;

type StoredApplication = Omit<KycApplicationRow, 'id' | 'accountId' | 'documentIds'> & {
  id: string;
  accountId: string;
  documentIds: string[];
};

const asApplication = (row: StoredApplication): KycApplicationRow => ({
  ...row,
  id: Number(row.id),
  accountId: Number(row.accountId),
  documentIds: row.documentIds.map(Number),
});

const ROUNDS_SHOWN_MAX = 20;

/** Newest first, by account or by one of its rounds. */
export async function listKycApplications(
  sql: SqlRunner,
  of: { accountId: number } | { applicationId: number },
): Promise<KycApplicationRow[]> {
  const where =
    'accountId' in of
      ? 'account_id = $1'
      : 'account_id = (SELECT account_id FROM kyc_applications WHERE id = $1)';
  const { rows } = await sql.query<StoredApplication>(
    `SELECT ${APPLICATION_COLUMNS} FROM kyc_applications WHERE ${where}
     ORDER BY round DESC LIMIT ${ROUNDS_SHOWN_MAX}`,
    ['accountId' in of ? of.accountId : of.applicationId],
  );
  return rows.map(asApplication);
}

/** In the order of upload. */
export async function listKycDocuments(
  sql: SqlRunner,
  ids: readonly number[],
): Promise<KycDocumentRow[]> {
  const { rows } = await sql.query<
    Omit<KycDocumentRow, 'id' | 'accountId'> & { id: string; accountId: string }
  >(
    `SELECT id, account_id AS "accountId", mime, bytes, sha256, path, created_at AS "createdAt"
     FROM kyc_documents WHERE id = ANY($1::bigint[]) ORDER BY id`,
    [ids],
  );
  return rows.map((row) => ({ ...row, id: Number(row.id), accountId: Number(row.accountId) }));
}

export async function readKycStatus(sql: SqlRunner, accountId: number): Promise<KycStatus> {
  const { rows } = await sql.query<{ status: KycStatus }>(
    'SELECT kyc_status AS status FROM accounts WHERE id = $1',
    [accountId],
  );
  return rows[0]?.status ?? 'none';
}
