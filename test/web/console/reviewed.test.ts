import { type Account, type ConsoleStand, startConsole } from '../../support/console.ts';
import { approveAll } from '../../support/desk.ts';
import { image } from '../../support/images.ts';

/** A creative's page that stands open while reviewers and its owner go on. */
let stand: ConsoleStand;
let owner: Account;

beforeAll(async () => {
  stand = await startConsole();
  owner = await stand.newAccount('advertiser', 'Reviewed');
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

async function upload(colour: string): Promise<number> {
  const form = new FormData();
  const bytes = await image('png', { width: 300, height: 250, colour });
  form.set('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'rope.png');
  const { id } = await owner.api.must<{ id: number }>('POST', '/creatives/upload', form);
  return id;
}

test('a creative · approved and changed while its page stands open · is what its timeline says, and its versions differ in words', async () => {
  const [first, second, third] = [
    await upload('#0a5cad'),
    await upload('#c02020'),
    await upload('#20a040'),
  ];
  const { id } = await owner.api.must<{ id: number }>('POST', '/creatives', {
    name: 'Rope',
    image_media_id: first,
    width: 300,
    height: 250,
  });
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  await person.open(`/advertiser/creatives/${id}`);
  await person.page.getByText('It waits for a reviewer.').waitFor();
  const { api } = await stand.operator('REVIEWER');
  await approveAll(api, owner.api);
  await person.page.getByText('Approved: ads that show it may serve.').waitFor();
  // What the decision was is its end: it is told once, in words of what is over.
  const line = person.page.getByRole('list', { name: 'Where it stands' });
  await line.getByText('Decided by an operator').waitFor();
  expect(await line.getByText('Approved').count()).toBe(1);
  expect(await line.getByText('Ended').count()).toBe(0);

  await person.button('Edit').click();
  await person.field(/^Name/).fill('Rope, again');
  await person.page.locator('input[type=file]').setInputFiles({
    name: 'red.png',
    mimeType: 'image/png',
    buffer: await image('png', { width: 300, height: 250, colour: '#c02020' }),
  });
  await person.settled();
  await person.button('Save').click();
  await person.page.getByText('It waits for a reviewer.').waitFor();
  await person.page.getByText('Turn of a reviewer').waitFor();

  // Changed once more while it waits: the page goes on with the new round by itself.
  await person.button('Edit').click();
  await person.page.locator('input[type=file]').setInputFiles({
    name: 'green.png',
    mimeType: 'image/png',
    buffer: await image('png', { width: 300, height: 250, colour: '#20a040' }),
  });
  await person.settled();
  await person.button('Save').click();
  await person.page.getByText('Not decided: it was changed or archived meanwhile').waitFor();
  await person.page.getByText('Turn of a reviewer').waitFor();

  await person.page.getByRole('tab', { name: 'Versions' }).click();
  const versions = person.page.getByRole('tabpanel', { name: 'Versions' });
  await versions.getByRole('row', { name: `Picture No. ${second} No. ${third}` }).waitFor();
  expect(await versions.getByText('image_url').count()).toBe(0);
});
