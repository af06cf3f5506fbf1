import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type Account,
  type ConsoleStand,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { setByOwner } from '../../support/by-owner.ts';
import { bankPayouts } from '../../support/console-payouts.ts';
import { statusReport } from '../../support/bank-files.ts';
import { image } from '../../support/images.ts';
import { makeLine } from '../../support/make/line.ts';
import { fundAdvertiser, fundPublisher, UNIT } from '../../support/make/money.ts';
import { makePastTerm } from '../../support/make/term.ts';
import { passKyc } from '../../support/payouts.ts';
import { makeSite, makeZone } from '../../support/make/place.ts';
import { bill, TODAY } from '../../support/reversals.ts';
import { until } from '../../support/until.ts';

/** Where pictures of the pages are kept, when somebody wants to look at them. */
const SHOTS = process.env['SHOTS_DIR'];
/** What finance does with money that arrived: a statement, a slip, who was not billed; and with terms. */
let stand: ConsoleStand;
let clerk: Account;
let payer: Account;
/** Whose payouts were made last. */
let seller: Account;

beforeAll(async () => {
  stand = await startConsole();
  await stand.operator('FINANCE');
  payer = await stand.newAccount('advertiser', 'Payer');
}, 120_000);
// Each test has one of its own: what a person may read in a minute is not met by all of them together.
beforeEach(async () => {
  clerk = await stand.colleague('FINANCE');
});
afterAll(async () => await stand?.close(), 60_000);

interface Order {
  id: number;
  reference: string;
  status: string;
}

const order = async (amount: number): Promise<Order> =>
  await payer.api.must<Order>('POST', '/deposits', { amount, payment_method: 'BANK' });

async function choose(person: Person, file: { name: string; mimeType: string; buffer: Buffer }) {
  const asked = person.page.waitForEvent('filechooser');
  await person.button('Choose a file').click();
  await (await asked).setFiles(file);
}

