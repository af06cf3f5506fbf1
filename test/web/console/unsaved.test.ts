import { image } from '../../support/images.ts';
import {
  type Account,
  type ConsoleStand,
  type Person,
  startConsole,
} from '../../support/console.ts';

/** What somebody has written is not lost without a question, and is taken as they meant it. */
let stand: ConsoleStand;
let owner: Account;
let admin: Account;

beforeAll(async () => {
  stand = await startConsole();
  owner = await stand.newAccount('advertiser', 'Writer');
  admin = await stand.operator('ADMIN');
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

const QUESTION = 'What you wrote is not saved. Leave anyway?';

/** Answers each question of the browser as told, and keeps what was asked. */
function answering(person: Person, answer: { leaves: boolean }): string[] {
  const asked: string[] = [];
  person.page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    void (answer.leaves ? dialog.accept() : dialog.dismiss());
  });
  return asked;
}

test('a form in a dialog · Escape, the cross or a press beside it · ask before what is written is lost', async () => {
  const person = await stand.newPerson({ as: ['admin', admin] });
  const answer = { leaves: false };
  const asked = answering(person, answer);
  await person.open('/operator/operators');
  const open = async (): Promise<void> => {
    await person.button('Invite operator').click();
    await person.page.getByRole('dialog').waitFor();
  };
  const gone = async (): Promise<void> =>
    await person.page.getByRole('dialog').waitFor({ state: 'detached' });
  await open();
  await person.page.keyboard.press('Escape');
  await gone();
  expect(asked).toEqual([]);

  await open();
  const name = person.page.getByRole('dialog').getByRole('textbox').first();
  await name.fill('Newcomer');
  await person.page.keyboard.press('Escape');
  await person.page.mouse.click(5, 5);
  await person.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  expect(asked).toEqual([QUESTION, QUESTION, QUESTION]);
  expect(await name.inputValue()).toBe('Newcomer');
  expect(await person.barriers()).toEqual([]);

  answer.leaves = true;
  await person.page.keyboard.press('Escape');
  await gone();
  expect(asked).toHaveLength(4);
});

test('words for the AI · another kind keeps them, a link asks first', async () => {
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  const asked = answering(person, { leaves: false });
  await person.open('/advertiser/creatives/generate');
  const words = person.page.getByRole('main').getByRole('textbox').first();
  await words.fill('A red shoe on a white rock');
  await person.page.getByText('Video', { exact: true }).click();
  await person.page.getByLabel('Length, seconds').waitFor();
  expect(asked).toEqual([]);
  await person.link('Reports').click();
  expect(asked).toEqual([QUESTION]);
  expect(await words.inputValue()).toBe('A red shoe on a white rock');
});

test('words for the AI · sent, then written in again · are left without a question, then with one', async () => {
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  const asked = answering(person, { leaves: false });
  const words = person.page.getByRole('main').getByRole('textbox').first();
  const send = async (text: string): Promise<void> => {
    await person.open('/advertiser/creatives/generate?kind=copy');
    await words.fill(text);
    await person.button('Generate').click();
    await person.page.waitForURL(/operation=\d+/);
    await person.settled();
  };
  await send('Ropes for boats');
  await person.link('Reports').click();
  await person.heading('Reports').waitFor();
  expect(asked).toEqual([]);
  await send('Ropes for piers');
  await words.fill('Ropes for harbours');
  await person.link('Reports').click();
  expect(asked).toEqual([QUESTION]);
  expect(await words.inputValue()).toBe('Ropes for harbours');
});

/** The same bytes would be the same file, whatever it is called. */
const chooseFile = async (person: Person, name: string): Promise<void> => {
  const buffer = await image('png', { width: 300, height: 200 + name.length });
  const asked = person.page.waitForEvent('filechooser');
  await person.button('Choose files').click();
  await (await asked).setFiles({ name, mimeType: 'image/png', buffer });
  await person.page.getByRole('button', { name: /^Remove/ }).waitFor();
};

test('a campaign · its file is chosen anew · its name is that of the file, unless somebody wrote one', async () => {
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  await person.open('/advertiser/campaigns/new');
  const name = person.field(/^Campaign name/);
  await chooseFile(person, 'old-shoe.png');
  expect(await name.inputValue()).toBe('old shoe');
  await person.page.getByRole('button', { name: /^Remove/ }).click();
  await chooseFile(person, 'newer-shoe.png');
  expect(await name.inputValue()).toBe('newer shoe');
  await name.fill('Shoes of spring');
  await person.page.getByRole('button', { name: /^Remove/ }).click();
  await chooseFile(person, 'third-shoe.png');
  expect(await name.inputValue()).toBe('Shoes of spring');
});

test.each([
  ['shoes.example', 'https://shoes.example'],
  ['shoes.example/new?c={click_id}', 'https://shoes.example/new?c={click_id}'],
  ['http://shoes.example', 'http://shoes.example'],
  ['shoes', 'shoes'],
  ['ftp://shoes.example', 'ftp://shoes.example'],
])(
  'a landing page · written as %s · is %s once its field is left, or Enter pressed',
  async (written, taken) => {
    const person = await stand.newPerson({ as: ['advertiser', owner] });
    await person.open('/advertiser/campaigns/new');
    const field = person.field(/^Landing page/);
    await field.fill(written);
    await person.page.keyboard.press('Tab');
    expect(await field.inputValue()).toBe(taken);
    await field.fill(written);
    await person.page.keyboard.press('Enter');
    // The form is not whole, so that nothing is sent.
    await person.page.getByText('Required.').first().waitFor();
    expect(await field.inputValue()).toBe(taken);
  },
);
