import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { createPollerReader } from '../../activities/core/flow-queues.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createTestFlows, type TestFlows } from '../support/flows.ts';
import { until } from '../support/until.ts';

const log = pino({ level: 'silent' });
let database: TestDatabase;
let flows: TestFlows;

beforeAll(async () => {
  database = await createTestDatabase();
  flows = await createTestFlows(database);
}, 60_000);
afterAll(async () => {
  await flows.close();
  await database.close();
}, 60_000);

test('workers · on some queues · are seen on these, and on no other', async () => {
  const readPollers = createPollerReader(flows.client, log);
  const queues = await until('every pool was seen', async () => {
    const found = await readPollers();
    const worked = found?.filter(({ queue }) => queue !== 'loops') ?? [];
    const isSeen = worked.every(({ workflows, activities }) => workflows > 0 && activities > 0);
    return found !== null && isSeen ? found : undefined;
  });
  expect(queues.map(({ queue }) => queue)).toContain('money');
  expect(queues.find(({ queue }) => queue === 'money')?.lastSeenAt).toEqual(expect.any(Date));
  expect(queues.find(({ queue }) => queue === 'loops')).toEqual({
    queue: 'loops',
    workflows: 0,
    activities: 0,
    lastSeenAt: null,
  });
});

test('Temporal that is away · is told by null, within the time of a page', async () => {
  const temporal = new Client({
    connection: Connection.lazy({ address: '127.0.0.1:1' }),
    namespace: 'ads',
  });
  expect(await createPollerReader(temporal, log)()).toBeNull();
}, 5_000);
