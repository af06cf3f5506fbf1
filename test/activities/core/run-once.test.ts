import { randomUUID } from 'node:crypto';
import { runOnce, runStep, type StepName } from '../../../activities/core/run-once.ts';
import { inTransaction, runner } from '../../../db/postgres.ts';
import { until } from '../../support/until.ts';
import { APPLICATION, createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { asKeyedRequest } from '../../support/keyed-request.ts';

let database: TestDatabase;
let key: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query(`
    CREATE TABLE writes (id serial PRIMARY KEY, key text NOT NULL);
    GRANT ALL ON writes, writes_id_seq TO ${APPLICATION.name};
    CREATE FUNCTION fail_to_serialize() RETURNS void LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = 'serialization_failure'; END $$;`);
});

beforeEach(() => {
  key = `test:${randomUUID()}`;
});

afterAll(async () => {
  await database.close();
});

/** Writes a row and answers its id. */
const write = async (under: string): Promise<{ id: number }> =>
  await runOnce(database.db, under, async (tx) => {
    const { rows } = await runner(database.db, tx).query<{ id: number }>(
      'INSERT INTO writes (key) VALUES ($1) RETURNING id',
      [under],
    );
    return { id: rows[0]?.id ?? 0 };
  });

const step = async (name: StepName): Promise<{ id: number }> =>
  await runStep(database.db, name, async (tx) => {
    const { rows } = await runner(database.db, tx).query<{ id: number }>(
      'INSERT INTO writes (key) VALUES ($1) RETURNING id',
      [key],
    );
    return { id: rows[0]?.id ?? 0 };
  });

async function writes(): Promise<number> {
  const { rows } = await database.pool.query('SELECT id FROM writes WHERE key = $1', [key]);
  return rows.length;
}

async function someoneWaits(): Promise<true | undefined> {
  const { rows } = await database.pool.query(
    `SELECT 1 FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length > 0 ? true : undefined;
}

async function stored(under = key): Promise<unknown[]> {
  const { rows } = await database.pool.query<{ result: unknown }>(
    'SELECT result FROM effects WHERE key = $1',
    [under],
  );
  return rows.map(({ result }) => result);
}

describe('runOnce', () => {
  test('key · first time · writes, and keeps its answer as JSON beside them', async () => {
    const answer = await write(key);
    expect(await stored()).toEqual([{ value: answer }]);
    expect(await writes()).toBe(1);
  });

  test('key · again · the stored answer, and nothing is written', async () => {
    const answer = await write(key);
    expect(await write(key)).toEqual(answer);
    expect(await writes()).toBe(1);
  });

  test('key · five at once · one writes, all answer what it wrote', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, async () => await write(key)));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await writes()).toBe(1);
  });

  test('key · the first of two at once fails · the second, which waited, does it', async () => {
    let fail = (): void => undefined;
    let begun = (): void => undefined;
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const first = runOnce(database.db, key, async () => {
      begun();
      await new Promise<void>((resolve) => {
        fail = resolve;
      });
      throw new Error('the first failed');
    });
    await hasBegun;
    const second = write(key);
    await until({ what: 'the second waits' }, someoneWaits);
    fail();
    await expect(first).rejects.toThrow('the first failed');
    const answer = await second;
    expect(await stored()).toEqual([{ value: answer }]);
  });

  test('failure · after a write · leaves neither the write nor the key', async () => {
    const failing = runOnce(database.db, key, async (tx) => {
      await runner(database.db, tx).query('INSERT INTO writes (key) VALUES ($1)', [key]);
      throw new Error('too late');
    });
    await expect(failing).rejects.toThrow('too late');
    expect([await writes(), await stored()]).toEqual([0, []]);
  });

  test('serialization failure · once · the function is run again, and its answer kept once', async () => {
    let runs = 0;
    const answer = await runOnce(database.db, key, async (tx) => {
      runs += 1;
      if (runs === 1) {
        await runner(database.db, tx).query('SELECT fail_to_serialize()');
      }
      return runs;
    });
    expect([answer, await stored()]).toEqual([2, [{ value: 2 }]]);
  });

  test.each<[string, () => Promise<string | null | void | { text?: undefined; list: number[] }>]>([
    ['text', () => Promise.resolve('12.5')],
    ['null', () => Promise.resolve(null)],
    ['nothing', () => Promise.resolve()],
    ['an object', () => Promise.resolve({ text: undefined, list: [1, 2] })],
  ])('answer · %s · first and repeat are the same', async (_case, fn) => {
    const first = await runOnce(database.db, key, fn);
    expect(await runOnce(database.db, key, () => Promise.resolve('other'))).toStrictEqual(first);
  });

  test('answer · a number that JSON has not · raises, and nothing is kept', async () => {
    const counting = runOnce(database.db, key, () => Promise.resolve({ rate: 0 / 0 }));
    await expect(counting).rejects.toThrow('NaN is no JSON');
    expect(await stored()).toEqual([]);
  });

  test('answer · what does not come back from JSON as it went in · does not compile', () => {
    const { db } = database;
    const wrong = [
      // @ts-expect-error A Date comes back as text.
      () => runOnce(db, key, () => Promise.resolve(new Date(0))),
      // @ts-expect-error Money is answered as text, or read afresh.
      () => runOnce(db, key, () => Promise.resolve({ amountNanos: 1n })),
      // @ts-expect-error A row comes back without its getters.
      () => runOnce(db, key, () => db.models.deposits.create({} as never)),
      // @ts-expect-error A map comes back empty.
      () => runStep(db, 'test.step', () => Promise.resolve(new Map<string, number>())),
    ];
    expect(wrong).toHaveLength(4);
  });
});

describe('runStep', () => {
  test('without a keyed request · a plain transaction each time', async () => {
    await step('test.write');
    await step('test.write');
    expect(await writes()).toBe(2);
  });

  test('in a keyed request that is repeated · once, under key and name', async () => {
    const first = await asKeyedRequest(key, async () => await step('test.write'));
    expect(await asKeyedRequest(key, async () => await step('test.write'))).toEqual(first);
    expect(await stored(`${key}:test.write`)).toEqual([{ value: first }]);
    expect(await writes()).toBe(1);
  });

  test('same name twice in one request · raises, and the second wrote nothing', async () => {
    const twice = asKeyedRequest(key, async () => {
      await step('test.write');
      await step('test.write');
    });
    await expect(twice).rejects.toThrow('two steps named test.write');
    expect(await writes()).toBe(1);
  });

  test('a step that failed · tried again in the same request · is not the same name twice', async () => {
    const fails = () => Promise.reject(new Error('refused'));
    const answer = await asKeyedRequest(key, async () => {
      await expect(runStep(database.db, 'test.write', fails)).rejects.toThrow('refused');
      return await step('test.write');
    });
    expect(await stored(`${key}:test.write`)).toEqual([{ value: answer }]);
  });

  test('a transaction without a name in a keyed request · raises, and is not opened', async () => {
    const nameless = asKeyedRequest(key, async () => {
      await inTransaction(database.db, async (tx) => {
        await runner(database.db, tx).query('INSERT INTO writes (key) VALUES ($1)', [key]);
      });
    });
    await expect(nameless).rejects.toThrow('needs a name');
    expect(await writes()).toBe(0);
  });
});
