import { type Account, type ConsoleStand, startConsole } from '../../support/console.ts';
import { invitedTo, joinPlatform } from '../../support/newcomer.ts';

/** interface 5.19 at the screen: an operator leaves, comes back by two words, and gets another role by two. */
let stand: ConsoleStand;
let maker: Account;
let checker: Account;

beforeAll(async () => {
  stand = await startConsole();
  maker = await stand.operator('ADMIN');
  checker = await stand.operator('FINANCE');
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

test.each([
  ['a wide screen', 1_280],
  ['a telephone', 360],
])(
  'an operator · on %s · is suspended by one, restored and given a role over money by two',
  async (_screen, width) => {
    const leaver = await stand.colleague('REVIEWER');
    const viewport = { width, height: 800 };
    const admin = await stand.newPerson({ as: ['admin', maker], viewport });
    const { page } = admin;
    const row = page.getByRole('row').filter({ hasText: leaver.username });
    const menu = async (item: string) => {
      await admin.button(`Actions: ${leaver.username}`).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    const dialog = page.getByRole('dialog');
    await admin.open('/operator/operators');
    await row.getByText('Active').waitFor();
    await menu('Suspend…');
    await dialog.getByText('Letting them in again takes a second person.').waitFor();
    expect(await admin.dialogBarriers()).toEqual([]);
    await dialog.getByLabel(/^Reason/).fill('Left the company');
    await dialog.getByRole('button', { name: 'Suspend', exact: true }).click();
    await row.getByText('Suspended').waitFor();
    expect((await leaver.api.call('GET', '/auth/profile')).status).toBe(403);

    await menu('Restore…');
    await dialog.getByText(/^Nothing changes yet\./).waitFor();
    expect(await admin.dialogBarriers()).toEqual([]);
    await dialog.getByLabel(/^Reason/).fill('Came back');
    await dialog.getByRole('button', { name: 'Ask for it' }).click();
    await row.getByRole('link', { name: 'Restore waits for a second person' }).waitFor();
    // Asked for once: the menu says why not again.
    await admin.button(`Actions: ${leaver.username}`).click();
    const again = page.getByRole('menuitem', { name: 'Restore…' });
    expect(await again.getAttribute('aria-disabled')).toBe('true');
    expect(await again.getAttribute('title')).toMatch(/^It waits for a second person already/);
    await page.keyboard.press('Escape');
    await admin.settled();
    expect(await admin.barriers()).toEqual([]);

    const second = await stand.newPerson({ as: ['admin', checker], viewport });
    await second.open('/operator');
    await second.link(`Restore of operator ${leaver.username} (Reviewer)`).click();
    await second.heading(/^Approval \d+$/).waitFor();
    await second.page.getByText('Left the company').waitFor();
    await second.page.getByText('Came back').first().waitFor();
    expect(await second.barriers()).toEqual([]);
    await second.button('Approve').click();
    await second.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await second.page.getByText('Done', { exact: true }).first().waitFor();

    await admin.open('/operator/operators');
    await row.getByText('Active').waitFor();
    await menu('Change role…');
    expect(await admin.dialogBarriers()).toEqual([]);
    await dialog.getByLabel(/^Role/).first().click();
    await page.getByRole('option', { name: 'Finance' }).click();
    await dialog.getByLabel(/^Reason/).fill('Another desk');
    await dialog.getByRole('button', { name: 'Change the role' }).click();
    await row.getByRole('link', { name: 'Finance waits for a second person' }).click();
    // Whoever asked is told that another decides.
    await admin.heading(/^Approval \d+$/).waitFor();
    await page.getByText(`Role of operator ${leaver.username} (Reviewer → Finance)`).waitFor();
    expect(await admin.button('Approve').getAttribute('aria-disabled')).toBe('true');

    // In words, whoever reads the log later.
    await admin.open('/operator/audit?action=operator.suspend');
    await page.getByText('Reason: Left the company').first().waitFor();
  },
  120_000,
);

test('oneself · is shown with the reason why not', async () => {
  const admin = await stand.newPerson({ as: ['admin', maker] });
  await admin.open('/operator/operators');
  await admin.button(`Actions: ${maker.username}`).click();
  for (const name of ['Suspend…', 'Change role…']) {
    const item = admin.page.getByRole('menuitem', { name });
    expect(await item.getAttribute('aria-disabled')).toBe('true');
    expect(await item.getAttribute('title')).toBe('Another administrator does this for you.');
  }
});

test.each([
  ['a wide screen', 1_280],
  ['a telephone', 360],
])(
  'somebody new · on %s · is invited, joins by the letter with a password of their own, and is vouched for',
  async (_screen, width) => {
    const viewport = { width, height: 800 };
    const username = `wren_${width}`;
    const admin = await stand.newPerson({ as: ['admin', maker], viewport });
    await admin.open('/operator/operators');
    const token = await invitedTo(stand.platform, async () => {
      await admin.button('Invite operator').click();
      const dialog = admin.page.getByRole('dialog');
      await dialog.getByLabel(/^E-mail/).fill(`${username}@ops.example.com`);
      await dialog.getByLabel(/^User name/).fill(username);
      await dialog.getByLabel(/^Role/).first().click();
      await admin.page.getByRole('option', { name: 'Reviewer' }).click();
      expect(await admin.dialogBarriers()).toEqual([]);
      await dialog.getByRole('button', { name: 'Send invitation' }).click();
      await admin.heading('Open invitations').waitFor();
    });
    const invited = admin.page.getByRole('row').filter({ hasText: username });
    await invited.getByText('Reviewer').waitFor();
    await admin.settled();
    expect(await admin.barriers()).toEqual([]);

    const newcomer = await stand.newPerson({ viewport });
    await newcomer.page.goto(`${stand.platform.baseUrl}/console/#invitation=admin.${token}`);
    await newcomer.heading('Join as an operator').waitFor();
    await newcomer.page.getByText(`as Reviewer. Your user name is ${username}.`).waitFor();
    await newcomer.field(/^Your name/).fill('Wren Hull');
    await newcomer.field(/^Password/).fill('a password of their own 7');
    expect(await newcomer.barriers()).toEqual([]);
    await newcomer.button('Join').click();
    await newcomer.page.waitForURL(/\/console\/operator$/);

    await admin.open('/operator/operators');
    await invited.getByRole('link', { name: 'Vouching waits' }).waitFor();
    const open = admin.page.getByRole('region', { name: 'Open invitations' });
    expect(await open.getByText(username).count()).toBe(0);
    const second = await stand.newPerson({ as: ['admin', checker], viewport });
    await second.open('/operator');
    await second.link(`New operator ${username} (Reviewer)`).click();
    await second.button('Approve').click();
    await second.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await second.page.getByText('Done', { exact: true }).first().waitFor();
    await admin.open('/operator/operators');
    await invited.getByText('A person of their own').waitFor();
  },
);

test('an invitation · taken back in its row · opens nothing, and its page says what to do', async () => {
  const admin = await stand.newPerson({ as: ['admin', maker] });
  const token = await invitedTo(stand.platform, async () => {
    const body = { username: 'gull', email: 'gull@ops.example.com', role: 'SUPPORT' };
    await maker.api.must('POST', '/operator-invitations', body);
  });
  await admin.open('/operator/operators');
  // The letter went out a moment ago.
  admin.expects(/status of 429/);
  await admin.button('Actions: gull').click();
  await admin.page.getByRole('menuitem', { name: 'Send again' }).click();
  const refusal = admin.page.getByRole('dialog').filter({ hasText: 'Too many requests' });
  await refusal.waitFor();
  await admin.page.keyboard.press('Escape');
  await refusal.waitFor({ state: 'detached' });
  await admin.button('Actions: gull').click();
  await admin.page.getByRole('menuitem', { name: 'Take back' }).click();
  await admin.page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
  await admin.heading('Open invitations').waitFor({ state: 'detached' });
  const late = await stand.newPerson();
  late.expects(/status of 422/);
  await late.page.goto(`${stand.platform.baseUrl}/console/#invitation=admin.${token}`);
  await late.page.getByText(/^This invitation was used or replaced/).waitFor();
});

test('somebody new · on the telephone that has the app · copies the key, and does not approve themselves', async () => {
  const { id, ...mole } = await joinPlatform(stand.platform, maker, {
    username: 'mole',
    role: 'FINANCE',
  });
  const viewport = { width: 360, height: 800 };
  const person = await stand.newPerson({
    as: ['admin', mole],
    viewport,
  });
  await person.open('/operator/security');
  await person.button('Add an authenticator app').click();
  const dialog = person.page.getByRole('dialog');
  await dialog.getByLabel(/^Your password/).fill(mole.password);
  await person.page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Copy', exact: true }).waitFor();
  expect(await person.dialogBarriers()).toEqual([]);

  const { items } = await maker.api.must<{ items: { id: number }[] }>(
    'GET',
    `/approvals?state=PROPOSED&kind=operator&subject=${id}`,
  );
  await person.open(`/operator/approvals/${items[0]?.id}`);
  const approve = person.button('Approve');
  expect(await approve.getAttribute('aria-description')).toBe(
    'This is about you: another person decides.',
  );
});
