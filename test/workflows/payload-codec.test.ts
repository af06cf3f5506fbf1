import { randomBytes } from 'node:crypto';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { createPayloadCodec } from '../../activities/core/payload-codec.ts';
import { DECIDE_UPDATE } from '../../workflows/contracts/decision.ts';
import { depositWorkflowId } from '../../workflows/contracts/deposit.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createTestFlows, type TestFlows } from '../support/flows.ts';
import { makeAdvertiser } from '../support/make/account.ts';
import { UNIT } from '../support/make/money.ts';
import { eventually } from '../support/until.ts';

const key = (id: number) => ({ id, secret: randomBytes(32) });
const payload = (text: string): Payload => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(JSON.stringify(text)),
});
const textOf = (sealed: Payload | undefined): string =>
  Buffer.from(sealed?.data ?? []).toString('utf8');

describe('codec', () => {
  it('what was sealed · says nothing, and opens as it was', async () => {
    const codec = createPayloadCodec([key(1)]);
    const [sealed] = await codec.encode([payload('deposit 7')]);
    expect(textOf(sealed)).not.toContain('deposit');
    const [opened] = await codec.decode([sealed ?? {}]);
    expect(textOf(opened)).toBe('"deposit 7"');
  });

  it('keys changed · the new one seals, the old one still opens, a lost one is named', async () => {
    const [old, fresh] = [key(1), key(2)];
    const sealed = await createPayloadCodec([old]).encode([payload('x')]);
    const rotated = createPayloadCodec([fresh, old]);
    expect(textOf((await rotated.decode(sealed))[0])).toBe('"x"');
    const [now] = await rotated.encode([payload('x')]);
    expect(Buffer.from(now?.metadata?.['encryption-key-id'] ?? []).toString()).toBe('2');
    await expect(createPayloadCodec([fresh]).decode(sealed)).rejects.toThrow('flow key 1 is not');
  });

  it('altered by one bit, or under another id · does not open', async () => {
    const secret = randomBytes(32);
    const codec = createPayloadCodec([
      { id: 1, secret },
      { id: 2, secret },
    ]);
    const [sealed] = await codec.encode([payload('x')]);
    const bytes = Buffer.from(sealed?.data ?? []);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    await expect(codec.decode([{ ...sealed, data: bytes }])).rejects.toThrow(/authenticate/);
    const metadata = { ...sealed?.metadata, 'encryption-key-id': Buffer.from('2') };
    await expect(codec.decode([{ ...sealed, metadata }])).rejects.toThrow(/authenticate/);
  });

  it('what was never sealed · stays as it is', async () => {
    const plain = [payload('from before the keys')];
    expect(await createPayloadCodec([key(1)]).decode(plain)).toEqual(plain);
  });
});

describe('flows with keys', () => {
  const keys = [key(3)];
  let database: TestDatabase;
  let flows: TestFlows;

  beforeAll(async () => {
    database = await createTestDatabase();
    flows = await createTestFlows(database, {}, keys);
  }, 90_000);

  afterAll(async () => {
    await flows?.close();
    await database?.close();
  }, 60_000);

  it('a deposit from order to cancel · goes as ever, and its history is sealed throughout', async () => {
    const { id: advertiserId } = await makeAdvertiser(database.db);
    const { id } = await flows.activities.openDeposit({
      advertiserId,
      amountNanos: 500n * UNIT,
      paymentMethod: 'BANK',
    });
    const workflowId = depositWorkflowId(id);
    const handle = flows.client.workflow.getHandle(workflowId);
    await eventually(async () => await handle.describe());
    const refused = handle.executeUpdate(DECIDE_UPDATE, { args: [{ taskId: 1, decisionId: 1 }] });
    await expect(refused).rejects.toThrow(WorkflowUpdateFailedError);
    const refusal: unknown = await refused.catch((error: WorkflowUpdateFailedError) => error.cause);
    expect(String(refusal)).toContain('Not found');
    await flows.activities.cancelDeposit({ advertiserId, depositId: id });
    expect(await flows.resultOf(workflowId)).toBe('CANCELLED');
    const history = await handle.fetchHistory();
    const found = payloadsOf(history);
    expect(found.length).toBeGreaterThan(4);
    expect(found.filter((each) => each !== 'binary/encrypted')).toEqual([]);
    for (const word of ['depositId', 'PENDING', 'CANCELLED', 'taskId', 'waits for', 'Not found']) {
      expect(clearTextOf(history)).not.toContain(word);
    }
  });
});

/** The encodings of every payload in a history but those of search attributes, which are never sealed. */
function payloadsOf(value: unknown, field = ''): string[] {
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return [];
  if (field === 'searchAttributes' || field === 'markerRecordedEventAttributes') return [];
  const { metadata, data } = value as { metadata?: Record<string, Uint8Array>; data?: unknown };
  if (metadata?.['encoding'] !== undefined && data !== undefined) {
    return [Buffer.from(metadata['encoding']).toString()];
  }
  return Object.entries(value).flatMap(([name, each]) => payloadsOf(each, name));
}

/** Whatever can be read without a key. */
function clearTextOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (value === null || typeof value !== 'object') return '';
  return Object.values(value).map(clearTextOf).join(' ');
}
