import { text } from 'node:stream/consumers';
import { createOperatorActivities } from '../activities/accounts/operators.ts';
import { rejudge } from '../activities/tracking/rejudge.ts';
import { parseKeys } from '../config-keys.ts';
import { loadConfig } from '../config.ts';
import { roleOf } from '../db/application-role.ts';
import { migrate } from '../db/migrate.ts';
import { connectPostgres, openPool } from '../db/postgres.ts';
import { reseal } from '../db/reseal.ts';
import { DomainError } from '../domain/errors.ts';
import { OPERATOR_ROLES, type OperatorRole } from '../domain/operator.ts';
import { type Said, sumRejudged } from '../domain/tracking/rejudged.ts';

/**
 * What has to be done on the machine before anybody can log in (interface 5.2):
 *   migrate                          brings the schema up to date as POSTGRES_OWNER_URL, and gives the role
 *                                    of POSTGRES_URL what the application may do
 *   create-admin USERNAME EMAIL      makes an operator with the role ADMIN; the password is read
 *                                    from ADMIN_PASSWORD, else from standard input
 *   create-operator ROLE USERNAME EMAIL  the same of any role: money needs two persons (interface 5.19)
 *   reseal [unbound]                 writes every sealed column anew with the first of DATA_KEYS, as POSTGRES_OWNER_URL, and gives
 *                                    files of PRIVATE_DIR that have no key one of their own; unbound: also what no row
 *                                    is bound into, once
 * and what is asked there, because it reads for minutes:
 *   rejudge FROM TO                  which events, received from one RFC 3339 moment to another, would
 *                                    be judged otherwise now, with reasons and money; changes nothing
 */
const USAGE =
  'usage: admin migrate | create-admin USERNAME EMAIL | create-operator ROLE USERNAME EMAIL | reseal [unbound] | rejudge FROM TO';
/** Of those that would differ; the sums are of all. */
const SHOWN_MAX = 50;

const [verb, ...args] = process.argv.slice(2);
process.exitCode = await run();

async function run(): Promise<number> {
  const postgresUrl = loadConfig({ POSTGRES_URL: process.env['POSTGRES_URL'] }).postgres.url;
  if (verb === 'migrate') return await runMigrations(postgresUrl);
  if (verb === 'reseal' && [undefined, 'unbound'].includes(args[0])) {
    return await resealAll(postgresUrl, { unbound: args[0] === 'unbound' });
  }
  const [fromMs = Number.NaN, toMs = Number.NaN] = args.map((text) => Date.parse(text));
  if (verb === 'rejudge' && fromMs < toMs) {
    return await showRejudged(postgresUrl, { fromMs, toMs });
  }
  const [role, username, email] = verb === 'create-admin' ? ['ADMIN', ...args] : args;
  const makes = verb === 'create-admin' || verb === 'create-operator';
  if (makes && isRole(role) && username !== undefined && email !== undefined) {
    return await makeOperator(postgresUrl, { username, email, role });
  }
  process.stderr.write(`${USAGE}\n`);
  return 2;
}

async function runMigrations(postgresUrl: string): Promise<number> {
  const ownerUrl = process.env['POSTGRES_OWNER_URL'] ?? postgresUrl;
  const applied = await migrate(ownerUrl, postgresUrl);
  if (roleOf(ownerUrl).name === roleOf(postgresUrl).name) {
    process.stderr.write(
      'one role owns the tables and runs the platform: the database does not protect its ledger. ' +
        'Give the owner as POSTGRES_OWNER_URL and the application as POSTGRES_URL.\n',
    );
  }
  process.stdout.write(applied.length === 0 ? 'up to date\n' : `applied ${applied.join(', ')}\n`);
  return 0;
}

/** Lines of counts; what still waits for its money keeps its key, so that key stays in the ring. */
async function resealAll(postgresUrl: string, { unbound }: { unbound: boolean }): Promise<number> {
  const { privateDir } = loadConfig({
    POSTGRES_URL: postgresUrl,
    PRIVATE_DIR: process.env['PRIVATE_DIR'],
  });
  const ownerUrl = process.env['POSTGRES_OWNER_URL'] ?? postgresUrl;
  const faults: string[] = [];
  const keys = parseKeys('DATA_KEYS', process.env['DATA_KEYS'] ?? '', faults);
  if (keys.length === 0) faults.push('DATA_KEYS is not set');
  if (faults.length > 0) {
    process.stderr.write(`${faults.join('; ')}\n`);
    return 2;
  }
  const owner = openPool({ url: ownerUrl, poolMax: 1, applicationName: 'admin' });
  try {
    for (const { column, resealed, kept } of await reseal(owner, keys, { unbound, privateDir })) {
      process.stdout.write(`${column}: ${resealed} sealed anew, ${kept} kept\n`);
    }
    return 0;
  } finally {
    await owner.end();
  }
}

/** A function of its own: `run` is called above, before a constant of this place is there. */
function isRole(text: string | undefined): text is OperatorRole {
  return OPERATOR_ROLES.some((role) => role === text);
}

async function makeOperator(
  postgresUrl: string,
  operator: { username: string; email: string; role: OperatorRole },
): Promise<number> {
  const password = process.env['ADMIN_PASSWORD'] ?? (await text(process.stdin)).trim();
  const db = connectPostgres({ url: postgresUrl, poolMax: 2, applicationName: 'admin' });
  const { createOperator } = createOperatorActivities({ db });
  try {
    const { id } = await createOperator({ ...operator, password });
    process.stdout.write(`operator ${id} (${operator.username}) made\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const details = (error.errors ?? []).map(({ field, message }) => `${field} ${message}`);
    process.stderr.write(`${error.message} ${details.join('; ')}\n`);
    return 1;
  } finally {
    await db.sequelize.close();
  }
}

async function showRejudged(
  postgresUrl: string,
  stretch: { fromMs: number; toMs: number },
): Promise<number> {
  const db = connectPostgres({ url: postgresUrl, poolMax: 2, applicationName: 'admin' });
  try {
    const { judged, factless, differing } = await rejudge(db, stretch);
    const lines = sumRejudged(differing).map(
      ({ from, to, events, priceNanos, publisherNanos }) =>
        `${from ?? 'none'} -> ${to ?? 'none'}: ${events} events, advertisers ${signed(priceNanos)}, publishers ${signed(publisherNanos)}`,
    );
    const shown = differing
      .slice(0, SHOWN_MAX)
      .map(
        ({ id, kind, advertiserId, publisherId, stored, now }) =>
          `${id} ${kind} advertiser ${advertiserId} publisher ${publisherId}: ` +
          `${verdictOf(stored)} -> ${verdictOf(now)}`,
      );
    const head = `${judged} events judged again, ${differing.length} would differ, ${factless} have no facts any more`;
    process.stdout.write(`${[head, ...lines, ...shown].join('\n')}\n`);
    return 0;
  } finally {
    await db.sequelize.close();
  }
}

const verdictOf = ({ status, reasons }: Said): string =>
  reasons.length === 0 ? status : reasons.join(' ');
const signed = (nanos: bigint): string => `${nanos > 0n ? '+' : ''}${nanos} nanos`;
