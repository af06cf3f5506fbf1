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

test('workers · that asked for nothing for three minutes · work no more, and are named with their last question', async () => {
  const later = () => new Date(Date.now() + 180_000);
  const found = await until('Temporal answers', async () => {
    const queues = await createPollerReader(flows.client, log, later)();
    return queues ?? undefined;
  });
  const money = found.find(({ queue }) => queue === 'money');
  expect(money).toMatchObject({ workflows: 0, activities: 0, lastSeenAt: expect.any(Date) });
});

test('Temporal that is away · is told by null, within the time of a page', async () => {
  const temporal = new Client({
    connection: Connection.lazy({ address: '127.0.0.1:1' }),
    namespace: 'ads',
  });
  expect(await createPollerReader(temporal, log)()).toBeNull();
}, 5_000);
