import { readdirSync } from 'node:fs';
import request from 'supertest';
import { HTML5_ZIP_BYTES_MAX } from '../../../activities/providers/html5-zip.ts';
import { IMAGE_BYTES_MAX } from '../../../activities/providers/image-codec.ts';
import { image, pngBomb, polyglotJpeg } from '../../support/images.ts';
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

const storedFiles = (): string[] =>
  readdirSync(stand.config.mediaDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);

const fileOf = (url: string): string => new URL(url).pathname;

describe('media · uploaded', () => {
  test.each(['/media/upload', '/creatives/upload'])(
    'an image by %s · is an asset that can be loaded',
    async (target) => {
      const answer = await owner.upload(target, await image('webp'), 'Grüße.webp');
      expect(answer.status).toBe(201);
      const record = dataOf(answer);
      expect(record).toMatchObject({
        type: 'IMAGE',
        name: 'Grüße.webp',
        mime: 'image/webp',
        width: 60,
        height: 40,
        duration_s: null,
        source: 'UPLOAD',
      });
      expect(record['sha256']).toMatch(/^[0-9a-f]{64}$/);
      const served = await request(stand.app).get(fileOf(String(record['url'])));
      expect(served.status).toBe(200);
      expect(served.headers).toMatchObject({
        'content-type': 'image/webp',
        'content-length': String(record['bytes']),
        'x-content-type-options': 'nosniff',
        'content-security-policy': `default-src 'none'; base-uri 'none'; form-action 'none'; sandbox; frame-ancestors ${stand.config.urls.base}`,
        'content-disposition': 'inline',
        'cache-control': 'private, max-age=600',
      });
      const head = await request(stand.app).head(fileOf(String(record['url'])));
      expect([head.status, head.headers['content-length']]).toEqual([200, String(record['bytes'])]);
    },
  );

  test('the same bytes twice · are one asset; of two accounts they are two', async () => {
    const bytes = await image('png', { colour: '#00ff00' });
    const first = await owner.upload('/media/upload', bytes);
    const files = storedFiles().length;
    const again = await owner.upload('/creatives/upload', bytes, 'renamed.png');
    expect([first.status, again.status]).toEqual([201, 200]);
    // An address is signed anew every ten minutes.
    const signed = { url: expect.stringContaining('/media/signed/') as string };
    expect(dataOf(again)).toEqual({ ...dataOf(first), ...signed });
    expect(storedFiles()).toHaveLength(files);
    const other = await stand.newAdvertiser();
    const theirs = await other.upload('/media/upload', bytes);
    expect(theirs.status).toBe(201);
    expect(idOf(theirs)).not.toBe(idOf(first));
  });

  test('the same bytes in parallel · are one asset and one file', async () => {
    const bytes = await image('png', { colour: '#0000ff' });
    const before = storedFiles().length;
    const answers = await Promise.all(
      [1, 2, 3, 4].map(async () => await owner.upload('/media/upload', bytes)),
    );
    expect(new Set(answers.map(idOf)).size).toBe(1);
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(storedFiles()).toHaveLength(before + 1);
  });

  test('a jpeg that carries a script · is served without it, under a name of ours', async () => {
    const script = '<script>alert(1)</script>';
    const answer = await owner.upload('/media/upload', await polyglotJpeg(script), '../../x.html');
    expect(answer.status).toBe(201);
    const path = fileOf(String(dataOf(answer)['url']));
    expect(path).toMatch(/^\/media\/signed\/[\w-]+\/[0-9a-f]{2}\/[0-9a-f]{32}\.jpg$/);
    const served = await request(stand.app).get(path).buffer(true);
    expect((served.body as Buffer).includes('script')).toBe(false);
    expect(served.headers['content-type']).toBe('image/jpeg');
  });
});

