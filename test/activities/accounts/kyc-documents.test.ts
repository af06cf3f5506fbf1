import type { ActivityDeps } from '../../../activities/deps.ts';
import {
  createKycDocumentActivities,
  deleteUnsubmittedDocuments,
} from '../../../activities/accounts/kyc-documents.ts';
import { createKycActivities } from '../../../activities/accounts/kyc.ts';
import { createUpkeepActivities } from '../../../activities/upkeep/upkeep.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { image } from '../../support/images.ts';
import { activityDeps } from '../../support/settlement.ts';
import { until } from '../../support/until.ts';
import type { FileRow, KeptFile } from '../../../db/files/private-store.ts';
import { makeOperator, makePublisher } from '../../support/make/account.ts';

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

const DAY_MS = 86_400_000;
const passDays = (days: number): void => {
  now = new Date(now.getTime() + days * DAY_MS);
};

async function upload(colour = '#102030'): Promise<number> {
  const bytes = await image('png', { colour });
  return (await createKycDocumentActivities(deps).storeKycDocument({ accountId, bytes })).id;
}

async function submit(documentIds: number[]): Promise<void> {
  await createKycActivities(deps).submitKyc({
    accountId,
    entityType: 'PERSONAL',
    legalName: 'Ada Lovelace',
    country: 'GB',
    documentNumber: 'GB-1234567',
    documentExpiresOn: null,
    documentIds,
  });
}

type Document = KeptFile & { id: number };
async function documents(): Promise<Document[]> {
  const { rows } = await database.pool.query<KeptFile & { id: string }>(
    'SELECT id, path, sealed_key AS "sealedKey" FROM kyc_documents ORDER BY id',
  );
  return rows.map((row) => ({ ...row, id: Number(row.id) }));
}

const first = async (): Promise<Document> => {
  const [document] = await documents();
  if (document === undefined) throw new Error('there is no document');
  return document;
};

const rowOf = (id: number, ownerId = accountId): FileRow => ({
  of: 'kyc_documents.path',
  ownerId,
  id,
});

const auditOf = async () =>
  (
    await database.pool.query(
      `SELECT actor_type, action, subject_id, detail FROM audit_log
       WHERE subject_type = 'kyc_document' ORDER BY id`,
    )
  ).rows;

describe('a document that nobody submitted', () => {
  test('thirty days after its upload · goes with its file, once, and the audit log says so', async () => {
    const id = await upload();
    const document = await first();
    passDays(29.9);
    expect(await deleteUnsubmittedDocuments(deps)).toBe(0);
    expect(
      (await deps.providers.privateStore.read(document, rowOf(document.id))).length,
    ).toBeGreaterThan(0);
    passDays(0.2);
    expect(await deleteUnsubmittedDocuments(deps)).toBe(1);
    expect(await documents()).toEqual([]);
    await expect(deps.providers.privateStore.read(document, rowOf(document.id))).rejects.toThrow(
      'ENOENT',
    );
    expect(await deleteUnsubmittedDocuments(deps)).toBe(0);
    expect(await auditOf()).toEqual([
      {
        actor_type: 'SYSTEM',
        action: 'kyc_document.delete',
        subject_id: String(id),
        detail: { account_id: accountId, never_submitted: true },
      },
    ]);
    await expect(submit([id])).rejects.toMatchObject({ token: 'validation_failed' });
  });

  test('uploaded again meanwhile · has thirty days from then; deleted, it may come again', async () => {
    const id = await upload();
    passDays(29);
    expect(await upload()).toBe(id);
    passDays(29);
    expect(await deleteUnsubmittedDocuments(deps)).toBe(0);
    passDays(2);
    expect((await createUpkeepActivities(deps).runUpkeep()).kycDocuments).toBe(1);
    const again = await upload();
    expect(again).not.toBe(id);
    await submit([again]);
  });

  test('row gone, and a death before the file · the file goes a day later', async () => {
    await upload();
    const document = await first();
    await database.pool.query('DELETE FROM kyc_documents');
    passDays(2);
    const report = await createUpkeepActivities(deps).runUpkeep();
    expect(report).toMatchObject({ kycDocuments: 0, unnamedFiles: { media: 0, documents: 1 } });
    await expect(deps.providers.privateStore.read(document, rowOf(document.id))).rejects.toThrow(
      'ENOENT',
    );
  });
});

