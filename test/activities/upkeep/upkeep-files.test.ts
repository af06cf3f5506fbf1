import {
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { ActivityDeps } from '../../../activities/deps.ts';
import { createMediaActivities, keepImage } from '../../../activities/inventory/media.ts';
import { removeUnnamedFiles } from '../../../activities/upkeep/upkeep-files.ts';
import { createUpkeepActivities } from '../../../activities/upkeep/upkeep.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { image } from '../../support/images.ts';
import { activityDeps } from '../../support/settlement.ts';
import { html5Zip } from '../../support/zips.ts';
import { makeAdvertiser, makeOperator } from '../../support/make/account.ts';

let database: TestDatabase;
let deps: ActivityDeps;
let root: string;
let media: ReturnType<typeof createMediaActivities>;
let advertiserId: number;
let told: Record<string, unknown>[];

beforeEach(async () => {
  database = await createTestDatabase();
  told = [];
  const lines = new Writable({
    write: (line: Buffer, _encoding, done) => {
      told.push(JSON.parse(line.toString()) as Record<string, unknown>);
      done();
    },
  });
  deps = { ...activityDeps(database), log: pino(lines) };
  root = path.dirname(deps.providers.mediaStore.incoming);
  media = createMediaActivities(deps);
  advertiserId = (await makeAdvertiser(database.db)).id;
});
afterEach(async () => {
  await database.close();
});

const HOUR_MS = 3_600_000;

function age(file: string, hours = 25): void {
  const then = new Date(Date.now() - hours * HOUR_MS);
  utimesSync(path.join(root, file), then, then);
}
const lies = (file: string): boolean => existsSync(path.join(root, file));
const name = (digits: string): string => digits.repeat(32).slice(0, 32);

async function upload(bytes: Buffer): Promise<{ id: number; created: boolean }> {
  const { incoming } = deps.providers.mediaStore;
  await mkdir(incoming, { recursive: true });
  const file = path.join(incoming, `upload-${bytes.length}-${Math.random()}`);
  await writeFile(file, bytes);
  return await media.storeUpload({
    advertiserId,
    path: file,
    name: null,
    types: ['IMAGE', 'HTML5'],
  });
}

async function pathOf(id: number): Promise<string> {
  const { rows } = await database.pool.query<{ path: string }>(
    'SELECT path FROM media WHERE id = $1',
    [id],
  );
  return rows[0]?.path ?? '';
}

/** What a death between the file and its row leaves. */
const orphan = async (): Promise<string> => (await keepImage(deps, await image('png'))).path;

describe('a media file', () => {
  test('named by no row, a day old · is removed, once, and the log tells how many', async () => {
    const [old, other] = [await orphan(), await orphan()];
    for (const file of [old, other]) age(file);
    expect(await removeUnnamedFiles(deps)).toEqual({ media: 2, documents: 0 });
    expect([lies(old), lies(other)]).toEqual([false, false]);
    expect(await removeUnnamedFiles(deps)).toEqual({ media: 0, documents: 0 });
    expect(told).toMatchObject([{ level: 30, store: 'media', looked: 2, removed: 2, cut: false }]);
  });

  test('named by no row, some hours old · stays: its row may be on its way', async () => {
    const young = await orphan();
    age(young, 23);
    expect(await removeUnnamedFiles(deps)).toEqual({ media: 0, documents: 0 });
    expect(lies(young)).toBe(true);
    expect(told).toEqual([]);
  });

  test('named by a row, shown, archived or generated · stays however old it is', async () => {
    const shown = await upload(await image('png', { colour: '#111111' }));
    const archived = await upload(await image('png', { colour: '#222222' }));
    const page = await upload(await html5Zip());
    await media.archiveMedia({ id: archived.id, advertiserId });
    const made = (await keepImage(deps, await image('webp'))).path;
    await database.pool.query(
      `WITH made AS (
         INSERT INTO media (advertiser_id, type, mime, bytes, sha256, path, source)
         VALUES ($1, 'IMAGE', 'image/webp', 1, 'ai', $2, 'AI') RETURNING id),
       job AS (
         INSERT INTO ai_jobs (advertiser_id, kind, request) VALUES ($1, 'IMAGE', '{}') RETURNING id)
       INSERT INTO ai_results (job_id, item, provider, media_id)
       SELECT job.id, 1, 'test', made.id FROM made, job`,
      [advertiserId, made],
    );
    const files = [made];
    for (const { id } of [shown, archived, page]) files.push(await pathOf(id));
    const stray = await orphan();
    for (const file of [...files, stray]) age(file);
    for (const file of files) if (file.endsWith('/index.html')) age(path.dirname(file));
    expect(await removeUnnamedFiles(deps)).toEqual({ media: 1, documents: 0 });
    expect(files.map(lies)).toEqual([true, true, true, true]);
    expect(lies(stray)).toBe(false);
  });

  test('a bundle and drafts of both kinds · go as a whole; what is not of our naming stays', async () => {
    const { mediaStore } = deps.providers;
    const pages = [
      { name: 'index.html', bytes: Buffer.from('<p>') },
      { name: 'js/a.js', bytes: Buffer.from('1') },
    ];
    const bundle = `ab/${name('ab')}`;
    await mediaStore.putBundle(bundle, pages);
    const draftFolder = `cd/${name('cd')}.part`;
    mkdirSync(path.join(root, draftFolder, 'js'), { recursive: true });
    const draftFile = `cd/${name('cde')}.png.part`;
    const foreign = ['ab/README', `ab/x${name('ab')}.png`, `zz-${name('1')}`];
    for (const file of [draftFile, ...foreign]) writeFileSync(path.join(root, file), 'bytes');
    for (const file of [bundle, draftFolder, draftFile, ...foreign]) age(file);
    expect(await removeUnnamedFiles(deps)).toEqual({ media: 3, documents: 0 });
    expect([bundle, draftFolder, draftFile].map(lies)).toEqual([false, false, false]);
    expect(foreign.map(lies)).toEqual([true, true, true]);
  });
});

describe('the same bytes again', () => {
  test('after a sweep that saw their file · are the asset that they were', async () => {
    const bytes = await image('png');
    const first = await upload(bytes);
    age(await pathOf(first.id));
    await removeUnnamedFiles(deps);
    expect(await upload(bytes)).toEqual({ id: first.id, created: false });
    expect(lies(await pathOf(first.id))).toBe(true);
  });

  test('while the file of an upload that died is swept · have a file of their own', async () => {
    const bytes = await image('png');
    for (let round = 0; round < 5; round += 1) {
      const lost = (await keepImage(deps, bytes)).path;
      age(lost);
      const [stored, swept] = await Promise.all([upload(bytes), removeUnnamedFiles(deps)]);
      expect(swept.media).toBe(1);
      expect([lies(lost), lies(await pathOf(stored.id))]).toEqual([false, true]);
      await database.pool.query('DELETE FROM media');
    }
  });

  test('a row that is committed after the files were listed · keeps its file', async () => {
    const file = await orphan();
    age(file);
    await deps.providers.mediaStore.sweepUnnamed({
      before: new Date(),
      turn: 0,
      named: async (names) => {
        expect(names).toEqual([path.parse(file).name]);
        return await Promise.resolve(new Set(names));
      },
    });
    expect(lies(file)).toBe(true);
  });
});

describe('a sweep', () => {
  test('of very many files · ends at a limit, says so, and begins elsewhere next time', async () => {
    const fill = (folder: string): void => {
      mkdirSync(path.join(root, folder), { recursive: true });
      for (let index = 0; index < 1_200; index += 1) {
        const file = `${folder}/${name(index.toString(16).padStart(32, '0'))}.png`;
        writeFileSync(path.join(root, file), '');
        age(file);
      }
    };
    const left = (folder: string): number => readdirSync(path.join(root, folder)).length;
    for (const folder of ['00', '0b']) fill(folder);
    const none = async () => await Promise.resolve(new Set<string>());
    const sweep = async (turn: number) =>
      await deps.providers.mediaStore.sweepUnnamed({ before: new Date(), turn, named: none });
    expect(await sweep(0)).toEqual({ looked: 1_000, removed: 1_000, cut: true });
    expect([left('00'), left('0b')]).toEqual([200, 1_200]);
    expect(await sweep(1)).toEqual({ looked: 1_000, removed: 1_000, cut: true });
    expect([left('00'), left('0b')]).toEqual([200, 200]);
    expect(await sweep(2)).toEqual({ looked: 400, removed: 400, cut: false });
  }, 30_000);

  test('of stores that nothing was put into · finds nothing', async () => {
    expect(await removeUnnamedFiles(deps)).toEqual({ media: 0, documents: 0 });
  });

  test('that fails · fails the round of upkeep, after everything else was done', async () => {
    mkdirSync(root, { recursive: true });
    symlinkSync('7f', path.join(root, '7f'));
    await database.pool.query(
      `INSERT INTO revoked_tokens (jti, expires_at) VALUES ('old', now() - interval '1 s')`,
    );
    await expect(createUpkeepActivities(deps).runUpkeep()).rejects.toThrow('ELOOP');
    const { rows } = await database.pool.query('SELECT jti FROM revoked_tokens');
    expect(rows).toEqual([]);
  });
});

/** Which row it is, the sweep does not ask. */
const ROW = { of: 'kyc_documents.path', ownerId: 1, id: 1 } as const;

describe('a sealed document', () => {
  test('whose row was never written, a day old · is removed; a younger one and a named one stay', async () => {
    const { privateStore } = deps.providers;
    const [lost, young, named] = [
      await privateStore.put(Buffer.from('lost'), ROW),
      await privateStore.put(Buffer.from('young'), ROW),
      await privateStore.put(Buffer.from('named'), ROW),
    ];
    await database.pool.query(
      `INSERT INTO kyc_documents (account_id, mime, bytes, sha256, path) VALUES ($1, 'image/png', 1, 'x', $2)`,
      [advertiserId, named.path],
    );
    const later = (hours: number): ActivityDeps => ({
      ...deps,
      clock: () => new Date(Date.now() + hours * HOUR_MS),
    });
    expect((await removeUnnamedFiles(later(23))).documents).toBe(0);
    const privateRoot = path.join(path.dirname(root), 'private');
    const soon = new Date(Date.now() + 2 * HOUR_MS);
    utimesSync(path.join(privateRoot, young.path.slice(0, 2), young.path), soon, soon);
    expect((await removeUnnamedFiles(later(25))).documents).toBe(1);
    await expect(privateStore.read(lost, ROW)).rejects.toThrow('ENOENT');
    expect((await privateStore.read(young, ROW)).toString()).toBe('young');
    expect((await privateStore.read(named, ROW)).toString()).toBe('named');
  });
});

test('what proves a receipt · named by its row · stays however old it is', async () => {
  const { privateStore } = deps.providers;
  const kept = await privateStore.put(Buffer.from('kept'), ROW);
  const stray = await privateStore.put(Buffer.from('stray'), ROW);
  const { id: operatorId } = await makeOperator(database.db, 'FINANCE');
  const file = { sha256: 'x', mime: 'image/png', bytes: 4, ...kept, operatorId };
  await database.db.models.receiptEvidence.create(file);
  const later = new Date(Date.now() + 25 * HOUR_MS);
  expect(await removeUnnamedFiles({ ...deps, clock: () => later })).toMatchObject({ documents: 1 });
  expect((await privateStore.read(kept, ROW)).toString()).toBe('kept');
  await expect(privateStore.read(stray, ROW)).rejects.toThrow('ENOENT');
});
