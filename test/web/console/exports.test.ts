import { type Account, type ConsoleStand, startConsole } from '../../support/console.ts';
import { until } from '../../support/until.ts';

/** What goes on while nobody looks, and what is said where the API does not answer. */
let stand: ConsoleStand;
let owner: Account;
let ownerId: number;

beforeAll(async () => {
  stand = await startConsole();
  owner = await stand.newAccount('advertiser', 'Barrels');
  ownerId = (await owner.api.must<{ id: number }>('GET', '/auth/profile')).id;
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

/** As the flow of a long export leaves it. */
async function newExport(status: string, phase: string): Promise<{ id: number; file: number }> {
  const { pool } = stand.platform;
  const state = status === 'succeeded' ? 'READY' : status === 'failed' ? 'FAILED' : 'WRITING';
  const { rows: files } = await pool.query<{ id: string }>(
    `INSERT INTO report_exports (account_id, ask, ask_hash, format, file_name, status, file, rows, bytes, expires_at)
     VALUES ($1, '{}', md5(random()::text), 'csv', 'report.csv', $2, 'gone.csv', 9, 9, now() + interval '1 day') RETURNING id`,
    [ownerId, state],
  );
  const file = Number(files[0]?.id);
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO operations (account_id, kind, subject_type, subject_id, workflow_id, status, phase, progress)
     VALUES ($1, 'report_export', 'export', $2, $5, $3, $4, '{"rows": 7, "total_rows": 9}') RETURNING id`,
    [ownerId, file, status, phase, `export-${file}`],
  );
  return { id: Number(rows[0]?.id), file };
}

test('a long export · left and found again from home · is still there, and after a reload too', async () => {
  const { id } = await newExport('running', 'writing');
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  await person.page.goto(`${stand.platform.baseUrl}/console/advertiser`);
  await person.page.locator(`a[href$="/advertiser/reports?export=${id}"]`).click();
  await person.page.getByText('7 rows so far').waitFor();
  await person.page.reload();
  await person.page.getByText('7 rows so far').waitFor();
});

test('an export that failed · by its address · says so in words', async () => {
  const { id } = await newExport('failed', 'failed');
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  await person.open(`/advertiser/reports?export=${id}`);
  await person.page
    .getByRole('alert')
    .getByText(/^The file could not be written\. Export once more/)
    .waitFor();
  expect(await person.barriers()).toEqual([]);
});

const TELL_ACCOUNT = `INSERT INTO notifications (account_id, kind, subject_type, subject_id, params, shown)
  SELECT id, 'webhook_disabled', 'webhook', $2, '{"name": "shop.example.com"}', true FROM accounts WHERE email = $1`;
const TELL_REVIEWERS = `INSERT INTO operator_notices (role, kind, subject_type, subject_id, dedupe_key)
  SELECT 'REVIEWER', 'task_late', 'task', $2::bigint, $1 || $2::bigint`;

test.each([
  ['advertiser', 'advertiser/webhooks', TELL_ACCOUNT],
  ['publisher', 'publisher/webhooks', TELL_ACCOUNT],
  ['admin', 'operator/tasks', TELL_REVIEWERS],
] as const)(
  'news of %s · one marked as read, one followed · are each read alone',
  async (realm, folder, tell) => {
    const account =
      realm === 'admin'
        ? await stand.operator('REVIEWER')
        : await stand.newAccount(realm, `News${realm}`);
    const [marked, followed, left] = [901, 902, 903];
    for (const id of [marked, followed, left]) {
      await stand.platform.pool.query(tell, [account.username, id]);
    }
    const unread = async (): Promise<number[]> => {
      const { items } = await account.api.must<{ items: { subject: { id: number } }[] }>(
        'GET',
        '/notifications?status=unread',
      );
      return items.map(({ subject }) => subject.id);
    };
    const person = await stand.newPerson({ as: [realm, account] });
    // What the news are of is not there to be opened.
    person.expects(/status of 404/);
    const rowOf = (id: number) =>
      person.page
        .getByRole('row')
        .filter({ has: person.page.locator(`a[href$="/${folder}/${id}"]`) });
    await person.open(`/${folder.split('/')[0]}/notifications`);
    await rowOf(marked).getByRole('button', { name: 'Mark as read' }).click();
    await rowOf(marked).getByRole('button').waitFor({ state: 'detached' });
    expect(await unread()).toEqual([left, followed]);
    expect(await person.barriers()).toEqual([]);
    await rowOf(followed).getByRole('link').click();
    await until('it is read', async () => (await unread()).length === 1);
    expect(await unread()).toEqual([left]);
    expect(person.page.url()).toContain(`/${folder}/${followed}`);
  },
);

test('the news of an export · opened · offers its file, and says when it cannot be fetched', async () => {
  const { file } = await newExport('succeeded', 'ready');
  await stand.platform.pool.query(
    `INSERT INTO notifications (account_id, kind, subject_type, subject_id, params, shown)
     VALUES ($1, 'export_ready', 'export', $2, '{"name": "report.csv"}', true)`,
    [ownerId, file],
  );
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  person.expects(/statistics\/exports\/\d+\/file/);
  await person.open('/advertiser/notifications');
  await person.page.locator(`a[href$="/advertiser/reports?file=${file}"]`).click();
  await person.page.getByText('The file is ready.').waitFor();
  await person.button('Download').click();
  await person.page.getByRole('alert', { name: 'This did not work' }).waitFor();
  await person.settled();
  expect(await person.barriers()).toEqual([]);
});

test('logging out · while the API is away · is told, and does not look as if it was done', async () => {
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  person.expects(/ERR_CONNECTION_REFUSED/);
  await person.open('/advertiser');
  await person.page.route(
    '**/auth/logout',
    async (route) => await route.abort('connectionrefused'),
  );
  await person.button(/^Barrels|^barrels/).click();
  await person.page.getByRole('menuitem', { name: 'Log out' }).click();
  await person.page.getByRole('alert').first().waitFor();
  expect(new URL(person.page.url()).pathname).toBe('/console/advertiser');
  expect((await owner.api.call('GET', '/auth/profile')).status).toBe(200);
});
