import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createActivities } from '../../../activities/index.ts';
import { createDocumentActivities } from '../../../activities/documents/documents.ts';
import { issueDocuments } from '../../../activities/documents/issue.ts';
import { postEntries } from '../../../activities/core/ledger.ts';
import { documentKeysOf, openSigned } from '../../../activities/providers/document-signer.ts';
import { parseKeys } from '../../../config-keys.ts';
import { inTransaction, runner } from '../../../db/postgres.ts';
import { DOCUMENT_INVARIANTS } from '../../../db/queries/document-books.ts';
import { findDocumentFile, listDocuments } from '../../../db/queries/documents.ts';
import { runBook } from '../../../db/queries/books.ts';
import { type DocumentContent, documentNumber } from '../../../domain/documents.ts';
import { documentPdf } from '../../../activities/providers/document-pdf.ts';
import { presentDocument } from '../../../api/present/document.ts';
import {
  withdrawalHeld,
  withdrawalPosted,
  withdrawalReversed,
} from '../../../domain/ledger/payout-postings.ts';
import { billingBatch } from '../../../domain/ledger/postings.ts';
import { asOwner, createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeAdvertiser, makeOperator, makePublisher } from '../../support/make/account.ts';
import { makeCampaignTree } from '../../support/make/campaign.ts';
import { fundAdvertiser, fundPublisher, UNIT } from '../../support/make/money.ts';
import { payIn } from '../../support/make/paid-in.ts';
import { sendBack } from '../../support/make/sent-back.ts';
import { setByOwner } from '../../support/by-owner.ts';
import { activityDeps } from '../../support/settlement.ts';
import { testProviders } from '../../support/providers.ts';

const KEY = `3:${'7c'.repeat(32)}`;
const BOOKS = DOCUMENT_INVARIANTS.map(({ name }) => name);
const providers = testProviders({ DOCUMENT_KEYS: KEY });
const keysOf = (text: string) => documentKeysOf(parseKeys('KEY', text, []));
const KEYS = keysOf(KEY);

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => await database.close());

/** The second day of a month to come: of one ahead, all that was posted today is of the month that ended last. */
const monthsAhead = (months: number): Date => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 2));
};
const nextMonth = (): Date => monthsAhead(1);
/** Past the guards of the database, as its owner. */
const plant = async (table: string, fault: string): Promise<void> => {
  await database.pool.query(
    `ALTER TABLE ${table} DISABLE TRIGGER USER; ALTER TABLE document_files DISABLE TRIGGER USER; ${fault};
     ALTER TABLE ${table} ENABLE TRIGGER USER; ALTER TABLE document_files ENABLE TRIGGER USER`,
  );
};
const issue = async () =>
  await issueDocuments({ ...activityDeps(database), providers, clock: nextMonth });
/** Those that do not hold. */
const broken = async (): Promise<string[]> => {
  const checks = BOOKS.map(async (name) => await runBook(runner(database.db), name));
  return (await Promise.all(checks)).filter(({ ok }) => !ok).map(({ name }) => name);
};
interface Shown {
  kind: 'STATEMENT' | 'INVOICE' | 'DEPOSIT_RECEIPT' | 'REFUND_RECEIPT';
  account_id: string;
  year: number;
  sequence: number;
  opening_nanos: string | null;
  total_nanos: string;
  closing_nanos: string | null;
  csv: Buffer;
  manifest: Buffer;
}
const issued = async (): Promise<Shown[]> => {
  const { rows } = await database.pool.query<Shown>(
    `SELECT d.*, c.bytes AS csv, m.bytes AS manifest FROM documents d
     JOIN document_files c ON c.document_id = d.id AND c.format = 'CSV'
     JOIN document_files m ON m.document_id = d.id AND m.format = 'MANIFEST' ORDER BY d.kind, d.sequence`,
  );
  return rows;
};

