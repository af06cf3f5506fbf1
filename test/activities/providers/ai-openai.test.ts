import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { AiCall, AiProvider } from '../../../activities/providers/ai.ts';
import { createOpenAiCompatible } from '../../../activities/providers/ai-openai.ts';
import { DomainError } from '../../../domain/errors.ts';
import { type Listener, startListener } from '../../support/listener.ts';

/** An endpoint of the OpenAI interface that answers what a test says. */
type Answer = { status?: number; body: string | Buffer };
interface Asked {
  at: string;
  headers: IncomingMessage['headers'];
  body: string;
}

let server: Listener;
let asked: Asked[] = [];
let answers: Record<string, Answer | Answer[]> = {};
let ai: Partial<AiProvider>;

beforeAll(async () => {
  server = await startListener((req, res) => {
    void buffer(req).then((body) => {
      const at = `${req.method ?? ''} ${req.url ?? ''}`;
      asked.push({ at, headers: req.headers, body: body.toString('latin1') });
      const planned = answers[at];
      const answer = Array.isArray(planned) ? planned.shift() : planned;
      res.writeHead(answer?.status ?? (answer === undefined ? 404 : 200));
      res.end(answer?.body ?? '');
    });
  });
  ai = createOpenAiCompatible({
    baseUrl: `${server.url}/v1/`,
    apiKey: 'key-1',
    imageModel: 'painter-1',
    videoModel: 'filmer-1',
    textModel: 'writer-1',
    pollMs: 1,
  });
});
afterAll(async () => {
  await server.close();
});
beforeEach(() => {
  asked = [];
  answers = {};
});

const json = (value: unknown): string => JSON.stringify(value);
function call(changes: Partial<AiCall> = {}): AiCall & { kept: object[] } {
  const kept: object[] = [];
  return {
    key: 'ai-job:7:1',
    signal: new AbortController().signal,
    remembered: undefined,
    remember: (progress) => void kept.push(progress),
    kept,
    ...changes,
  };
}
const picture = {
  prompt: 'A sofa',
  tone: 'playful' as const,
  width: 900,
  height: 300,
  source: null,
};
const failure = async (run: Promise<unknown> | undefined): Promise<unknown> =>
  await Promise.resolve(run).then(
    () => undefined,
    (error: unknown) => error,
  );

describe('model endpoint · image', () => {
  it('asked · sends model, size and key, and takes the bytes', async () => {
    answers['POST /v1/images/generations'] = {
      body: json({ data: [{ b64_json: Buffer.from('bytes').toString('base64') }] }),
    };
    expect(await ai.image?.make(picture, call())).toEqual(Buffer.from('bytes'));
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
      model: 'painter-1',
      prompt: 'A sofa\nTone: playful.',
      n: 1,
      size: '1536x1024',
      response_format: 'b64_json',
    });
    expect(asked[0]?.headers).toMatchObject({
      authorization: 'Bearer key-1',
      'idempotency-key': 'ai-job:7:1',
    });
  });

  it('with a picture to begin from · is an edit of it', async () => {
    answers['POST /v1/images/edits'] = { body: json({ data: [{ b64_json: 'AAAA' }] }) };
    await ai.image?.make({ ...picture, source: Buffer.from('the-source') }, call());
    expect(asked[0]?.headers['content-type']).toContain('multipart/form-data');
    expect(asked[0]?.body).toContain('the-source');
  });

  it.each<[string, Answer, boolean, RegExp]>([
    [
      'refuses the prompt',
      { status: 400, body: json({ error: { message: 'not this' } }) },
      true,
      /Some fields/,
    ],
    [
      'wants money',
      { status: 402, body: json({ error: { message: 'no credit' } }) },
      false,
      /402: no credit/,
    ],
    ['is overloaded', { status: 503, body: '<html>' }, false, /503: no reason given/],
    [
      'answers an address',
      { body: json({ data: [{ url: 'http://10.0.0.1/x' }] }) },
      false,
      /b64_json/,
    ],
    ['answers no JSON', { body: 'hello' }, false, /JSON/],
    ['answers nothing', { body: json({ data: [] }) }, false, /data/],
  ])('one that %s · is told apart: final or trouble', async (_name, answer, final, message) => {
    answers['POST /v1/images/generations'] = answer;
    const error = await failure(ai.image?.make(picture, call()));
    expect(error instanceof DomainError).toBe(final);
    expect(String((error as Error).message)).toMatch(message);
    if (final) expect((error as DomainError).errors?.[0]?.message).toContain('not this');
    expect(asked).toHaveLength(1);
  });

  it('that redirects · is not followed', async () => {
    answers['POST /v1/images/generations'] = { status: 307, body: '' };
    expect(await failure(ai.image?.make(picture, call()))).toBeDefined();
    expect(asked).toHaveLength(1);
  });
});

