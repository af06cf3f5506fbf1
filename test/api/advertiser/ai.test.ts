import { image } from '../../support/images.ts';
import { type Caller, dataOf, faultsOf, idOf } from '../../support/call.ts';
import { createStand, type Stand } from '../../support/stand.ts';

let stand: Stand;
let owner: Caller;

beforeAll(async () => {
  stand = await createStand();
});
beforeEach(async () => {
  owner = await stand.newAdvertiser();
});
afterAll(async () => await stand.close());

interface Job {
  kind: string;
  request: Record<string, unknown>;
}

async function jobsOf({ id }: Caller): Promise<Job[]> {
  const { rows } = await stand.database.pool.query<Job>(
    'SELECT kind, request FROM ai_jobs WHERE advertiser_id = $1 ORDER BY id',
    [id],
  );
  return rows;
}

describe('generators · asked', () => {
  test.each([
    [
      'image',
      { aspect_ratio: '16:9', n: 4, tone: 'playful' },
      { width: 1_280, height: 720, count: 4, tone: 'playful' },
    ],
    ['image', { width: 300, height: 251 }, { width: 300, height: 251, count: 1, tone: null }],
    ['image', {}, { width: 1_024, height: 1_024 }],
    ['video', {}, { width: 1_280, height: 720, durationS: 5 }],
    [
      'video',
      { width: 301, height: 251, duration_s: 15 },
      { width: 300, height: 250, durationS: 15 },
    ],
    ['copy', { language: 'pt-BR', n: 3 }, { language: 'pt-BR', count: 3, width: null }],
    ['copy', {}, { language: 'en', count: 1 }],
  ])('%s %j · is 202 with an operation to watch', async (kind, fields, request) => {
    const answer = await owner.post(`/media/ai-${kind}`, { prompt: ' A red sofa ', ...fields });
    expect(answer.status).toBe(202);
    const { operation } = dataOf(answer) as {
      operation: { id: number; kind: string; status: string };
    };
    expect(answer.headers['location']).toBe(`/api/advertiser/operations/${operation.id}`);
    expect(operation).toMatchObject({ kind: `ai_${kind}`, status: 'queued', result: null });
    expect(await jobsOf(owner)).toEqual([
      {
        kind: kind.toUpperCase(),
        request: expect.objectContaining({ prompt: 'A red sofa', ...request }),
      },
    ]);
    const { rows } = await stand.database.pool.query(
      `SELECT payload->>'taskQueue' AS queue FROM outbox
       WHERE dedupe_key = 'start:ai-job:' || (SELECT subject_id FROM operations WHERE id = $1)`,
      [operation.id],
    );
    expect(rows).toEqual([{ queue: 'media' }]);
  });

  test.each<[string, object, string[]]>([
    ['image', {}, ['prompt required']],
    ['image', { prompt: '  ' }, ['prompt matches']],
    ['image', { prompt: 'x'.repeat(1_001) }, ['prompt max']],
    ['image', { prompt: 'x', n: 5 }, ['n max']],
    ['image', { prompt: 'x', n: 0 }, ['n min']],
    ['image', { prompt: 'x', width: 300 }, ['height required']],
    ['image', { prompt: 'x', height: 300 }, ['width required']],
    [
      'image',
      { prompt: 'x', width: 300, height: 300, aspect_ratio: '1:1' },
      ['aspect_ratio not_with_size'],
    ],
    ['image', { prompt: 'x', aspect_ratio: '2:1' }, ['aspect_ratio one_of']],
    ['image', { prompt: 'x', width: 63, height: 2_049 }, ['height max', 'width min']],
    ['image', { prompt: 'x', duration_s: 5 }, ['duration_s unknown_field']],
    ['image', { prompt: 'x', source_media_id: 999_999 }, ['source_media_id unknown']],
    ['video', { prompt: 'x', width: 1_300, height: 1_300 }, ['height max', 'width max']],
    ['video', { prompt: 'x', duration_s: 16 }, ['duration_s max']],
    ['copy', { prompt: 'x', language: 'English' }, ['language matches']],
    ['copy', { prompt: 'x', tone: 'loud' }, ['tone one_of']],
    [
      'copy',
      { prompt: 'x', width: 300, height: 250 },
      ['height unknown_field', 'width unknown_field'],
    ],
  ])('%s %j · is 422 on its fields, and nothing begins', async (kind, body, expected) => {
    const answer = await owner.post(`/media/ai-${kind}`, body);
    expect([answer.status, faultsOf(answer)]).toEqual([422, expected]);
    expect(await jobsOf(owner)).toEqual([]);
  });

  test('from the picture of another advertiser, or from a video · reads as unknown', async () => {
    const other = await stand.newAdvertiser();
    const theirs = idOf(await other.upload('/media/upload', await image('png')));
    const answer = await owner.post('/media/ai-image', { prompt: 'x', source_media_id: theirs });
    expect([answer.status, faultsOf(answer)]).toEqual([422, ['source_media_id unknown']]);
  });

  test('with ten jobs open · is 409 until one has ended', async () => {
    const ask = async () => await owner.post('/media/ai-copy', { prompt: 'x' });
    for (let count = 0; count < 10; count += 1) expect((await ask()).status).toBe(202);
    const refused = await ask();
    expect([refused.status, dataOf(refused)['error']]).toEqual([409, 'state_conflict']);
    await stand.database.pool.query(
      `UPDATE ai_jobs SET status = 'DONE' WHERE id = (SELECT min(id) FROM ai_jobs WHERE advertiser_id = $1)`,
      [owner.id],
    );
    expect((await ask()).status).toBe(202);
  });
});
