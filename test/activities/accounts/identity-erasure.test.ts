import { createIdentityActivities } from '../../../activities/accounts/identities.ts';
import { eraseIdentities, lookAtPapers } from '../../../activities/accounts/identity-erasure.ts';
import { createKycDocumentActivities } from '../../../activities/accounts/kyc-documents.ts';
import { createKycActivities } from '../../../activities/accounts/kyc.ts';
import type { ActivityDeps } from '../../../activities/deps.ts';
import { removeUnnamedFiles } from '../../../activities/upkeep/upkeep-files.ts';
import { runner } from '../../../db/postgres.ts';
import { runBook } from '../../../db/queries/books.ts';
import { KYC_INVARIANTS } from '../../../db/queries/kyc.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { image } from '../../support/images.ts';
import { makeOperator, makePublisher } from '../../support/make/account.ts';
import { activityDeps } from '../../support/settlement.ts';

const DAY_MS = 86_400_000;
const RETENTION_DAYS = 1_825;

let database: TestDatabase;
let deps: ActivityDeps;
let accountId: number;
let now: Date;

beforeEach(async () => {
  database = await createTestDatabase();
  now = new Date();
  deps = { ...activityDeps(database), clock: () => now };
  accountId = (await makePublisher(database.db)).id;
});
afterEach(async () => {
  await database.close();
});

const passDays = (days: number): void => {
  now = new Date(now.getTime() + days * DAY_MS);
};
const upload = async (colour = '#102030'): Promise<number> => {
  const bytes = await image('png', { colour });
  return (await createKycDocumentActivities(deps).storeKycDocument({ accountId, bytes })).id;
};
const submit = async (documentIds: number[]): Promise<number> => {
  await createKycActivities(deps).submitKyc({
    accountId,
    entityType: 'PERSONAL',
    legalName: 'Ada Lovelace',
    country: 'GB',
    documentNumber: 'GB-1234567',
    documentExpiresOn: '2999-12-31',
    documentIds,
  });
  const { rows } = await database.pool.query<{ id: string }>(
    'SELECT max(id) AS id FROM kyc_applications',
  );
  return Number(rows[0]?.id);
};
/** As a decision leaves it; the flow's own tests are in test/workflows/kyc.test.ts. */
const decided = async (
  id: number,
  { status, account }: { status: string; account: string },
): Promise<void> => {
  await database.pool.query(
    `UPDATE kyc_applications SET status = $2, decided_at = $3, expires_at = $3::timestamptz + interval '30 days',
       reasons = '[{"code": "UNREADABLE", "note": "Ada, your number 1234567 is cut off."}]' WHERE id = $1`,
    [id, status, now],
  );
  await database.pool.query('UPDATE accounts SET kyc_status = $2 WHERE id = $1', [
    accountId,
    account,
  ]);
};
const REJECTED = { status: 'REJECTED', account: 'rejected' };
const rejected = async (documents: number[]): Promise<number> => {
  const id = await submit(documents);
  await decided(id, REJECTED);
  return id;
};
const papers = async () => {
  const { rows } = await database.pool.query<{ path: string | null; gone: boolean }>(
    'SELECT path, erased_at IS NOT NULL AS gone FROM kyc_documents ORDER BY id',
  );
  return rows;
};
const broken = async (): Promise<string[]> => {
  const names = KYC_INVARIANTS.map(({ name }) => name);
  const checks = await Promise.all(
    names.map(async (name) => await runBook(runner(database.db), name)),
  );
  return checks.filter(({ ok }) => !ok).map(({ name }) => name);
};