describe('model endpoint · video', () => {
  const order = { ...picture, durationS: 5 };

  it('begun, then ready · is fetched, and its id is remembered', async () => {
    answers['POST /v1/videos'] = { body: json({ id: 'vid_1', status: 'queued' }) };
    answers['GET /v1/videos/vid_1'] = [
      { body: json({ id: 'vid_1', status: 'in_progress' }) },
      { body: json({ id: 'vid_1', status: 'completed' }) },
    ];
    answers['GET /v1/videos/vid_1/content'] = { body: 'film' };
    const first = call();
    expect(String(await ai.video?.make(order, first))).toBe('film');
    expect(first.kept).toEqual([{ videoId: 'vid_1' }]);
    expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({ seconds: '8', size: '1280x720' });
  });

  it('begun by an earlier attempt · is waited for, not made again', async () => {
    answers['GET /v1/videos/vid_2'] = { body: json({ id: 'vid_2', status: 'completed' }) };
    answers['GET /v1/videos/vid_2/content'] = { body: 'film' };
    await ai.video?.make(order, call({ remembered: { videoId: 'vid_2' } }));
    expect(asked.map(({ at }) => at)).toEqual([
      'GET /v1/videos/vid_2',
      'GET /v1/videos/vid_2/content',
    ]);
  });

  it('that failed · is final; an id that steers the path is refused', async () => {
    answers['POST /v1/videos'] = [
      { body: json({ id: 'vid_3', status: 'queued' }) },
      { body: json({ id: '../files', status: 'queued' }) },
    ];
    answers['GET /v1/videos/vid_3'] = {
      body: json({ id: 'vid_3', status: 'failed', error: { message: 'blocked' } }),
    };
    expect((await failure(ai.video?.make(order, call()))) instanceof DomainError).toBe(true);
    expect((await failure(ai.video?.make(order, call()))) instanceof DomainError).toBe(false);
    expect(asked.at(-1)?.at).toBe('POST /v1/videos');
  });
});

describe('model endpoint · copy', () => {
  const order = { prompt: 'Shoes', tone: null, language: 'de', count: 2 };
  const said = (content: string): Answer => ({
    body: json({ choices: [{ message: { content } }] }),
  });

  it('asked · takes as many as were ordered, each tidy', async () => {
    const variant = { title: ` Laufen\n${'weit '.repeat(30)}`, description: 'd', button_text: 'b' };
    answers['POST /v1/chat/completions'] = said(json({ variants: [variant, variant, variant] }));
    const variants = await ai.copy?.make(order, call());
    expect(variants).toHaveLength(2);
    expect(variants?.[0]?.title).toMatch(/^Laufen weit .*…$/);
    expect(Array.from(variants?.[0]?.title ?? '').length).toBeLessThanOrEqual(60);
    const sent = JSON.parse(asked[0]?.body ?? '') as {
      messages: { role: string; content: string }[];
    };
    expect(sent.messages[1]).toEqual({ role: 'user', content: 'Shoes' });
  });

  it.each([['no JSON'], [json({ variants: [] })], [json({ variants: [{ title: 'x' }] })]])(
    'that says %s · is trouble, to be asked again',
    async (content) => {
      answers['POST /v1/chat/completions'] = said(content);
      const error = await failure(ai.copy?.make(order, call()));
      expect(error).toBeDefined();
      expect(error instanceof DomainError).toBe(false);
    },
  );
});
