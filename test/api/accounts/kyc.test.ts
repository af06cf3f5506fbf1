import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Test } from 'supertest';
import type { Caller } from '../../support/call.ts';
import type { TestDatabase } from '../../support/database.ts';
import { image } from '../../support/images.ts';
import { makeAdvertiser, makeOperator, makePublisher } from '../../support/make/account.ts';
import { createStand, type Stand } from '../../support/stand.ts';

const PDF = Buffer.from('%PDF-1.4\n1 0 obj << /Type /Catalog >> endobj\ntrailer << >>\n%%EOF\n');

let stand: Stand;
let database: TestDatabase;
let picture: Buffer;
let reviewer: Caller;

beforeAll(async () => {
  stand = await createStand();
  ({ database } = stand);
  picture = await image('png', { width: 40, height: 30 });
  reviewer = await operator('REVIEWER');
});
afterAll(async () => {
  await stand.close();
});

const operator = async (role: 'REVIEWER' | 'FINANCE' | 'SUPPORT'): Promise<Caller> =>
  stand.as('admin', (await makeOperator(database.db, role)).id);
async function person(realm: 'advertiser' | 'publisher' = 'publisher'): Promise<Caller> {
  const make = realm === 'advertiser' ? makeAdvertiser : makePublisher;
  return stand.as(realm, (await make(database.db)).id);
}

const show = (who: Caller): Test => who.get('/kyc');
const submit = (who: Caller, body: object): Test => who.post('/kyc', body);
const upload = (who: Caller, bytes: Buffer, filename = 'scan.png'): Test =>
  who.upload('/kyc/documents', bytes, filename);

const papers = async (who: Caller): Promise<number> => (await upload(who, picture)).body.data.id;

const good = (documentId: number, extra: object = {}) => ({
  entity_type: 'PERSONAL',
  legal_name: 'Ada Lovelace',
  country: 'GB',
  document_number: 'GB-1234567',
  document_expires_on: '2099-12-31',
  document_ids: [documentId],
  ...extra,
});

const rowsOf = async (accountId: number) =>
  (await database.pool.query('SELECT * FROM kyc_applications WHERE account_id = $1', [accountId]))
    .rows;
const storedFiles = async (): Promise<number> =>
  (await readdir(stand.config.privateDir, { recursive: true }).catch(() => [])).filter((name) =>
    /[0-9a-f]{32}/.test(name),
  ).length;

describe('proof of identity', () => {
  test.each(['advertiser', 'publisher'] as const)(
    'a %s · submits · 202 with an operation, and sees its number masked',
    async (realm) => {
      const who = await person(realm);
      const before = (await show(who)).body.data;
      expect(before).toMatchObject({ kyc_status: 'none', round: null, documents: [], reasons: [] });
      const documentId = await papers(who);
      const sent = await submit(who, good(documentId));
      expect(sent.status).toBe(202);
      const { operation } = sent.body.data;
      expect(operation).toMatchObject({ kind: 'kyc', status: 'queued', subject: { type: 'kyc' } });
      expect(sent.headers['location']).toBe(`/api/${realm}/operations/${operation.id}`);
      const shown = await who.get(`/operations/${operation.id}`);
      expect(shown.body.data).toEqual(operation);
      expect((await show(who)).body.data).toMatchObject({
        kyc_status: 'pending',
        round: 1,
        entity_type: 'PERSONAL',
        legal_name: 'Ada Lovelace',
        country: 'GB',
        document_number: '••••567',
        document_expires_on: '2099-12-31',
        documents: [{ id: documentId, mime: 'image/png' }],
        decided_at: null,
      });
      const again = await submit(who, good(documentId));
      expect(again.status).toBe(409);
      expect(again.body.data).toMatchObject({ error: 'state_conflict', kyc_status: 'pending' });
      expect(await rowsOf(who.id)).toHaveLength(1);
    },
  );

  test('a submission · five times at once · is one round', async () => {
    const who = await person();
    const documentId = await papers(who);
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map(async () => await submit(who, good(documentId))),
    );
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      202, 409, 409, 409, 409,
    ]);
    expect(await rowsOf(who.id)).toHaveLength(1);
  });

  test('a submission · repeated with its Idempotency-Key · is answered again, not made again', async () => {
    const who = await person();
    const body = good(await papers(who));
    const first = await submit(who, body).set('Idempotency-Key', 'one');
    const second = await submit(who, body).set('Idempotency-Key', 'one');
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.body).toEqual(first.body);
    expect(second.headers['location']).toBe(first.headers['location']);
    expect(await rowsOf(who.id)).toHaveLength(1);
  });

  test('a document number · at rest, in the flow and in the log · is nowhere to be read', async () => {
    const who = await person();
    const secret = `X${randomBytes(6).toString('hex')}`;
    await submit(who, good(await papers(who), { document_number: secret, legal_name: 'Zoë Qu' }));
    for (const table of ['kyc_applications', 'outbox', 'operations', 'audit_log', 'tasks']) {
      const { rows } = await database.pool.query<{ text: string | null }>(
        `SELECT string_agg(t::text, '') AS text FROM ${table} t`,
      );
      const text = rows[0]?.text ?? '';
      expect(text).not.toContain(secret);
      if (table !== 'kyc_applications') expect(text).not.toContain('Zoë Qu');
    }
  });

  test.each([
    ['entity_type', { entity_type: 'ROBOT' }],
    ['legal_name', { legal_name: '' }],
    ['country', { country: 'XX' }],
    ['country', { country: 'gb' }],
    ['document_number', { document_number: '1' }],
    ['document_number', { document_number: 'a\u0000bcd' }],
    ['document_expires_on', { document_expires_on: '2020-01-01' }],
    ['document_expires_on', { document_expires_on: 'soon' }],
    ['document_ids', { document_ids: [] }],
    ['document_ids', { document_ids: [987_654_321] }],
    ['kyc_status', { kyc_status: 'approved' }],
    ['account_id', { account_id: 1 }],
  ])('a submission · with a wrong %s %j · is 422 and nothing is begun', async (field, extra) => {
    const who = await person();
    const answer = await submit(who, good(await papers(who), extra));
    expect(answer.status).toBe(422);
    expect(answer.body.data.errors.map((each: { field: string }) => each.field)).toContain(field);
    expect((await show(who)).body.data.kyc_status).toBe('none');
  });

  test("a submission · with somebody else's document · is refused as unknown", async () => {
    const who = await person();
    const theirs = await papers(await person());
    const answer = await submit(who, good(await papers(who), { document_ids: [theirs] }));
    expect(answer.body.data.errors).toEqual([
      { field: 'document_ids', code: 'unknown', message: `not among your documents: ${theirs}` },
    ]);
  });
});

