import { type Caller, dataOf, idOf } from '../../support/call.ts';
import { image } from '../../support/images.ts';
import { makeAdvertiser, makeOperator, makePublisher } from '../../support/make/account.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** What proves a receipt: taken as papers are, read by finance alone. */
const PDF = Buffer.from('%PDF-1.4\n1 0 obj << /Type /Catalog >> endobj\ntrailer << >>\n%%EOF\n');

let stand: Stand;
let clerk: Caller;
let owner: Caller;

beforeAll(async () => {
  stand = await createStand();
  clerk = await operator('FINANCE');
  owner = stand.as('advertiser', (await makeAdvertiser(stand.database.db)).id);
});
afterAll(async () => {
  await stand.close();
});

const operator = async (role: 'REVIEWER' | 'FINANCE' | 'SUPPORT' | 'ADMIN'): Promise<Caller> =>
  stand.as('admin', (await makeOperator(stand.database.db, role)).id);
const upload = (who: Caller, bytes: Buffer, name = 'slip.png') =>
  who.upload('/receipt-evidence', bytes, name);
const order = async (): Promise<number> =>
  idOf(await owner.post('/deposits', { amount: 50, payment_method: 'BANK' }));
const auditOf = async (id: number) =>
  (
    await stand.database.pool.query<{ action: string }>(
      `SELECT action FROM audit_log WHERE subject_type = 'receipt_evidence' AND subject_id = $1
       ORDER BY id`,
      [id],
    )
  ).rows.map(({ action }) => action);

test('a picture · kept with a receipt · is shown with it, read by finance, and each look is on record', async () => {
  const picture = await image('png', { width: 40, height: 30 });
  const sent = await upload(clerk, picture);
  expect(sent.status).toBe(201);
  const file = dataOf(sent) as { id: number; url: string };
  expect(file).toMatchObject({ name: 'slip.png', url: `/api/admin/receipt-evidence/${file.id}` });
  const again = await upload(clerk, picture, 'other.png');
  expect([again.status, dataOf(again)['id']]).toEqual([200, file.id]);
  const deposit = await order();
  const body = { amount: 50, reference: 'SLIP-1', evidence_id: file.id };
  const made = await clerk.post(`/deposits/${deposit}/receipts`, body);
  expect(made.status).toBe(201);
  expect(dataOf(made)['evidence_file']).toEqual(file);
  const shown = dataOf(await clerk.get(`/deposits/${deposit}`)) as { receipts: object[] };
  expect(shown.receipts).toMatchObject([{ reference: 'SLIP-1', evidence_file: file }]);
  const read = await clerk.get(`/receipt-evidence/${file.id}`);
  expect([read.status, read.headers['content-disposition'], read.headers['cache-control']]).toEqual(
    [200, `attachment; filename="evidence-${file.id}"`, 'no-store'],
  );
  expect(await auditOf(file.id)).toEqual(['receipt_evidence.upload', 'receipt_evidence.read']);
  // What its owner sees of the order has no word of it.
  expect(JSON.stringify(dataOf(await owner.get(`/deposits/${deposit}`)))).not.toContain('evidence');
});

test('evidence · asked for by tenants and other roles · is refused, and nothing is written', async () => {
  const { id } = dataOf(await upload(clerk, PDF, 'slip.pdf')) as { id: number };
  const seller = stand.as('publisher', (await makePublisher(stand.database.db)).id);
  for (const who of [owner, seller]) {
    expect((await who.get(`/receipt-evidence/${id}`)).status).toBe(404);
  }
  for (const role of ['REVIEWER', 'SUPPORT'] as const) {
    const who = await operator(role);
    expect((await who.get(`/receipt-evidence/${id}`)).status).toBe(403);
    expect((await upload(who, PDF)).status).toBe(403);
  }
  expect((await clerk.get('/receipt-evidence/987654')).status).toBe(404);
  expect(await auditOf(id)).toEqual(['receipt_evidence.upload']);
});

test.each([
  ['a page', Buffer.from('<html><script>alert(1)</script>'), 415],
  ['a PDF with scripts', Buffer.from('%PDF-1.4\n<< /JavaScript (x) >>\n%%EOF\n'), 415],
  ['a PDF without an end', Buffer.from('%PDF-1.4\n1 0 obj'), 415],
  ['more than 5 MB', Buffer.alloc(5 * 1024 * 1024 + 1, 'x'), 413],
])('%s · as evidence · is refused', async (_name, bytes, status) => {
  expect((await upload(clerk, bytes)).status).toBe(status);
});

test('evidence that is not there · with a receipt · is refused at its field', async () => {
  const deposit = await order();
  const body = { amount: 50, reference: 'SLIP-2', evidence_id: 987_654 };
  const answer = await clerk.post(`/deposits/${deposit}/receipts`, body);
  expect([answer.status, dataOf(answer)['errors']]).toMatchObject([
    422,
    [{ field: 'evidence_id', code: 'unknown' }],
  ]);
});
