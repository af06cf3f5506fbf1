import { setByOwner } from '../../support/by-owner.ts';
import type { ApiClient } from '../../support/call.ts';
import {
  type Account,
  type ConsoleStand,
  menuOf,
  PASSWORD,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { type Hands, handsOf, TOOLS } from '../../support/hands.ts';
import { image } from '../../support/images.ts';
import { makeOperator } from '../../support/make/account.ts';
import { fundPublisher, UNIT } from '../../support/make/money.ts';
import { CARD, ibanOf, passKyc, ripenCards } from '../../support/payouts.ts';
import { until } from '../../support/until.ts';

/** A day of operators: what waits is decided, money is recorded and let go by two people. */
let stand: ConsoleStand;
let second: string;

beforeAll(async () => {
  stand = await startConsole();
  await stand.operator('FINANCE');
  await setByOwner(stand.platform, 'payout.second_approval_above', 100);
  const { db, operators } = stand.platform;
  const { passwordHash } = await db.models.operators.findOne({
    where: { username: operators.FINANCE },
    rejectOnEmpty: true,
  });
  const another = await makeOperator(db, 'FINANCE');
  await another.update({ passwordHash });
  second = another.username;
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

async function logIn(person: Person, hands: Hands, username: string): Promise<void> {
  await hands.write(person.field(/^Username/), username);
  await hands.write(person.field(/^Password/), PASSWORD);
  await hands.press(person.button('Log in'));
  await person.heading('Desk').waitFor();
}

async function logOut(person: Person, hands: Hands, username: string): Promise<void> {
  await hands.press(person.button(username));
  await hands.press(person.page.getByRole('menuitem', { name: 'Log out' }));
  await person.page.waitForURL('**/console/operator/login');
}

async function newCreatives(owner: Account, names: readonly string[]): Promise<number[]> {
  const form = new FormData();
  const bytes = await image('png', { width: 300, height: 250, colour: '#0a5cad' });
  form.set('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'boat.png');
  const { id: picture } = await owner.api.must<{ id: number }>('POST', '/creatives/upload', form);
  const ids: number[] = [];
  for (const name of names) {
    const body = { name, creative_type: 'image', width: 300, height: 250, image_media_id: picture };
    ids.push((await owner.api.must<{ id: number }>('POST', '/creatives', body)).id);
    // The first is asked about first.
    await waits('REVIEWER', ids.length);
  }
  return ids;
}

/** Of somebody whom we know, to an account that is old enough. */
async function newWithdrawal(
  name: string,
  number: number,
): Promise<{ id: number; api: ApiClient }> {
  const { api } = await stand.newAccount('publisher', name);
  const { id: publisherId } = await api.must<{ id: number }>('GET', '/auth/profile');
  const database = { pool: stand.platform.pool } as Parameters<typeof passKyc>[0];
  await passKyc(database, publisherId);
  await fundPublisher(stand.platform.db, publisherId, 500n * UNIT);
  await api.must('POST', '/withdrawals/bank-cards', { ...CARD, iban: ibanOf(number) });
  await ripenCards(database, publisherId);
  const body = { amount: 200, payment_method: 'BANK' };
  const { id } = await api.must<{ id: number }>('POST', '/withdrawals', body);
  return { id, api };
}

const review = async (owner: Account, id: number): Promise<string> =>
  (await owner.api.must<{ audit_status: string }>('GET', `/creatives/${id}`)).audit_status;

async function waits(role: 'REVIEWER' | 'FINANCE', count: number): Promise<void> {
  const { api } = await stand.operator(role);
  const kinds = role === 'REVIEWER' ? 'creative_review' : 'withdrawal_review';
  await until(`${count} wait`, async () => {
    const query = `status=open&kinds=${kinds}`;
    return (await api.must<{ total: number }>('GET', `/tasks?${query}`)).total >= count;
  });
}

test.each(TOOLS)(
  'operators · by %s alone · decide what waits, record and release money',
  async (tool) => {
    const owner = await stand.newAccount('advertiser', `Harbour${tool}`);
    const [good = 0, bad = 0] = await newCreatives(owner, ['Boat at dawn', 'Blurred boat']);
    const { id: deposit } = await owner.api.must<{ id: number }>('POST', '/deposits', {
      amount: 300,
      payment_method: 'BANK',
    });
    const withdrawal = await newWithdrawal(`Gazette${tool}`, TOOLS.indexOf(tool) + 1);
    await waits('FINANCE', 1);
    const person = await stand.newPerson();
    const hands = handsOf(person, tool);
    const decision = person.page.getByRole('region', { name: 'Your decision' });

    await person.open('/operator/login');
    await logIn(person, hands, stand.platform.operators.REVIEWER);
    await hands.press(person.button(/^Claim next/));
    await person.heading(/Boat at dawn/).waitFor();
    await hands.press(decision.getByRole('button', { name: /^Approve/ }));
    await hands.press(decision.getByRole('button', { name: /^Send now/ }));
    await person.heading(/Blurred boat/).waitFor();
    await hands.press(decision.getByRole('button', { name: /^Reject/ }));
    const why = person.page.getByRole('dialog', { name: /^Reject/ });
    await hands.press(why.getByRole('checkbox', { name: /^1\. / }));
    await hands.press(why.getByRole('button', { name: 'Reject' }));
    await hands.press(decision.getByRole('button', { name: /^Send now/ }));
    await person.heading('Desk').waitFor();
    await until('both are decided', async () => {
      const states = [await review(owner, good), await review(owner, bad)];
      return states.join() === 'APPROVED,REJECTED';
    });
    await logOut(person, hands, stand.platform.operators.REVIEWER);

    await logIn(person, hands, stand.platform.operators.FINANCE);
    await hands.press(menuOf(person, 'Top-ups'));
    const orders = person.page.getByRole('table', { name: 'Top-ups' });
    await hands.press(orders.getByRole('link', { name: `Top-up ${deposit}`, exact: true }));
    await hands.write(person.field(/^Amount/), '300');
    await hands.write(person.field(/^Bank’s reference/), `STMT-${deposit}`);
    await hands.press(person.button('Record money that arrived'));
    await until('it is credited', async () => {
      const { available } = await owner.api.must<{ available: number }>('GET', '/deposits/balance');
      return available === 300;
    });
    await hands.press(
      person.page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: /^Desk/ }),
    );
    await hands.press(person.button(/^Claim next/));
    await hands.press(decision.getByRole('button', { name: /^Approve/ }));
    await hands.press(decision.getByRole('button', { name: /^Send now/ }));
    await person.heading('Desk').waitFor();
    await logOut(person, hands, stand.platform.operators.FINANCE);

    await logIn(person, hands, second);
    await person.page.getByRole('table', { name: 'Queue' }).getByRole('link').first().waitFor();
    await hands.press(person.button(/^Claim next/));
    await hands.press(decision.getByRole('button', { name: /^Approve/ }));
    await hands.press(decision.getByRole('button', { name: /^Send now/ }));
    await until('the withdrawal is approved', async () => {
      const { status } = await withdrawal.api.must<{ status: string }>(
        'GET',
        `/withdrawals/${withdrawal.id}`,
      );
      return status === 'APPROVED';
    });
    expect(hands.unseen()).toEqual([]);
    if (tool === 'keyboard') expect((await person.counted()).clicks).toBe(0);
  },
  180_000,
);
