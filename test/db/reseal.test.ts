import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createCipheriv, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createPrivateStore, type FileRow, keyOfFile } from '../../db/files/private-store.ts';
import { nextId } from '../../db/next-id.ts';
import { runner } from '../../db/postgres.ts';
import { reseal } from '../../db/reseal.ts';
import {
  createColumnSealer,
  type DataKey,
  placeOf,
  SEALED_COLUMNS,
  type SealedPlace,
} from '../../db/sealed-columns.ts';
import { makeAdvertiser, makePublisher } from '../support/make/account.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

const keyOf = (id: number): DataKey => ({ id, secret: Buffer.alloc(32, id) });
const [FIRST, SECOND] = [keyOf(1), keyOf(2)];

let database: TestDatabase;
let publisherId: number;
let advertiserId: number;
let privateDir: string;
beforeEach(async () => {
  database = await createTestDatabase();
  privateDir = mkdtempSync(path.join(tmpdir(), 'adplatform-private-'));
  publisherId = (await makePublisher(database.db)).id;
  advertiserId = (await makeAdvertiser(database.db)).id;
});
afterEach(async () => {
  await database.close();
  rmSync(privateDir, { recursive: true });
});

/** As builds sealed that bound the column alone. */
function sealUnbound({ id, secret }: DataKey, text: string, column: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', secret, iv).setAAD(Buffer.from(column));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `${id}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
}

const cardPlace = (row: number): SealedPlace => placeOf('bank_cards.sealed_info', publisherId, row);
const secretPlace = (row: number): SealedPlace =>
  placeOf('webhook_endpoints.sealed_secret', advertiserId, row);

async function insertCard(row: number, sealed: string): Promise<void> {
  await database.pool.query(
    `INSERT INTO bank_cards (id, publisher_id, sealed_info, last4, country, currency, usable_from, shown, fingerprint)
     VALUES ($1, $2, $3, '0000', 'DE', 'EUR', now(), '{}', $4)`,
    [row, publisherId, Buffer.from(sealed), `card ${row}`],
  );
}

async function insertEndpoint(row: number, now: string, before: string): Promise<void> {
  await database.pool.query(
    `INSERT INTO webhook_endpoints (id, account_id, url, kinds, sealed_secret, sealed_before, before_until)
     VALUES ($1, $2, 'https://hooks.example', '[]', $3, $4, now())`,
    [row, advertiserId, now, before],
  );
}

/** One that is on its way, and one that has ended: a law of the table keeps both as they were asked for. */
async function insertWithdrawals(sealed: (row: number) => string): Promise<void> {
  for (const [row, status] of ['PENDING', 'PAID'].entries()) {
    await database.pool.query(
      `INSERT INTO withdrawals (id, publisher_id, amount_nanos, arrival_nanos, channel, status, sealed_account)
       VALUES ($1, $2, 1, 1, 'BANK', $3, $4)`,
      [row + 1, publisherId, status, Buffer.from(sealed(row + 1))],
    );
  }
}

const accountPlace = (row: number): SealedPlace =>
  placeOf('withdrawals.sealed_account', publisherId, row);

async function textsOf(table: string, column: string): Promise<Record<string, string>> {
  const { rows } = await database.pool.query<{ id: string; sealed: Buffer | string }>(
    `SELECT id, ${column} AS sealed FROM ${table}`,
  );
  return Object.fromEntries(rows.map(({ id, sealed }) => [id, sealed.toString()]));
}

it('every column of sealed texts · of the database · is known to who seals anew', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name LIKE '%sealed%' ORDER BY 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(
    [...Object.keys(SEALED_COLUMNS), 'webhook_endpoints.sealed_before'].toSorted(),
  );
});

it('a new key in front · every row sealed anew, twice · the old key may go, but for what is on its way', async () => {
  const old = createColumnSealer([FIRST]);
  await insertCard(1, old.seal('one', cardPlace(1)));
  for (let row = 2; row <= 450; row += 1) await insertCard(row, old.seal(`${row}`, cardPlace(row)));
  await insertEndpoint(5, old.seal('now', secretPlace(5)), old.seal('before', secretPlace(5)));
  await insertWithdrawals((row) => old.seal(`to ${row}`, accountPlace(row)));

  const done = await reseal(database.pool, [SECOND, FIRST], { unbound: false, privateDir });
  expect(done.filter(({ resealed, kept }) => resealed + kept > 0)).toEqual([
    { column: 'bank_cards.sealed_info', resealed: 450, kept: 0 },
    { column: 'webhook_endpoints.sealed_secret', resealed: 1, kept: 0 },
    { column: 'withdrawals.sealed_account', resealed: 1, kept: 1 },
    { column: 'webhook_endpoints.sealed_before', resealed: 1, kept: 0 },
  ]);
  const again = await reseal(database.pool, [SECOND, FIRST], { unbound: false, privateDir });
  expect(again.filter(({ resealed }) => resealed > 0)).toEqual([]);

  const sealer = createColumnSealer([SECOND]);
  const cards = await textsOf('bank_cards', 'sealed_info');
  expect(sealer.open(cards['1'] ?? '', cardPlace(1))).toBe('one');
  expect(sealer.open(cards['450'] ?? '', cardPlace(450))).toBe('450');
  const before = await textsOf('webhook_endpoints', 'sealed_before');
  expect(sealer.open(before['5'] ?? '', secretPlace(5))).toBe('before');
  const accounts = await textsOf('withdrawals', 'sealed_account');
  expect(sealer.open(accounts['2'] ?? '', accountPlace(2))).toBe('to 2');
  expect(old.open(accounts['1'] ?? '', accountPlace(1))).toBe('to 1');
  // The law of the table holds again.
  await expect(
    database.pool.query(`UPDATE withdrawals SET sealed_account = '' WHERE id = 2`),
  ).rejects.toThrow(/stay as they were requested/);
});

