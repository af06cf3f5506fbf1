import { ApiClient } from '../../support/call.ts';
import {
  type ConsoleStand,
  menuOf,
  PASSWORD,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { approveAll } from '../../support/desk.ts';
import { type Hands, handsOf, TOOLS } from '../../support/hands.ts';
import { makePlace } from '../../support/make/place.ts';
import { show } from '../../support/served.ts';

/** An advertiser's whole way, once with a mouse and once without one. */
const LANDING = 'https://shop.example.com/rope';
const AMOUNT = 200;

let stand: ConsoleStand;

beforeAll(async () => {
  stand = await startConsole();
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

async function signUp({ page, ...person }: Person, hands: Hands, email: string): Promise<void> {
  await person.open('/');
  await hands.press(person.link('Sign up: Advertiser'));
  await hands.write(person.field(/^Your name/), 'Ada Bowline');
  await hands.write(person.field(/^Company/), 'Harbour Rope');
  await hands.write(person.field(/^E-mail/), email);
  await hands.write(person.field(/^Password/), PASSWORD);
  await hands.press(person.button('Sign up'));
  await page.waitForURL('**/console/advertiser');
}

async function completeProfile(person: Person, hands: Hands): Promise<void> {
  await hands.press(menuOf(person, 'Profile'));
  await hands.write(person.field(/^Phone/), '+44 20 7946 0000');
  await hands.press(person.button('Save'));
  await person.page.getByText('Saved.').first().waitFor();
}

async function topUp(person: Person, hands: Hands, owner: ApiClient): Promise<void> {
  await hands.press(menuOf(person, 'Money'));
  await hands.write(person.field(/^Amount/), String(AMOUNT));
  await hands.press(person.button('Order the top-up'));
  await person.page.waitForURL(/\/money\/deposits\/\d+$/);
  await person.page.getByText('Waits for your money.').waitFor();
  const { items } = await owner.must<{ items: { id: number }[] }>('GET', '/deposits');
  const finance = await stand.operator('FINANCE');
  await finance.api.must('POST', `/deposits/${items[0]?.id}/receipts`, {
    amount: AMOUNT,
    reference: `STMT-${items[0]?.id}`,
  });
  // The page follows by itself.
  await person.page.getByText('Done: it is in your balance.').waitFor();
}

async function launch(person: Person, hands: Hands): Promise<void> {
  await hands.press(menuOf(person, 'Home'));
  await hands.press(person.link('New campaign').first());
  await hands.choose(person.field(/^Ad type/).first(), 'Text');
  await hands.write(person.field(/^Title/), 'Ropes that hold');
  await hands.write(person.field(/^Landing page/), LANDING);
  await hands.write(person.field(/^Your bid/), '0.5');
  await hands.write(person.field(/^Campaign name/), 'Autumn ropes');
  await hands.press(person.button('Create and submit for review'));
  await person.page.waitForURL(/\/advertiser\/campaigns\/\d+$/);
  await person.heading('Autumn ropes').waitFor();
}

/** Two people have seen its ad. */
async function serve(owner: ApiClient): Promise<void> {
  const idOf = async (kind: string): Promise<number> =>
    (await owner.must<{ items: { id: number }[] }>('GET', `/${kind}`)).items[0]?.id ?? 0;
  const { id } = await owner.must<{ id: number }>('GET', '/auth/profile');
  const { publisher, site, zone } = await makePlace(stand.platform.db, {
    zone: { type: 'TEXT' },
  });
  const line = {
    advertiserId: id,
    publisherId: publisher.id,
    campaignId: await idOf('campaigns'),
    adGroupId: await idOf('adgroups'),
    adId: await idOf('ads'),
    creativeId: await idOf('creatives'),
    siteId: site.id,
    zoneId: zone.id,
  };
  await show(stand.platform, line, [{}, {}]);
}

test.each(TOOLS)(
  'advertiser · by %s alone · from signing up to a paused campaign',
  async (tool) => {
    const person = await stand.newPerson();
    const hands = handsOf(person, tool);
    const email = `ada@${tool}.example.com`;
    await signUp(person, hands, email);
    const owner = new ApiClient(`${stand.platform.baseUrl}/api/advertiser`);
    await owner.login(email, PASSWORD);
    await completeProfile(person, hands);
    await topUp(person, hands, owner);
    await launch(person, hands);
    await approveAll((await stand.operator('REVIEWER')).api, owner);
    await hands.press(menuOf(person, 'Campaigns'));
    const row = person.page.getByRole('row', { name: /Autumn ropes/ });
    await row.getByText('Serving', { exact: true }).waitFor();
    await serve(owner);
    await hands.press(menuOf(person, 'Reports'));
    const figures = person.page.getByRole('region', { name: 'Figures' });
    await figures
      .getByRole('row', { name: /^Total/ })
      .getByRole('cell', { name: '2', exact: true })
      .waitFor();
    await hands.press(menuOf(person, 'Campaigns'));
    await hands.press(row.getByRole('button', { name: 'Pause', exact: true }));
    await row.getByRole('button', { name: 'Resume' }).waitFor();
    const { items } = await owner.must<{ items: object[] }>('GET', '/campaigns');
    expect(items).toEqual([expect.objectContaining({ name: 'Autumn ropes', status: 'PAUSED' })]);
    expect(hands.unseen()).toEqual([]);
    if (tool === 'keyboard') expect((await person.counted()).clicks).toBe(0);
  },
  180_000,
);
