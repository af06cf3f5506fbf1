import { createOperatorActivities } from '../activities/accounts/operators.ts';
import { connectPostgres } from '../db/postgres.ts';
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
    }
  } finally {
    await db.sequelize.close();
  }
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
  }: { baseUrl: string; accounts: DemoAccounts; demoDomain: string },
  realm: 'advertiser' | 'publisher',
  identity: Identity = KNOWN[realm],
): Promise<ApiClient> {
  const prefix = `${baseUrl}/api/${realm}`;
  const client = createClient(prefix);
  const { password } = accounts[realm];
  const username = identity === KNOWN[realm] ? accounts[realm].username : identity.name;
  try {
    const session = await client.call<{ token: string }>('POST', '/auth/register', {
      username,
      password,
      email: `${identity.name}@${demoDomain}`,
      contact_name: identity.contact,
      company_name: identity.company,
    });
    client.token = session.token;
    return client;
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.status !== 409) throw error;
    return await login(prefix, { username, password });
  }
}