it('a key that is not given · nothing is written, and it is named', async () => {
  await insertCard(1, createColumnSealer([FIRST]).seal('one', cardPlace(1)));
  await insertCard(2, createColumnSealer([keyOf(9)]).seal('two', cardPlace(2)));
  const before = await textsOf('bank_cards', 'sealed_info');
  await expect(
    reseal(database.pool, [SECOND, FIRST], { unbound: true, privateDir }),
  ).rejects.toThrow('bank_cards.sealed_info: key 9 is not in DATA_KEYS');
  expect(await textsOf('bank_cards', 'sealed_info')).toEqual(before);
});

it('a text copied from another row · sealed anew · stops there and names the row', async () => {
  const sealer = createColumnSealer([FIRST]);
  await insertCard(1, sealer.seal('mine', cardPlace(1)));
  await insertCard(2, sealer.seal('mine', cardPlace(1)));
  await expect(
    reseal(database.pool, [SECOND, FIRST], { unbound: true, privateDir }),
  ).rejects.toThrow(/bank_cards\.sealed_info of row \d+\/2 does not open/);
});

it('texts of a build that knew no rows · opened nowhere · until they were bound, once', async () => {
  const unbound = sealUnbound(FIRST, 'old', 'bank_cards.sealed_info');
  await insertCard(1, unbound);
  await insertEndpoint(
    5,
    sealUnbound(FIRST, 'now', 'webhook_endpoints.secret'),
    sealUnbound(FIRST, 'before', 'webhook_endpoints.secret'),
  );
  await insertWithdrawals(() => sealUnbound(FIRST, 'to', 'withdrawals.sealed_account'));
  const sealer = createColumnSealer([FIRST]);
  expect(() => sealer.open(unbound, cardPlace(1))).toThrow(/reseal unbound/);
  await expect(reseal(database.pool, [FIRST], { unbound: false, privateDir })).rejects.toThrow(
    /bound to no row/,
  );

  const done = await reseal(database.pool, [FIRST], { unbound: true, privateDir });
  expect(done.reduce((sum, { resealed }) => sum + resealed, 0)).toBe(5);
  expect(done.every(({ kept }) => kept === 0)).toBe(true);
  const cards = await textsOf('bank_cards', 'sealed_info');
  expect(sealer.open(cards['1'] ?? '', cardPlace(1))).toBe('old');
  const secrets = await textsOf('webhook_endpoints', 'sealed_secret');
  expect(sealer.open(secrets['5'] ?? '', secretPlace(5))).toBe('now');
});