async function upload(person: Person, lines: readonly string[]): Promise<void> {
  await person.open('/operator/statements/new');
  const text = ['Date,Amount,Currency,Reference,Text', ...lines].join('\n');
  await choose(person, { name: 'may.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await person.field(/^Account/).fill('Harbour Bank');
  await person.button('Upload').click();
}

test('a statement · uploaded, its match tried and recorded · pays the order, the rest is named', async () => {
  const exact = await order(50);
  const person = await stand.newPerson({ as: ['admin', clerk] });
  await upload(person, [
    `2026-01-05,50.00,USD,BK-1,Top-up ${exact.reference}`,
    '2026-01-05,20.00,USD,BK-2,thank you',
  ]);
  await person.page.waitForURL(/\/operator\/statements\/\d+$/);
  await person.page.getByText('Names no order').waitFor();
  await person.page.getByText('Credits the order at once').waitFor();
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  const matched = person.page.getByRole('row', { name: /BK-1/ });
  // A figure leads to its lines.
  await person.link('Unmatched 1').click();
  await person.page.waitForURL(/state=UNMATCHED/);
  await matched.waitFor({ state: 'detached' });
  await person.page.goBack();
  await matched.getByText('Jan 5, 2026', { exact: true }).waitFor();
  // Only what is proposed can be recorded with others; the others say why not, and “All” leaves them.
  const unmatched = person.page.getByRole('row', { name: /BK-2/ }).getByRole('checkbox');
  expect(await unmatched.getAttribute('title')).toMatch(/^Only a payment that is proposed/);
  await person.page.getByRole('checkbox', { name: 'All', exact: true }).check();
  expect([await unmatched.isChecked(), await matched.getByRole('checkbox').isChecked()]).toEqual([
    false,
    true,
  ]);
  await person.page.getByRole('toolbar').getByRole('button', { name: 'Record' }).click();
  await person.button('Do it').click();
  await until('the order is paid', async () => {
    const { status } = await payer.api.must<Order>('GET', `/deposits/${exact.id}`);
    return status === 'PAID';
  });
  await person.page.getByText('Recorded').first().waitFor();
  await person.page
    .getByRole('row', { name: /BK-2/ })
    .getByRole('button', { name: 'Not the platform’s…' })
    .click();
  await person.page.getByRole('dialog').getByRole('textbox').waitFor();
  expect(await person.dialogBarriers()).toEqual([]);
  await person.page.keyboard.press('Escape');
  // What names no order is given one, found by its payer.
  const named = await order(20);
  await person.page
    .getByRole('row', { name: /BK-2/ })
    .getByRole('button', { name: /^Record/ })
    .click();
  const dialog = person.page.getByRole('dialog', { name: /^For which order is \$20\.00/ });
  await dialog.getByRole('combobox', { name: /^Top-up, by/ }).fill('payer ltd');
  await dialog
    .getByRole('option', {
      name: `${named.reference} · Top-up ${named.id} · Payer Ltd · 20.00 USD · BANK · Pending`,
    })
    .click();
  await readable(person, 'statement-order');
  await dialog.getByRole('button', { name: /^Record/ }).click();
  await until('the other order is paid', async () => {
    const { status } = await payer.api.must<Order>('GET', `/deposits/${named.id}`);
    return status === 'PAID';
  });
}, 120_000);

test('a statement · of another currency · names row and column, and keeps nothing', async () => {
  const person = await stand.newPerson({ as: ['admin', clerk] });
  person.expects(/status of 422/);
  await upload(person, ['2026-01-05,50.00,EUR,BK-9,x']);
  await person.page.getByText('Row 2, column "Currency": EUR is not USD.').waitFor();
  expect(await person.barriers()).toEqual([]);
});

test('a slip · attached to a receipt · is shown on the order when somebody asks for it', async () => {
  const { id } = await order(80);
  const person = await stand.newPerson({ as: ['admin', clerk] });
  await person.open(`/operator/deposits/${id}`);
  // Whose turn it is stands here as on the owner's own page.
  await person.heading('Where it stands').waitFor();
  await person.page.getByText('Waits for the money to arrive').waitFor();
  await person.page.getByText('Turn of the account').waitFor();
  await person.field(/^Amount/).fill('80');
  await person.field(/^Bank’s reference/).fill('SLIP-80');
  const buffer = await image('png', { width: 300, height: 200 });
  await choose(person, { name: 'slip.png', mimeType: 'image/png', buffer });
  await person.page.getByText('Evidence: slip.png').waitFor();
  await person.button('Record money that arrived').click();
  await person.button('Show the evidence: slip.png').click();
  await person.page.getByRole('img', { name: 'slip.png' }).waitFor();
  await person.settled();
  expect(await person.barriers()).toEqual([]);
});

test('unused balance · given back by finance · goes out by hand, and its owner and the bank’s statement say so', async () => {
  const { id } = await order(90);
  await clerk.api.must('POST', `/deposits/${id}/receipts`, {
    amount: 90,
    reference: 'PAID-90',
    received_at: new Date().toISOString(),
  });
  await until('the order is paid', async () => {
    const { status } = await payer.api.must<Order>('GET', `/deposits/${id}`);
    return status === 'PAID';
  });
  const { id: advertiser } = await payer.api.must<{ id: number }>('GET', '/auth/profile');
  const person = await stand.newPerson({ as: ['admin', clerk] });
  await person.open(`/operator/advertisers/${advertiser}`);
  await person.link('Give balance back…').click();
  const plan = person.page.getByRole('table', { name: 'What would happen' });
  await plan.getByText(`Top-up ${id}`).waitFor();
  await readable(person, 'refund-new');
  // More than there is: said before anybody asks, and refused when somebody does.
  await person.field(/^Amount/).fill('100000');
  await person.page.getByText('More than can go back.').waitFor();
  await person.field(/^Amount/).fill('30');
  await person.field(/^Reason/).fill('They end their campaigns');
  await plan.getByText('30.00').waitFor();
  await person.button('Ask for it').click();
  await person.page.waitForURL(/\/operator\/refunds\/\d+$/);
  await person.link('Decide').waitFor();
  const refundPage = new URL(person.page.url()).pathname.replace('/console', '');
  // It goes on in other hands: told once.
  const going = person.page.getByText('The money is being sent back to whoever paid it');
  await person.page.getByText(/^Turn of finance/).waitFor();
  expect(await going.count()).toBe(1);
  await readable(person, 'refund-by-hand');
  await person.link('Decide').click();
  const decision = person.page.getByRole('region', { name: 'Your decision' });
  await decision.waitFor();
  await readable(person, 'refund-task');
  const list = await stand.newPerson({ as: ['admin', clerk] });
  await list.open('/operator/refunds');
  await list.page.getByRole('row', { name: /Payer Ltd.*30\.00.*Going back/ }).waitFor();
  await readable(list, 'refunds');
  // Who let it through reads whose it is and what goes back of which receipt, in words.
  await list.open('/operator/approvals?kind=balance_refund');
  const agreed = list.page.getByRole('main');
  await agreed
    .getByRole('link', { name: /^Approval \d/ })
    .first()
    .click();
  await agreed.getByText(/^\$30\.00 · Bank transfer · \S+ · RF\d+$/).waitFor();
  expect(await agreed.getByRole('link', { name: 'Payer Ltd', exact: true }).count()).toBe(2);
  expect(await agreed.getByText(/^receipt_/).count()).toBe(0);
  await readable(list, 'refund-approval');
  const owner = await stand.newPerson({ as: ['advertiser', payer] });
  await owner.open('/advertiser/money?tab=transactions');
  await owner.page
    .getByText(/^Goes back to its payer/)
    .first()
    .waitFor();
  await readable(owner, 'refund-owner');
  await decision.getByLabel(/^Reference under which it was sent/).fill('OUT-30');
  await decision.getByRole('button', { name: /^It was sent back/ }).click();
  await person.page.getByText('Recorded as sent back.').first().waitFor();
  await person.open(refundPage);
  const past = person.page.getByRole('list', { name: 'Where it stands' });
  await past.getByText('Ended', { exact: true }).waitFor();
  await readable(person, 'refund-ended');
  await owner.open('/advertiser/notifications');
  await owner.page.getByText('Unused balance of 30.00 USD was sent back to you').waitFor();
  await readable(owner, 'refund-news');
  await upload(person, ['2026-01-05,-30.00,USD,OUT-30,Back to the payer']);
  await person.page.waitForURL(/\/operator\/statements\/\d+$/);
  await readable(person, 'refund-statement');
  // What is known needs no words of anybody's.
  expect(await person.button(/^Not the platform/).count()).toBe(0);
  await person.link(/^Refund \d+$/).click();
  await person.page.waitForURL(`**${refundPage}`);
}, 240_000);

const payoutsToCarry = async (name: string, amounts: readonly number[]): Promise<number[]> => {
  const made = await bankPayouts(stand, { clerk, name, amounts });
  ({ seller } = made);
  return made.ids;
};

test('payouts · several of them · go to the bank in one file, once, and the board says where they stand', async () => {
  const ids = await payoutsToCarry('Ferry', [200, 300]);
  const person = await stand.newPerson({ as: ['admin', clerk] });
  await person.open('/operator/withdrawals');
  const board = person.page.getByRole('group', { name: 'What waits where' });
  await board.getByRole('button', { name: /^Waits for a bank file ?2/ }).click();
  await person.page.waitForURL(/stage=BANK_FILE/);
  for (const id of ids)
    await person.page.getByRole('checkbox', { name: `Withdrawal ${id}` }).check();
  await readable(person, 'payout-board');
  await person.button('Make one bank file').click();
  const dialog = person.page.getByRole('dialog', { name: '2 payouts in one file?' });
  await dialog.getByText('$490.00').waitFor();
  await readable(person, 'payout-file');
  const saved = person.page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Make one bank file' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(/^pain\.001-PF-\d+\.xml$/);
  const text = await readFile(await file.path(), 'utf8');
  expect(text).toContain('<CtrlSum>490.00</CtrlSum>');
  for (const id of ids) expect(text).toContain(`<EndToEndId>WD-${id}</EndToEndId>`);
  await board.getByRole('button', { name: /^At the bank ?2/ }).click();
  await person.page.getByText(file.suggestedFilename()).first().waitFor();
  await readable(person, 'payout-at-bank');
  // The log says how much, and an approval what was approved before it, by its own name.
  const admin = await stand.newPerson({ as: ['admin', await stand.operator('ADMIN')] });
  await admin.open('/operator/audit?action=payout_file.make');
  await admin.page.getByText('Together: $490.00').waitFor();
  await admin.open('/operator/approvals?kind=withdrawal');
  await admin.page
    .getByRole('row', { name: new RegExp(`Withdrawal ${ids[1]}`) })
    .getByRole('link', { name: /^Approval/ })
    .click();
  await admin.link(new RegExp(`^Withdrawal ${ids[0]} · \\$200.00 · `)).waitFor();
  await admin.page.getByText('Arrived so far').waitFor();
  expect(await admin.page.getByText('Paid in so far').count()).toBe(0);
  // Whoever decides about one looks at the others, which may be later ones.
  await person.open(`/operator/withdrawals/${ids[0]}`);
  await person.heading('Where it stands').waitFor();
  await person.page.getByText('Handed in', { exact: true }).waitFor();
  await person.link(/^Bank transfer to carry out/).click();
  await person.heading('Their other withdrawals').waitFor();
  await person.page.getByText('Germany').waitFor();
  await person.link(`Withdrawal ${ids[1]}`).click();
  await person.heading(`Withdrawal ${ids[1]}`).waitFor();

  // The bank's portal takes nothing of it: another person agrees, and they go out in a file of another name.
  const [first = 0] = ids;
  await person.open(`/operator/withdrawals/${first}`);
  await person.button('The bank did not take this file…').click();
  const back = person.page.getByRole('dialog', { name: /^Take pain\.001-PF-\d+\.xml back\?/ });
  await back.getByText(`It carries WD-${ids[0]}, WD-${ids[1]}.`).waitFor();
  const confirm = back.getByRole('button', { name: /^The bank did not take/ });
  expect(await confirm.isEnabled()).toBe(false);
  await back.getByLabel(/^What the bank said/).fill('Unknown debtor account, said the portal');
  const said = await image('png', { width: 300, height: 211 });
  await choose(person, { name: 'portal.png', mimeType: 'image/png', buffer: said });
  await back.getByText('Evidence: portal.png').waitFor();
  expect(await person.dialogBarriers()).toEqual([]);
  await readable(person, 'payout-file-back');
  await confirm.click();
  await person.page.getByText('Taking its bank file back waits for a second person:').waitFor();
  await readable(person, 'payout-file-asked');
  const agreeing = await stand.newPerson({ as: ['admin', await stand.colleague('FINANCE')] });
  await agreeing.open('/operator/approvals?state=PROPOSED');
  await agreeing.page
    .getByRole('row', { name: /Bank file to be taken back/ })
    .getByRole('link')
    .first()
    .click();
  await agreeing.page.getByText(`WD-${ids[0]}, WD-${ids[1]}`).waitFor();
  // What it names is a press away, and what was shown for it is looked at where it is agreed.
  expect(await agreeing.link(`WD-${ids[1]}`).getAttribute('href')).toMatch(
    new RegExp(`/operator/withdrawals/${ids[1]}$`),
  );
  await agreeing.button('Show the evidence: portal.png').click();
  await agreeing.page.getByRole('img', { name: 'portal.png' }).waitFor();
  // In the dark as well.
  await agreeing.page.emulateMedia({ colorScheme: 'dark' });
  await agreeing.settled();
  expect(await agreeing.barriers()).toEqual([]);
  await agreeing.page.emulateMedia({ colorScheme: 'light' });
  await readable(agreeing, 'payout-file-approval');
  await agreeing.button('Approve').click();
  await agreeing.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await agreeing.page.getByText('Done').first().waitFor();
  await person.open('/operator/withdrawals?stage=BANK_FILE');
  for (const id of ids)
    await person.page.getByRole('checkbox', { name: `Withdrawal ${id}` }).check();
  await person.button('Make one bank file').click();
  const again = person.page.waitForEvent('download');
  await person.page.getByRole('dialog').getByRole('button', { name: 'Make one' }).click();
  expect((await again).suggestedFilename()).not.toBe(file.suggestedFilename());
  await person.open(`/operator/withdrawals/${first}`);
  await person.page.getByText(/^Bank file PF-\d+ was taken back/).waitFor();
  await readable(person, 'payout-file-again');

  // The bank speaks of the old one after all: said at the upload, above the board, on each of its payouts.
  const [old = ''] = /PF-\d+/.exec(file.suggestedFilename()) ?? [];
  const report = statusReport([], `<OrgnlMsgId>${old}</OrgnlMsgId><GrpSts>ACSP</GrpSts>`);
  const bank = { name: 'bank.xml', mimeType: 'text/xml', buffer: Buffer.from(report) };
  await person.open('/operator/statements/new');
  await choose(person, bank);
  const alarm = person.page.getByRole('alert', { name: 'The bank has a file that was taken back' });
  await alarm.getByText(`Bank file ${old}`).waitFor();
  await readable(person, 'payout-old-file-told');
  await person.open('/operator/withdrawals');
  await alarm.getByText(`Bank file ${old}`).waitFor();
  await readable(person, 'payout-old-file-board');
  // On a phone what stands somewhere comes first.
  await person.page.setViewportSize({ width: 360, height: 800 });
  const tiles = person.page.getByRole('group', { name: 'What waits where' }).getByRole('button');
  const shown = await tiles.count();
  expect(shown).toBeLessThan(9);
  await person.button(/places where nothing stands$/).click();
  expect(await tiles.count()).toBe(9);
  await person.button('Only where something stands').click();
  expect(await tiles.count()).toBe(shown);
  await person.page.setViewportSize({ width: 1_280, height: 800 });
  await alarm.getByRole('link', { name: `WD-${first}` }).click();
  await person.heading(`Withdrawal ${first}`).waitFor();
  await alarm.getByText(`Bank file ${old}`).waitFor();
  await readable(person, 'payout-old-file');
  await person.open('/operator/notifications');
  const news = person.page.getByRole('row', { name: new RegExp(`${old}, which was taken back`) });
  await news.getByRole('link').first().click();
  await person.heading(`Withdrawal ${Math.min(...ids)}`).waitFor();

  // The bank's slip is shown for what is said of it, and stands with the withdrawal.
  await person.link(/^Bank transfer to carry out/).click();
  const buffer = await image('png', { width: 300, height: 210 });
  await choose(person, { name: 'debit.png', mimeType: 'image/png', buffer });
  await person.page.getByText('Evidence: debit.png').waitFor();
  await readable(person, 'payout-evidence');
  const decision = person.page.getByRole('region', { name: 'Your decision' });
  await decision.getByRole('button', { name: /^It was paid/ }).click();
  await decision.getByRole('button', { name: /^Send now/ }).click();
  await until('it is paid', async () => {
    const { status } = await clerk.api.must<{ status: string }>('GET', `/withdrawals/${first}`);
    return status === 'PAID';
  });
  await person.open(`/operator/withdrawals/${first}`);
  await person.page.getByText(/^That it was paid · /).waitFor();
  await person.page.getByText('An operator said that it was paid').waitFor();
  await person.button('Show the evidence: debit.png').click();
  await person.page.getByRole('img', { name: 'debit.png' }).waitFor();
  await readable(person, 'payout-proved');
  await person.button('The bank sent it back').click();
  expect(await person.dialogBarriers()).toEqual([]);
  await readable(person, 'payout-return');
}, 240_000);

test.each([
  ['agrees', 'It was not paid', { status: 'FAILED', told: 'withdrawal_failed' }],
  ['knows better', 'It was paid', { status: 'PAID', told: 'withdrawal_sent' }],
] as const)(
  'a payout that one person calls unpaid · another %s · reads that word and its evidence, and carries nothing out',
  async (how, word, after) => {
    await setByOwner(stand.platform, 'payout.second_approval_above', 10_000);
    const [id = 0] = await payoutsToCarry(`Quay-${how.slice(0, 5)}`, [200]);
    await setByOwner(stand.platform, 'payout.second_approval_above', 100);
    const other = await stand.colleague('FINANCE');
    const asked = async (): Promise<number> => {
      const query = `status=open&kind=payout_unknown&subject_type=withdrawal&subject_id=${id}`;
      return await until('its question', async () => {
        const { items } = await clerk.api.must<{ items: { id: number }[] }>(
          'GET',
          `/tasks?${query}`,
        );
        return items[0]?.id;
      });
    };
    const one = await stand.newPerson({ as: ['admin', other] });
    const first = await asked();
    await one.open(`/operator/tasks/${first}`);
    await one.button('Download the bank file').waitFor();
    await one.page.getByLabel(/^Bank’s reference, or a note/).fill('Refused at the counter');
    await one.button(/^It was not paid/).click();
    const no = one.page.getByRole('dialog');
    await no.getByRole('checkbox', { name: /Payment was not sent/ }).check();
    const buffer = await image('png', { width: 300, height: 212 });
    await choose(one, { name: 'counter.png', mimeType: 'image/png', buffer });
    await no.getByText('Evidence: counter.png').waitFor();
    await no.getByRole('button', { name: 'It was not paid' }).click();
    await one.button(/^Send now/).click();
    const second = await until('the second question', async () => {
      const task = await asked();
      return task === first ? undefined : task;
    });

    // Their own question is closed, and leads to the one that is open now.
    await one.open(`/operator/tasks/${first}`);
    const next = one.link(/^Second word on whether it was paid/).first();
    expect(await next.getAttribute('href')).toMatch(new RegExp(`/operator/tasks/${second}$`));
    await one.page.getByText(/^Now waits: /).waitFor();

    const two = await stand.newPerson({ as: ['admin', clerk] });
    await two.open(`/operator/tasks/${second}`);
    await two.heading(/^Second word on whether it was paid: \$195\.00/).waitFor();
    const main = two.page.getByRole('main');
    await main.getByText(`${other.username} says that it was not paid`).waitFor();
    await main.getByText(/Payment was not sent · Refused at the counter$/).waitFor();
    await main.getByText(/do not carry it out now/).waitFor();
    expect(await two.button('Download the bank file').count()).toBe(0);
    await main.getByRole('button', { name: 'Show the evidence: counter.png' }).first().click();
    await main.getByRole('img', { name: 'counter.png' }).first().waitFor();
    await readable(two, `payout-second-word-${after.status}`);
    await two.button(new RegExp(`^${word}`)).click();
    if (after.status === 'FAILED') {
      const dialog = two.page.getByRole('dialog');
      await dialog.getByRole('checkbox', { name: /Payment was not sent/ }).check();
      await dialog.getByRole('button', { name: word }).click();
    }
    await two.button(/^Send now/).click();
    await until(`it is ${after.status}`, async () => {
      const now = await clerk.api.must<{ status: string }>('GET', `/withdrawals/${id}`);
      return now.status === after.status;
    });
    // Once, to its publisher.
    const told = await stand.platform.pool.query<{ kind: string }>(
      `SELECT kind FROM notifications WHERE subject_type = 'withdrawal' AND subject_id = $1 AND kind = $2`,
      [id, after.told],
    );
    expect(told.rows).toEqual([{ kind: after.told }]);
    // Nobody decided against its publisher: it was paid or not, and what they do next is one press away.
    const owner = await stand.newPerson({ as: ['publisher', seller] });
    await owner.open(`/publisher/payouts/${id}`);
    const line = owner.page.getByRole('main');
    const past = line.getByRole('list', { name: 'Where it stands' });
    await past.getByText('Ended', { exact: true }).waitFor();
    expect(await line.getByText('Rejected').count()).toBe(0);
    if (after.status === 'FAILED') {
      await line.getByText('Not paid: the whole amount is back in the balance').waitFor();
      await readable(owner, 'payout-unpaid');
      await owner.link('Withdraw again').click();
      await owner.heading('Withdraw').waitFor();
    }
    await setByOwner(stand.platform, 'payout.second_approval_above', 10_000);
  },
  120_000,
);

test('what was not billed · with nothing to show · says so to operators and publishers', async () => {
  const person = await stand.newPerson({ as: ['admin', clerk] });
  await person.open('/operator/unbilled');
  await person.page.getByText('Nothing was removed in these days.').first().waitFor();
  expect(await person.barriers()).toEqual([]);
  const seller = await stand.newAccount('publisher', 'Seller');
  const owner = await stand.newPerson({ as: ['publisher', seller] });
  await owner.open('/publisher/reports');
  await owner.link('Why events were removed').click();
  await owner.heading('Removed events').waitFor();
  await owner.page.getByText('Nothing was removed in these days.').waitFor();
  expect(await owner.barriers()).toEqual([]);
});

/** Two impressions of a zone that were removed yesterday, and one an advertiser's budget ended. */
async function removedEvents(publisherId: number): Promise<void> {
  const { db } = stand.platform;
  const site = await makeSite(db, publisherId);
  const zone = await makeZone(db, site, { name: 'Beside the tides' });
  for (const reason of ['BOT_UA', 'BOT_UA', 'BUDGET_EXCEEDED']) {
    await removeOne({ publisherId, siteId: site.id, zoneId: zone.id }, reason);
  }
}

async function removeOne(
  place: { publisherId: number; siteId: number; zoneId: number },
  reason: string,
): Promise<void> {
  await stand.platform.pool.query(
    `INSERT INTO events (day, id, shard, kind, received_at, request_id, publisher_id, site_id, ad_id,
         zone_id, billable, status, reason, reasons)
       SELECT (now() AT TIME ZONE 'UTC')::date - 1, gen_random_uuid(), 0, 'impression',
         now() - interval '1 day', 'request-of-it', $1, $2, 1, $3, false, 'invalid', $4::text, to_jsonb(ARRAY[$4::text])`,
    [place.publisherId, place.siteId, place.zoneId, reason],
  );
}

test('removed events · appealed by their publisher · are looked at and answered by finance', async () => {
  const seller = await stand.newAccount('publisher', 'Tides');
  const me = await seller.api.must<{ id: number }>('GET', '/auth/profile');
  await removedEvents(me.id);
  const owner = await stand.newPerson({ as: ['publisher', seller] });
  await owner.open('/publisher/removed');
  const bots = owner.page
    .getByRole('table', { name: 'By reason' })
    .getByRole('row')
    .filter({ hasText: 'A bot' });
  // What was appealed stands below the first lines, not below all of them.
  expect(await owner.button(/^Show all/).count()).toBe(0);
  await bots.getByText('66.67%').waitFor();
  await bots.getByText('The browser names itself a bot or a tool, such as a crawler.').waitFor();
  await bots.getByText('Keep your own monitoring and tests off pages with ads.').waitFor();
  const lines = owner.page.getByRole('table', { name: 'Not billed' }).getByRole('row');
  const spent = lines
    .filter({ hasText: 'Budget had no room' })
    .getByRole('button', { name: 'Appeal' });
  expect(await spent.getAttribute('aria-disabled')).toBe('true');
  await lines.filter({ hasText: 'A bot' }).getByRole('button', { name: 'Appeal' }).click();
  const dialog = owner.page.getByRole('dialog');
  await dialog.getByText('2 events of Beside the tides').waitFor();
  await owner.field(/^Why is the removal wrong/).fill('A school visited us that day.');
  expect(await owner.barriers()).toEqual([]);
  await owner.button('Send the appeal').click();
  const appeals = owner.page.getByRole('table', { name: 'Your appeals' });
  await appeals.getByText('Being looked at').waitFor();
  await owner.settled();
  expect(await owner.barriers()).toEqual([]);

  const person = await stand.newPerson({ as: ['admin', clerk] });
  await person.open('/operator');
  await person.link(/^Appeal against “A bot”, zone/).click();
  await person.page.getByText('A school visited us that day.').waitFor();
  await person.page.getByText('2 impressions, 0 clicks, 0 conversions').waitFor();
  const samples = person.page.getByRole('table', { name: 'The latest of the removed events' });
  expect(await samples.getByRole('link', { name: 'Trace' }).count()).toBe(2);
  expect(await person.barriers()).toEqual([]);
  await person.button(/^Uphold the appeal/).click();
  await person.button(/^Send now/).click();
  await until('it is upheld', async () => {
    const { items } = await seller.api.must<{ items: { status: string }[] }>(
      'GET',
      '/removal-appeals',
    );
    return items[0]?.status === 'UPHELD';
  });
  await owner.open('/publisher/removed');
  await appeals.getByText('You were right').waitFor();
  await owner.open('/publisher/notifications');
  await owner.page.getByText(/^Your appeal against removed events of/).waitFor();
});

interface Billed {
  buyer: Account;
  seller: Account;
  eventId: string;
}

test('removed events · of many lines · are few at first, and all of them by one press', async () => {
  const seller = await stand.newAccount('publisher', 'Shoals');
  const me = await seller.api.must<{ id: number }>('GET', '/auth/profile');
  const site = await makeSite(stand.platform.db, me.id);
  for (const number of Array.from({ length: 22 }, (_, at) => at)) {
    const zone = await makeZone(stand.platform.db, site, { name: `Shoal ${number}` });
    await removeOne({ publisherId: me.id, siteId: site.id, zoneId: zone.id }, 'BOT_UA');
  }
  const owner = await stand.newPerson({ as: ['publisher', seller] });
  await owner.open('/publisher/removed');
  const lines = owner.page.getByRole('table', { name: 'Not billed' }).getByRole('row');
  await owner.button('Show all 22 lines').click();
  await owner.button('Show the first lines').waitFor();
  expect(await lines.count()).toBe(23);
  await owner.button('Show the first lines').click();
  await owner.button('Show all 22 lines').waitFor();
  expect(await lines.count()).toBe(21);
});

/** One event that cost its advertiser 5.00 and brought its publisher 3.50. */
async function billedEvent(buyerName = 'Buyer', sellerName = 'Quay'): Promise<Billed> {
  const { platform } = stand;
  const buyer = await stand.newAccount('advertiser', buyerName);
  const seller = await stand.newAccount('publisher', sellerName);
  const idOf = async ({ api }: Account): Promise<number> =>
    (await api.must<{ id: number }>('GET', '/auth/profile')).id;
  const [advertiserId, publisherId] = [await idOf(buyer), await idOf(seller)];
  await fundAdvertiser(platform.db, advertiserId, 100n * UNIT);
  const line = await makeLine(platform, { advertiserId, publisherId });
  const eventId = crypto.randomUUID();
  const money = { shard: 0, priceNanos: 5n * UNIT, publisherNanos: (7n * UNIT) / 2n };
  await bill(platform, `bill:${eventId}`, [{ id: eventId, ...line, ...money }]);
  return { buyer, seller, eventId };
}

/** The page as it is, wide and narrow: everybody can read it, and nothing stands out sideways. */
async function readable(person: Person, name: string): Promise<void> {
  const { page } = person;
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await person.settled();
    expect(await person.barriers()).toEqual([]);
    await until(
      `${name} fits ${width} px`,
      async () =>
        await page.evaluate<boolean>('document.documentElement.scrollWidth <= window.innerWidth'),
    );
    if (SHOTS !== undefined) {
      await page.screenshot({ path: path.join(SHOTS, `${name}-${width}.png`), fullPage: true });
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

test('a reversal · asked for by day and time · is of just those hours', async () => {
  const person = await stand.newPerson({ as: ['admin', clerk] });
  await person.open('/operator/reversals/new');
  const day = dayIn(-1);
  await person.field(/^From \(UTC\)/).fill(`${day}T10:30`);
  await person.field(/^Until \(UTC\)/).fill(`${day}T11:45`);
  await person.field(/^Why/).fill('A rule was wrong for an hour');
  await readable(person, 'reversal-hours');
  await person.button('Make the preview').click();
  await person.page.waitForURL(/\/operator\/reversals\/\d+$/);
  const id = person.page.url().split('/').at(-1);
  const { scope } = await clerk.api.must<{ scope: object }>('GET', `/reversals/${id}`);
  expect(scope).toMatchObject({ from: `${day}T10:30:00Z`, to: `${day}T11:45:00Z` });
}, 120_000);

test('a reversal · previewed, approved by another · is followed to its end and read by both sides', async () => {
  const { buyer, seller, eventId } = await billedEvent();
  const maker = await stand.newPerson({ as: ['admin', clerk] });
  await maker.open('/operator/reversals');
  await maker.link('Look for events to take back').first().click();
  await maker.page.getByRole('combobox', { name: /^Found by/ }).click();
  await maker.page.getByRole('option', { name: 'Naming events' }).click();
  await maker.field(/^Day/).fill(TODAY);
  const ids = maker.page.getByRole('combobox', { name: /^Event ids/ });
  await ids.fill(eventId);
  await ids.press('Enter');
  await maker.field(/^Why/).fill('Clicks of one office');
  await readable(maker, 'reversal-new');
  await maker.button('Make the preview').click();
  await maker.page.waitForURL(/\/operator\/reversals\/\d+$/);
  await maker.link('Open the decision').waitFor();
  await maker.page.getByRole('table', { name: 'Publishers' }).getByText('3.50').first().waitFor();
  await readable(maker, 'reversal-preview');
  await maker.button('Cancel this reversal').click();
  expect(await maker.dialogBarriers()).toEqual([]);
  await maker.page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click();

  // What is approved is said as on its own page, and its task is there.
  await maker.open('/operator/approvals?kind=reversal');
  const shown = maker.page.getByRole('main');
  await shown
    .getByRole('link', { name: /^Approval \d/ })
    .first()
    .click();
  await maker.link(/^Reversal \d+: 1 event/).waitFor();
  await shown.getByText(/^Day \(UTC\): /).waitFor();
  expect(await shown.getByText('event_ids').count()).toBe(0);
  await readable(maker, 'reversal-approval');
  await maker.page.goBack();
  await maker.page.goBack();
  await maker.link('Open the decision').waitFor();

  // Whoever asked finds the decision closed to them.
  const asker = await stand.newPerson({ as: ['admin', clerk] });
  await asker.open(maker.page.url().replace(/^.*\/console/, ''));
  await asker.link('Open the decision').click();
  const own = asker.page.getByRole('region', { name: 'Your decision' });
  await own.waitFor();
  await asker.settled();
  const approve = own.getByRole('button', { name: /^Approve/ });
  expect(await approve.getAttribute('aria-disabled')).toBe('true');
  await readable(asker, 'reversal-own-task');

  const checker = await stand.newPerson({ as: ['admin', await stand.colleague('FINANCE')] });
  await checker.open('/operator');
  await checker.link(/^Reversal \d+: 1 event/).click();
  await checker.page
    .getByRole('table', { name: 'Advertisers' })
    .getByText('5.00')
    .first()
    .waitFor();
  await readable(checker, 'reversal-task');
  const decision = checker.page.getByRole('region', { name: 'Your decision' });
  await decision.getByRole('button', { name: /^Approve/ }).click();
  await decision.getByRole('button', { name: /^Send now/ }).click();

  // The page of whoever asked follows it to its end, without being loaded anew.
  await maker.page.getByText('Is done').waitFor({ timeout: 90_000 });
  await readable(maker, 'reversal-done');
  const advertiser = await stand.newPerson({ as: ['advertiser', buyer] });
  await advertiser.open('/advertiser/notifications');
  const credited = advertiser.page.getByRole('row', { name: /Spend .*was credited back/ });
  await credited.getByRole('link').click();
  await advertiser.page
    .getByText('Credited back: 1 event that should not have been billed')
    .waitFor();
  await readable(advertiser, 'reversal-advertiser');
  const publisher = await stand.newPerson({ as: ['publisher', seller] });
  await publisher.open('/publisher/notifications');
  const taken = publisher.page.getByRole('row', { name: /Earnings .*were taken back/ });
  await taken.getByRole('link').click();
  await publisher.page.getByText('Taken back: earnings of 1 event').waitFor();
  await readable(publisher, 'reversal-publisher');
}, 300_000);

test('a reversal · of one publisher’s traffic · names them, and leads there', async () => {
  const { seller } = await billedEvent('Shopper', 'Wharf');
  const { id: publisherId } = await seller.api.must<{ id: number }>('GET', '/auth/profile');
  const made = await clerk.api.must<{ id: number }>('POST', '/reversals', {
    source: 'TRAFFIC',
    reason: 'INVALID_TRAFFIC',
    note: 'One address all night',
    publisher_id: publisherId,
    from: `${TODAY}T00:00:00Z`,
    to: new Date().toISOString(),
  });
  const person = await stand.newPerson({ as: ['admin', clerk] });
  await person.open(`/operator/reversals/${made.id}`);
  await person.link('Open the decision').waitFor();
  const scope = person.page.locator('dl').first();
  await scope.getByRole('link', { name: 'Wharf Ltd' }).click();
  await person.heading('Wharf Ltd').waitFor();
}, 120_000);

test('a share and a tax · proposed, approved by another · are read by the publisher whom they are for', async () => {
  const seller = await stand.newAccount('publisher', 'Mole');
  const { id } = await seller.api.must<{ id: number }>('GET', '/auth/profile');
  const maker = await stand.newPerson({ as: ['admin', clerk] });
  await maker.open('/operator/terms');
  await maker.link('Propose a change').first().click();
  // The list that it comes from has a field of this name, too.
  await maker.heading('Propose a change').waitFor();
  await maker.page.getByRole('combobox', { name: 'Publisher', exact: true }).fill('Mole');
  await maker.page.getByRole('option', { name: new RegExp(`Publisher ${id}$`) }).click();
  await maker.page.getByText('Today: 70%, as for all publishers.').waitFor();
  await maker.field(/^Percent/).fill('82.5');
  await maker.field(/^From/).fill(dayIn(2));
  await maker.field(/^Note/).fill('A contract of a year');
  await readable(maker, 'term-new-share');
  await maker.button('Propose').click();
  await maker.heading('Shares and taxes').waitFor();
  const mine = maker.page.getByRole('row', { name: /82\.5%/ });
  await readable(maker, 'terms');
  await mine.getByRole('link', { name: 'Open the decision' }).click();
  await maker.page.waitForURL(/\/operator\/approvals\/\d+$/);
  const own = maker.button('Approve');
  await own.waitFor();
  expect(await own.getAttribute('aria-disabled')).toBe('true');
  await readable(maker, 'term-own-approval');

  const checker = await stand.newPerson({ as: ['admin', await stand.colleague('FINANCE')] });
  await checker.open('/operator/approvals');
  await checker.page
    .getByRole('row', { name: /Share or tax \d+/ })
    .first()
    .getByRole('link')
    .click();
  await checker.page.getByText('A contract of a year').waitFor();
  await checker.page.getByText('82.5%', { exact: true }).waitFor();
  await checker.page.getByText('70%, as for all publishers', { exact: true }).waitFor();
  await readable(checker, 'term-approval');
  await checker.button('Approve').click();
  await checker.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await checker.page.getByText('Done').first().waitFor();
  await checker.open('/operator/terms');
  await checker.page
    .getByRole('row', { name: /82\.5%/ })
    .getByText('Approved')
    .waitFor();

  const owner = await stand.newPerson({ as: ['publisher', seller] });
  await owner.open('/publisher/payouts');
  await owner.page
    .getByText(/^You earn 70% of what advertisers pay\. From .* on it is 82\.5%\.$/)
    .waitFor();
  await readable(owner, 'share-publisher');
}, 300_000);

test('a tax · of the country and entity type of whom withdraws · is named with its law before they ask', async () => {
  const seller = await stand.newAccount('publisher', 'Jetty');
  const { id } = await seller.api.must<{ id: number }>('GET', '/auth/profile');
  const { db, pool } = stand.platform;
  await passKyc({ pool } as never, id);
  await pool.query(
    `INSERT INTO kyc_applications (account_id, round, status, entity_type, legal_name, country,
       document_number_sealed, document_number_tail, document_ids, workflow_id)
     VALUES ($1::bigint, 1, 'APPROVED', 'BUSINESS', 'Jetty Ltd', 'PT', '', '', '{}', 'kyc:' || $1::bigint)`,
    [id],
  );
  await fundPublisher(db, id, 500n * UNIT);
  const term = { kind: 'TAX', country: 'PT', entityType: 'BUSINESS' } as const;
  await makePastTerm(stand.platform, { ...term, ppm: 125_000, from: new Date(0) });
  const owner = await stand.newPerson({ as: ['publisher', seller] });
  await owner.open('/publisher/payouts/new');
  await owner.field(/^Amount/).fill('200');
  await owner.page.getByText('Tax (12.5%)').waitFor();
  await owner.page.getByText('Withheld for Portugal, A company: A law of the test').waitFor();
  await readable(owner, 'tax-publisher');
}, 300_000);

test('a bank account · in another name than the verified one · is said to its owner, and taken', async () => {
  const seller = await stand.newAccount('publisher', 'Mooring');
  const { id } = await seller.api.must<{ id: number }>('GET', '/auth/profile');
  const { pool } = stand.platform;
  await passKyc({ pool } as never, id);
  await pool.query(
    `INSERT INTO kyc_applications (account_id, round, status, entity_type, legal_name, country,
       document_number_sealed, document_number_tail, document_ids, workflow_id)
     VALUES ($1::bigint, 1, 'APPROVED', 'PERSONAL', '李 雷', 'CN', '', '', '{}', 'kyc:' || $1::bigint)`,
    [id],
  );
  const owner = await stand.newPerson({ as: ['publisher', seller] });
  await owner.open('/publisher/payouts/accounts/new');
  await owner.field(/^Account holder/).fill('韩梅梅');
  const said = owner.page.getByText(/^Your verified identity is “李 雷”/);
  await said.waitFor();
  await readable(owner, 'account-other-name');
  // As a bank writes it, without the space.
  await owner.field(/^Account holder/).fill('李雷');
  await said.waitFor({ state: 'detached' });
}, 120_000);

/** The UTC day so many days from now. */
const dayIn = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

test('payouts · chosen by two people at once · go in the file of the first, and the other sees which are left', async () => {
  const ids = await payoutsToCarry('Sloop', [200, 300]);
  const [first = 0, second = 0] = ids;
  const other = await stand.newPerson({ as: ['admin', await stand.colleague('FINANCE')] });
  other.expects(/status of 422/);
  // Until the press, what they saw when they chose.
  let seen: object | null = null;
  let isOld = true;
  await other.page.route('**/api/admin/withdrawals?*', async (route) => {
    if (!isOld || seen === null) {
      const response = await route.fetch();
      seen = (await response.json()) as object;
    }
    await route.fulfill({ json: seen });
  });
  await other.page.route('**/withdrawals/payout-files', async (route) => {
    isOld = false;
    await route.continue();
  });
  await other.open('/operator/withdrawals?stage=BANK_FILE');
  const boxOf = (id: number) => other.page.getByRole('checkbox', { name: `Withdrawal ${id}` });
  for (const id of ids) await boxOf(id).check();
  const one = await stand.newPerson({ as: ['admin', clerk] });
  await one.open(`/operator/withdrawals/${first}`);
  const taken = one.page.waitForEvent('download');
  await one.button('Download the bank file').click();
  await taken;
  await other.button('Make one bank file').click();
  const dialog = other.page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Make one bank file' }).click();
  await dialog.getByText(`WD-${first} was handed out already`).waitFor();
  // Without a reload: the colleague's is not in the list any more, nor in what is chosen.
  await boxOf(first).waitFor({ state: 'detached' });
  await other.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await boxOf(second).isChecked()).toBe(true);
  await other.page.getByRole('toolbar', { name: '1 chosen' }).waitFor();
  const saved = other.page.waitForEvent('download');
  await other.button('Make one bank file').click();
  await other.page
    .getByRole('dialog', { name: 'One payout in a file?' })
    .getByRole('button', { name: 'Make one bank file' })
    .click();
  await saved;
  await other.page.unrouteAll({ behavior: 'ignoreErrors' });
}, 120_000);
