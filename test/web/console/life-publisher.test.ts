import { setByOwner } from '../../support/by-owner.ts';
import { createMaturityActivities } from '../../../activities/tracking/maturity.ts';
import { ApiClient } from '../../support/call.ts';
import {
  type ConsoleStand,
  menuOf,
  PASSWORD,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { approveOf } from '../../support/desk.ts';
import { type Hands, handsOf, TOOLS } from '../../support/hands.ts';
import { image } from '../../support/images.ts';
import { makeLine } from '../../support/make/line.ts';
import { fundPublisher, UNIT } from '../../support/make/money.ts';
import { ibanOf, ripenCards } from '../../support/payouts.ts';
import { show } from '../../support/served.ts';
import { activityDeps } from '../../support/settlement.ts';
import { until } from '../../support/until.ts';

/** A publisher's whole way, from nothing to money that leaves, with each of two tools. */
const PROOF = '/.well-known/adplatform.txt';
const DOMAINS = { mouse: 'gazette.example.com', keyboard: 'shop.example.com' };

let stand: ConsoleStand;

beforeAll(async () => {
  stand = await startConsole();
  // Days are not waited for here: what was earned is old enough, what was approved may leave.
  await setByOwner(stand.platform, 'payout.maturity_days', 0);
  await setByOwner(stand.platform, 'payout.cooling_off_seconds', 0);
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

async function signUp(person: Person, hands: Hands, email: string): Promise<void> {
  await person.open('/');
  await hands.press(person.link('Sign up: Publisher'));
  await hands.write(person.field(/^Your name/), 'Bob Sheet');
  await hands.write(person.field(/^Company/), 'Harbour Gazette');
  await hands.write(person.field(/^E-mail/), email);
  await hands.write(person.field(/^Password/), PASSWORD);
  await hands.press(person.button('Sign up'));
  await person.page.waitForURL('**/console/publisher');
}

async function addSite(
  person: Person,
  hands: Hands,
  { domain, ownerId }: { domain: string; ownerId: number },
): Promise<number> {
  await hands.press(menuOf(person, 'Sites'));
  await hands.press(person.link('Add a site').first());
  // The list has a field of names as well, and stands until the new page is drawn.
  await person.heading('Add a site').waitFor();
  await hands.write(person.field(/^Name/), 'Harbour Gazette');
  await hands.write(person.field(/^Domain/), domain);
  await hands.press(person.button('Add a site'));
  await person.page.waitForURL(/\/publisher\/sites\/\d+$/);
  await hands.press(person.page.getByRole('tab', { name: 'File on the server' }));
  await person.page.getByRole('tabpanel', { name: 'File on the server' }).waitFor();
  const body = await person.field('What to put there').innerText();
  stand.sites.pages.set(PROOF, { type: 'text/plain', body });
  await hands.press(person.button('Check now'));
  await person.page.getByText('It is yours', { exact: true }).first().waitFor();
  await approveOf((await stand.operator('REVIEWER')).api, 'site', ownerId);
  return Number(new URL(person.page.url()).pathname.split('/').at(-1));
}

async function makeZone(person: Person, hands: Hands, owner: ApiClient): Promise<number> {
  await until('the site is approved', async () => {
    const { items } = await owner.must<{ items: { audit_status: string }[] }>('GET', '/sites');
    return items[0]?.audit_status === 'APPROVED';
  });
  await hands.press(menuOf(person, 'Zones'));
  await hands.press(person.link('New zone').first());
  await hands.press(person.link(/^Banner/));
  await hands.press(person.button('Create zone'));
  await person.page.waitForURL(/\/publisher\/zones\/\d+$/);
  await hands.press(person.button('Copy').first());
  await person.button('Copied').waitFor();
  expect(await person.page.evaluate<string>('navigator.clipboard.readText()')).toContain('<script');
  return Number(person.page.url().split('/').at(-1));
}

/** An ad was seen there, and what that brought is old enough; and so much that it can be paid out. */
async function earn(publisherId: number, place: { siteId: number; zoneId: number }): Promise<void> {
  const { platform } = stand;
  const database = { db: platform.db, pool: platform.pool } as Parameters<typeof makeLine>[0];
  const line = { ...(await makeLine(database, { publisherId })), ...place };
  await show(platform, line, [{ priceNanos: 3n * UNIT }]);
  await createMaturityActivities(activityDeps(database)).matureEarnings();
  await fundPublisher(platform.db, publisherId, 500n * UNIT);
}

async function proveIdentity(person: Person, hands: Hands, publisherId: number): Promise<void> {
  await hands.press(menuOf(person, 'Identity'));
  await hands.write(person.field(/^Full name/), 'Bob Sheet');
  await hands.choose(person.field(/^Country/).first(), 'Germany');
  await hands.write(person.field(/^Number of the passport/), 'C01X00T47');
  await hands.give(person.button('Choose files'), {
    name: 'passport.png',
    mimeType: 'image/png',
    buffer: await image('png', { width: 300, height: 250 }),
  });
  await person.page.getByText(/passport\.png/).waitFor();
  await hands.press(person.button('Send for checking'));
  await person.page.getByText('A person looks at your papers').first().waitFor();
  await approveOf((await stand.operator('REVIEWER')).api, 'kyc', publisherId);
  await person.page.getByText('Your identity is proven.').waitFor();
}

async function addAccount(person: Person, hands: Hands, iban: string): Promise<void> {
  await hands.press(menuOf(person, 'Payouts'));
  await hands.press(person.link('Payout accounts'));
  await hands.press(person.link('Add a payout account').first());
  await hands.choose(person.field(/^Country of the bank/).first(), 'Germany');
  await hands.write(person.field(/^Account holder/), 'Bob Sheet');
  await hands.write(person.field(/^IBAN/), iban);
  await hands.press(person.button('Add a payout account'));
  await person.page.waitForURL('**/publisher/payouts/accounts');
}

test.each(TOOLS)(
  'publisher · by %s alone · from signing up to money that leaves',
  async (tool) => {
    const person = await stand.newPerson();
    const hands = handsOf(person, tool);
    const email = `bob@${tool}.example.com`;
    await signUp(person, hands, email);
    const owner = new ApiClient(`${stand.platform.baseUrl}/api/publisher`);
    await owner.login(email, PASSWORD);
    const { id } = await owner.must<{ id: number }>('GET', '/auth/profile');
    const siteId = await addSite(person, hands, { domain: DOMAINS[tool], ownerId: id });
    const zoneId = await makeZone(person, hands, owner);
    await earn(id, { siteId, zoneId });
    await hands.press(menuOf(person, 'Reports'));
    await person.page.getByRole('region', { name: 'Figures' }).waitFor();
    await proveIdentity(person, hands, id);
    await addAccount(person, hands, ibanOf(TOOLS.indexOf(tool) + 1));
    await ripenCards({ pool: stand.platform.pool } as Parameters<typeof ripenCards>[0], id);
    // A day later they come again; what was read before the account could be used is not shown any more.
    await person.open('/publisher');
    await hands.press(menuOf(person, 'Payouts'));
    await hands.press(person.link('Withdraw').first());
    await hands.press(person.button('All of it'));
    await hands.press(person.button('Request withdrawal'));
    await person.page.waitForURL(/\/publisher\/payouts\/\d+$/);
    await person.page.getByText('A person is looking at it. That usually takes').waitFor();
    await approveOf((await stand.operator('FINANCE')).api, 'withdrawal', id);
    // The page follows by itself.
    await person.page.getByText('The order is with the bank or provider.').first().waitFor();
    expect(hands.unseen()).toEqual([]);
    if (tool === 'keyboard') expect((await person.counted()).clicks).toBe(0);
  },
  180_000,
);