describe('a document of a round', () => {
  test.each(['PENDING', 'REJECTED', 'APPROVED', 'EXPIRED'])(
    'that is %s · stays however old it is; one beside it that was not part of it goes',
    async (status) => {
      const [part, beside] = [await upload(), await upload('#405060')];
      await submit([part]);
      await database.pool.query('UPDATE kyc_applications SET status = $1', [status]);
      passDays(400);
      expect(await deleteUnsubmittedDocuments(deps)).toBe(1);
      expect((await documents()).map(({ id }) => id)).toEqual([part]);
      expect((await auditOf()).map(({ subject_id: id }) => Number(id))).toEqual([beside]);
    },
  );

  test('that begins while upkeep looks · stays', async () => {
    const id = await upload();
    passDays(31);
    const client = await database.pool.connect();
    try {
      // As submitKyc does: the account's lock, then the row of the round.
      await client.query('BEGIN');
      await client.query('SELECT id FROM accounts WHERE id = $1 FOR UPDATE', [accountId]);
      await client.query(
        `INSERT INTO kyc_applications (account_id, round, entity_type, legal_name, country,
           document_number_sealed, document_number_tail, document_ids, workflow_id)
         VALUES ($1, 1, 'PERSONAL', 'Ada', 'GB', 'x', 'x', ARRAY[$2::bigint], 'kyc:test')`,
        [accountId, id],
      );
      const deleting = deleteUnsubmittedDocuments(deps);
      await waitsForLock();
      await client.query('COMMIT');
      expect(await deleting).toBe(0);
    } finally {
      client.release();
    }
    const document = await first();
    expect(
      (await deps.providers.privateStore.read(document, rowOf(document.id))).length,
    ).toBeGreaterThan(0);
  });

  async function waitsForLock(): Promise<void> {
    await until('upkeep waits for whoever submits', async () => {
      const { rowCount } = await database.pool.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rowCount !== null && rowCount > 0;
    });
  }
});

test('a document · whose row may have been committed when the database went away · keeps its file', async () => {
  const bytes = await image('png');
  const { sequelize } = deps.db;
  const broken = Object.assign(Object.create(sequelize) as typeof sequelize, {
    transaction: async (run: (tx: unknown) => Promise<unknown>) => {
      await sequelize.transaction(run as Parameters<typeof sequelize.transaction>[0]);
      throw new Error('Connection terminated unexpectedly');
    },
  });
  const cut = createKycDocumentActivities({ ...deps, db: { ...deps.db, sequelize: broken } });
  await expect(cut.storeKycDocument({ accountId, bytes })).rejects.toThrow('terminated');
  const document = await first();
  expect(
    (await deps.providers.privateStore.read(document, rowOf(document.id))).length,
  ).toBeGreaterThan(0);
});

test('the papers of two people · their names, their keys or both swapped, or a row handed over · open for nobody', async () => {
  const [mine, other] = [await upload(), await upload('#405060')];
  const kept = await documents();
  const papers = createKycDocumentActivities(deps);
  const { id: operatorId } = await makeOperator(database.db, 'REVIEWER');
  const look = async (id: number) =>
    await papers.readKycDocument({ id, operatorId, requestId: 'look' });
  const honest = (await look(mine)).bytes;
  const [{ path: minePath, sealedKey: mineKey }, { path: otherPath, sealedKey: otherKey }] = [
    kept.find(({ id }) => id === mine) ?? (await first()),
    kept.find(({ id }) => id === other) ?? (await first()),
  ];
  const say = async (id: number, path: string, key: string | null): Promise<void> => {
    await database.pool.query('UPDATE kyc_documents SET path = $2, sealed_key = $3 WHERE id = $1', [
      id,
      path,
      key,
    ]);
  };
  const both = async (swapped: { paths?: boolean; keys?: boolean }): Promise<void> => {
    await say(mine, 'aside', null);
    await say(
      other,
      swapped.paths === true ? minePath : otherPath,
      swapped.keys === true ? mineKey : otherKey,
    );
    await say(
      mine,
      swapped.paths === true ? otherPath : minePath,
      swapped.keys === true ? otherKey : mineKey,
    );
  };
  for (const swapped of [{ paths: true }, { keys: true }, { paths: true, keys: true }]) {
    await both(swapped);
    for (const id of [mine, other]) await expect(look(id)).rejects.toThrow(/authenticate/);
  }
  await both({});
  const thief = await makePublisher(database.db);
  const hand = async (owner: number) =>
    await database.pool.query('UPDATE kyc_documents SET account_id = $2 WHERE id = $1', [
      mine,
      owner,
    ]);
  await hand(thief.id);
  await expect(look(mine)).rejects.toThrow(/authenticate/);
  await hand(accountId);
  expect((await look(mine)).bytes).toEqual(honest);
  // Without its key the file is nobody's any more, wherever a copy of it lies.
  await say(mine, minePath, null);
  await expect(look(mine)).rejects.toThrow('the key of this file is gone');
  await say(mine, minePath, mineKey);
  expect((await look(mine)).bytes).toEqual(honest);
});