describe('files that rows name', () => {
  const storeOf = (...keys: DataKey[]) => createPrivateStore(privateDir, createColumnSealer(keys));
  const rowOf = (id: number): FileRow => ({ of: 'kyc_documents.path', ownerId: publisherId, id });

  async function insertFile(text: string, key = FIRST): Promise<{ id: number; name: string }> {
    const id = await nextId(runner(database.db), 'kyc_documents');
    const name = await storeOf(key).put(Buffer.from(text), rowOf(id));
    await nameFile(id, name);
    return { id, name };
  }
  const nameFile = async (id: number, name: string) =>
    await database.pool.query(
      `INSERT INTO kyc_documents (id, account_id, mime, bytes, sha256, path) VALUES ($1, $2, 'image/png', 1, $3, $3)`,
      [id, publisherId, name],
    );
  const fileOf = (name: string): string => path.join(privateDir, name.slice(0, 2), name);
  const readAll = async (files: { id: number; name: string }[], ...keys: DataKey[]) =>
    await Promise.all(
      files.map(async ({ id, name }) => (await storeOf(...keys).read(name, rowOf(id))).toString()),
    );

  it('of a build that bound their name alone · open nowhere · until they were bound, once', async () => {
    const name = 'ab'.repeat(16);
    await mkdir(path.dirname(fileOf(name)));
    const text = Buffer.from('passport').toString('base64');
    await writeFile(fileOf(name), `r.${sealUnbound(FIRST, text, `private-store:${name}`)}`);
    await nameFile(7, name);
    await expect(storeOf(FIRST).read(name, rowOf(7))).rejects.toThrow(/reseal unbound/);
    const refused = reseal(database.pool, [FIRST], { unbound: false, privateDir });
    await expect(refused).rejects.toThrow(/bound to no row/);
    await reseal(database.pool, [FIRST], { unbound: true, privateDir });
    expect(await readAll([{ id: 7, name }], FIRST)).toEqual(['passport']);
  });

  it('one whose key is not given, one that is gone, one moved · is named, kept, stopped at', async () => {
    const [file, gone] = [await insertFile('one'), await insertFile('gone')];
    const other = await insertFile('other', keyOf(9));
    const keys = [SECOND, FIRST];
    const options = { unbound: true, privateDir };
    await expect(reseal(database.pool, keys, options)).rejects.toThrow('key 9 is not in DATA_KEYS');
    expect(await readAll([file], FIRST)).toEqual(['one']);
    await rm(fileOf(other.name));
    await rm(fileOf(gone.name));
    const done = await reseal(database.pool, keys, options);
    expect(done.filter(({ resealed, kept }) => resealed + kept > 0)).toEqual([
      { column: 'kyc_documents.path', resealed: 1, kept: 2 },
    ]);
    expect(await readAll([file], SECOND)).toEqual(['one']);
    const mine = await insertFile('mine');
    await database.pool.query('DELETE FROM kyc_documents WHERE id = $1', [mine.id]);
    await nameFile(mine.id + 1_000, mine.name);
    await expect(reseal(database.pool, keys, options)).rejects.toThrow(
      `kyc_documents.path of row ${mine.id + 1_000} does not open`,
    );
  });

  /** `admin reseal` as an operator runs it. */
  const command = () => ({
    args: ['--import', 'tsx', 'dev/admin.ts', 'reseal'],
    env: {
      ...process.env,
      POSTGRES_URL: database.ownerUrl,
      POSTGRES_OWNER_URL: database.ownerUrl,
      DATA_KEYS: [SECOND, FIRST]
        .map(({ id, secret }) => `${id}:${secret.toString('hex')}`)
        .join(','),
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
      await insertCard(row, old.seal(`${row}`, cardPlace(row)));
    }
    const files = [await insertFile('one'), await insertFile('two'), await insertFile('three')];
    const sealer = createColumnSealer([SECOND, FIRST]);
    const keysOfCards = async (): Promise<Record<string, number>> => {
      const keys = Object.values(await textsOf('bank_cards', 'sealed_info')).map(
        (text) => text.split('.')[1] ?? '',
      );
      return Object.fromEntries(
        ['1', '2'].map((key) => [key, keys.filter((each) => each === key).length]),
      );
    };
    const everybodyReads = async (): Promise<void> => {
      for (const [row, text] of Object.entries(await textsOf('bank_cards', 'sealed_info'))) {
        expect(sealer.open(text, cardPlace(Number(row)))).toBe(row);
      }
      expect((await readAll(files, SECOND, FIRST)).slice(0, 3)).toEqual(['one', 'two', 'three']);
    };
    const keysOfFiles = async () =>
      await Promise.all(
        files.map(async ({ name }) => keyOfFile(await readFile(fileOf(name), 'utf8')).id),
      );

    await killedAt('bank_cards WHERE id = 300', async () => {
      expect(await keysOfCards()).toEqual({ 1: 250, 2: 200 });
      await everybodyReads();
      await insertCard(451, sealer.seal('451', cardPlace(451)));
      files.push(await insertFile('four', SECOND));
    });
    expect(await keysOfCards()).toEqual({ 1: 250, 2: 201 });
    expect(await keysOfFiles()).toEqual([1, 1, 1, 2]);
    await everybodyReads();

    await killedAt(`kyc_documents WHERE id = ${files[1]?.id}`, async () => {
      expect(await keysOfFiles()).toEqual([2, 1, 1, 2]);
      await everybodyReads();
    });
    // As if it had died in the middle of a file.
    await writeFile(`${fileOf(files[1]?.name ?? '')}.part`, 'f.r.2.half');
    await everybodyReads();

    const { args, env } = command();
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    expect(stdout).toContain('bank_cards.sealed_info: 0 sealed anew, 0 kept');
    expect(stdout).toContain('kyc_documents.path: 2 sealed anew, 0 kept');
    // The old key may go.
    expect(await readAll(files, SECOND)).toEqual(['one', 'two', 'three', 'four']);
    expect(await keysOfCards()).toEqual({ 1: 0, 2: 451 });
  }, 180_000);
});
