import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** `dev/admin.ts` as it is typed on a machine. */
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database?.close();
});

const run = async (...args: string[]): Promise<{ code: number; said: string }> => {
  const env = { ...process.env, POSTGRES_URL: database.url, ADMIN_PASSWORD: 'a-Long-Passw0rd-77' };
  const program = ['--import', 'tsx', 'dev/admin.ts', ...args];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, program, { env });
    return { code: 0, said: stdout };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { code, said: stderr };
  }
};

const rolesOf = async (): Promise<unknown> =>
  (
    await database.pool.query(
      `SELECT username, role FROM operators WHERE username LIKE 'typed-%' ORDER BY username`,
    )
  ).rows;

test('operators made on the machine · of a role, and an administrator · are there; of no role · refused', async () => {
  expect((await run('create-operator', 'FINANCE', 'typed-1', 'typed-1@example.org')).code).toBe(0);
  expect((await run('create-admin', 'typed-2', 'typed-2@example.org')).code).toBe(0);
  const refused = await run('create-operator', 'CLERK', 'typed-3', 'typed-3@example.org');
  expect([refused.code, refused.said]).toEqual([2, expect.stringContaining('usage: admin')]);
  expect(await rolesOf()).toEqual([
    { username: 'typed-1', role: 'FINANCE' },
    { username: 'typed-2', role: 'ADMIN' },
  ]);
});
