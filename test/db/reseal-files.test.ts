import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createPrivateStore, type FileRow, type KeptFile } from '../../db/files/private-store.ts';
import { nextId } from '../../db/next-id.ts';
import { runner } from '../../db/postgres.ts';
import { reseal } from '../../db/reseal.ts';
import { createColumnSealer, type DataKey, placeOf, sealedBy } from '../../db/sealed-columns.ts';
import { makePublisher } from '../support/make/account.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { cardsOf, keyOf, sealUnbound, textsOf } from '../support/sealed-rows.ts';
import { until } from '../support/until.ts';

/** Private files that rows name: their own keys lie sealed in these, and are what a new key of the ring seals anew. */
const [FIRST, SECOND] = [keyOf(1), keyOf(2)];

let database: TestDatabase;
let publisherId: number;
let cards: ReturnType<typeof cardsOf>;
let privateDir: string;
beforeEach(async () => {
  database = await createTestDatabase();
  privateDir = mkdtempSync(path.join(tmpdir(), 'adplatform-private-'));
  publisherId = (await makePublisher(database.db)).id;
  cards = cardsOf(database, publisherId);
});
afterEach(async () => {
  await database.close();
  rmSync(privateDir, { recursive: true });
});

const storeOf = (...keys: DataKey[]) =>
  createPrivateStore(privateDir, { sealer: createColumnSealer(keys) });
const rowOf = (id: number): FileRow => ({ of: 'kyc_documents.path', ownerId: publisherId, id });

/** As it is put now, with a key of its own. */
async function insertFile(text: string, key = FIRST): Promise<number> {
  const id = await nextId(runner(database.db), 'kyc_documents');
  const { path: name, sealedKey } = await storeOf(key).put(Buffer.from(text), rowOf(id));
  await nameFile(id, name, sealedKey);
  return id;
}
/** As a build before did: by the ring's key itself. */
async function insertOldFile(text: string, key = FIRST): Promise<{ id: number; name: string }> {
  const id = await nextId(runner(database.db), 'kyc_documents');
  const name = randomBytes(16).toString('hex');
  const place = placeOf('kyc_documents.path', publisherId, id, name);
  const sealed = createColumnSealer([key]).seal(Buffer.from(text).toString('base64'), place);
  await mkdir(path.dirname(fileOf(name)), { recursive: true });
  await writeFile(fileOf(name), `f.${sealed}`);
  await nameFile(id, name);
  return { id, name };
}
const nameFile = async (id: number, name: string, key: string | null = null) =>
  await database.pool.query(
    `INSERT INTO kyc_documents (id, account_id, mime, bytes, sha256, path, sealed_key)
       VALUES ($1, $2, 'image/png', 1, $3, $3, $4)`,
    [id, publisherId, name, key],
  );
const fileOf = (name: string): string => path.join(privateDir, name.slice(0, 2), name);
const keptOf = async (id: number): Promise<KeptFile> => {
  const { rows } = await database.pool.query<KeptFile>(
    'SELECT path, sealed_key AS "sealedKey" FROM kyc_documents WHERE id = $1',
    [id],
  );
  return rows[0] ?? { path: '', sealedKey: null };
};
const readAll = async (ids: readonly number[], ...keys: DataKey[]) =>
  await Promise.all(
    ids.map(async (id) => (await storeOf(...keys).read(await keptOf(id), rowOf(id))).toString()),
  );
/** Of the keys that open the files' own; 0 of a file without. */
const keysOfFiles = async (ids: readonly number[]) =>
  await Promise.all(ids.map(async (id) => sealedBy((await keptOf(id)).sealedKey ?? 'r.0.')));

