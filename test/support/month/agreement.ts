import type { SqlRunner } from '../../../db/sql-runner.ts';
import { refundedOf, type Trade } from '../../../dev/sandboxes/desk.ts';
import type { TestSandboxes } from '../sandboxes.ts';
import type { TestBank } from './bank.ts';

/** What the outside world says itself of the money that came and went. */
export interface Outside {
  bank: TestBank;
  sandboxes: TestSandboxes;
  /** Sent to orders' addresses, in millionths. */
  tokensIn: bigint;
  /** Brought in notes. */
  cashNanos: bigint;
}

/** Types of a statement's lines, and the sum of their own sources: events, corrections, receipts, withdrawals. */
const SOURCES: Readonly<Record<string, string>> = {
  DEPOSIT: `SELECT sum(amount_nanos) FROM deposit_receipts WHERE state = 'CREDITED'`,
  BALANCE_REFUND: `SELECT -sum(amount_nanos) FROM deposit_refunds
    WHERE state = 'SENT' AND balance_refund_id IS NOT NULL`,
  SPEND: 'SELECT -sum(price_nanos) FROM events WHERE billable',
  SPEND_REVERSED: 'SELECT -sum(price_delta_nanos) FROM event_corrections',
  EARNING: 'SELECT sum(publisher_nanos) FROM events WHERE billable',
  EARNING_REVERSED: 'SELECT sum(publisher_delta_nanos) FROM event_corrections',
  ...Object.fromEntries(
    [
      ['WITHDRAWAL', 'arrival'],
      ['WITHDRAWAL_FEE', 'fee'],
      ['WITHDRAWAL_TAX', 'tax'],
    ].map(([type, part]) => [
      type,
      `SELECT -sum(${part}_nanos) FROM withdrawals WHERE status IN ('PAID', 'RETURNED')`,
    ]),
  ),
  WITHDRAWAL_RETURNED: `SELECT sum(arrival_nanos) FROM withdrawals WHERE status = 'RETURNED'`,
  WITHDRAWAL_TAX_RETURNED: `SELECT sum(tax_nanos) FROM withdrawals WHERE status = 'RETURNED'`,
};

/** What documents of a kind come to, and the sum of what they are of. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  INVOICE: 'SELECT sum(price_nanos) FROM events WHERE billable',
  // What an advertiser gets back, and what is a publisher's again after a payout came back.
  CREDIT_NOTE: `SELECT (SELECT COALESCE(-sum(price_delta_nanos), 0) FROM event_corrections)
    + (SELECT COALESCE(sum(arrival_nanos + tax_nanos), 0) FROM withdrawals WHERE status = 'RETURNED')`,
  DEPOSIT_RECEIPT: `SELECT sum(amount_nanos) FROM deposit_receipts WHERE state = 'CREDITED'`,
  PAYOUT_RECEIPT: `SELECT sum(amount_nanos) FROM withdrawals WHERE status IN ('PAID', 'RETURNED')`,
  REFUND_RECEIPT: `SELECT sum(amount_nanos) FROM deposit_refunds
    WHERE state = 'SENT' AND balance_refund_id IS NOT NULL`,
};

/**
 * Where two of those who were there say different sums of a month: `who: one <> other`. Statements are read as
 * their owners get them, file by file; nothing is added up from the ledger where its own source is there.
 */
