import type pg from 'pg';
import type { SqlRunner } from './sql-runner.ts';

/**
 * The owner makes tables and owns them; the application, which API and workers are, works with their rows.
 * It owns nothing, so it can disable no trigger, move no floor and truncate nothing, whatever it is made to
 * say. What it may do with a table is said here and nowhere else; a table that is not named gets its rows
 * written and deleted. Given anew after every migration, so a new table needs no line.
 */
const MAY: Readonly<Record<string, string>> = {
  // Written once and for ever; balances move by a trigger of the owner's, accounts open by its function.
  ledger_accounts: 'SELECT',
  ledger_batches: 'SELECT, INSERT',
  ledger_transfers: 'SELECT, INSERT',
  // Only triggers of the owner's say what an approval is of, and use it up.
  approvals: 'SELECT, INSERT, UPDATE',
  // What may be approved, and what moves where, are rows of the migrations.
  approval_kinds: 'SELECT',
  ledger_moves: 'SELECT',
  payouts: 'SELECT, INSERT, UPDATE',
  payout_files: 'SELECT, INSERT',
  payout_file_take_backs: 'SELECT, INSERT',
  payout_status_files: 'SELECT, INSERT',
  payout_remarks: 'SELECT, INSERT',
  audit_log: 'SELECT, INSERT',
  // What a bank said; persons add what became of it.
  bank_statements: 'SELECT, INSERT',
  bank_statement_lines: 'SELECT, INSERT, UPDATE',
  bank_statement_balances: 'SELECT, INSERT',
  task_notes: 'SELECT, INSERT',
  reversal_items: 'SELECT, INSERT',
  event_corrections: 'SELECT, INSERT',
  corrected_events: 'SELECT',
  // Numbers are given by the owner's trigger, and what was issued stays.
  document_numbers: 'SELECT',
  documents: 'SELECT, INSERT',
  document_files: 'SELECT, INSERT',
  document_months: 'SELECT, INSERT',
  // Proposed; what is decided about their approval decides them.
  money_terms: 'SELECT, INSERT',
  publisher_shares: 'SELECT',
  schema_migrations: 'SELECT',
};
const MAY_WITH_ROWS = 'SELECT, INSERT, UPDATE, DELETE';

export interface ApplicationRole {
  name: string;
  /** Absent where the server asks for none. */
  password: string | undefined;
}

/** The role that a database address names. */
export function roleOf(url: string): ApplicationRole {
  const { username, password } = new URL(url);
  return {
    name: decodeURIComponent(username),
    password: password === '' ? undefined : decodeURIComponent(password),
  };
}

/** The address of another role in the same database. */
export function addressAs(url: string, { name, password }: ApplicationRole): string {
  const address = new URL(url);
  address.username = encodeURIComponent(name);
  address.password = encodeURIComponent(password ?? '');
  return address.toString();
}

/**
 * Makes the role where it is missing and may be made, gives it the password of its address, takes away what
 * it has and gives it what it may. Raises when the role is one that no grant can hold.
 */
export async function grantApplication(client: pg.Client, role: ApplicationRole): Promise<void> {
  await makeRole(client, role);
  const name = client.escapeIdentifier(role.name);
  const { rows: tables } = await client.query<{ name: string; partition: boolean }>(
    `SELECT c.relname AS name, c.relispartition AS partition FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v') ORDER BY 1`,
  );
  // Days of events are reached through their tables.
  const grants = tables
    .filter(({ partition }) => !partition)
    .map(
      (table) =>
        `GRANT ${MAY[table.name] ?? MAY_WITH_ROWS} ON ${client.escapeIdentifier(table.name)} TO ${name};`,
    );
  const { rows } = await client.query<{ database: string }>(
    'SELECT current_database() AS database',
  );
  const database = client.escapeIdentifier(rows[0]?.database ?? '');
  await client.query(`BEGIN;
    REVOKE ALL ON DATABASE ${database} FROM PUBLIC, ${name};
    REVOKE ALL ON SCHEMA public FROM PUBLIC, ${name};
    REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC, ${name};
    REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM PUBLIC, ${name};
    REVOKE ALL ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC, ${name};
    GRANT CONNECT ON DATABASE ${database} TO ${name};
    GRANT USAGE ON SCHEMA public TO ${name};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${name};
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO ${name};
    ${grants.join('\n')}
    COMMIT`);
  const left = await readFreedoms(client, role.name);
  if (left.length > 0) {
    throw new Error(`role ${role.name} is not one that a database can hold: it ${left.join(', ')}`);
  }
}

