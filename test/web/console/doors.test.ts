import {
  type Account,
  type ConsoleStand,
  PASSWORD,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { resetLink } from '../../support/console-letters.ts';
import { until } from '../../support/until.ts';

/** The ways into the consoles, and out of them. */
const WORDS = {
  advertiser: { folder: 'advertiser', name: 'Advertiser' },
  publisher: { folder: 'publisher', name: 'Publisher' },
} as const;
const REALMS = ['advertiser', 'publisher'] as const;

let stand: ConsoleStand;

beforeAll(async () => {
  stand = await startConsole();
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

async function logIn(person: Person, { username, password }: Account): Promise<void> {
  await person.field(/^Username/).fill(username);
  await person.field(/^Password/).fill(password);
  await person.button('Log in').click();
}

/** From the login, by the link of the letter. */
async function setAnew(person: Person, email: string): Promise<void> {
  await person.link(/Forgot/).click();
  await person.field(/^E-mail/).fill(email);
  const before = resetLink(stand.platform);
  await person.button('Send the link').click();
  await person.page.getByRole('status').getByText('the letter is on its way').waitFor();
  expect(await person.barriers()).toEqual([]);
  const link = await until('the letter', () => {
    const newest = resetLink(stand.platform);
    return newest === before ? undefined : newest;
  });
  await person.page.goto(link);
  await person.field(/^New password/).fill(`${PASSWORD} anew`);
  await person.field(/^Repeat the/).fill(`${PASSWORD} anew`);
  await person.button('Set password').click();
  await person.page.getByText('Your new password is set').waitFor();
}

const at = (person: Person): string => new URL(person.page.url()).pathname;

describe.each(REALMS)('%s', (realm) => {
  const { folder, name } = WORDS[realm];

  test('sign up · with what is asked for · stands in the console, and still after a reload', async () => {
    const person = await stand.newPerson();
    await person.open('/');
    await person.link(`Sign up: ${name}`).click();
    await person.field(/^Your name/).fill('Ada Bowline');
    await person.field(/^Company/).fill('Harbour Rope');
    await person.field(/^E-mail/).fill(`ada@${realm}.example.com`);
    await person.field(/^Password/).fill(PASSWORD);
    expect(await person.barriers()).toEqual([]);
    await person.button('Sign up').click();
    await person.page.waitForURL(`**/console/${folder}`);
    await person.page.reload();
    await person.settled();
    expect(at(person)).toBe(`/console/${folder}`);
    // Who is logged in is not asked to sign up again.
    await person.open('/');
    expect(await person.link(/^(Sign up|Log in): /).count()).toBe(2);
    await person.link(`Open: ${name}`).click();
    await person.page.waitForURL(`**/console/${folder}`);
  });

  test('sign up · with an address that is taken and a weak password · says so at the fields', async () => {
    await stand.newAccount(realm, `Taken${name}`);
    const person = await stand.newPerson();
    // Nothing but the taken address is sent: the page says the rest by the route's own bounds.
    person.expects(/status of 409/);
    await person.open(`/${folder}/register`);
    await person.button('Sign up').click();
    await until('the first field has the focus', async () => {
      const field = person.field(/^Your name/);
      return await field.evaluate((node) => node === node.ownerDocument.activeElement);
    });
    await person.field(/^Your name/).fill('Ada');
    await person.field(/^Company/).fill('Rope');
    const email = `taken${name}@taken${name}.example.com`.toLowerCase();
    await person.field(/^E-mail/).fill(email);
    await person.field(/^Password/).fill('short');
    await person.button('Sign up').click();
    const password = person.field(/^Password/);
    await until(
      'the password is refused',
      async () => (await password.getAttribute('aria-invalid')) === 'true',
    );
    await person.page.getByText('At least 8 characters.', { exact: true }).waitFor();
    await password.fill(PASSWORD);
    await person.button('Sign up').click();
    await person.page
      .getByText(/already|taken/i)
      .first()
      .waitFor();
    expect(await person.barriers()).toEqual([]);
    expect(at(person)).toBe(`/console/${folder}/register`);
  });

  test('log in · with a wrong password, then the right one · is told, then in', async () => {
    const account = await stand.newAccount(realm, `Wrong${name}`);
    const person = await stand.newPerson();
    person.expects(/status of 401/);
    await person.open(`/${folder}/login`);
    await logIn(person, { ...account, password: 'not-this-one-9' });
    await person.page.getByRole('alert').waitFor();
    expect(at(person)).toBe(`/console/${folder}/login`);
    // Keys go on where they were: what had the focus could not keep it while it waited.
    await until('the button has it again', async () => {
      const button = person.button('Log in');
      return await button.evaluate((node) => node === node.ownerDocument.activeElement);
    });
    expect(await person.barriers()).toEqual([]);
    await logIn(person, account);
    await person.page.waitForURL(`**/console/${folder}`);
  });

  test('session · that has ended · leads to the login, and from there back to the same address', async () => {
    const account = await stand.newAccount(realm, `Ended${name}`);
    const person = await stand.newPerson({ as: [realm, account] });
    await person.open(`/${folder}`);
    await account.api.must('POST', '/auth/logout');
    person.expects(/status of 401/);
    const list = `${folder}/${realm === 'advertiser' ? 'campaigns' : 'sites'}?keyword=letter`;
    await person.page.goto(`${stand.platform.baseUrl}/console/${list}`);
    await person.page.waitForURL(`**/console/${folder}/login?**`);
    await logIn(person, account);
    await person.page.waitForURL(`**/console/${list}`);
  });

  test('log out · from the menu of the account · the address asks for a login again', async () => {
    const account = await stand.newAccount(realm, `Out${name}`);
    const person = await stand.newPerson({ as: [realm, account] });
    await person.open(`/${folder}`);
    await person.button(/^Out|^out/).click();
    expect(await person.barriers()).toEqual([]);
    await person.page.getByRole('menuitem', { name: 'Log out' }).click();
    await person.page.waitForURL(`**/console/${folder}/login`);
    await person.page.goto(`${stand.platform.baseUrl}/console/${folder}`);
    await person.page.waitForURL(`**/console/${folder}/login?**`);
    expect((await account.api.call('GET', '/auth/profile')).status).toBe(401);
  });

  test('forgotten password · by the letter’s link · the new one logs in, the old one does not', async () => {
    const account = await stand.newAccount(realm, `Forgot${name}`);
    const person = await stand.newPerson();
    await person.open(`/${folder}/login`);
    await setAnew(person, account.username);
    expect(person.page.url()).not.toMatch(/token=\w/);
    await person.link('Log in').click();
    person.expects(/status of 401/);
    await logIn(person, account);
    await person.page.getByRole('alert').waitFor();
    await logIn(person, { ...account, password: `${PASSWORD} anew` });
    await person.page.waitForURL(`**/console/${folder}`);
  });

  test('forgotten password · by a link that was used, and by none · says so and leads to another', async () => {
    const account = await stand.newAccount(realm, `Used${name}`);
    const before = resetLink(stand.platform);
    await account.api.must('POST', '/auth/forgot-password', { email: account.username });
    const link = await until('the letter', () => {
      const newest = resetLink(stand.platform);
      return newest === before ? undefined : newest;
    });
    const [, token = ''] = /#reset-password=\w+\.(\S+)/.exec(link) ?? [];
    const passwords = { new_password: `${PASSWORD} anew`, confirm_password: `${PASSWORD} anew` };
    await account.api.must('POST', '/auth/reset-password', { token, ...passwords });
    const person = await stand.newPerson();
    person.expects(/status of 422/);
    await person.page.goto(link);
    await person.field(/^New password/).fill(`${PASSWORD} more`);
    await person.field(/^Repeat the/).fill(`${PASSWORD} more`);
    await person.button('Set password').click();
    await person.page.getByRole('alert').getByText('This link was used').waitFor();
    expect(await person.barriers()).toEqual([]);
    await person.link('Ask for another one').click();
    await person.button('Send the link').waitFor();
    await person.open(`/${folder}/reset`);
    await person.page.getByRole('alert').getByText('not complete').waitFor();
    await person.page.emulateMedia({ colorScheme: 'dark' });
    expect(await person.barriers()).toEqual([]);
  });
});

test('a password field · hides what is typed, takes what is pasted and what a helper knows', async () => {
  const account = await stand.newAccount('advertiser', 'Pasted');
  const person = await stand.newPerson();
  await person.open('/advertiser/login');
  const field = person.field(/^Password/);
  expect(await field.getAttribute('type')).toBe('password');
  expect(await field.getAttribute('autocomplete')).toBe('current-password');
  expect(await field.getAttribute('maxlength')).toBeNull();
  // By the keys that a person presses, from a field that shows its text.
  const name = person.field(/^Username/);
  await name.fill(account.password);
  await name.press('ControlOrMeta+a');
  await name.press('ControlOrMeta+c');
  await field.focus();
  await field.press('ControlOrMeta+v');
  expect(await field.inputValue()).toBe(account.password);
  await name.fill(account.username);
  await person.button('Log in').click();
  await person.page.waitForURL('**/console/advertiser');
});

test('operator · logs in · stands at the desk; an advertiser’s session is none here', async () => {
  const account = await stand.newAccount('advertiser', 'NoOperator');
  const operator = await stand.operator('REVIEWER');
  const person = await stand.newPerson({ as: ['advertiser', account] });
  await person.open('/operator');
  expect(at(person)).toBe('/console/operator/login');
  await logIn(person, operator);
  await person.page.waitForURL('**/console/operator');
  await person.settled();
  expect(await person.barriers()).toEqual([]);
});

test('operator · has forgotten the password · sets one by the letter, and has no way to sign up', async () => {
  const operator = await stand.colleague('FINANCE');
  const { email = '' } =
    (await stand.platform.db.models.operators.findOne({
      where: { username: operator.username },
    })) ?? {};
  await stand.platform.pool.query(
    'UPDATE operators SET email_confirmed_at = now() WHERE username = $1',
    [operator.username],
  );
  const person = await stand.newPerson({ viewport: { width: 360, height: 800 } });
  await person.open('/operator/login');
  expect(await person.link(/Sign up/).count()).toBe(0);
  await setAnew(person, email);
  await person.link('Log in').click();
  await logIn(person, { ...operator, password: `${PASSWORD} anew` });
  await person.page.waitForURL('**/console/operator');
  await person.open('/operator/profile');
  await person.page.getByText('Confirmed', { exact: true }).waitFor();
  await person.link('Change address').click();
  await person.page.getByText(/^You log in with it or your username\./).waitFor();
});

test('login · led to from elsewhere · leads back into the console and nowhere else', async () => {
  const account = await stand.newAccount('advertiser', 'Elsewhere');
  const person = await stand.newPerson();
  await person.open('/advertiser/login?next=https%3A%2F%2Fevil.example%2Fadvertiser');
  await logIn(person, account);
  await person.page.waitForURL('**/console/advertiser');
  expect(new URL(person.page.url()).origin).toBe(stand.platform.baseUrl);
});