test('papers that were sent back · kept long enough, by two rounds at once · are erased once, and the row says that they were there', async () => {
  const document = await upload();
  const id = await rejected([document]);
  const [{ path } = { path: null }] = await papers();
  passDays(RETENTION_DAYS - 0.1);
  expect(await eraseIdentities(deps)).toBe(0);
  passDays(0.2);
  const [one, other] = await Promise.all([eraseIdentities(deps), eraseIdentities(deps)]);
  expect(one + other).toBe(1);
  expect(await eraseIdentities(deps)).toBe(0);
  expect(await papers()).toEqual([{ path: null, gone: true }]);
  expect(await deps.providers.privateStore.has(path ?? '')).toBe(false);
  // Nor does any copy of the file open again.
  const keys = await database.pool.query('SELECT sealed_key FROM kyc_documents');
  expect(keys.rows).toEqual([{ sealed_key: null }]);
  const { rows } = await database.pool.query('SELECT * FROM kyc_applications WHERE id = $1', [id]);
  expect(rows).toMatchObject([
    {
      status: 'REJECTED',
      country: 'GB',
      legal_name: null,
      document_number_sealed: null,
      document_number_tail: null,
      document_expires_on: null,
      decided_at: expect.any(Date),
      erased_at: now,
      reasons: [{ code: 'UNREADABLE' }],
    },
  ]);
  const audit = await database.pool.query(
    `SELECT actor_type, subject_id, account_id, detail FROM audit_log WHERE action = 'kyc.erase'`,
  );
  expect(audit.rows).toEqual([
    {
      actor_type: 'SYSTEM',
      subject_id: String(id),
      account_id: String(accountId),
      detail: {
        round: 1,
        papers: [{ id: document, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
      },
    },
  ]);
  expect(await broken()).toEqual([]);
});

test('what was erased · read, sent and uploaded again · is not there, and is another paper', async () => {
  const document = await upload();
  const id = await rejected([document]);
  passDays(RETENTION_DAYS + 1);
  await eraseIdentities(deps);
  const read = {
    id: document,
    operatorId: (await makeOperator(database.db, 'REVIEWER')).id,
    requestId: 'r',
  };
  await expect(createKycDocumentActivities(deps).readKycDocument(read)).rejects.toMatchObject({
    token: 'not_found',
  });
  expect(await createKycActivities(deps).readKycNumber({ ...read, id })).toEqual({
    documentNumber: null,
  });
  await expect(submit([document])).rejects.toMatchObject({ token: 'validation_failed' });
  const again = await upload();
  expect(again).not.toBe(document);
  await submit([again]);
  expect((await papers()).map(({ gone }) => gone)).toEqual([true, false]);
});

test('an account that is held · kept long enough · keeps its papers until it is released', async () => {
  await rejected([await upload()]);
  passDays(RETENTION_DAYS + 1);
  const { holdPapers, releasePapers } = createIdentityActivities(deps);
  const operatorId = (await makeOperator(database.db, 'REVIEWER')).id;
  const command = { id: accountId, kind: 'PUBLISHER', operatorId, reason: 'Order 7/26' } as const;
  await expect(releasePapers(command)).rejects.toMatchObject({ token: 'state_conflict' });
  await expect(holdPapers({ ...command, kind: 'ADVERTISER' })).rejects.toMatchObject({
    token: 'not_found',
  });
  await holdPapers(command);
  await expect(holdPapers(command)).rejects.toMatchObject({ token: 'state_conflict' });
  expect(await eraseIdentities(deps)).toBe(0);
  expect((await papers())[0]?.gone).toBe(false);
  await releasePapers(command);
  expect(await eraseIdentities(deps)).toBe(1);
  const { rows } = await database.pool.query(
    `SELECT action, detail FROM audit_log WHERE actor_type = 'OPERATOR' ORDER BY id`,
  );
  expect(rows).toEqual([
    { action: 'kyc.hold', detail: { reason: 'Order 7/26' } },
    { action: 'kyc.release', detail: { reason: 'Order 7/26' } },
  ]);
});

test('a paper that a later round shows too · the first one’s time is over · stays until the last one’s', async () => {
  const shared = await upload();
  await rejected([shared, await upload('#405060')]);
  passDays(10);
  const later = await submit([shared]);
  await decided(later, { status: 'APPROVED', account: 'approved' });
  passDays(RETENTION_DAYS);
  expect(await eraseIdentities(deps)).toBe(1);
  expect((await papers()).map(({ gone }) => gone)).toEqual([false, true]);
  // What is approved is no paper of the past, however old it is.
  passDays(RETENTION_DAYS);
  expect(await eraseIdentities(deps)).toBe(0);
  await database.pool.query(`UPDATE kyc_applications SET status = 'SUPERSEDED' WHERE id = $1`, [
    later,
  ]);
  expect(await eraseIdentities(deps)).toBe(1);
  expect((await papers()).map(({ gone }) => gone)).toEqual([true, true]);
  expect(await broken()).toEqual([]);
});

test('row erased, and a death before its file · the file goes with the next sweep', async () => {
  await rejected([await upload()]);
  const [{ path } = { path: null }] = await papers();
  passDays(RETENTION_DAYS + 1);
  const { privateStore } = deps.providers;
  const dying = {
    ...deps,
    providers: {
      ...deps.providers,
      privateStore: {
        ...privateStore,
        remove: async () => await Promise.reject(new Error('the process died')),
      },
    },
  };
  await expect(eraseIdentities(dying)).rejects.toThrow('the process died');
  expect(await papers()).toEqual([{ path: null, gone: true }]);
  expect(await privateStore.has(path ?? '')).toBe(true);
  expect(await eraseIdentities(deps)).toBe(0);
  expect((await removeUnnamedFiles(deps)).documents).toBe(1);
  expect(await privateStore.has(path ?? '')).toBe(false);
});

test('the look at papers · one without its file · names it, and no other', async () => {
  const lost = await upload();
  await upload('#405060');
  expect(await lookAtPapers(deps)).toEqual({ looked: 2, missing: [] });
  const [{ path } = { path: null }] = await papers();
  await deps.providers.privateStore.remove(path ?? '');
  expect(await lookAtPapers(deps)).toEqual({ looked: 2, missing: [lost] });
});

test.each([
  [
    'papers_are_erased_in_time',
    `UPDATE kyc_applications SET decided_at = now() - interval '${RETENTION_DAYS + 2} days'`,
  ],
  ['erased_papers_are_gone', `UPDATE kyc_documents SET erased_at = now(), path = NULL`],
])('the books · %s · see what is planted', async (name, fault) => {
  await rejected([await upload()]);
  expect(await broken()).toEqual([]);
  await database.pool.query(fault);
  expect(await broken()).toEqual([name]);
});
