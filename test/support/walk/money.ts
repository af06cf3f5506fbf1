import { issueDocuments } from '../../../activities/documents/issue.ts';
import { setByOwner } from '../by-owner.ts';
import { ripenCards } from '../payouts.ts';
import { notification } from '../bank-files.ts';
import { image } from '../images.ts';
import { databaseOf, decide, fileForm, idOf, type World } from './world.ts';
import { until } from '../until.ts';
import { fundPublisher } from '../make/money.ts';
import { activityDeps } from '../settlement.ts';

const adv = '/api/advertiser/deposits';
const pub = '/api/publisher/withdrawals';

/** Money in: an order, its receipt, and what the desk sees of it. */
export async function walkDeposits(world: World): Promise<void> {
  const { walk } = world;
  await walk.step('deposit', () => deposit(world));
  await walk.step('a deposit by a wallet', () => walletDeposit(world));
  await walk.step('deposits at the desk', () => depositsAtDesk(world));
  await walk.step('a bank statement', () => statement(world));
}

async function deposit({ walk, tokens, made }: World): Promise<void> {
  const token = tokens.advertiser;
  const order = async (amount: number): Promise<number> =>
    (
      await walk.ask<{ id: number }>(`POST ${adv}`, {
        token,
        body: { amount, payment_method: 'BANK' },
      })
    ).id;
  const id = await order(500);
  made['deposit'] = id;
  const slip = await walk.ask<{ id: number }>('POST /api/admin/receipt-evidence', {
    token: tokens.finance,
    form: fileForm(await image('png', { width: 300, height: 200 }), {
      name: 'slip.png',
      type: 'image/png',
    }),
  });
  await walk.ask('GET /api/admin/receipt-evidence/:id', { id: slip.id, token: tokens.finance });
  await walk.ask('POST /api/admin/deposits/:id/receipts', {
    id,
    token: tokens.finance,
    body: { amount: 500, reference: 'CASH-1', evidence_id: slip.id },
  });
  await until('the deposit is paid', async () => {
    const { status } = await walk.ask<{ status: string }>(`GET ${adv}/:id`, { id, token });
    return status === 'PAID';
  });
  const wrong = await order(30);
  await walk.ask('GET /api/admin/deposits/:id/receipt-effect', {
    id: wrong,
    token: tokens.finance,
    query: { amount: '30' },
  });
  const mistake = await walk.ask<{ id: number }>('POST /api/admin/deposits/:id/receipts', {
    id: wrong,
    token: tokens.finance,
    body: { amount: 30, reference: 'CASH-2' },
  });
  await walk.ask('POST /api/admin/receipts/:id/take-back', {
    id: mistake.id,
    token: tokens.finance,
    body: { reason: 'Belongs to another order' },
  });
  await walk.ask(`POST ${adv}/:id/cancel`, { id: await order(20), token });
  await walk.ask(`GET ${adv}`, { token, query: { status: 'PAID' } });
  await walk.ask(`GET ${adv}/balance`, { token });
  await walk.ask(`GET ${adv}/transactions`, { token });
}

/** Ordered, paid on its payer's phone, told by the provider, credited. */
async function walletDeposit({ walk, tokens, sandboxes: { alipay } }: World): Promise<void> {
  const token = tokens.advertiser;
  await walk.ask(`GET ${adv}/methods`, { token });
  const { id, reference } = await walk.ask<{ id: number; reference: string }>(`POST ${adv}`, {
    token,
    body: { amount: 30, payment_method: 'ALIPAY' },
  });
  await until('the provider knows the order', () =>
    Promise.resolve(alipay.desk.trades.has(reference)),
  );
  alipay.desk.pay(reference);
  const trade = alipay.desk.trades.get(reference);
  if (trade === undefined) throw new Error('no trade');
  await walk.ask('POST /payments/:method/notices', {
    params: { method: 'alipay' },
    ...alipay.noticeOf(trade),
  });
  await until('the deposit is credited', async () => {
    const { status } = await walk.ask<{ status: string }>(`GET ${adv}/:id`, { id, token });
    return status === 'PAID';
  });
}

async function depositsAtDesk(world: World): Promise<void> {
  const { walk, tokens } = world;
  const token = tokens.finance;
  await walk.ask('GET /api/admin/deposits', { token, query: { payment_method: 'BANK' } });
  await walk.ask('GET /api/admin/deposits/:id', { id: idOf(world, 'deposit'), token });
}