export async function disagreements(
  sql: SqlRunner,
  month: string,
  outside: Outside,
): Promise<string[]> {
  const figure = async (statement: string, ...values: unknown[]): Promise<bigint> => {
    const { rows } = await sql.query<{ nanos: string }>(
      `SELECT COALESCE((${statement}), 0)::bigint::text AS nanos`,
      values,
    );
    return BigInt(rows[0]?.nanos ?? 0);
  };
  const pairs: [string, bigint, bigint][] = [];
  const said = await statementSums(sql, month);
  for (const type of new Set([...said.keys(), ...Object.keys(SOURCES)])) {
    const source = SOURCES[type];
    if (source === undefined) throw new Error(`statements say ${type}, and nobody else does`);
    const own = await figure(source);
    const ledger = await figure(
      'SELECT sum(amount_nanos) FROM ledger_transfers WHERE type = $1',
      type,
    );
    pairs.push([`statements ${type}`, said.get(type) ?? 0n, own]);
    pairs.push([`ledger ${type}`, ledger, own < 0n ? -own : own]);
  }
  for (const [kind, source] of Object.entries(DOCUMENTS)) {
    const total = await figure('SELECT sum(total_nanos) FROM documents WHERE kind = $1', kind);
    pairs.push([`documents ${kind}`, total, await figure(source)]);
  }
  pairs.push(['closing balances', await figure(CLOSING_APART, month), 0n]);
  for (const [world, nanos] of Object.entries(worldsOf(outside))) {
    const code = `w:${world}`;
    const held = await figure('SELECT balance_nanos FROM ledger_accounts WHERE code = $1', code);
    pairs.push([code, -held, nanos]);
  }
  return pairs.flatMap(([name, one, other]) =>
    one === other ? [] : [`${name}: ${one} <> ${other}`],
  );
}

/** Each account's statement against what it holds, added up without signs. */
const CLOSING_APART = `SELECT sum(abs(COALESCE(d.closing_nanos, 0) - COALESCE(h.nanos, 0)))
  FROM (SELECT account_id, closing_nanos FROM documents WHERE kind = 'STATEMENT' AND month = $1::date) d
  FULL JOIN (SELECT owner_id AS account_id, sum(balance_nanos) AS nanos FROM ledger_accounts
    WHERE owner_id IS NOT NULL GROUP BY 1) h USING (account_id)`;

async function statementSums(sql: SqlRunner, month: string): Promise<Map<string, bigint>> {
  const { rows } = await sql.query<{ bytes: Buffer }>(
    `SELECT f.bytes FROM document_files f JOIN documents d ON d.id = f.document_id
     WHERE d.kind = 'STATEMENT' AND d.month = $1::date AND f.format = 'CSV'`,
    [month],
  );
  const sums = new Map<string, bigint>();
  for (const line of rows.flatMap(({ bytes }) => bytes.toString('utf8').split('\r\n'))) {
    const [section, type = '', , , amount = ''] = line.split(',');
    if (section === 'movement') sums.set(type, (sums.get(type) ?? 0n) + nanosOf(amount));
  }
  return sums;
}

/** What came in of each world less what went out to it, by its own books. */
function worldsOf({ bank, sandboxes, tokensIn, cashNanos }: Outside): Record<string, bigint> {
  const { alipay, wechat, chain, paypal, paxum } = sandboxes;
  const sum = (amounts: readonly bigint[]): bigint =>
    amounts.reduce((total, each) => total + each, 0n);
  return {
    bank: (bank.cents - bank.opening) * CENT,
    alipay: fromYuan(sum([...alipay.desk.trades.values()].map(keptOf))),
    wechat: fromYuan(sum([...wechat.desk.trades.values()].map(keptOf))),
    usdt: (tokensIn - sum(chain.paid.map(({ value }) => value))) * 1_000n,
    paypal: -sum(
      paypal.batches
        .filter(({ status }) => status === 'SUCCESS')
        .map(({ value }) => nanosOf(value)),
    ),
    paxum: -sum(
      paxum.transfers
        .filter(({ status }) => status === 'COMPLETED')
        .map(({ amount }) => nanosOf(amount)),
    ),
    offline: cashNanos,
  };
}

const CENT = 10_000_000n;
/** Fen of a trade that were paid and have not gone back. */
const keptOf = (trade: Trade): bigint =>
  trade.state === 'PAID' ? trade.paid - refundedOf(trade) : 0n;
/** At 7.2 yuan for a unit; what is no whole nano is no sum of orders. */
function fromYuan(fen: bigint): bigint {
  if ((fen * CENT * 10n) % 72n !== 0n) throw new Error(`${fen} fen are no sum of orders`);
  return (fen * CENT * 10n) / 72n;
}

/** `-2.000000001`, exactly. */
function nanosOf(text: string): bigint {
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d+)(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  const nanos = BigInt(whole) * 1_000_000_000n + BigInt(part.padEnd(9, '0'));
  return sign === '-' ? -nanos : nanos;
}