async function makeRole(client: pg.Client, role: ApplicationRole): Promise<void> {
  const { rows } = await client.query<{ known: boolean; may: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = $1) AS known,
            (SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user) AS may`,
    [role.name],
  );
  const [{ known, may } = { known: false, may: false }] = rows;
  const name = client.escapeIdentifier(role.name);
  if (!known && !may) {
    throw new Error(
      `there is no role ${role.name}, and this one may not make it: CREATE ROLE ${name} LOGIN PASSWORD '…'`,
    );
  }
  if (!known) await client.query(`CREATE ROLE ${name} LOGIN`);
  // Two stands on one server bring up databases at the same time; the address says what is true.
  if (may && role.password !== undefined) {
    await client.query(`ALTER ROLE ${name} PASSWORD ${client.escapeLiteral(role.password)}`);
  }
}

/** What the ledger's safety hangs on: `it …`; empty where the database protects itself from the role. */
const FREEDOMS: readonly (readonly [words: string, sql: string])[] = [
  ['is a superuser', 'r.rolsuper'],
  ['makes roles', 'r.rolcreaterole'],
  ['reads past row security', 'r.rolbypassrls'],
  [
    'owns tables or functions',
    `EXISTS (SELECT 1 FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
       AND pg_has_role(r.oid, c.relowner, 'MEMBER'))
     OR EXISTS (SELECT 1 FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
       AND pg_has_role(r.oid, p.proowner, 'MEMBER'))`,
  ],
  ['makes tables', `has_schema_privilege(r.oid, 'public', 'CREATE')`],
  [
    'changes the ledger',
    `has_any_column_privilege(r.oid, 'ledger_transfers', 'UPDATE')
     OR has_any_column_privilege(r.oid, 'ledger_batches', 'UPDATE')
     OR has_any_column_privilege(r.oid, 'ledger_accounts', 'INSERT, UPDATE')
     OR has_table_privilege(r.oid, 'ledger_transfers', 'DELETE, TRUNCATE, TRIGGER')
     OR has_table_privilege(r.oid, 'ledger_batches', 'DELETE, TRUNCATE, TRIGGER')
     OR has_table_privilege(r.oid, 'ledger_accounts', 'DELETE, TRUNCATE, TRIGGER')`,
  ],
];

/** Of this connection's role, or of another one. */
export async function readFreedoms(sql: SqlRunner, role?: string): Promise<string[]> {
  const { rows } = await sql.query<Record<string, boolean>>(
    `SELECT ${FREEDOMS.map(([words, is]) => `(${is}) AS "${words}"`).join(', ')}
     FROM pg_roles r WHERE r.rolname = COALESCE($1, current_user)`,
    [role ?? null],
  );
  return FREEDOMS.map(([words]) => words).filter((words) => rows[0]?.[words] === true);
}

/**
 * At the start of a process: production runs under a role that cannot bend the ledger, or not at all;
 * elsewhere it is said. A database that does not answer is left to the health page. Raises with what to do.
 */
export async function holdToRole(
  sql: SqlRunner,
  { production, warn }: { production: boolean; warn: (message: string) => void },
): Promise<void> {
  const freedoms = await readFreedoms(sql).catch(() => []);
  if (freedoms.length === 0) return;
  const message =
    `the database does not protect its ledger: the role of POSTGRES_URL ${freedoms.join(', ')}. ` +
    'Run "admin migrate" with POSTGRES_OWNER_URL (docs/runbooks/database-roles.md)';
  if (production) throw new Error(message);
  warn(message);
}
