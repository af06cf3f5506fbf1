import { createOperatorActivities } from '../activities/accounts/operators.ts';
import { connectPostgres, type Db, runner } from '../db/postgres.ts';
import { DomainError } from '../domain/errors.ts';
import { type ApiClient, ApiRefusal, createClient } from './api-client.ts';
import { StandError } from './services/progress.ts';

export interface Login {
  username: string;
  password: string;
}
export type DemoAccounts = Record<
  'admin' | 'reviewer' | 'finance' | 'support' | 'advertiser' | 'publisher',
  Login
>;

/** The first operators are made on the machine, not over HTTP: nobody could allow it (interface 5.2). */
export async function makeOperators(postgresUrl: string, accounts: DemoAccounts): Promise<void> {
  const db = connectPostgres({ url: postgresUrl, poolMax: 2, applicationName: 'seed' });
  const { createOperator } = createOperatorActivities({ db });
  try {
    for (const role of ['ADMIN', 'REVIEWER', 'FINANCE', 'SUPPORT'] as const) {
      const { username, password } = accounts[role.toLowerCase() as Lowercase<typeof role>];
      const email = `${username}@adplatform.example`;
      await createOperator({ username, email, password, role }).catch((error: unknown) => {
        if (!(error instanceof DomainError && error.token === 'already_claimed')) throw error;
      });
      await confirmAddress(db, 'operators', email);
    }
  } finally {
    await db.sequelize.close();
  }
}

/** Nobody reads the letters of the demo's people: their addresses count as if somebody had (interface 5.18). */
async function confirmAddress(
  db: Db,
  table: 'accounts' | 'operators',
  email: string,
): Promise<void> {
  await runner(db).query(
    `UPDATE ${table} SET email_confirmed_at = COALESCE(email_confirmed_at, now()) WHERE email = $1 RETURNING id`,
    [email],
  );
}

export async function login(prefix: string, { username, password }: Login): Promise<ApiClient> {
  const client = createClient(prefix);
  try {
    const session = await client.call<{ token: string }>('POST', '/auth/login', {
      username,
      password,
    });
    client.token = session.token;
    return client;
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.status !== 401) throw error;
    throw new StandError(
      `The database knows "${username}" with another password than .data/secrets.json: they are of ` +
        'different stands. Remove both (.data/, or the database that POSTGRES_URL names) to begin anew.',
    );
  }
}

/** Who somebody is; the two of the demo page when nothing is said. */
export interface Identity {
  name: string;
  contact: string;
  company: string;
}

const KNOWN: Record<'advertiser' | 'publisher', Identity> = {
  advertiser: { name: 'advertiser', contact: 'Ada Bowline', company: 'Harbour Rope Ltd' },
  publisher: { name: 'publisher', contact: 'Bo Lantern', company: 'The Harbour Gazette' },
};

/** Others log in with the password of the realm's first account. */
export async function loginOrRegister(
  {
    baseUrl,
    accounts,
    demoDomain,
    postgresUrl,
  }: { baseUrl: string; accounts: DemoAccounts; demoDomain: string; postgresUrl: string },
  realm: 'advertiser' | 'publisher',
  identity: Identity = KNOWN[realm],
): Promise<ApiClient> {
  const { password } = accounts[realm];
  const username = identity === KNOWN[realm] ? accounts[realm].username : identity.name;
  const email = `${identity.name}@${demoDomain}`;
  const client = await enter(`${baseUrl}/api/${realm}`, { username, password, email }, identity);
  const db = connectPostgres({ url: postgresUrl, poolMax: 1, applicationName: 'seed' });
  try {
    await confirmAddress(db, 'accounts', email);
  } finally {
    await db.sequelize.close();
  }
  return client;
}

async function enter(
  prefix: string,
  { email, ...person }: Login & { email: string },
  { contact, company }: Identity,
): Promise<ApiClient> {
  const client = createClient(prefix);
  const names = { contact_name: contact, company_name: company };
  try {
    const session = await client.call<{ token: string }>('POST', '/auth/register', {
      ...person,
      email,
      ...names,
    });
    client.token = session.token;
    return client;
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.status !== 409) throw error;
    return await login(prefix, person);
  }
}