/** As settlement posts what an advertiser pays and a publisher gets. */
const spend = async (advertiserId: number, publisherId: number): Promise<void> => {
  const totals = {
    spend: [{ advertiserId, campaignId: 5, priceNanos: 2_000_000_001n, events: 3 }],
    earnings: [{ publisherId, publisherNanos: 1_400_000_000n, events: 3 }],
  };
  await inTransaction(database.db, async (tx) => {
    await postEntries(database.db, tx, billingBatch('spend', 0, totals));
  });
};

test('a month of a deposit, spend and earnings · four rounds at once · each document once, to the nano', async () => {
  const advertiser = (await makeAdvertiser(database.db, { companyName: '=\u9752\u3044, "Ltd"' }))
    .id;
  const publisher = (await makePublisher(database.db)).id;
  await fundAdvertiser(database.db, advertiser, 100_000_000_003n);
  await spend(advertiser, publisher);
  await Promise.all([issue(), issue(), issue(), issue()]);
  const found = await issued();
  expect(found.map((each) => [each.kind, Number(each.account_id), each.total_nanos])).toEqual([
    ['DEPOSIT_RECEIPT', advertiser, '100000000003'],
    ['INVOICE', advertiser, '2000000001'],
    ['STATEMENT', advertiser, '98000000002'],
    ['STATEMENT', publisher, '1400000000'],
  ]);
  expect(found.map(({ sequence }) => sequence)).toEqual([1, 1, 1, 2]);
  expect(await broken()).toEqual([]);

  expect(await issue()).toBe(0);
  expect(await issued()).toEqual(found);
  const statement = found.find(
    (each) => Number(each.account_id) === advertiser && each.kind === 'STATEMENT',
  );
  const csv = statement?.csv.toString() ?? '';
  expect(csv).toContain('document,name,,,"\'=\u9752\u3044, ""Ltd"""\r\n');
  expect(csv).toContain('movement,SPEND,campaign:5,1,-2.000000001\r\n');
  expect(csv).toContain('sum,closing,,,98.000000002\r\nsum,rounded_to_cents,,,98\r\n');
  expect(csv).toContain('sum,rounding_difference,,,-0.000000002\r\n');
});

test('the files of an account · asked for by it and by another · are its own alone', async () => {
  const own = (await makeAdvertiser(database.db, { balance: 10 })).id;
  const other = (await makeAdvertiser(database.db, { balance: 20 })).id;
  await issue();
  const sql = runner(database.db);
  const page = { limit: 100, offset: 0 };
  const { items, total } = await listDocuments(sql, { accountId: own, ...page });
  expect(items.map(({ accountId, kind }) => [accountId, kind])).toEqual([
    [own, 'STATEMENT'],
    [own, 'DEPOSIT_RECEIPT'],
  ]);
  expect(total).toBe(2);
  const receipts = { accountId: own, kind: 'DEPOSIT_RECEIPT' as const, ...page };
  expect((await listDocuments(sql, receipts)).items).toHaveLength(1);
  expect((await listDocuments(sql, { ...receipts, endDate: '2020-01-01' })).items).toEqual([]);
  for (const { id } of items) {
    const file = { id, format: 'CSV' as const };
    expect((await findDocumentFile(sql, { ...file, accountId: own }))?.accountId).toBe(own);
    expect(await findDocumentFile(sql, { ...file, accountId: other })).toBeUndefined();
  }
  // An operator reads anybody's, and it stands in the account's history.
  const steps = createDocumentActivities({ ...activityDeps(database), providers });
  const id = items[0]?.id ?? 0;
  await steps.readDocumentFile({ id, format: 'MANIFEST', operatorId: 9, requestId: 'r' });
  const { rows } = await database.pool.query(
    `SELECT action, actor_id, subject_id, account_id FROM audit_log WHERE subject_type = 'document'`,
  );
  expect(rows).toEqual([
    {
      action: 'document.read',
      actor_id: '9',
      subject_id: String(id),
      account_id: String(own),
    },
  ]);
});