it('of a build that bound their name alone · open nowhere · until they were bound, once', async () => {
  const name = 'ab'.repeat(16);
  await mkdir(path.dirname(fileOf(name)));
  const text = Buffer.from('passport').toString('base64');
  await writeFile(fileOf(name), `r.${sealUnbound(FIRST, text, `private-store:${name}`)}`);
  await nameFile(7, name);
  const old = { path: name, sealedKey: null };
  await expect(storeOf(FIRST).read(old, rowOf(7))).rejects.toThrow(/reseal unbound/);
  const refused = reseal(database.pool, [FIRST], { unbound: false, privateDir });
  await expect(refused).rejects.toThrow(/bound to no row/);
  await reseal(database.pool, [FIRST], { unbound: true, privateDir });
  expect(await readAll([7], FIRST)).toEqual(['passport']);
});

it('one whose key is not given, one that is gone, one moved · is named, kept, stopped at', async () => {
  const [file, gone] = [await insertOldFile('one'), await insertOldFile('gone')];
  const other = await insertOldFile('other', keyOf(9));
  const keys = [SECOND, FIRST];
  const options = { unbound: true, privateDir };
  await expect(reseal(database.pool, keys, options)).rejects.toThrow('key 9 is not in DATA_KEYS');
  expect(await readAll([file.id], FIRST)).toEqual(['one']);
  await rm(fileOf(other.name));
  await rm(fileOf(gone.name));
  const done = await reseal(database.pool, keys, options);
  expect(done.filter(({ resealed, kept }) => resealed + kept > 0)).toEqual([
    { column: 'kyc_documents.path', resealed: 1, kept: 2 },
  ]);
  expect(await readAll([file.id], SECOND)).toEqual(['one']);
  const mine = await insertOldFile('mine');
  await database.pool.query('DELETE FROM kyc_documents WHERE id = $1', [mine.id]);
  await nameFile(mine.id + 1_000, mine.name);
  await expect(reseal(database.pool, keys, options)).rejects.toThrow(
    `kyc_documents.path of row ${mine.id + 1_000} does not open`,
  );
});

it('a new key in front of files that have their own · seals those anew and touches no file · the old one may go', async () => {
  const ids = [await insertFile('one'), await insertFile('two')];
  const bytesOf = async () =>
    await Promise.all(ids.map(async (id) => await readFile(fileOf((await keptOf(id)).path))));
  const before = await bytesOf();
  const done = await reseal(database.pool, [SECOND, FIRST], { unbound: false, privateDir });
  expect(done.filter(({ resealed, kept }) => resealed + kept > 0)).toEqual([
    { column: 'kyc_documents.sealed_key', resealed: 2, kept: 0 },
  ]);
  expect(await bytesOf()).toEqual(before);
  expect(await readAll(ids, SECOND)).toEqual(['one', 'two']);
  await expect(readAll(ids, FIRST)).rejects.toThrow('column key 2 is not configured');
  // What is copied beside an old key of the row opens no more than what it was sealed with.
  const [stranger] = [await insertFile('three', keyOf(9))];
  await expect(readAll([stranger], SECOND)).rejects.toThrow('column key 9 is not configured');
  const options = { unbound: false, privateDir };
  await expect(reseal(database.pool, [SECOND], options)).rejects.toThrow(
    'kyc_documents.sealed_key: key 9 is not in DATA_KEYS',
  );
});

it('a file · opened, put in another’s place, or without its key · is on record each time', async () => {
  const [mine, other] = [await insertFile('mine'), await insertOldFile('other')];
  const seen: string[] = [];
  const store = createPrivateStore(privateDir, {
    sealer: createColumnSealer([FIRST], ({ column, isOpened }) => {
      seen.push(`${column} ${isOpened}`);
    }),
    onOpening: ({ column, isOpened }) => {
      seen.push(`${column} ${isOpened}`);
    },
  });
  const { path: name, sealedKey } = await keptOf(mine);
  await store.read({ path: name, sealedKey }, rowOf(mine));
  await expect(store.read({ path: name, sealedKey: null }, rowOf(mine))).rejects.toThrow(
    'the key of this file is gone',
  );
  await expect(store.read({ path: other.name, sealedKey }, rowOf(mine))).rejects.toThrow(
    'none of its row',
  );
  expect(seen).toEqual([
    'kyc_documents.sealed_key true',
    'kyc_documents.path true',
    'kyc_documents.path false',
    'kyc_documents.path false',
  ]);
});

