import { type Account, type ConsoleStand, startConsole } from '../../support/console.ts';

/** Which fields of a refused form are wrong, for who looks and for who listens. */
let stand: ConsoleStand;
let account: Account;

beforeAll(async () => {
  stand = await startConsole();
  account = await stand.newAccount('publisher', 'Faulty');
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

test('a form · one field is wrong · is said with its name, and no list is drawn', async () => {
  const person = await stand.newPerson({ as: ['publisher', account] });
  await person.open('/publisher/sites/new');
  await person.field(/^Domain/).fill('one.example.com');
  await person.button('Add a site').click();
  const said = person.page.getByRole('status').filter({ hasText: 'Not sent' });
  await said.waitFor({ state: 'attached' });
  expect(await said.textContent()).toBe('Not sent: 1 field is not right yet. Name: Required.');
  expect(await person.page.getByRole('group', { name: 'What is not right yet' }).count()).toBe(0);
});

test('a form · several are wrong · each is listed by name, leads to its field, and goes when it is right', async () => {
  const person = await stand.newPerson({ as: ['publisher', account] });
  await person.open('/publisher/sites/new');
  await person.button('Add a site').click();
  const list = person.page.getByRole('group', { name: 'What is not right yet' });
  await list.waitFor();
  expect(await list.getByRole('button').allInnerTexts()).toEqual([
    'Name: Required.',
    'Domain: Required.',
  ]);
  const said = person.page.getByRole('status').filter({ hasText: 'Not sent' });
  expect(await said.textContent()).toBe(
    'Not sent: 2 fields are not right yet. Name: Required. Domain: Required.',
  );
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  await list.getByRole('button', { name: /^Domain/ }).click();
  await person.page.locator('input[name=domain]:focus').waitFor();
  await person.field(/^Domain/).fill('two.example.com');
  await list.waitFor({ state: 'detached' });
});

test('a form · refused by the API, read in Chinese · says which field it is', async () => {
  const person = await stand.newPerson({ as: ['publisher', account], locale: 'zh-CN' });
  person.expects(/status of 422/);
  await person.open('/publisher/sites/new');
  await person.page.locator('input[name=name]').fill('Gazette');
  await person.page.locator('input[name=domain]').fill('no domain at all');
  await person.page.locator('button[type=submit]').click();
  const said = person.page.getByRole('status').filter({ hasText: '未提交' });
  await said.waitFor({ state: 'attached' });
  expect(await said.textContent()).toMatch(/^未提交：有 1 处需要修改。域名：\S/);
});
