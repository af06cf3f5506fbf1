import type { AccountStatus } from '../../domain/lifecycle/account.ts';
import type { KycStatus } from '../../domain/lifecycle/profile.ts';
import type { SqlRunner } from '../sql-runner.ts';

export type AccountKind = 'ADVERTISER' | 'PUBLISHER';
/** Accounts of both kinds, and operators, log in the same way. */
export type LoginKind = AccountKind | 'OPERATOR';

/** What login and tokens need of an account or operator. */
export interface LoginRow {
  id: number;
  kind: LoginKind;
  username: string;
  email: string;
  nickname: string | null;
  role: string;
  status: AccountStatus;
  passwordHash: string;
  tokenVersion: number;
}

/** The own view of an account or operator; operators have no company. */
export interface ProfileRow extends Omit<LoginRow, 'passwordHash'> {
  mobile: string | null;
  companyName: string | null;
  contactName: string | null;
  industry: string | null;
  siteUrl: string | null;
  kycStatus: KycStatus;
  hasPayoutAccount: boolean;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const LOGIN_COLUMNS = `id, username, email, nickname, role, status, password_hash AS "passwordHash",
  token_version AS "tokenVersion"`;

type Stored<Row extends { id: number }> = Omit<Row, 'id'> & { id: string };

/** By username or e-mail address, case apart. A username has no `@`, so the two cannot be confused. */
export async function findLogin(
  sql: SqlRunner,
  kind: LoginKind,
  login: string,
): Promise<LoginRow | null> {
  const { rows } =
    kind === 'OPERATOR'
      ? await sql.query<Stored<LoginRow>>(
          `SELECT ${LOGIN_COLUMNS}, 'OPERATOR' AS kind FROM operators
           WHERE lower(username) = lower($1) OR lower(email) = lower($1) LIMIT 1`,
          [login],
        )
      : await sql.query<Stored<LoginRow>>(
          `SELECT ${LOGIN_COLUMNS}, kind FROM accounts
           WHERE kind = $2 AND (lower(username) = lower($1) OR lower(email) = lower($1)) LIMIT 1`,
          [login, kind],
        );
  return withNumericId(rows[0]);
}

export async function findLoginById(
  sql: SqlRunner,
  kind: LoginKind,
  id: number,
): Promise<LoginRow | null> {
  const { rows } =
    kind === 'OPERATOR'
      ? await sql.query<Stored<LoginRow>>(
          `SELECT ${LOGIN_COLUMNS}, 'OPERATOR' AS kind FROM operators WHERE id = $1`,
          [id],
        )
      : await sql.query<Stored<LoginRow>>(
          `SELECT ${LOGIN_COLUMNS}, kind FROM accounts WHERE id = $1 AND kind = $2`,
          [id, kind],
        );
  return withNumericId(rows[0]);
}

export async function findProfile(
  sql: SqlRunner,
  kind: LoginKind,
  id: number,
): Promise<ProfileRow | null> {
  const { rows } =
    kind === 'OPERATOR'
      ? await sql.query<Stored<ProfileRow>>(
          `SELECT id, 'OPERATOR' AS kind, username, email, nickname, role, status,
                  token_version AS "tokenVersion", NULL AS mobile, NULL AS "companyName",
                  NULL AS "contactName", NULL AS industry, NULL AS "siteUrl", 'none' AS "kycStatus",
                  false AS "hasPayoutAccount", version, created_at AS "createdAt", updated_at AS "updatedAt"
           FROM operators WHERE id = $1`,
          [id],
        )
      : await sql.query<Stored<ProfileRow>>(
          `SELECT id, kind, username, email, nickname, role, status, token_version AS "tokenVersion",
                  mobile, company_name AS "companyName", contact_name AS "contactName", industry,
                  site_url AS "siteUrl", kyc_status AS "kycStatus",
                  EXISTS (SELECT FROM bank_cards c WHERE c.publisher_id = accounts.id
                          AND c.status = 'ACTIVE' AND c.usable_from <= now()) AS "hasPayoutAccount",
                  version, created_at AS "createdAt", updated_at AS "updatedAt"
           FROM accounts WHERE id = $1 AND kind = $2`,
          [id, kind],
        );
  return withNumericId(rows[0]);
}

function withNumericId<Row extends { id: number }>(row: Stored<Row> | undefined): Row | null {
  return row === undefined ? null : ({ ...row, id: Number(row.id) } as Row);
}

const KIND_OF_REALM = {
  advertiser: 'ADVERTISER',
  publisher: 'PUBLISHER',
  admin: 'OPERATOR',
} as const satisfies Record<string, LoginKind>;

export const kindOfRealm = (realm: keyof typeof KIND_OF_REALM): LoginKind => KIND_OF_REALM[realm];

interface ConfirmRow {
  role: string;
  status: AccountStatus;
  current: boolean;
  revoked: boolean;
}

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
  const revoked = 'EXISTS (SELECT FROM revoked_tokens WHERE jti = $3) AS revoked';
  const { rows } =
    realm === 'admin'
      ? await sql.query<ConfirmRow>(
          `SELECT role, status, token_version = $2::int AS current, ${revoked}
           FROM operators WHERE id = $1`,
          [sub, ver, jti],
        )
      : await sql.query<ConfirmRow>(
          `SELECT role, status, token_version = $2::int AS current, ${revoked}
           FROM accounts WHERE id = $1 AND kind = $4`,
          [sub, ver, jti, KIND_OF_REALM[realm]],
        );
  const [row] = rows;
  if (row === undefined) return 'revoked';
  // Asked first: a suspension also moves the version, and its owner should learn which of the two it is.
  if (row.status === 'SUSPENDED') return 'suspended';
  return row.revoked || !row.current ? 'revoked' : { role: row.role };
}
