import { type ConsoleStand, PASSWORD, type Person, startConsole } from '../../support/console.ts';
import { addressLink } from '../../support/console-letters.ts';
import { until } from '../../support/until.ts';

/** Whose e-mail address a login has, and how it becomes another (interface 5.18). */
let stand: ConsoleStand;

beforeAll(async () => {
  stand = await startConsole();
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

async function signUp(person: Person, folder: string, address: string): Promise<void> {
  await person.open(`/${folder}/register`);
  await person.field(/^Your name/).fill('Ada Bowline');
  await person.field(/^Company/).fill('Harbour Rope');
  await person.field(/^E-mail/).fill(address);
  await person.field(/^Password/).fill(PASSWORD);
  await person.button('Sign up').click();
  await person.page.waitForURL(`**/console/${folder}`);
  await person.settled();
}

const says = async ({ page }: Person, text: string | RegExp): Promise<void> =>
  await page.getByText(text).first().waitFor();

describe.each(['advertiser', 'publisher'] as const)('%s', (folder) => {
  test('sign up, confirm, change · by the links of letters · and the home asks for nothing more', async () => {
    const [first, second] = [`ada@${folder}.example.com`, `ada@new-${folder}.example.com`];
    const before = addressLink(stand.platform, 'confirm-email');
    const beforeChange = addressLink(stand.platform, 'change-email');
    const person = await stand.newPerson();
    await signUp(person, folder, first);
    await says(person, `Confirm your e-mail address: open the link in the letter to ${first}.`);
    expect(await person.barriers()).toEqual([]);

    // A minute after the sign-up, not sooner; that is said.
    person.expects(/status of 429/);
    await person.button('Send again').click();
    await person.page
      .getByRole('dialog')
      .getByText(/try again in/)
      .first()
      .waitFor();
    expect(await person.barriers()).toEqual([]);
    await person.page.keyboard.press('Escape');

    const link = await until('the letter', () =>
      addressLink(stand.platform, 'confirm-email', before),
    );
    // Programs open every link of a letter: that confirms nothing.
    await person.page.goto(link);
    await person.settled();
    expect(await person.barriers()).toEqual([]);
    const tab = await stand.newPerson();
    await tab.page.goto(link);
    await tab.settled();
    await person.open(`/${folder}/profile`);
    await says(person, 'Not confirmed');
    await person.page.goto(link);
    await person.button('Confirm').click();
    await says(person, `${first} is confirmed.`);
    expect(person.page.url()).not.toMatch(/token=\w/);
    await tab.button('Confirm').click();
    await says(tab, `${first} was confirmed already.`);
    await person.link('Go on').click();
    await person.page.waitForURL(`**/console/${folder}`);
    await person.settled();
    expect(await person.button('Send again').count()).toBe(0);

    await person.open(`/${folder}/security`);
    await person.button('Change address').click();
    await person.field(/^New e-mail address/).fill(second);
    await person.field(/^Your password/).fill('not-this-one-9');
    expect(await person.barriers()).toEqual([]);
    person.expects(/status of 422/);
    await person.button('Send the link').click();
    await says(person, 'is not your password');
    await person.field(/^Your password/).fill(PASSWORD);
    await person.button('Send the link').click();
    await says(person, 'Will become');
    expect(await person.barriers()).toEqual([]);
    const change = await until('the letter to the new address', () =>
      addressLink(stand.platform, 'change-email', beforeChange),
    );
    await person.open(`/${folder}`);
    await says(person, `Your new e-mail address waits: open the link in the letter to ${second}.`);

    await person.page.goto(change);
    await person.field(/^Your password/).fill(PASSWORD);
    expect(await person.barriers()).toEqual([]);
    await person.button('Change address').click();
    await says(person, `Your login has the address ${second} now.`);
    await person.link('Log in').click();
    await person.field(/^Username/).fill(second);
    await person.field(/^Password/).fill(PASSWORD);
    await person.button('Log in').click();
    await person.page.waitForURL(`**/console/${folder}`);
    await person.open(`/${folder}/security`);
    await says(person, second);
    await person.page.reload();
    await person.settled();
    await says(person, second);
    await person.open(`/${folder}/history`);
    await says(person, 'E-mail address changed');
    await says(person, 'E-mail address confirmed');
  });
});

test('a link · too old, or not ours · says so with the next step', async () => {
  const person = await stand.newPerson();
  const before = addressLink(stand.platform, 'confirm-email');
  const account = await stand.newAccount('publisher', 'Late');
  const link = await until('the letter', () =>
    addressLink(stand.platform, 'confirm-email', before),
  );
  await stand.platform.pool.query(
    `UPDATE email_confirmations SET expires_at = now() - interval '1 minute' WHERE email = $1`,
    [account.username],
  );
  person.expects(/status of 422/);
  await person.page.goto(link);
  await person.button('Confirm').click();
  await says(person, 'It is too old. Log in');
  expect(await person.barriers()).toEqual([]);
  const strange = `${stand.platform.baseUrl}/console/#confirm-email=publisher.${'x'.repeat(43)}`;
  await person.page.goto('about:blank');
  await person.page.goto(strange);
  await person.button('Confirm').click();
  await says(person, 'It is not complete, or not ours.');
});

test('an operator · asks for their letter, and keeps the address after all', async () => {
  const account = await stand.operator('SUPPORT');
  const person = await stand.newPerson({ as: ['admin', account] });
  await person.open('/operator/security');
  await person.button('Send again').click();
  await says(person, 'The letter is on its way.');
  await person.button('Change address').click();
  await person.field(/^New e-mail address/).fill('night-watch@desk.example.com');
  expect(await person.dialogBarriers()).toEqual([]);
  await person.field(/^Your password/).fill(PASSWORD);
  await person.button('Send the link').click();
  await says(person, 'Will become');
  await person.button('Keep the old one').click();
  expect(await person.dialogBarriers()).toEqual([]);
  await person.page.getByRole('dialog').getByRole('button', { name: 'Keep the old one' }).click();
  await says(person, 'Your address stays as it is.');
  await person.settled();
  expect(await person.barriers()).toEqual([]);
});

test('the operators · on a phone · have addresses that break at their signs and not inside a word', async () => {
  const admin = await stand.operator('ADMIN');
  const size = { width: 360, height: 800 };
  const person = await stand.newPerson({ as: ['admin', admin], viewport: size });
  await person.open('/operator/operators');
  const shown = person.page.locator('[data-email]').first();
  await shown.waitFor();
  const lines = await shown.evaluate((node) =>
    [...node.querySelectorAll('span')].map((each) => [
      each.textContent,
      each.getClientRects().length,
    ]),
  );
  expect(lines.map(([text]) => text).join('')).toMatch(/^\w+@\w+\.\w+$/);
  expect(lines.filter(([, count]) => count !== 1)).toEqual([]);
  // Each says to a screen reader whom it is about, and to the eye no more than that there is something.
  const name = (await person.page.locator('td[data-label="User name"]').first().innerText()).trim();
  await person.button(`Actions: ${name}`).waitFor();
  await person.button('Invite operator').click();
  expect(await person.dialogBarriers()).toEqual([]);
  // No role is anybody's by chance.
  const dialog = person.page.getByRole('dialog', { name: 'Invite operator' });
  await dialog.getByLabel(/^User name/).fill('wren');
  await dialog.getByLabel(/^E-mail/).fill('wren@example.com');
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  const role = dialog.getByLabel(/^Role/).first();
  await until(
    'the role is asked for',
    async () => (await role.getAttribute('aria-invalid')) === 'true',
  );
});
