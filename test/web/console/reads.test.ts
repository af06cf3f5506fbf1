import pg from 'pg';
import {
  type Account,
  type ConsoleStand,
  menuOf,
  type Person,
  startConsole,
} from '../../support/console.ts';

/** How often the pages ask: a session must stay far below what the platform allows per minute. */
const READS_MAX = 60;
const MINUTE = 60_000;
const STEP = 5_000;

let stand: ConsoleStand;
let people: Record<'advertiser' | 'publisher' | 'operator', Account>;

beforeAll(async () => {
  stand = await startConsole();
  people = {
    advertiser: await stand.newAccount('advertiser', 'Asks'),
    publisher: await stand.newAccount('publisher', 'Stands'),
    operator: await stand.operator('ADMIN'),
  };
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

type Role = keyof typeof people;

/** Somebody whose clock the test moves, and how often their pages have asked so far. */
async function watched(role: Role): Promise<{ person: Person; reads: () => number }> {
  const realm = role === 'operator' ? 'admin' : role;
  const person = await stand.newPerson({ as: [realm, people[role]] });
  await person.page.clock.install();
  let reads = 0;
  person.page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().includes('/api/')) reads += 1;
  });
  return { person, reads: () => reads };
}

/** Time goes by in steps, so that what is due is asked and answered as it would be. */
async function pass(person: Person, milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += STEP) {
    await person.page.clock.runFor(STEP);
    await person.settled();
  }
}

const MENUS: [role: Role, entries: string[]][] = [
  ['advertiser', ['Campaigns', 'Creatives', 'Reports', 'Money', 'Home', 'Campaigns']],
  ['publisher', ['Sites', 'Zones', 'Reports', 'Payouts', 'Home', 'Zones']],
  ['operator', ['Top-ups', 'Withdrawals', 'Books', 'Advertisers', 'Operations', 'Top-ups']],
];

test.each(MENUS)(
  '%s · a page every ten seconds for a minute · asks at most sixty times',
  async (role, entries) => {
    const { person, reads } = await watched(role);
    await person.open(`/${role}`);
    for (const entry of entries) {
      await menuOf(person, entry).click();
      await person.settled();
      await pass(person, MINUTE / entries.length);
    }
    expect(reads()).toBeLessThanOrEqual(READS_MAX);
  },
  120_000,
);

const OPEN: [role: Role, path: string][] = [
  ['advertiser', '/advertiser'],
  ['advertiser', '/advertiser/campaigns'],
  ['publisher', '/publisher'],
  ['operator', '/operator'],
  ['operator', '/operator/health'],
];

test.each(OPEN)(
  '%s · %s stands open for a minute · asks at most sixty times',
  async (role, path) => {
    const { person, reads } = await watched(role);
    await person.open(path);
    await pass(person, MINUTE);
    expect(reads()).toBeLessThanOrEqual(READS_MAX);
  },
  120_000,
);

const OWNERS = 20;

/** Orders and requests for money of that many accounts of each side. */
async function seedOwners(): Promise<void> {
  const pool = new pg.Pool({ connectionString: stand.platform.ownerUrl, max: 1 });
  const each = `FROM generate_series(1, ${OWNERS}) i`;
  const of = (kind: string) =>
    `(SELECT id FROM accounts WHERE kind = '${kind}' AND company_name = '${kind} no. ' || i)`;
  const statements = [
    // A request for money hangs on postings that no list shows.
    'SET session_replication_role = replica',
    ...['ADVERTISER', 'PUBLISHER'].map(
      (kind) => `INSERT INTO accounts (kind, username, email, password_hash, company_name)
        SELECT '${kind}', '${kind}_' || i, '${kind}' || i || '@reads.example', '-', '${kind} no. ' || i ${each}`,
    ),
    `INSERT INTO deposits (advertiser_id, amount_nanos, payment_method, reference, status, expires_at)
      SELECT ${of('ADVERTISER')}, 1, 'BANK', 'READS' || i, 'PENDING', now() ${each}`,
    `INSERT INTO withdrawals (publisher_id, amount_nanos, arrival_nanos, channel, status)
      SELECT ${of('PUBLISHER')}, 1, 1, 'BANK', 'PENDING' ${each}`,
  ];
  for (const statement of statements) await pool.query(statement);
  await pool.end();
}

test('operator · lists of twenty accounts’ orders · name each, and ask for no account by itself', async () => {
  await seedOwners();
  const { person, reads } = await watched('operator');
  const lists: [path: string, owner: string][] = [
    ['/operator/deposits', 'ADVERTISER no. 7'],
    ['/operator/withdrawals', 'PUBLISHER no. 7'],
  ];
  for (const [path, owner] of lists) {
    const before = reads();
    await person.open(path);
    await person.link(owner).waitFor();
    // The page's own, and what the frame shows; one for each row would be twenty more.
    expect(reads() - before).toBeLessThan(10);
  }
});