test.each([
  ['STATEMENT', 'closing', 10],
  ['REFUND_RECEIPT', 'total', 4],
] as const)(
  'verify-statement · a %s as it was issued, and with one byte changed · is valid, and is not',
  async (of, sum, units) => {
    const advertiserId = (await makeAdvertiser(database.db)).id;
    await payIn(database, advertiserId, 'BANK', 14);
    await sendBack(database, { advertiserId, amount: 4, reference: 'OUT-7' });
    await issue();
    const [document] = (await issued()).filter(({ kind }) => kind === of);
    if (document === undefined) throw new Error(`no ${of} was issued`);
    const name = documentNumber(of, document.year, document.sequence);
    const folder = mkdtempSync(path.join(tmpdir(), 'documents-'));
    const file = path.join(folder, `${name}.csv`);
    writeFileSync(file, document.csv);
    writeFileSync(path.join(folder, `${name}.jws.json`), document.manifest);
    // As somebody else has them, who knows the public halves alone.
    const keys = path.join(folder, 'keys.json');
    writeFileSync(keys, JSON.stringify(KEYS));
    const verify = (): [number | null, string] => {
      const { status, stdout } = spawnSync(
        process.execPath,
        ['--import', 'tsx', 'dev/verify-statement.ts', file, keys],
        { env: { PATH: process.env['PATH'] }, encoding: 'utf8' },
      );
      return [status, stdout];
    };
    try {
      const [status, said] = verify();
      expect(said).toContain(`${of} ${name}, signed by key 3`);
      expect(said).toMatch(new RegExp(`${sum} +${units} USD\\nVALID: ${name}\\.csv\\n`));
      expect(status).toBe(0);
      writeFileSync(file, document.csv.toString().replace(`${sum},,,${units}`, `${sum},,,90`));
      expect(verify()).toEqual([1, expect.stringContaining(`INVALID: ${name}.csv`)]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

/** What a reader of the paper sees, in the order in which it was drawn. */
async function textOf(pdf: Buffer): Promise<string> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const task = getDocument({ data: new Uint8Array(pdf), useSystemFonts: false, verbosity: 0 });
  const document = await task.promise;
  const page = await document.getPage(1);
  const { items } = await page.getTextContent();
  await task.destroy();
  return items
    .map((item) => ('str' in item ? item.str : ''))
    .join(' ')
    .replaceAll(/\s+/g, ' ');
}

test('an invoice · on paper · names campaigns, in cents that add up, the period, and that nothing is due', async () => {
  const advertiser = (await makeAdvertiser(database.db, { companyName: 'Harbour Rope Ltd' })).id;
  const publisher = (await makePublisher(database.db)).id;
  await fundAdvertiser(database.db, advertiser, 100_000_000_000n);
  const { campaign } = await makeCampaignTree(database.db, advertiser, {
    campaign: { name: 'Autumn 秋 sale' },
  });
  const others = [campaign.id, campaign.id + 1000, campaign.id + 2000];
  await inTransaction(database.db, async (tx) => {
    const totals = {
      spend: others.map((campaignId) => ({
        advertiserId: advertiser,
        campaignId,
        priceNanos: 1_004_000_000n,
        events: 3,
      })),
      earnings: [{ publisherId: publisher, publisherNanos: 2_000_000_000n, events: 3 }],
    };
    await postEntries(database.db, tx, billingBatch('spend', 0, totals));
  });
  await issue();
  const { rows } = await database.pool.query<{ bytes: Buffer }>(
    `SELECT f.bytes FROM documents d JOIN document_files f ON f.document_id = d.id
     WHERE d.kind = 'INVOICE' AND f.format = 'PDF'`,
  );
  const text = await textOf(rows[0]?.bytes ?? Buffer.alloc(0));
  expect(text).toContain('Issued to Harbour Rope Ltd');
  expect(text).toMatch(/Period 1 to \d+ \w+ \d+ \(UTC\)/);
  expect(text).toContain('Value added tax None is charged');
  expect(text).toMatch(new RegExp(`Autumn ?秋 ?sale \\(campaign ${campaign.id}\\) 1 \\$1.00`));
  expect(text).toContain(
    'Rounding of the lines $0.01 Total $3.01 Paid from the balance -$3.01 Amount due $0.00',
  );
  expect(text).toContain('Exact total As in the ledger and in the CSV $3.012');
});

test('a PDF · drawn twice, with a name in many letters · is the same to the byte', async () => {
  const content: DocumentContent = {
    issuer: { name: '\u9752\u7530 Ads Ltd', address: '1 Quay Street, Dublin', taxId: 'IE 123' },
    number: 'ST-2026-000001',
    kind: 'STATEMENT',
    corrects: null,
    sentBack: null,
    account: {
      id: 7,
      realm: 'ADVERTISER',
      name: '\u9752\u5929\u516c\u53f8 \u0141\u00f3d\u017a \uac00',
      address: '',
      taxId: '',
    },
    month: '2026-10',
    batchId: null,
    currency: 'USD',
    openingNanos: 0n,
    totalNanos: -60n,
    closingNanos: -60n,
    issuedAt: '2026-11-01T01:05:00.000Z',
    // More than a page holds.
    lines: Array.from({ length: 60 }, (_, at) => ({
      type: 'SPEND',
      subject: `campaign:${at}`,
      transfers: 1,
      amountNanos: -1n,
    })),
  };
  const first = await documentPdf(content);
  const text = first.toString('latin1');
  expect(text.startsWith('%PDF-')).toBe(true);
  expect(text.match(/\/Type \/Page\n/g)).toHaveLength(2);
  expect(text).toContain('ZCOOLXiaoWei');
  expect(text).toContain('D:20261101010500Z');
  expect(await documentPdf(content)).toEqual(first);
  const other = { ...content, totalNanos: -61n, closingNanos: -61n };
  expect(await documentPdf(other)).not.toEqual(first);
});

test('the issuer · set, then changed · stands in each document as it was when it was issued', async () => {
  const first = (await makeAdvertiser(database.db, { balance: 10 })).id;
  await issue();
  const before = await issued();
  expect(before.map(({ csv }) => csv.includes('issuer'))).toEqual([false, false]);
  await setByOwner(database, 'issuer.legal_name', 'Quay Ads Ltd');
  await setByOwner(database, 'issuer.tax_id', 'IE 1234567T');
  await fundAdvertiser(database.db, first, 5_000_000_000n);
  await issue();
  const after = await issued();
  expect(after.slice(0, 1)).toEqual(before.slice(0, 1));
  const [, receipt] = after;
  expect(receipt?.csv.toString()).toContain(
    'document,issuer,,,Quay Ads Ltd\r\ndocument,issuer_tax_id,,,IE 1234567T\r\ndocument,number,,,DR-',
  );
  const signed = openSigned(receipt?.manifest ?? Buffer.alloc(0), KEYS);
  expect(JSON.parse(signed?.text ?? '{}')).toMatchObject({
    issuer: { name: 'Quay Ads Ltd', address: '', taxId: 'IE 1234567T' },
  });
});

test('whom it is issued to · said, then changed · stands in each document as it was when it was issued', async () => {
  const buyer = await makeAdvertiser(database.db, { balance: 10 });
  await issue();
  const [bare] = await issued();
  expect(bare?.csv.toString()).not.toMatch(/document,(address|tax_id),/);
  await buyer.update({ billingAddress: '4 Rope Walk, Kiel, Germany', taxId: 'DE 811 907 980' });
  await fundAdvertiser(database.db, buyer.id, 5_000_000_000n);
  await issue();
  await buyer.update({ billingAddress: 'Moved, Lübeck', taxId: null });
  await fundAdvertiser(database.db, buyer.id, 5_000_000_000n);
  await issue();
  const [first, second, third] = await issued();
  expect(first).toEqual(bare);
  expect(second?.csv.toString()).toContain(
    'document,address,,,"4 Rope Walk, Kiel, Germany"\r\ndocument,tax_id,,,DE 811 907 980\r\n',
  );
  const signed = openSigned(second?.manifest ?? Buffer.alloc(0), KEYS);
  expect(JSON.parse(signed?.text ?? '{}')).toMatchObject({
    account: { id: buyer.id, address: '4 Rope Walk, Kiel, Germany', taxId: 'DE 811 907 980' },
  });
  const { rows } = await database.pool.query<{ bytes: Buffer }>(
    `SELECT f.bytes FROM documents d JOIN document_files f ON f.document_id = d.id
     WHERE d.kind = 'DEPOSIT_RECEIPT' AND d.sequence = 2 AND f.format = 'PDF'`,
  );
  expect(await textOf(rows[0]?.bytes ?? Buffer.alloc(0))).toContain(
    'Address 4 Rope Walk, Kiel, Germany Tax number DE 811 907 980',
  );
  expect(third?.csv.toString()).toContain('"Moved, Lübeck"');
  expect(third?.csv.toString()).not.toContain('tax_id');
});

test('a payout that came back · twice looked for · one credit note, of arrival and tax, that names its receipt', async () => {
  const publisherId = (await makePublisher(database.db)).id;
  await fundPublisher(database.db, publisherId, 100n * UNIT);
  const money = {
    id: 77,
    publisherId,
    channel: 'BANK',
    amountNanos: 50n * UNIT,
    feeNanos: 5n * UNIT,
    taxNanos: 3n * UNIT,
    arrivalNanos: 42n * UNIT,
  };
  const post = async (batch: Parameters<typeof postEntries>[2]): Promise<void> => {
    // Past the approvals, as the owner: there is no flow here.
    await asOwner(
      database.db,
      async (owner) =>
        await inTransaction(owner, async (tx) => {
          await postEntries(owner, tx, batch);
        }),
    );
  };
  await post(withdrawalHeld(money));
  await post(withdrawalPosted(money));
  await post(withdrawalReversed(money));
  await Promise.all([issue(), issue()]);
  const { rows } = await database.pool.query<{ kind: string; total_nanos: string; bytes: Buffer }>(
    `SELECT kind, total_nanos, bytes FROM documents JOIN document_files f ON f.document_id = id
     WHERE batch_id IS NOT NULL AND format = 'CSV' ORDER BY documents.id`,
  );
  expect(rows.map(({ kind, total_nanos: total }) => [kind, total])).toEqual([
    ['PAYOUT_RECEIPT', '50000000000'],
    ['CREDIT_NOTE', '45000000000'],
  ]);
  const note = rows[1]?.bytes.toString() ?? '';
  expect(note).toMatch(/document,corrects,,,PR-\d{4}-000001\r\n/);
  expect(note).toContain('movement,WITHDRAWAL_TAX_RETURNED,withdrawal:77,1,3\r\n');
  expect(await broken()).toEqual([]);
  await plant(
    'documents',
    `UPDATE documents SET total_nanos = total_nanos + 1 WHERE kind = 'CREDIT_NOTE'`,
  );
  expect(await broken()).toEqual(['receipts_equal_the_ledger']);
});

test('unused balance that was sent back · four rounds at once · one receipt, that names the deposit’s', async () => {
  const advertiserId = (await makeAdvertiser(database.db)).id;
  await payIn(database, advertiserId, 'BANK', 100);
  await sendBack(database, { advertiserId, amount: 40.25, reference: 'OUT-7' });
  await Promise.all([issue(), issue(), issue(), issue()]);
  const { rows } = await database.pool.query<
    Record<'kind' | 'total_nanos' | 'csv' | 'pdf', string>
  >(
    `SELECT kind, total_nanos, convert_from(c.bytes, 'UTF8') AS csv, encode(substr(p.bytes, 1, 5), 'escape') AS pdf
     FROM documents d JOIN document_files c ON c.document_id = d.id AND c.format = 'CSV'
     JOIN document_files p ON p.document_id = d.id AND p.format = 'PDF'
     WHERE batch_id IS NOT NULL ORDER BY d.id`,
  );
  expect(rows).toMatchObject([
    { kind: 'DEPOSIT_RECEIPT', total_nanos: '100000000000' },
    { kind: 'REFUND_RECEIPT', total_nanos: '40250000000', pdf: '%PDF-' },
  ]);
  const csv = rows[1]?.csv ?? '';
  expect(csv).toMatch(/document,number,,,RR-\d{4}-000001\r\n/);
  expect(csv).toMatch(/document,corrects,,,DR-\d{4}-000001\r\n/);
  expect(csv).toContain('document,sent_by,,,BANK\r\ndocument,sent_reference,,,OUT-7\r\n');
  expect(csv).toMatch(/document,deposit_reference,,,PAID[0-9a-f]{16}\r\n/);
  // In the ledger's currency: nobody paid in another one.
  expect(csv).not.toContain('sent_amount');
  expect(csv).toMatch(/movement,BALANCE_REFUND,balance_refund:\d+,1,40\.25\r\n/);
  expect(await broken()).toEqual([]);
  await plant(
    'documents',
    `UPDATE documents SET total_nanos = total_nanos + 1 WHERE kind = 'REFUND_RECEIPT'`,
  );
  expect(await broken()).toEqual(['receipts_equal_the_ledger']);
});

test('unused balance that is held, or was given back · has no receipt', async () => {
  const advertiserId = (await makeAdvertiser(database.db)).id;
  await payIn(database, advertiserId, 'BANK', 100);
  const asked = await createActivities(activityDeps(database)).requestBalanceRefund({
    advertiserId,
    amountNanos: null,
    reason: 'They stop',
    operatorId: (await makeOperator(database.db, 'FINANCE')).id,
    requestId: 'test',
  });
  expect(asked.approvalId).toBeNull();
  await issue();
  const kinds = (await issued()).map(({ kind }) => kind);
  expect(kinds).toEqual(['DEPOSIT_RECEIPT', 'STATEMENT']);
});

test('a document of the first builds · listed and asked for as PDF · says that it has none', async () => {
  const own = (await makeAdvertiser(database.db, { balance: 10 })).id;
  await issue();
  await plant('documents', `DELETE FROM document_files WHERE format = 'PDF'`);
  const { items } = await listDocuments(runner(database.db), {
    accountId: own,
    limit: 9,
    offset: 0,
  });
  expect(items.map((each) => presentDocument(each).formats)).toEqual([
    ['csv', 'jws'],
    ['csv', 'jws'],
  ]);
  const key = { id: items[0]?.id ?? 0, accountId: own };
  const sql = runner(database.db);
  expect(await findDocumentFile(sql, { ...key, format: 'PDF' })).toBeUndefined();
  expect(await findDocumentFile(sql, { ...key, format: 'CSV' })).toBeDefined();
});

test('the signed manifest · any byte of it changed · no key has signed it', () => {
  const bytes = providers.documents.sign('{"total":"10"}');
  expect(openSigned(bytes, KEYS)).toEqual({ text: '{"total":"10"}', keyId: '3' });
  expect(providers.documents.sign('{"total":"10"}')).toEqual(bytes);
  const passed = [...bytes.keys()].filter((at) => {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    return openSigned(changed, KEYS) !== undefined;
  });
  expect(passed).toEqual([]);
  // A key of the same number that is not ours.
  expect(openSigned(bytes, keysOf(`3:${'7d'.repeat(32)}`))).toBeUndefined();
});

test('numbers · issued in parallel while others roll back · 1 to n, none twice and none missing', async () => {
  const advertiser = (await makeAdvertiser(database.db)).id;
  const write = async (at: number): Promise<void> => {
    await inTransaction(database.db, async (tx) => {
      const sql = runner(database.db, tx);
      const { rows } = await sql.query<{ id: number }>(
        `INSERT INTO documents (kind, account_id, year, sequence, month, currency, total_nanos, issued_at)
         VALUES ('INVOICE', $1, 1, 77, ('2020-01-01'::date + $2 * interval '1 month')::date, 'USD', 0, '2026-01-05')
         RETURNING id`,
        [advertiser, at],
      );
      if (at % 3 === 0) throw new Error('cut');
      await sql.query(
        `INSERT INTO document_files (document_id, format, bytes) VALUES ($1, 'CSV', ''), ($1, 'MANIFEST', '')`,
        [rows[0]?.id],
      );
    });
  };
  const outcomes = await Promise.allSettled(
    Array.from({ length: 30 }, async (_, at) => await write(at)),
  );
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(10);
  const numbers = (await issued()).map(({ year, sequence }) => [year, sequence]);
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, at) => [2026, at + 1]));
  // One without its files does not commit, and what was issued stays.
  await expect(
    database.db.sequelize.query(
      `INSERT INTO documents (kind, account_id, year, month, currency, total_nanos, issued_at)
       VALUES ('INVOICE', ${advertiser}, 1, '2010-01-01', 'USD', 0, '2026-01-05')`,
    ),
  ).rejects.toThrow('comes with its files');
  await expect(
    database.db.sequelize.query('UPDATE document_numbers SET last = 90'),
  ).rejects.toThrow('permission denied');
  await expect(database.pool.query('DELETE FROM documents')).rejects.toThrow('append-only');
  expect(await broken()).not.toContain('document_numbers_have_no_gaps');
});

