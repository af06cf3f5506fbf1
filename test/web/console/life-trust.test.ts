import path from 'node:path';
import { generateSync } from 'otplib';
import type { CDPSession } from 'playwright-core';
import { freePort } from '../../../dev/services/ports.ts';
import {
  type Account,
  type ConsoleStand,
  menuOf,
  PASSWORD,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { SHOPPER, shopperClick, STRANGER } from '../../support/conversions.ts';
import type { TestDatabase } from '../../support/database.ts';
import { type Hands, handsOf } from '../../support/hands.ts';
import { makeCampaignTree } from '../../support/make/campaign.ts';
import { type Line, makeLine } from '../../support/make/line.ts';
import { fundAdvertiser, fundPublisher, UNIT } from '../../support/make/money.ts';
import { makeSite } from '../../support/make/place.ts';
import { CARD, ibanOf, passKyc, ripenCards } from '../../support/payouts.ts';
import { append } from '../../support/settlement.ts';
import { pause, until } from '../../support/until.ts';

/**
 * What trust asks of people, done by them: once on a wide window without a mouse, once on a phone.
 * With SHOTS_DIR each step is kept as a picture.
 */
const SHOTS = process.env['SHOTS_DIR'];
const WAYS = [
  { width: 1280, tool: 'keyboard' },
  { width: 360, tool: 'mouse' },
] as const;
type Way = (typeof WAYS)[number];
const DOMAIN = 'gazette.example.com';

let stand: ConsoleStand;
let database: TestDatabase;

beforeAll(async () => {
  // Browsers make passkeys at a host with a name.
  const port = await freePort();
  stand = await startConsole({ PORT: String(port), BASE_URL: `http://localhost:${port}` });
  database = stand.platform as unknown as TestDatabase;
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

interface Walker {
  person: Person;
  hands: Hands;
  /** An entry of the menu, which a phone hides behind a button. */
  goTo: (entry: string) => Promise<void>;
  /** An entry of one's own menu in the head. */
  own: (entry: string) => Promise<void>;
  /** No barrier, nothing beyond the edge; ends the look with a picture where one is wanted. */
  look: (name: string) => Promise<void>;
  /** The same while something is under way, such as what a dialog holds up. */
  glance: (name: string) => Promise<void>;
  /** What all of it cost, and that keys sufficed where they were all there was. */
  cost: (stepsMax: number) => Promise<void>;
}

async function walker({ width, tool }: Way, as?: Parameters<typeof enter>[1]): Promise<Walker> {
  const person = await enter({ width, height: 800 }, as);
  const hands = handsOf(person, tool);
  let presses = 0;
  const glance = async (name: string): Promise<void> => {
    expect([name, await person.barriers()]).toEqual([name, []]);
    const beyond = await person.page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect([name, beyond]).toEqual([name, 0]);
    if (SHOTS === undefined) return;
    const file = path.join(SHOTS, `${name}-${width}.png`);
    await person.page.screenshot({ path: file, fullPage: true });
  };
  const counting: Hands = {
    ...hands,
    press: async (target) => {
      presses += 1;
      await hands.press(target);
    },
  };
  return {
    person,
    hands: counting,
    goTo: async (entry) => {
      if (width < 700) await counting.press(person.button('Menu'));
      await counting.press(menuOf(person, entry));
    },
    own: async (entry) => {
      await counting.press(person.page.getByRole('banner').getByRole('button').last());
      await counting.press(person.page.getByRole('menuitem', { name: entry }));
    },
    look: async (name) => {
      await person.settled();
      await glance(name);
    },
    glance,
    cost: async (stepsMax) => {
      expect(presses).toBeLessThanOrEqual(stepsMax);
      expect(hands.unseen()).toEqual([]);
      if (tool === 'keyboard') expect((await person.counted()).clicks).toBe(0);
    },
  };
}

const enter = async (
  viewport: { width: number; height: number },
  as?: ['advertiser' | 'publisher' | 'admin', Account],
): Promise<Person> => await stand.newPerson({ viewport, ...(as === undefined ? {} : { as }) });

const idOf = async ({ api }: Account): Promise<number> =>
  (await api.must<{ id: number }>('GET', '/auth/profile')).id;

describe.each(WAYS)('$width pixels, by $tool', (way) => {
  test('held conversions · seen by operators, one approved, many rejected, the rest by a file · one sale is paid', async () => {
    const shop = await stand.newAccount('advertiser', `Rope${way.width}`);
    const advertiserId = await idOf(shop);
    const line = await makeLine(database, { advertiserId, pricingModel: 'CPA' });
    await fundAdvertiser(stand.platform.db, advertiserId, 100n * UNIT);
    await reportSales(shop, line);
    await lookAsOperator(way);
    await decideAsOwner(way, shop);
    const spent = await until('the approved one is billed', async () => {
      const { items } = await shop.api.must<{ items: { status: string; txid: string }[] }>(
        'GET',
        '/conversions?page_size=50',
      );
      return items.some(({ status }) => status === 'BILLED') ? items : undefined;
    });
    expect(Object.fromEntries(spent.map(({ txid, status }) => [txid, status]))).toEqual({
      'order-1': 'BILLED',
      ...Object.fromEntries(INVENTED.map((txid) => [txid, 'REJECTED'])),
    });
  }, 180_000);

  test('an ad given the words of somebody else · serves its old ones, is seen side by side and sent back', async () => {
    const shop = await stand.newAccount('advertiser', `Twine${way.width}`);
    const { ad } = await makeCampaignTree(stand.platform.db, await idOf(shop), {
      ad: {
        name: 'Rope ad',
        title: 'Ropes',
        brandName: 'Harbour Rope',
        displayUrl: 'shop.example',
      },
    });
    await editAd(way, shop, ad.id);
    await judgeRevision(way);
    const edited = await until('it is sent back', async () => {
      const row = await shop.api.must<{ audit_status: string; approved_revision: number }>(
        'GET',
        `/ads/${ad.id}`,
      );
      return row.audit_status === 'REJECTED' ? row : undefined;
    });
    expect(edited.approved_revision).toBe(1);
    const { person, look, goTo, hands, cost } = await walker(way, ['advertiser', shop]);
    await person.open('/advertiser');
    await hands.press(person.link('See why').first());
    await person.page.getByText('Misleading').first().waitFor();
    await person.page
      .getByText(/the approved one keeps serving/)
      .first()
      .waitFor();
    await look('ad-sent-back');
    await goTo('Home');
    await cost(3);
  }, 180_000);

  test('second factors · an app, its codes, money asks again, a lost one is replaced · sessions end one by one', async () => {
    const owner = await stand.newAccount('publisher', `Vault${way.width}`);
    const id = await idOf(owner);
    await passKyc(database, id);
    await fundPublisher(stand.platform.db, id, 500n * UNIT);
    const iban = ibanOf(way.width);
    await owner.api.must('POST', '/withdrawals/bank-cards', { ...CARD, iban });
    await ripenCards(database, id);
    const { first, ...kept } = await addApp(way, owner);
    await withdrawWithCode(way, owner, kept);
    const { rows } = await stand.platform.pool.query<{ status: string; note: string }>(
      'SELECT status, note FROM factor_recoveries WHERE person_id = $1',
      [id],
    );
    expect(rows).toEqual([{ status: 'VOID', note: 'FACTOR_SHOWN' }]);
    // The browser that was ended by the other.
    first.expects(/status of 401/);
    await first.page.reload();
    await first.page.waitForURL('**/console/publisher/login**');
  }, 180_000);

  test('an operator · gets a passkey · is asked for it again before money is let go', async () => {
    await letMoneyGo(way);
  }, 180_000);
});

test('a domain that two claim · the holder objects, a person decides, both read what became of it', async () => {
  const holder = await stand.newAccount('publisher', 'Gazette');
  const claimant = await stand.newAccount('publisher', 'Herald');
  const mine = await makeSite(stand.platform.db, await idOf(holder), {
    name: 'Old Gazette',
    domain: DOMAIN,
    verifyMethod: 'FILE',
  });
  await claimDomain(WAYS[0], claimant);
  await objectToClaim(WAYS[0], holder);
  await settleClaim(WAYS[0]);
  await mine.reload();
  await until('the holder keeps it', async () => {
    const { transfer } = await holder.api.must<{ transfer: unknown }>('GET', `/sites/${mine.id}`);
    return transfer === null;
  });
  expect((await mine.reload()).verifyStatus).toBe('VERIFIED');
  const { person, look } = await walker(WAYS[0], ['publisher', claimant]);
  await person.open('/publisher/sites');
  await person.link('Herald').first().click();
  await person.heading('Herald').waitFor();
  await person.settled();
  const said = await person.page.getByRole('main').innerText();
  expect(said).toContain('Not verified');
  expect(said).toContain(`${DOMAIN} stays with the account that verified it`);
  await look('claim-refused');
}, 180_000);

const INVENTED = ['invented-1', 'invented-2', 'invented-3', 'invented-4', 'invented-5'];

/** A sale of the shop's own page, and five that somebody made up from the page's code. */
async function reportSales(shop: Account, line: Line): Promise<void> {
  const { id, tracking_code: code } = await shop.api.must<{ id: number; tracking_code: string }>(
    'POST',
    '/trackers',
    { name: 'Sale', event_type: 'PURCHASE', count_mode: 'EVERY' },
  );
  await database.pool.query('UPDATE campaigns SET tracker_id = $1 WHERE id = $2', [
    id,
    line.campaignId,
  ]);
  const report = async (clickId: string, txid: string, by: Record<string, string>) => {
    const query = new URLSearchParams({ c: code, click_id: clickId, txid, value: '49.90' });
    const answer = await fetch(
      `${stand.platform.baseUrl}/track/conversion.gif?${query.toString()}`,
      {
        headers: by,
      },
    );
    expect(answer.status).toBe(200);
  };
  const click = async (): Promise<string> => {
    const none = { database, activities: undefined as never };
    const { clickId, verified } = await shopperClick(none, line, { waits: true });
    await append(database, verified);
    return clickId;
  };
  await report(await click(), 'order-1', SHOPPER);
  const clicked = await click();
  for (const txid of INVENTED) await report(clicked, txid, STRANGER);
  await until({ what: 'all are held', withinMs: 60_000 }, async () => {
    const { total } = await shop.api.must<{ total: number }>('GET', '/conversions?status=PENDING');
    return total === INVENTED.length + 1;
  });
}

async function lookAsOperator(way: Way): Promise<void> {
  const { person, hands, goTo, look, cost } = await walker(way, [
    'admin',
    await stand.operator('SUPPORT'),
  ]);
  await person.open('/operator');
  await goTo('Held conversions');
  await person.heading('Held conversions').waitFor();
  await look('held-all');
  await hands.choose(person.field('Findings').first(), 'Another browser than clicked');
  await person.settled();
  await look('held-foreign');
  await hands.press(person.page.getByRole('link', { name: 'Trace', exact: true }).first());
  await person.page.waitForURL(/\/operator\/events\?/);
  await look('held-trace');
  await cost(3);
}

async function decideAsOwner(way: Way, shop: Account): Promise<void> {
  const { person, hands, goTo, look, cost } = await walker(way, ['advertiser', shop]);
  const { page } = person;
  const box = (txid: string) =>
    page.getByRole('row', { name: new RegExp(txid) }).getByRole('checkbox');
  const dialog = page.getByRole('dialog');
  await person.open('/advertiser');
  const filter = 'status=PENDING&finding=any';
  const { total } = await shop.api.must<{ total: number }>('GET', `/conversions?${filter}`);
  expect(total).toBeGreaterThanOrEqual(INVENTED.length);
  await page.getByText(`${total} conversions with findings`).waitFor();
  await look('home-owner');
  await hands.press(person.link('Decide'));
  await person.heading('Conversions').waitFor();
  await box('invented-1').waitFor();
  expect(new URL(page.url()).search).toBe(`?${filter}`);
  await goTo('Conversions');
  await box('order-1').waitFor();
  await look('conversions-held');

  await hands.press(box('order-1'));
  await hands.press(person.button('Approve').first());
  await look('conversions-approve');
  await hands.press(dialog.getByRole('button', { name: 'Approve' }));
  await dialog.waitFor({ state: 'detached' });

  for (const txid of INVENTED.slice(0, 3)) await hands.press(box(txid));
  await hands.press(person.button('Reject').first());
  await hands.press(dialog.getByRole('button', { name: 'Reject' }));
  await dialog.getByText('Write the reason first.').waitFor();
  await look('conversions-no-reason');
  await hands.write(dialog.getByLabel(/^Reason/), 'Nobody bought these');
  await hands.press(dialog.getByRole('button', { name: 'Reject' }));
  await page.getByText('Nobody bought these').nth(2).waitFor();

  await hands.press(person.link('Decide by file'));
  const lines = [
    'txid,decision,reason',
    ...INVENTED.slice(3).map((txid) => `${txid},reject,Not in our books`),
    'order-77,approve,',
  ];
  await hands.give(person.button('Choose a file'), {
    name: 'may.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.join('\n')),
  });
  await page.getByText('2 lines can be carried out.').waitFor();
  await page.getByText('Line 4: no held conversion of yours is called that').waitFor();
  await look('conversions-file');
  await hands.press(person.button('Apply'));
  await page.getByText('2 lines were carried out.').waitFor();
  await hands.press(page.getByRole('main').getByRole('link', { name: 'Conversions' }));
  await page.getByText('Not in our books').nth(1).waitFor();
  await look('conversions-decided');
  await cost(17);
}

async function editAd(way: Way, shop: Account, id: number): Promise<void> {
  const { person, hands, goTo, look, cost } = await walker(way, ['advertiser', shop]);
  const { page } = person;
  // The creative's picture is a row without a file.
  person.expects(/status of 404 .*\/media\//);
  person.expects(/status of 422/);
  await person.open('/advertiser');
  await goTo('Ads');
  await hands.press(person.link('Rope ad').first());
  await page.waitForURL(`**/advertiser/ads/${id}`);
  // What comes above moves the button, and a press would fall beside it.
  await person.settled();
  await hands.press(person.button('Edit'));
  const dressed = 'PayPal\u202E: confirm your account';
  await hands.write(person.field(/^Brand/), 'PayPal');
  await hands.write(person.field(/^Display URL/), 'https://www.paypal.com/signin');
  await person.field(/^Title/).fill(dressed);
  await hands.press(person.button('Save'));
  await look('ad-refused');
  await hands.write(person.field(/^Title/), 'PayPal: confirm your account');
  await hands.press(person.button('Save'));
  await page
    .getByText(/the approved one keeps serving/)
    .first()
    .waitFor();
  await look('ad-in-review');
  await cost(7);
}

async function judgeRevision(way: Way): Promise<void> {
  const { person, hands, look, cost } = await walker(way, [
    'admin',
    await stand.operator('REVIEWER'),
  ]);
  const { page } = person;
  person.expects(/status of 404 .*\/media\//);
  await person.open('/operator');
  const waits = page.getByRole('table', { name: 'Queue' }).getByRole('link', { name: /Rope ad/ });
  await hands.press(waits.first());
  await page.getByText('Serving now').first().waitFor();
  await page.getByText('Title: It says a name of the list of brands.').first().waitFor();
  await page.locator('del', { hasText: 'Harbour Rope' }).waitFor();
  await page.locator('ins', { hasText: 'www.paypal.com' }).waitFor();
  await look('ad-side-by-side');
  const decision = page.getByRole('region', { name: 'Your decision' });
  await hands.press(decision.getByRole('button', { name: /^Reject/ }));
  const why = page.getByRole('dialog', { name: /^Reject/ });
  await hands.press(why.getByRole('checkbox', { name: /Misleading/ }));
  await look('ad-why');
  await hands.press(why.getByRole('button', { name: 'Reject' }));
  await hands.press(decision.getByRole('button', { name: /^Send now/ }));
  await cost(5);
}

async function claimDomain(way: Way, claimant: Account): Promise<void> {
  const { person, hands, goTo, look, cost } = await walker(way, ['publisher', claimant]);
  const { page } = person;
  await person.open('/publisher');
  await goTo('Sites');
  await hands.press(person.link('Add a site').first());
  // The list has a field of names as well, and stands until the new page is drawn.
  await person.heading('Add a site').waitFor();
  await hands.write(person.field(/^Name/), 'Herald');
  await hands.write(person.field(/^Domain/), DOMAIN);
  await hands.press(person.button('Add a site'));
  await page.waitForURL(/\/publisher\/sites\/\d+$/);
  await hands.press(page.getByRole('tab', { name: 'File on the server' }));
  await page.getByRole('tabpanel', { name: 'File on the server' }).waitFor();
  const body = await person.field('What to put there').innerText();
  stand.sites.pages.set('/.well-known/adplatform.txt', { type: 'text/plain', body });
  await holdFirstLook(person, claimant);
  await hands.press(person.button('Check now'));
  await page.getByText(`Another account has verified ${DOMAIN}`).waitFor();
  await look('claim-held');
  await cost(6);
}

/** The first look at an operation is answered when it has ended, as for a page that is slower than its platform. */
async function holdFirstLook({ page }: Person, { api }: Account): Promise<void> {
  await page.route(
    /\/api\/publisher\/operations\/\d+$/,
    async (route) => {
      const [id] = /\d+$/.exec(route.request().url()) ?? [];
      await until('the operation has ended', async () => {
        const { status } = await api.must<{ status: string }>('GET', `/operations/${id}`);
        return ['succeeded', 'failed', 'cancelled'].includes(status);
      });
      await route.continue();
    },
    { times: 1 },
  );
}

async function objectToClaim(way: Way, holder: Account): Promise<void> {
  const { person, hands, look, cost } = await walker(way, ['publisher', holder]);
  const { page } = person;
  await person.open('/publisher');
  await look('claim-home');
  await hands.press(page.getByRole('main').getByRole('link', { name: 'Answer' }));
  await page.getByText(`Another account asks for ${DOMAIN}`).waitFor();
  await look('claim-contested');
  await hands.press(person.button('Object'));
  const dialog = page.getByRole('dialog', { name: 'Object to the transfer' });
  await hands.write(dialog.getByLabel(/^Why the domain is yours/), 'Ours since 2009: see archive');
  await hands.press(dialog.getByRole('button', { name: 'Object' }));
  await page
    .getByText('You objected. A person decides.')
    .or(page.getByText('A person looks at both sides'))
    .first()
    .waitFor();
  await look('claim-objected');
  await cost(3);
}

async function settleClaim(way: Way): Promise<void> {
  const { person, hands, look, cost } = await walker(way, [
    'admin',
    await stand.operator('REVIEWER'),
  ]);
  const { page } = person;
  await person.open('/operator');
  const name = new RegExp(DOMAIN);
  await hands.press(page.getByRole('table', { name: 'Queue' }).getByRole('link', { name }).first());
  await page.getByText('Ours since 2009: see archive').first().waitFor();
  await look('claim-task');
  const decision = page.getByRole('region', { name: 'Your decision' });
  await hands.press(decision.getByRole('button', { name: /^Reject/ }));
  const why = page.getByRole('dialog', { name: /^Reject/ });
  await hands.press(why.getByRole('checkbox').first());
  await hands.press(why.getByRole('button', { name: 'Reject' }));
  await hands.press(decision.getByRole('button', { name: /^Send now/ }));
  await cost(5);
}

const STEP_MS = 30_000;
const ROOM_MS = 12_000;
/** A busy machine may type for some seconds, and a code of the step before is taken in this step alone. */
async function roomInStep(): Promise<void> {
  const left = STEP_MS - (Date.now() % STEP_MS);
  if (left < ROOM_MS) await pause(left, 'the next step of codes has all of its time left');
}

const codeOf = (secret: string, stepsAhead = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + stepsAhead * 30 });

interface Kept {
  secret: string;
  codes: readonly string[];
}

async function addApp(way: Way, owner: Account): Promise<Kept & { first: Person }> {
  const { person, hands, own, look, cost } = await walker(way, ['publisher', owner]);
  const { page } = person;
  await person.open('/publisher');
  await own('Security');
  await person.heading('Second factors').waitFor();
  await look('security-none');
  await hands.press(person.button('Add an authenticator app'));
  await hands.write(person.field(/^Your password/), PASSWORD);
  await hands.press(person.button('Go on'));
  const typed = page.getByRole('dialog').locator('code').first();
  await typed.waitFor();
  const secret = (await typed.innerText()).replace(/\s/g, '');
  await look('security-scan');
  await roomInStep();
  await hands.write(person.field(/^Code of six digits/), codeOf(secret, -1));
  await hands.press(person.button('Confirm'));
  const kept = page.getByRole('dialog', { name: 'Your recovery codes' });
  await kept.waitFor();
  await look('security-codes');
  await hands.press(kept.getByRole('button', { name: 'Copy all' }));
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  const codes = await kept.locator('code').allInnerTexts();
  expect(copied.split('\n')).toEqual(codes);
  await hands.press(person.button('I have kept them'));
  await look('security-added');
  await cost(7);
  return { secret, codes, first: person };
}

/** In another browser: the code at the door, a wrong and a right one before money, and its end from the first. */
async function withdrawWithCode(way: Way, owner: Account, kept: Kept): Promise<void> {
  const { person, hands, goTo, own, look, glance, cost } = await walker(way);
  const { page } = person;
  person.expects(/status of (401|403|422)/);
  const knock = async (): Promise<void> => {
    await person.open('/publisher/login');
    await hands.write(person.field(/^Username/), owner.username);
    await hands.write(person.field(/^Password/), owner.password);
    await hands.press(person.button('Log in'));
    await person.field(/^Code of six digits/).waitFor();
  };
  await knock();
  await hands.press(person.button('I have lost all of these'));
  await look('security-lost');
  await hands.press(person.button('Ask to be let in'));
  await page.getByText('You will hear from us.').waitFor();
  await look('security-lost-asked');
  if (way.tool === 'keyboard') await vouchFor(way);
  await knock();
  await hands.write(person.field(/^Code of six digits/), codeOf(kept.secret));
  await look('security-door');
  await hands.press(person.button(/^(Confirm|Log in)$/));
  await page.waitForURL('**/console/publisher');
  await stand.platform.pool.query(`UPDATE sessions SET proven_at = now() - interval '10 minutes'`);

  await goTo('Payouts');
  // The page before has such a link as well, and goes away under the finger.
  await person.heading('Payouts').waitFor();
  await hands.press(person.link('Withdraw').first());
  await hands.press(person.button('All of it'));
  await hands.press(person.button('Request withdrawal'));
  const asked = page.getByRole('dialog', { name: /second factor again/ });
  await asked.waitFor();
  await glance('security-asked');
  await hands.write(asked.getByLabel(/^Code of six digits/), '000000');
  await hands.press(asked.getByRole('button', { name: 'Confirm' }));
  await asked
    .getByRole('status')
    .getByText(/^Not sent: 1 field/)
    .waitFor();
  const wrong = asked.getByLabel(/^Code of six digits/);
  expect(await wrong.getAttribute('aria-invalid')).toBe('true');
  expect(await wrong.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true);
  await glance('security-wrong');
  await hands.press(asked.getByRole('button', { name: 'Recovery code instead' }));
  await hands.write(asked.getByLabel(/^Recovery code/), kept.codes[0] ?? '');
  await hands.press(asked.getByRole('button', { name: 'Confirm' }));
  await page.waitForURL(/\/publisher\/payouts\/\d+$/);
  await look('security-withdrawn');

  await own('Security');
  await page.getByText('Recovery codes left: 9').waitFor();
  await look('security-sessions');
  const end = page.getByRole('button', { name: /^End (?!all)/ });
  const before = await end.count();
  expect(before).toBeGreaterThan(1);
  await hands.press(end.and(page.locator(':not([aria-disabled=true])')).first());
  await until('one is gone', async () => (await end.count()) === before - 1);
  await keepsNothing(person, [owner.username, owner.password, kept.secret, ...kept.codes]);
  await cost(way.width < 700 ? 18 : 17);
}

/** Support was shown who it is; a second person would decide, if the factor were not found (withdrawWithCode). */
async function vouchFor(way: Way): Promise<void> {
  const { person, hands, goTo, look, cost } = await walker(way, [
    'admin',
    await stand.operator('SUPPORT'),
  ]);
  const { page } = person;
  await person.open('/operator');
  await goTo('Lost second factors');
  await person.heading('Lost second factors').waitFor();
  const row = page.getByRole('row', { name: new RegExp(`vault${way.width}`) });
  await row.waitFor();
  await look('lost-factors');
  await hands.press(row.getByRole('button', { name: 'Vouch' }));
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await look('lost-vouch');
  await hands.write(dialog.getByLabel(/^What you saw/), 'The passport of the file, by video');
  await hands.press(dialog.getByRole('button', { name: 'Vouch' }));
  await row.getByText('Waits for a second person').waitFor();
  await look('lost-vouched');
  await cost(3);
}

/** What a browser keeps after all that: its token, tastes and how far pages were scrolled (ASVS 14.3.3). */
async function keepsNothing({ page }: Person, secrets: readonly string[]): Promise<void> {
  const kept = await page.evaluate<Record<string, string>>(
    '({ ...localStorage, ...sessionStorage })',
  );
  const known = /^(adp-token-publisher|adp-preferences|tsr-scroll-restoration|was-here)/;
  expect(Object.keys(kept).filter((key) => !known.test(key))).toEqual([]);
  const text = JSON.stringify(kept);
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  expect(await page.evaluate('document.cookie')).toBe('');
  expect(await page.evaluate('indexedDB.databases().then((all) => all.length)')).toBe(0);
}

async function authenticatorOf(person: Person): Promise<CDPSession> {
  const cdp = await person.page.context().newCDPSession(person.page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return cdp;
}

/** An operator of their own, so that no other test is asked for its factor. */
async function letMoneyGo(way: Way): Promise<void> {
  const seller = await stand.newAccount('publisher', `Paid${way.width}`);
  const sellerId = await idOf(seller);
  await passKyc(database, sellerId);
  await fundPublisher(stand.platform.db, sellerId, 500n * UNIT);
  const iban = ibanOf(9_000 + way.width);
  await seller.api.must('POST', '/withdrawals/bank-cards', { ...CARD, iban });
  await ripenCards(database, sellerId);
  const { id } = await seller.api.must<{ id: number }>('POST', '/withdrawals', {
    amount: 100,
    payment_method: 'BANK',
  });

  const { username: clerk } = await stand.colleague('FINANCE');
  const { person, hands, own, look, glance, cost } = await walker(way);
  const { page } = person;
  await authenticatorOf(person);
  person.expects(/status of 40[13]/);
  await person.open('/operator/login');
  await hands.write(person.field(/^Username/), clerk);
  await hands.write(person.field(/^Password/), PASSWORD);
  await hands.press(person.button('Log in'));
  await person.heading('Desk').waitFor();
  await own('Security');
  await hands.press(person.button('Add a passkey'));
  await hands.write(person.field(/^Your password/), PASSWORD);
  await hands.write(person.field(/^Name/), 'Desk key');
  await hands.press(person.button('Go on'));
  await hands.press(person.button('I have kept them'));
  await page.getByText('Desk key', { exact: true }).waitFor();
  await look('operator-passkey');
  await stand.platform.pool.query(`UPDATE sessions SET proven_at = now() - interval '10 minutes'`);

  if (way.width < 700) await hands.press(person.button('Menu'));
  const menu = page.getByRole('navigation', { name: 'Menu' });
  await hands.press(menu.getByRole('link', { name: /^Desk/ }));
  const name = new RegExp(`^Withdrawal of .*${iban.slice(-4)}`);
  await hands.press(page.getByRole('table', { name: 'Queue' }).getByRole('link', { name }).first());
  const decision = page.getByRole('region', { name: 'Your decision' });
  await hands.press(decision.getByRole('button', { name: /^Approve/ }));
  await hands.press(decision.getByRole('button', { name: /^Send now/ }));
  const asked = page.getByRole('dialog', { name: /second factor again/ });
  await asked.waitFor();
  await glance('operator-asked');
  await hands.press(asked.getByRole('button', { name: 'Use your passkey' }));
  await until('the withdrawal is approved', async () => {
    const { status } = await seller.api.must<{ status: string }>('GET', `/withdrawals/${id}`);
    return status !== 'PENDING';
  });
  await cost(12);
}
