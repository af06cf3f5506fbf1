import type { CDPSession } from 'playwright-core';
import { generateSync } from 'otplib';
import { freePort } from '../../../dev/services/ports.ts';
import {
  type Account,
  type ConsoleStand,
  menuOf,
  PASSWORD,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { until } from '../../support/until.ts';

/** Second factors and sessions as people meet them; passkeys by Chromium's own virtual authenticator. */
let stand: ConsoleStand;

beforeAll(async () => {
  const port = await freePort();
  // Browsers make passkeys at a host with a name.
  const origin = `http://localhost:${port}`;
  stand = await startConsole({ PORT: String(port), BASE_URL: origin });
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

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

async function logIn(person: Person, realm: string, account: Account): Promise<void> {
  await person.open(`/${realm}/login`);
  await person.field(/^Username/).fill(account.username);
  await person.field(/^Password/).fill(PASSWORD);
  await person.button('Log in').click();
}

const codeOf = (secret: string, stepsAhead = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + stepsAhead * 30 });

/** Adds a code generator as somebody does who types its secret; answers the secret. */
async function addAuthenticator(person: Person): Promise<string> {
  await person.button('Add an authenticator app').click();
  await person.field(/^Your password/).fill(PASSWORD);
  await person.button('Go on').click();
  const typed = person.page.locator('code').first();
  await typed.waitFor();
  const secret = (await typed.innerText()).replace(/\s/g, '');
  expect(await person.page.getByRole('img', { name: /Code to scan/ }).count()).toBe(1);
  expect(await person.barriers()).toEqual([]);
  await person.field(/^Code of six digits/).fill(codeOf(secret, -1));
  await person.button('Confirm').click();
  return secret;
}

test('publisher · on a phone · adds an app, keeps the codes, logs in with it, ends the other', async () => {
  const [width, height] = [360, 740];
  const account = await stand.newAccount('publisher', 'Gate');
  const person = await stand.newPerson({
    as: ['publisher', account],
    viewport: { width, height },
  });
  await person.open('/publisher/security');
  expect(await person.barriers()).toEqual([]);
  const secret = await addAuthenticator(person);
  const codes = person.page.getByRole('dialog', { name: 'Your recovery codes' });
  await codes.waitFor();
  expect(await codes.locator('code').count()).toBe(10);
  expect(await person.barriers()).toEqual([]);
  // They are not shown again: nothing else closes it.
  expect(await codes.getByRole('button', { name: 'Close' }).count()).toBe(0);
  await person.page.keyboard.press('Escape');
  await person.button('I have kept them').click();
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  const wide = await person.page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(wide).toBeLessThanOrEqual(0);

  const other = await stand.newPerson({ viewport: { width, height } });
  other.expects(/status of 401/);
  await logIn(other, 'publisher', account);
  await other.field(/^Code of six digits/).waitFor();
  expect(await other.barriers()).toEqual([]);
  expect(await other.field(/^Code of six digits/).getAttribute('inputmode')).toBe('numeric');
  await other.button('I have lost all of these').click();
  await other.button('Ask to be let in').waitFor();
  await other.button('Back').click();
  // By keys alone.
  await other.field(/^Code of six digits/).focus();
  await other.page.keyboard.type(codeOf(secret));
  await other.page.keyboard.press('Enter');
  await other.page.waitForURL('**/console/publisher');

  await person.page.reload();
  await person.settled();
  await person.button('End all others').click();
  // Keys begin at what may be pressed by mistake.
  await until('the dialog has the focus', async () => {
    const cancel = person.page.getByRole('dialog').getByRole('button', { name: 'Cancel' });
    return await cancel.evaluate((node) => node === node.ownerDocument.activeElement);
  });
  expect(await person.dialogBarriers()).toEqual([]);
  await person.page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click();
  await person.settled();
  await other.page.reload();
  await other.page.waitForURL('**/console/publisher/login**');
});

test('a second factor · shown too late · leads back to the login, which says why', async () => {
  const account = await stand.newAccount('publisher', 'Late');
  const owner = await stand.newPerson({ as: ['publisher', account] });
  await owner.open('/publisher/security');
  const secret = await addAuthenticator(owner);
  await owner.button('I have kept them').click();
  const person = await stand.newPerson();
  person.expects(/status of 4(01|22)/);
  await logIn(person, 'publisher', account);
  await person.field(/^Code of six digits/).fill(codeOf(secret));
  await stand.platform.pool.query('UPDATE factor_challenges SET expires_at = now()');
  await person.button('Log in').click();
  await person.page.getByRole('alert').getByText('too many tries').waitFor();
  expect(await person.barriers()).toEqual([]);
  await person.field(/^Username/).fill(account.username);
  await person.field(/^Password/).fill(PASSWORD);
  await person.button('Log in').click();
  await person.field(/^Code of six digits/).fill(codeOf(secret));
  await person.button('Log in').click();
  await person.page.waitForURL('**/console/publisher');
});

test('advertiser · adds a passkey · logs in with it, and is asked again before people', async () => {
  const account = await stand.newAccount('advertiser', 'Keys');
  const person = await stand.newPerson();
  await authenticatorOf(person);
  person.expects(/status of 40[13]/);
  await logIn(person, 'advertiser', account);
  await person.page.waitForURL('**/console/advertiser');
  await person.open('/advertiser/security');
  await person.button('Add a passkey').click();
  await person.field(/^Your password/).fill(PASSWORD);
  await person.field(/^Name/).fill('Laptop');
  expect(await person.barriers()).toEqual([]);
  await person.button('Go on').click();
  await person.button('I have kept them').click();
  await person.page.getByText('Laptop', { exact: true }).waitFor();
  await person.page.evaluate('localStorage.clear()');
  await logIn(person, 'advertiser', account);
  await person.button('Use your passkey').click();
  await person.page.waitForURL('**/console/advertiser');

  await stand.platform.pool.query(`UPDATE sessions SET proven_at = now() - interval '10 minutes'`);
  await person.open('/advertiser/team');
  await person.field(/^E-mail/).fill('cleo@keys.example.com');
  await person.button(/^Invite/).click();
  const asked = person.page.getByRole('dialog', { name: /second factor again/ });
  await asked.waitFor();
  expect(await person.barriers()).toEqual([]);
  await asked.getByRole('button', { name: 'Use your passkey' }).click();
  await person.page.getByText('cleo@keys.example.com').first().waitFor();
});

test('sessions · of programs that name no browser · are told apart by network and time', async () => {
  const account = await stand.newAccount('advertiser', 'Script');
  const person = await stand.newPerson({ as: ['advertiser', account] });
  await person.open('/advertiser/security');
  const unknown = person.page.getByRole('listitem').filter({ hasText: 'Unknown browser' }).first();
  await unknown.waitFor();
  expect((await unknown.innerText()).split('\n')[0]).toMatch(/^From [\d.]+\/24/);
  await unknown.getByText(/^Unknown browser · logged in .+ · last seen /).waitFor();
  expect(await person.barriers()).toEqual([]);
});

test('advertiser · a passkey at a bare address · is said not to work before anybody tries', async () => {
  const account = await stand.newAccount('advertiser', 'Bare');
  const person = await stand.newPerson();
  person.expects(/status of 401/);
  await authenticatorOf(person);
  await logIn(person, 'advertiser', account);
  await person.page.waitForURL('**/console/advertiser');
  await person.open('/advertiser/security');
  await person.button('Add a passkey').click();
  await person.field(/^Your password/).fill(PASSWORD);
  await person.button('Go on').click();
  await person.button('I have kept them').click();
  const bare = stand.platform.baseUrl.replace('localhost', '127.0.0.1');
  await person.page.goto(`${bare}/console/advertiser/login`);
  await person.field(/^Username/).fill(account.username);
  await person.field(/^Password/).fill(PASSWORD);
  await person.button('Log in').click();
  await person.page.getByText('Your passkey is good at localhost alone').waitFor();
  await person.field(/^Recovery code/).waitFor();
  const passkey = person.button('Passkey instead');
  expect(await passkey.getAttribute('aria-disabled')).toBe('true');
  expect(await person.barriers()).toEqual([]);
  const other = await stand.newAccount('advertiser', 'Barer');
  const second = await stand.newPerson({ as: ['advertiser', other] });
  await second.page.goto(`${bare}/console/advertiser/security`);
  await second.page.getByText(/^Browsers make passkeys only where a console has a name/).waitFor();
  expect(await second.button('Add a passkey').getAttribute('aria-disabled')).toBe('true');
});

test('operator · "this was not me" of a letter · asks first, then ends every session', async () => {
  const operator = await stand.operator('SUPPORT');
  const person = await stand.newPerson({ as: ['admin', operator] });
  await person.open('/operator/security');
  expect(await person.barriers()).toEqual([]);
  await menuOf(person, 'Tasks')
    .or(person.page.getByRole('heading', { level: 1 }))
    .first()
    .waitFor();
  await person.page.goto(`${stand.platform.baseUrl}/console/#not-me=admin.${'x'.repeat(43)}`);
  await person.button('End everything').waitFor();
  person.expects(/status of 422/);
  await person.button('End everything').click();
  await person.page.getByRole('alert').getByText('This link was used').waitFor();
  expect(await person.barriers()).toEqual([]);
  await person.link('Security').click();
  await person.heading('Where you are logged in').waitFor();
});