test('two months in a row · the second begins where the first ended · the books see what was changed in either', async () => {
  const advertiser = (await makeAdvertiser(database.db)).id;
  await fundAdvertiser(database.db, advertiser, 100_000_000_003n);
  await issue();
  await spend(advertiser, (await makePublisher(database.db)).id);
  // The clock of the ledger is the database's own: what was posted last is dated into the month that follows.
  await plant(
    'ledger_transfers',
    `UPDATE ledger_transfers SET created_at = created_at + interval '1 month' WHERE type IN ('SPEND', 'EARNING', 'PLATFORM_FEE')`,
  );
  await issueDocuments({ ...activityDeps(database), providers, clock: () => monthsAhead(2) });
  const statements = (await issued()).filter(
    (each) => Number(each.account_id) === advertiser && each.kind === 'STATEMENT',
  );
  expect(statements.map((each) => [each.opening_nanos, each.closing_nanos])).toEqual([
    ['0', '100000000003'],
    ['100000000003', '98000000002'],
  ]);
  expect(await broken()).toEqual([]);
  const { rows } = await database.pool.query<{ kind: string; params: { name: string } }>(
    `SELECT kind, params FROM notifications WHERE account_id = $1 ORDER BY id`,
    [advertiser],
  );
  expect(rows.map(({ kind, params }) => [kind, params.name])).toEqual(
    statements.map(({ year, sequence }) => [
      'document_issued',
      documentNumber('STATEMENT', year, sequence),
    ]),
  );
});