describe('media · refused', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

  test.each<[string, () => Buffer | Promise<Buffer>, string, number]>([
    ['svg', () => Buffer.from(svg), 'x.svg', 415],
    ['svg renamed', () => Buffer.from(svg), 'x.png', 415],
    ['text renamed', () => Buffer.from('hello'), 'x.png', 415],
    ['html renamed', () => Buffer.from('<html><script>1</script></html>'), 'x.jpg', 415],
    ['an empty file', () => Buffer.alloc(0), 'x.png', 415],
    [
      'half a png',
      async () => (await image('png', { width: 300, height: 300 })).subarray(0, 60),
      'x.png',
      415,
    ],
    ['a pixel bomb', () => pngBomb(30_000), 'x.png', 413],
    [
      'an image of too many bytes',
      async () => Buffer.concat([await image('png'), Buffer.alloc(IMAGE_BYTES_MAX)]),
      'x.png',
      413,
    ],
  ])('%s · is refused and nothing is stored', async (_name, bytes, name, status) => {
    const before = storedFiles();
    const answer = await owner.upload('/media/upload', await bytes(), name);
    expect([answer.status, answer.body.code]).toEqual([status, status * 100]);
    expect(storedFiles()).toEqual(before);
    expect(dataOf(await owner.get('/media'))['total']).toBe(0);
  });

  test.each([
    [
      'a picture',
      async () => Buffer.concat([await image('png'), Buffer.alloc(IMAGE_BYTES_MAX)]),
      5,
    ],
    [
      'a zip',
      async () => Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(HTML5_ZIP_BYTES_MAX)]),
      10,
    ],
  ] as const)(
    '%s of too many bytes · the refusal says how many it may have',
    async (_, file, max) => {
      const { body } = await owner.upload('/media/upload', await file(), 'big');
      expect(body.message).toBe(`The file is too large: at most ${max} MB.`);
    },
  );

  test('no file, another field, two files · are 422', async () => {
    const none = await owner.post('/media/upload').field('note', 'x');
    expect([none.status, faultsOf(none)]).toEqual([422, ['file required']]);
    const elsewhere = await owner.upload('/media/upload', await image(), 'x.png', 'picture');
    expect([elsewhere.status, faultsOf(elsewhere)]).toEqual([422, ['picture unknown_field']]);
    const two = await owner
      .upload('/media/upload', await image())
      .attach('file', await image('gif'), 'y.gif');
    expect([two.status, faultsOf(two)]).toEqual([422, ['file unknown_field']]);
  });

  test('no multipart at all · is 415, a broken one is 400', async () => {
    expect((await owner.post('/media/upload', { file: 'x' })).status).toBe(415);
    const broken = await owner
      .post('/media/upload')
      .set('Content-Type', 'multipart/form-data; boundary=b')
      .send('--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nhalf');
    expect([broken.status, broken.body.code]).toEqual([400, 40000]);
    const unbounded = await owner
      .post('/media/upload')
      .set('Content-Type', 'multipart/form-data')
      .send('x');
    expect(unbounded.status).toBe(400);
  });

  test('without a token · is 401 and nothing is read', async () => {
    const answer = await request(stand.app)
      .post('/api/advertiser/media/upload')
      .attach('file', await image(), 'x.png');
    expect(answer.status).toBe(401);
  });
});

describe('media · listed', () => {
  test('by keyword and type · shows the caller’s own', async () => {
    await owner.upload('/media/upload', await image('png', { colour: '#111111' }), 'spring_1.png');
    await owner.upload('/media/upload', await image('png', { colour: '#222222' }), 'autumn.png');
    expect(dataOf(await owner.get('/media'))).toMatchObject({ total: 2 });
    expect(dataOf(await owner.get('/media?keyword=g_1&type=IMAGE'))).toMatchObject({ total: 1 });
    expect(dataOf(await owner.get('/media?type=VIDEO'))).toMatchObject({ total: 0 });
    expect((await owner.get('/media?type=PDF')).status).toBe(422);
    const other = await stand.newAdvertiser();
    expect(dataOf(await other.get('/media'))).toMatchObject({ total: 0 });
  });
});

describe('media files · asked for by hand', () => {
  test.each([
    '/media/../package.json',
    '/media/..%2f..%2fetc/passwd',
    '/media/%2e%2e/%2e%2e%2fetc%2fpasswd',
    '/media/aa/..%2f..%2fpackage.json',
    '/media/aa/00000000000000000000000000000000.png',
    '/media/aa/00000000000000000000000000000000.png.part',
    '/media/aa/00000000000000000000000000000000.svg',
    '/media/aa/%00.png',
    '/media/aa',
  ])('%s · is 404', async (target) => {
    expect((await request(stand.app).get(target)).status).toBe(404);
  });
});
