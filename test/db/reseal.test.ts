import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { reseal } from '../../db/reseal.ts';
import {
  createColumnSealer,
  placeOf,
  SEALED_COLUMNS,
  type SealedPlace,
} from '../../db/sealed-columns.ts';
import { makeAdvertiser, makePublisher } from '../support/make/account.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { cardsOf, keyOf, sealUnbound, textsOf } from '../support/sealed-rows.ts';

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

const cardPlace = (row: number): SealedPlace => cardsOf(database, publisherId).place(row);
const insertCard = async (row: number, sealed: string): Promise<void> => {
  await cardsOf(database, publisherId).insert(row, sealed);
};
const secretPlace = (row: number): SealedPlace =>
  placeOf('webhook_endpoints.sealed_secret', advertiserId, row);

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
  const cards = await textsOf(database, 'bank_cards', 'sealed_info');
  expect(sealer.open(cards['1'] ?? '', cardPlace(1))).toBe('one');
  expect(sealer.open(cards['450'] ?? '', cardPlace(450))).toBe('450');
  const before = await textsOf(database, 'webhook_endpoints', 'sealed_before');
  expect(sealer.open(before['5'] ?? '', secretPlace(5))).toBe('before');
  const accounts = await textsOf(database, 'withdrawals', 'sealed_account');
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
  const before = await textsOf(database, 'bank_cards', 'sealed_info');
  await expect(
    reseal(database.pool, [SECOND, FIRST], { unbound: true, privateDir }),
  ).rejects.toThrow('bank_cards.sealed_info: key 9 is not in DATA_KEYS');
  expect(await textsOf(database, 'bank_cards', 'sealed_info')).toEqual(before);
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
  const cards = await textsOf(database, 'bank_cards', 'sealed_info');
  expect(sealer.open(cards['1'] ?? '', cardPlace(1))).toBe('old');
  const secrets = await textsOf(database, 'webhook_endpoints', 'sealed_secret');
  expect(sealer.open(secrets['5'] ?? '', secretPlace(5))).toBe('now');
});
