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

test('evidence of another operator, of another receipt, or a tenant’s picture · proves nothing', async () => {
  const picture = await image('png', { width: 41, height: 31 });
  const first = dataOf(await upload(clerk, picture)) as { id: number };
  const colleague = await operator('FINANCE');
  const receive = async (who: Caller, reference: string, body: object) => {
    const answer = await who.post(`/deposits/${await order()}/receipts`, {
      amount: 50,
      reference,
      ...body,
    });
    const errors = (dataOf(answer)['errors'] ?? []) as { field: string; code: string }[];
    return [answer.status, ...errors.map(({ field, code }) => `${field} ${code}`)];
  };
  expect(await receive(colleague, 'OWN-1', { evidence_id: first.id })).toEqual([
    422,
    'evidence_id unknown',
  ]);
  expect(await receive(clerk, 'OWN-2', { evidence_id: first.id })).toEqual([201]);
  expect(await receive(clerk, 'OWN-3', { evidence_id: first.id })).toEqual([
    422,
    'evidence_id used',
  ]);
  // The same slip, uploaded by somebody else: another upload, and no other proof.
  const second = dataOf(await upload(colleague, picture)) as { id: number };
  expect(second.id).not.toBe(first.id);
  expect(await receive(colleague, 'OWN-4', { evidence_id: second.id })).toEqual([
    422,
    'evidence_id used',
  ]);
  // What a tenant uploaded is of another kind, whatever its number.
  expect(await receive(clerk, 'OWN-5', { evidence_media_id: 987_654 })).toEqual([
    422,
    'evidence_media_id unknown',
  ]);
});

test('one slip for two orders at once · proves one of them', async () => {
  const picture = await image('png', { width: 42, height: 32 });
  const { id } = dataOf(await upload(clerk, picture)) as { id: number };
  const orders = [await order(), await order(), await order()];
  const answers = await Promise.all(
    orders.map((deposit, at) =>
      clerk.post(`/deposits/${deposit}/receipts`, {
        amount: 50,
        reference: `RACE-${at}`,
        evidence_id: id,
      }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422, 422]);
});

test.each([
  ['small letters', 'Wire abc-1', 'WIRE ABC-1'],
  ['other spaces', 'Wire abc-2', '  wire\u00a0abc\u3000-2 '],
  ['full-width forms', 'Wire abc-3', 'Ｗire ａbc－3'],
  ['characters that nobody sees', 'Wire abc-4', 'Wi\u200dre\u00ad abc\ufe0f-4'],
  ['a ligature', 'ofﬁce-5', 'OFFICE-5'],
])('a reference in %s · is the receipt that it was, and no other order’s', async (_name, a, b) => {
  const deposit = await order();
  const made = await clerk.post(`/deposits/${deposit}/receipts`, { amount: 50, reference: a });
  expect(made.status).toBe(201);
  const again = await clerk.post(`/deposits/${deposit}/receipts`, { amount: 50, reference: b });
  expect([again.status, dataOf(again)['id']]).toEqual([200, dataOf(made)['id']]);
  const other = await clerk.post(`/deposits/${await order()}/receipts`, {
    amount: 50,
    reference: b,
  });
  expect(other.status).toBe(409);
});