/** Of PAYOUT_DEBTOR_IBAN. */
const PAYING = 'DE75512108001245126199';
const CAMT = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>
<Acct><Id><IBAN>DE75512108001245126199</IBAN></Id></Acct>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="USD">900.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>
<Dt><Dt>2026-01-06</Dt></Dt></Bal>
<Ntry><Amt Ccy="USD">31.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
<BookgDt><Dt>2026-01-06</Dt></BookgDt><AcctSvcrRef>BK-3</AcctSvcrRef></Ntry>
</Stmt></BkToCstmrStmt></Document>`;

/** A statement of two payments: one for an order that waits, one that names none. */
async function statement({ walk, tokens }: World): Promise<void> {
  const token = tokens.finance;
  const order = await walk.ask<{ reference: string }>(`POST ${adv}`, {
    token: tokens.advertiser,
    body: { amount: 75, payment_method: 'BANK' },
  });
  const lines = [
    'Date,Amount,Reference,Text',
    `2026-01-05,75.00,BK-1,Top-up ${order.reference}`,
    '2026-01-05,20.00,BK-2,Thank you',
    '2026-01-05,-3.00,BK-4,Fee of the month',
  ];
  const { id } = await walk.ask<{ id: number }>('POST /api/admin/bank-statements', {
    token,
    query: {
      account: 'Harbour Bank',
      date_column: 'Date',
      amount_column: 'Amount',
      reference_column: 'Reference',
      text_column: 'Text',
    },
    form: fileForm(Buffer.from(lines.join('\n')), { name: 'january.csv', type: 'text/csv' }),
  });
  await walk.ask('POST /api/admin/bank-statements/camt053', {
    token,
    form: fileForm(Buffer.from(CAMT), { name: 'january.xml', type: 'application/xml' }),
  });
  await walk.ask('POST /api/admin/payout-status-files', {
    token,
    form: fileForm(
      Buffer.from(notification({ reference: 'RENT', amount: '3.00', account: PAYING })),
      {
        name: 'debits.xml',
        type: 'application/xml',
      },
    ),
  });
  await walk.ask('GET /api/admin/bank-statements', { token });
  const { items } = await walk.ask<{ items: { id: number }[] }>(
    'GET /api/admin/bank-statements/:id/lines',
    { id, token, query: { state: 'PROPOSED' } },
  );
  await walk.ask('POST /api/admin/bank-statements/:id/record', {
    id,
    token,
    body: { lines: items.map((line) => ({ id: line.id })) },
  });
  const out = await walk.ask<{ items: { id: number }[] }>(
    'GET /api/admin/bank-statements/:id/lines',
    { id, token, query: { state: 'OUT' } },
  );
  await walk.ask('POST /api/admin/bank-statements/:id/explain', {
    id,
    token,
    body: { line_id: out.items[0]?.id, note: 'A fee of the bank' },
  });
  await walk.ask('GET /api/admin/bank-statements/:id', { id, token });
  await walk.ask('GET /api/admin/bank-statements/position', { token });
}

const BANK_CARD = {
  account_holder: 'The Harbour Gazette',
  account_type: 'BUSINESS',
  country: 'DE',
  currency: 'EUR',
  bank_name: 'Harbour Bank',
  iban: 'DE89370400440532013000',
  swift_bic: 'COBADEFFXXX',
};

/** Money out: accounts, a request, its review, and the file of the bank channel. */
export async function walkWithdrawals(world: World): Promise<void> {
  const { walk } = world;
  await walk.step('payment methods', () => paymentMethods(world));
  await walk.step('bank cards', () => bankCards(world));
  await walk.step('withdrawal', () => withdrawal(world));
  await walk.step('withdrawals at the desk', () => withdrawalsAtDesk(world));
  await walk.step('documents', () => documents(world));
}

async function paymentMethods({ walk, tokens }: World): Promise<void> {
  const token = tokens.publisher;
  await walk.ask(`GET ${pub}/balance`, { token });
  await walk.ask(`GET ${pub}/transactions`, { token });
  await walk.ask(`GET ${pub}/payment-methods`, { token });
  await walk.ask(`GET ${pub}/revenue-share`, { token });
}

async function bankCards(world: World): Promise<void> {
  const { walk, tokens, made } = world;
  const token = tokens.publisher;
  const add = async (iban: string): Promise<number> =>
    (
      await walk.ask<{ id: number }>(`POST ${pub}/bank-cards`, {
        token,
        body: { ...BANK_CARD, iban },
      })
    ).id;
  made['bank card'] = await add(BANK_CARD.iban);
  const other = await add('DE75512108001245126199');
  await walk.ask(`GET ${pub}/bank-cards`, { token });
  await walk.ask(`PUT ${pub}/bank-cards/:id`, { id: other, token, body: { is_default: true } });
  await walk.ask(`DELETE ${pub}/bank-cards/:id`, { id: other, token });
  // A day passes: a new account waits so long before money may go there (interface 4.12).
  await ripenCards(databaseOf(world), idOf(world, 'publisher'));
}

async function withdrawal(world: World): Promise<void> {
  const { walk, tokens, made } = world;
  const token = tokens.publisher;
  const request = async (amount: number): Promise<number> =>
    (
      await walk.ask<{ id: number }>(`POST ${pub}`, {
        token,
        body: {
          amount,
          payment_method: 'BANK',
          bank_info: { bank_card_id: idOf(world, 'bank card') },
        },
      })
    ).id;
  // Earnings of a busy month that have matured; and no cooling-off, so that the payout begins.
  await fundPublisher(world.platform.db, idOf(world, 'publisher'), 500_000_000_000n);
  await setByOwner(world.platform, 'payout.cooling_off_seconds', 0);
  const second = await request(110);
  await walk.ask(`POST ${pub}/:id/cancel`, { id: second, token });
  const id = await request(120);
  made['withdrawal'] = id;
  await walk.ask(`GET ${pub}`, { token });
  await walk.ask(`GET ${pub}/:id`, { id, token });
  await decide(world, { type: 'withdrawal', id });
}

async function withdrawalsAtDesk(world: World): Promise<void> {
  const { walk, tokens } = world;
  const token = tokens.finance;
  const id = idOf(world, 'withdrawal');
  await walk.ask('GET /api/admin/withdrawals', { token });
  await walk.ask('GET /api/admin/withdrawals/stages', { token });
  await walk.ask('GET /api/admin/withdrawals/:id', { id, token });
  await until({ what: 'the payout is under way', withinMs: 30_000 }, async () => {
    const { status } = await walk.ask<{ status: string }>('GET /api/admin/withdrawals/:id', {
      id,
      token,
    });
    return status === 'PENDING' || status === 'APPROVED' ? undefined : true;
  });
  const { version } = await walk.ask<{ version: number }>('GET /api/admin/withdrawals/:id', {
    id,
    token,
  });
  const payouts = [{ id, version }];
  await walk.ask('POST /api/admin/withdrawals/payout-files', { token, body: { payouts } });
  await walk.ask('GET /api/admin/withdrawals/:id/payout-file', { id, token });
  const slip = await walk.ask<{ id: number }>('POST /api/admin/receipt-evidence', {
    token,
    form: fileForm(await image('png', { width: 60, height: 31 }), {
      name: 'portal.png',
      type: 'image/png',
    }),
  });
  // Nobody agrees: it is paid in the end.
  await walk.ask('POST /api/admin/withdrawals/:id/payout-file/take-back', {
    id,
    token,
    body: { reason: 'The portal said no', evidence_id: slip.id },
  });
  await walk.step('a payout that comes back', () => returned(world, id));
}

/** The bank says paid, and sends the money back some days later. */
async function returned(world: World, id: number): Promise<void> {
  const { walk, tokens } = world;
  const token = tokens.finance;
  await decide(world, { type: 'withdrawal', id }, 'confirm_paid');
  await until({ what: 'the withdrawal is paid', withinMs: 30_000 }, async () => {
    const { status } = await walk.ask<{ status: string }>('GET /api/admin/withdrawals/:id', {
      id,
      token,
    });
    return status === 'PAID';
  });
  await walk.ask('POST /api/admin/withdrawals/:id/return', {
    id,
    token,
    body: { reference: 'camt.054 2026-11-21/7' },
  });
}

/** Receipts of the deposits and payouts of before; no month has ended since. */
async function documents(world: World): Promise<void> {
  const { walk, tokens } = world;
  await issueDocuments(activityDeps(databaseOf(world)));
  for (const side of ['advertiser', 'publisher'] as const) {
    const token = tokens[side];
    const { items } = await walk.ask<{ items: { id: number }[] }>(`GET /api/${side}/documents`, {
      token,
    });
    const id = items[0]?.id ?? 0;
    await walk.ask(`GET /api/${side}/documents/:id/file`, { id, token });
    await walk.ask(`GET /api/admin/${side}s/:id/documents`, {
      id: idOf(world, side),
      token: tokens.finance,
    });
    await walk.ask('GET /api/admin/documents/:id/file', {
      id,
      token: tokens.finance,
      query: { format: 'jws' },
    });
  }
}