/** `admin reseal` as an operator runs it. */
const command = () => ({
  args: ['--import', 'tsx', 'dev/admin.ts', 'reseal'],
  env: {
    ...process.env,
    POSTGRES_URL: database.ownerUrl,
    POSTGRES_OWNER_URL: database.ownerUrl,
    DATA_KEYS: [SECOND, FIRST].map(({ id, secret }) => `${id}:${secret.toString('hex')}`).join(','),
    PRIVATE_DIR: privateDir,
  },
});

/** Holds a row, so that the command stops in front of it, and kills it there. */
async function killedAt(row: string, meanwhile: () => Promise<void>): Promise<void> {
  const holder = await database.pool.connect();
  let child: ChildProcess | undefined;
  try {
    await holder.query('BEGIN');
    await holder.query(`SELECT 1 FROM ${row} FOR UPDATE`);
    const { args, env } = command();
    child = spawn(process.execPath, args, { env, stdio: 'inherit' });
    await until({ what: `it waits for ${row}`, withinMs: 60_000 }, isWaiting);
    await meanwhile();
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  } finally {
    child?.kill('SIGKILL');
    await holder.query('ROLLBACK');
    holder.release();
  }
  await until('its session is over', async () => !(await isThere()));
}
const admins = async (also: string): Promise<boolean> =>
  (
    await database.pool.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'admin' ${also}`,
    )
  ).rows.length > 0;
const isWaiting = async () => await admins(`AND wait_event_type = 'Lock'`);
const isThere = async () => await admins('');

it('a new key in front, killed in between, twice, under traffic · everybody reads all · a third run ends it', async () => {
  const old = createColumnSealer([FIRST]);
  for (let row = 1; row <= 450; row += 1) {
    await cards.insert(row, old.seal(`${row}`, cards.place(row)));
  }
  const old3 = [
    await insertOldFile('one'),
    await insertOldFile('two'),
    await insertOldFile('three'),
  ];
  const files = old3.map(({ id }) => id);
  const sealer = createColumnSealer([SECOND, FIRST]);
  const keysOfCards = async (): Promise<Record<string, number>> => {
    const keys = Object.values(await textsOf(database, 'bank_cards', 'sealed_info')).map(
      (text) => text.split('.')[1] ?? '',
    );
    return Object.fromEntries(
      ['1', '2'].map((key) => [key, keys.filter((each) => each === key).length]),
    );
  };
  const everybodyReads = async (): Promise<void> => {
    for (const [row, text] of Object.entries(
      await textsOf(database, 'bank_cards', 'sealed_info'),
    )) {
      expect(sealer.open(text, cards.place(Number(row)))).toBe(row);
    }
    expect((await readAll(files, SECOND, FIRST)).slice(0, 3)).toEqual(['one', 'two', 'three']);
  };
  await killedAt('bank_cards WHERE id = 300', async () => {
    expect(await keysOfCards()).toEqual({ 1: 250, 2: 200 });
    await everybodyReads();
    await cards.insert(451, sealer.seal('451', cards.place(451)));
    files.push(await insertFile('four', SECOND));
  });
  expect(await keysOfCards()).toEqual({ 1: 250, 2: 201 });
  expect(await keysOfFiles(files)).toEqual([0, 0, 0, 2]);
  await everybodyReads();

  await killedAt(`kyc_documents WHERE id = ${files[1]}`, async () => {
    expect(await keysOfFiles(files)).toEqual([2, 0, 0, 2]);
    await everybodyReads();
  });
  const { args, env } = command();
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  expect(stdout).toContain('bank_cards.sealed_info: 0 sealed anew, 0 kept');
  expect(stdout).toContain('kyc_documents.path: 2 sealed anew, 0 kept');
  // The old key may go.
  expect(await readAll(files, SECOND)).toEqual(['one', 'two', 'three', 'four']);
  expect(await keysOfCards()).toEqual({ 1: 0, 2: 451 });
}, 180_000);
