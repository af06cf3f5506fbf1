import {
  type Account,
  type ConsoleStand,
  type Person,
  startConsole,
} from '../../support/console.ts';

/** Two who change one record: the second sees what is different where they pressed, and loses nothing. */
let stand: ConsoleStand;
let owner: Account;

beforeAll(async () => {
  stand = await startConsole();
  owner = await stand.newAccount('advertiser', 'Overtaken');
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

interface Campaign {
  id: number;
  name: string;
  bid: number;
}

/** A form that is longer than the screen, sent after somebody else has changed the name. */
async function overtaken(): Promise<{ person: Person; id: number }> {
  const { id } = await owner.api.must<Campaign>('POST', '/campaigns', {
    name: 'Ropes',
    ad_type: 'TEXT',
    pricing_model: 'CPC',
    bid: 0.2,
    landing_url: 'https://shop.example.com/rope',
  });
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  person.expects(/status of 412/);
  await person.open(`/advertiser/campaigns/${id}?edit=1`);
  await person.field(/^Name/).fill('Ropes of mine');
  await owner.api.must('PUT', `/campaigns/${id}`, { name: 'Ropes of theirs' });
  await person.button('Save').click();
  await person.page.getByText('Somebody changed this meanwhile').waitFor();
  await person.page.getByRole('row', { name: 'Name Ropes of theirs Ropes of mine' }).waitFor();
  await person.settled();
  return { person, id };
}

const now = async (id: number): Promise<Campaign> =>
  await owner.api.must<Campaign>('GET', `/campaigns/${id}`);

test('a long form · overtaken · the choice is in sight, and no other refusal beside it', async () => {
  const { person } = await overtaken();
  expect(await person.page.getByText('This did not work').count()).toBe(0);
  const alert = person.page.getByRole('alert').filter({ hasText: 'Keep mine' });
  const box = await alert.boundingBox();
  const { y, height } = { y: 0, height: 0, ...box };
  expect(y).toBeGreaterThan(0);
  expect(Math.floor(y + height)).toBeLessThanOrEqual(person.page.viewportSize()?.height ?? 0);
  expect(await person.barriers()).toEqual([]);
});

test('a form · overtaken · what is written after that is kept with “mine”, and nobody is asked whether to leave', async () => {
  const { person, id } = await overtaken();
  const asked: string[] = [];
  person.page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    void dialog.accept();
  });
  await person.field(/^Bid/).fill('0.35');
  await person.page.getByRole('row', { name: 'Bid $0.20 $0.35' }).waitFor();
  await person.button('Keep mine').click();
  await person.heading('Ropes of mine').waitFor();
  expect(await now(id)).toMatchObject({ name: 'Ropes of mine', bid: 0.35 });
  expect(asked).toEqual([]);
});

test('a form · overtaken once more before “mine” · shows the newest of theirs, and writes over nothing unseen', async () => {
  const { person, id } = await overtaken();
  await owner.api.must('PUT', `/campaigns/${id}`, { name: 'Ropes, the third' });
  await person.button('Keep mine').click();
  await person.page.getByRole('row', { name: 'Name Ropes, the third Ropes of mine' }).waitFor();
  expect(await now(id)).toMatchObject({ name: 'Ropes, the third' });
  await person.button('Take theirs').click();
  await person.page.getByText('Somebody changed this meanwhile').waitFor({ state: 'detached' });
  expect(await person.field(/^Name/).inputValue()).toBe('Ropes, the third');
  await person.field(/^Bid/).fill('0.4');
  await person.button('Save').click();
  await person.heading('Ropes, the third').waitFor();
  await person.button('Edit').waitFor();
  expect(await now(id)).toMatchObject({ name: 'Ropes, the third', bid: 0.4 });
});

test('a form that its page goes on showing · overtaken · keeps what was written until one is chosen', async () => {
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  person.expects(/status of 412/);
  await person.open('/advertiser/profile');
  await person.field(/^Company/).fill('Mine Ltd');
  await owner.api.must('PUT', '/auth/profile', { contact_name: 'Thea Theirs' });
  await person.button('Save').click();
  await person.page.getByRole('row', { name: /^Your name Thea Theirs/ }).waitFor();
  expect(await person.field(/^Company/).inputValue()).toBe('Mine Ltd');
  await person.button('Take theirs').click();
  await person.page.getByText('Somebody changed this meanwhile').waitFor({ state: 'detached' });
  expect(await person.field(/^Your name/).inputValue()).toBe('Thea Theirs');
  // Saved twice on one page: the second is of what the first has left.
  for (const company of ['Mine Ltd', 'Mine & Sons Ltd']) {
    await person.field(/^Company/).fill(company);
    await person.button('Save').click();
    await person.settled();
  }
  expect(await owner.api.must('GET', '/auth/profile')).toMatchObject({
    contact_name: 'Thea Theirs',
    company_name: 'Mine & Sons Ltd',
  });
});

test('a record changed in nothing that the form shows · is saved without a question', async () => {
  const { id } = await owner.api.must<Campaign>('POST', '/campaigns', {
    name: 'Knots',
    ad_type: 'TEXT',
    pricing_model: 'CPC',
    bid: 0.2,
    landing_url: 'https://shop.example.com/rope',
  });
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  person.expects(/status of 412/);
  await person.open(`/advertiser/campaigns/${id}?edit=1`);
  await person.field(/^Name/).fill('Knots of mine');
  await owner.api.must('POST', `/campaigns/${id}/toggle`);
  await person.button('Save').click();
  await person.heading('Knots of mine').waitFor();
  expect(await now(id)).toMatchObject({ name: 'Knots of mine', status: 'PAUSED' });
});