test.each([
  [
    ['receipts_equal_the_ledger'],
    `UPDATE documents SET total_nanos = total_nanos + 1 WHERE kind = 'DEPOSIT_RECEIPT'`,
  ],
  [
    ['invoices_equal_the_ledger'],
    `UPDATE documents SET total_nanos = total_nanos + 1 WHERE kind = 'INVOICE'`,
  ],
  [
    ['statements_equal_the_ledger'],
    `UPDATE documents SET total_nanos = total_nanos + 1, closing_nanos = closing_nanos + 1 WHERE kind = 'STATEMENT'`,
  ],
  [
    ['statements_equal_the_ledger', 'statements_form_a_chain'],
    `UPDATE documents SET opening_nanos = opening_nanos + 1, closing_nanos = closing_nanos + 1 WHERE kind = 'STATEMENT'`,
  ],
  [
    ['document_numbers_have_no_gaps'],
    `UPDATE documents SET sequence = sequence + 1 WHERE kind = 'INVOICE'`,
  ],
  [
    ['invoices_equal_the_ledger', 'document_numbers_have_no_gaps'],
    `DELETE FROM document_files WHERE document_id IN (SELECT id FROM documents WHERE kind = 'INVOICE');
     DELETE FROM documents WHERE kind = 'INVOICE'`,
  ],
])('the books · %s · is what they say of %s', async (names, fault) => {
  const advertiser = (await makeAdvertiser(database.db, { balance: 10 })).id;
  await spend(advertiser, (await makePublisher(database.db)).id);
  await issue();
  expect(await broken()).toEqual([]);
  await plant('documents', fault);
  expect(await broken()).toEqual(names);
});