describe('documents', () => {
  test('a picture · uploaded twice · is one document, sealed on the disk', async () => {
    const who = await person();
    const files = await storedFiles();
    const [first, second] = [await upload(who, picture), await upload(who, picture)];
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body.data).toEqual(first.body.data);
    expect(first.body.data.sha256).toBe(createHash('sha256').update(picture).digest('hex'));
    expect(await storedFiles()).toBe(files + 1);
    const { rows } = await database.pool.query<{ path: string }>(
      'SELECT path FROM kyc_documents WHERE id = $1',
      [first.body.data.id],
    );
    const name = rows[0]?.path ?? '';
    const raw = await readFile(path.join(stand.config.privateDir, name.slice(0, 2), name));
    expect(raw.includes('PNG')).toBe(false);
    expect(raw.toString('latin1')).toMatch(/^k\.r\.0\.[\w-]+$/);
    for (const url of [
      `/media/${name.slice(0, 2)}/${name}`,
      `/media/${name.slice(0, 2)}/${name}.png`,
    ]) {
      expect((await stand.anyone.get(url)).status).toBe(404);
    }
  });

  test('one upload · five times at once · is one document and one file', async () => {
    const who = await person();
    const files = await storedFiles();
    const bytes = await image('jpeg', { width: 50, height: 20 });
    const answers = await Promise.all([1, 2, 3, 4, 5].map(async () => await upload(who, bytes)));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await storedFiles()).toBe(files + 1);
  });

  test.each([
    [
      'an SVG',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
      415,
    ],
    ['a page that calls itself a picture', Buffer.from('<html><script>1</script>'), 415],
    ['a PDF cut short', PDF.subarray(0, 30), 415],
    [
      'a PDF with a script',
      Buffer.from('%PDF-1.4 << /S /JavaScript /JS (app.alert(1)) >> %%EOF'),
      415,
    ],
    ['a PDF with an attachment', Buffer.from('%PDF-1.4 << /EmbeddedFile 1 0 R >> %%EOF'), 415],
    ['a PDF with a password', Buffer.from('%PDF-1.4 << /Encrypt 1 0 R >> %%EOF'), 415],
    ['nothing', Buffer.alloc(0), 415],
    ['six megabytes', Buffer.alloc(6 * 1_024 * 1_024), 413],
  ])('a document · %s · is refused and nothing is kept', async (_what, bytes, status) => {
    const who = await person();
    const files = await storedFiles();
    const answer = await upload(who, bytes, 'passport.pdf');
    expect(answer.status).toBe(status);
    expect(await storedFiles()).toBe(files);
    const { rows } = await database.pool.query(
      'SELECT 1 FROM kyc_documents WHERE account_id = $1',
      [who.id],
    );
    expect(rows).toEqual([]);
  });

  test.each([
    ['a PDF cut short', PDF.subarray(0, 30), 'pdf_broken', /cannot be read as a PDF.*print.*photo/],
    ['a PDF of nothing', Buffer.from('%PDF-1.4\n%%EOF\n'), 'pdf_broken', /cannot be read as a PDF/],
    ['a PDF with a script', Buffer.from('%PDF-1.4 << /JS (1) >> %%EOF'), 'pdf_active', /scripts/],
    ['a letter', Buffer.from('Dear Sir or Madam'), 'unreadable', /neither a picture .* nor a PDF/],
  ])('a document · %s · is refused with what to do', async (_what, bytes, problem, message) => {
    const { status, body } = await upload(await person(), bytes, 'passport.pdf');
    expect(status).toBe(415);
    expect(body.message).toMatch(message);
    expect(body.data).toMatchObject({ error: 'unsupported_media', problem });
  });

  test('a document · beyond the fiftieth · is refused', async () => {
    const who = await person();
    await database.pool.query(
      `INSERT INTO kyc_documents (account_id, mime, bytes, sha256, path)
       SELECT $1::bigint, 'image/png', 1, 'x' || n, $1::text || '-' || n FROM generate_series(1, 50) n`,
      [who.id],
    );
    const files = await storedFiles();
    expect((await upload(who, picture)).status).toBe(409);
    expect(await storedFiles()).toBe(files);
  });
});

describe('what operators see', () => {
  async function submitted(document = PDF) {
    const who = await person();
    const documentId: number = (await upload(who, document)).body.data.id;
    await submit(who, good(documentId));
    const [row] = await rowsOf(who.id);
    return { who, documentId, id: Number(row.id) };
  }
  const auditOf = async (type: string, id: number) =>
    (
      await database.pool.query(
        'SELECT action FROM audit_log WHERE subject_type = $1 AND subject_id = $2',
        [type, id],
      )
    ).rows.map(({ action }) => action);

  test('a reviewer · shows the round · has the whole number, and is in the audit log', async () => {
    const { id, documentId, who } = await submitted();
    const shown = await reviewer.get(`/kyc/${id}`);
    expect(shown.status).toBe(200);
    expect(shown.headers['cache-control']).toBe('no-store');
    expect(shown.body.data).toMatchObject({
      id,
      account_id: who.id,
      document_number: 'GB-1234567',
      documents: [{ id: documentId, url: `/api/admin/kyc/documents/${documentId}` }],
      history: [],
    });
    expect(await auditOf('kyc', id)).toEqual(['kyc.read']);
  });

  test('a reviewer · downloads a document · gets the file as a download, and is in the audit log', async () => {
    const { documentId } = await submitted();
    const file = await reviewer.get(`/kyc/documents/${documentId}`).responseType('blob');
    expect(file.status).toBe(200);
    expect(file.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="document-${documentId}"`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
    expect(Buffer.compare(file.body as Buffer, PDF)).toBe(0);
    expect(await auditOf('kyc_document', documentId)).toEqual(['kyc_document.read']);
  });

  test('a picture · with metadata and a script behind it · is handed out as pixels only', async () => {
    const tail = Buffer.from('<script>alert(1)</script>');
    const { documentId } = await submitted(Buffer.concat([picture, tail]));
    const file = await reviewer.get(`/kyc/documents/${documentId}`).responseType('blob');
    expect((file.body as Buffer).includes('script')).toBe(false);
    expect(file.headers['content-type']).toBe('image/png');
  });

  test.each(['FINANCE', 'SUPPORT'] as const)('%s · asks for either · is refused', async (role) => {
    const { id, documentId } = await submitted();
    const refused = await operator(role);
    for (const at of [`/kyc/${id}`, `/kyc/documents/${documentId}`]) {
      expect((await refused.get(at)).body.data.error).toBe('forbidden_role');
    }
    expect(await auditOf('kyc', id)).toEqual([]);
  });

  test('its owner · has no way to the file · nor to the operators', async () => {
    const { who, documentId } = await submitted();
    const asked = await stand.bearing('admin', who.token).get(`/kyc/documents/${documentId}`);
    expect(asked.status).toBe(403);
  });

  test.each(['/987654321', '/documents/987654321', '/documents/x', '/0'])(
    '%s · of nothing · is 404',
    async (at) => {
      expect((await reviewer.get(`/kyc${at}`)).status).toBe(404);
    },
  );
});
