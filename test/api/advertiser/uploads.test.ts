import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import request from 'supertest';
import { HTML5_FILES_MAX, HTML5_ZIP_BYTES_MAX } from '../../../activities/providers/html5-zip.ts';
import { image } from '../../support/images.ts';
import { html5Zip, HTML5_INDEX, renamed, type ZipEntry, zipOf } from '../../support/zips.ts';
import { until } from '../../support/until.ts';
import { type Caller, dataOf, faultsOf, idOf } from '../../support/call.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** Videos and HTML5 creatives as they come: taken when they are what they say, refused with a reason. */
let stand: Stand;
let owner: Caller;

beforeAll(async () => {
  stand = await createStand();
  owner = await stand.newAdvertiser();
});
afterAll(async () => await stand.close());

const video = (name: string): Buffer =>
  readFileSync(path.join(import.meta.dirname, '../../fixtures/video', name));
const storedFiles = (): string[] =>
  readdirSync(stand.config.mediaDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
const pathOf = (url: unknown): string => new URL(String(url)).pathname;
const messageOf = (answer: request.Response): string =>
  String((answer.body as { message: string }).message);

async function rowCount(): Promise<number> {
  const { rows } = await stand.database.pool.query<{ count: string }>('SELECT count(*) FROM media');
  return Number(rows[0]?.count);
}

/** Neither a row nor a file more than before. */
async function leavesNothing(act: () => Promise<request.Response>): Promise<request.Response> {
  const files = storedFiles();
  const rows = await rowCount();
  const answer = await act();
  expect(storedFiles()).toEqual(files);
  expect(await rowCount()).toBe(rows);
  return answer;
}

describe('video · uploaded', () => {
  test.each([
    ['tone.mp4', '/media/upload', 'video/mp4'],
    ['tone.webm', '/creatives/upload-video', 'video/webm'],
  ])('%s by %s · is probed and served as it came', async (name, target, mime) => {
    const bytes = video(name);
    const answer = await owner.upload(target, bytes, name);
    expect(answer.status).toBe(201);
    expect(dataOf(answer)).toMatchObject({
      type: 'VIDEO',
      name,
      mime,
      width: 160,
      height: 90,
      duration_s: 2,
      bytes: bytes.length,
      source: 'UPLOAD',
    });
    const served = await request(stand.app)
      .get(pathOf(dataOf(answer)['url']))
      .buffer(true);
    expect([served.status, served.headers['content-type']]).toEqual([200, mime]);
    expect((served.body as Buffer).equals(bytes)).toBe(true);
    const again = await owner.upload('/media/upload', bytes, 'again');
    expect([again.status, idOf(again)]).toEqual([200, idOf(answer)]);
  });

  test.each([
    ['bytes=0-99', 206, [0, 100], 'bytes 0-99/8972'],
    ['bytes=8900-', 206, [8_900, 8_972], 'bytes 8900-8971/8972'],
    ['bytes=-72', 206, [8_900, 8_972], 'bytes 8900-8971/8972'],
    ['bytes=8000-99999', 206, [8_000, 8_972], 'bytes 8000-8971/8972'],
    ['bytes=8972-', 416, [0, 0], 'bytes */8972'],
    ['bytes=-0', 416, [0, 0], 'bytes */8972'],
    ['bytes=5-2', 416, [0, 0], 'bytes */8972'],
    ['bytes=0-1,5-9', 200, [0, 8_972], undefined],
    ['lines=0-1', 200, [0, 8_972], undefined],
  ] as const)('part %s · is answered %i', async (range, status, [from, to], contentRange) => {
    const bytes = video('tone.mp4');
    const url = pathOf(dataOf(await owner.upload('/media/upload', bytes))['url']);
    const answer = await request(stand.app).get(url).set('Range', range).buffer(true);
    expect([answer.status, answer.headers['content-range']]).toEqual([status, contentRange]);
    expect(
      Buffer.from((answer.body as Buffer | undefined) ?? []).equals(bytes.subarray(from, to)),
    ).toBe(true);
  });

  test('a part under a condition · is whole unless the tag fits; a known tag is 304', async () => {
    const url = pathOf(dataOf(await owner.upload('/media/upload', video('tone.mp4')))['url']);
    const { etag } = (await request(stand.app).head(url)).headers as { etag: string };
    const asked = async (headers: Record<string, string>): Promise<number> =>
      (await request(stand.app).get(url).set(headers)).status;
    expect(await asked({ Range: 'bytes=0-1', 'If-Range': etag })).toBe(206);
    expect(await asked({ Range: 'bytes=0-1', 'If-Range': '"other"' })).toBe(200);
    expect(await asked({ 'If-None-Match': etag })).toBe(304);
    expect(await asked({ 'If-Match': '"other"' })).toBe(412);
  });
});

describe('video · refused', () => {
  const cut = (name: string, part: number): Buffer => {
    const bytes = video(name);
    return bytes.subarray(0, Math.floor(bytes.length * part));
  };
  /** Five kilobytes that name four billion samples: measured, a reader without limits took 4 GB. */
  const sampleBomb = (): Buffer => {
    const bytes = Buffer.from(video('long.mp4'));
    const sizes = bytes.indexOf('stsz');
    bytes.writeUInt32BE(10, sizes + 8);
    bytes.writeUInt32BE(0xffff_fff0, sizes + 12);
    const times = bytes.indexOf('stts');
    bytes.writeUInt32BE(0xffff_fff0, times + 12);
    bytes.writeUInt32BE(1, times + 16);
    return bytes;
  };

  test.each<[string, () => Buffer, number, RegExp]>([
    ['an mp4 cut in its middle', () => cut('tone.mp4', 0.6), 415, /cut off/],
    ['an mp4 without its last bytes', () => cut('tone.mp4', 0.99), 415, /cut off/],
    ['an mp4 without its index', () => cut('long.mp4', 0.8), 415, /cut off/],
    ['a webm cut in its middle', () => cut('tone.webm', 0.5), 415, /cut off/],
    ['a webm without its last bytes', () => cut('tone.webm', 0.99), 415, /cut off/],
    ['125 seconds', () => video('long.mp4'), 413, /longer than 120 s/],
    ['sound without a picture', () => video('sound-only.webm'), 415, /no picture/],
    ['a codec that browsers do not play', () => video('old-codec.mp4'), 415, /codec/],
    ['four billion samples', sampleBomb, 415, /cannot be read|too long/],
    [
      'a header and noise',
      () => Buffer.concat([cut('tone.mp4', 0.01), Buffer.alloc(900, 7)]),
      415,
      /mp4 or webm/,
    ],
  ])('%s · is refused with its reason', async (_name, bytes, status, reason) => {
    const answer = await leavesNothing(
      async () => await owner.upload('/media/upload', bytes(), 'x.mp4'),
    );
    expect([answer.status, messageOf(answer)]).toEqual([status, expect.stringMatching(reason)]);
  });

  test('at the route of another kind · is 415', async () => {
    for (const [target, bytes] of [
      ['/creatives/upload', video('tone.mp4')],
      ['/creatives/upload-video', await image('png')],
      ['/creatives/upload-video', await html5Zip()],
      ['/creatives/upload', await html5Zip()],
    ] as const) {
      const answer = await leavesNothing(async () => await owner.upload(target, bytes));
      expect([answer.status, messageOf(answer)]).toEqual([
        415,
        expect.stringMatching(/is not an? /),
      ]);
    }
  });

  test('cut off on its way · leaves no file', async () => {
    const files = storedFiles();
    const { port } = stand;
    const socket = await import('node:net').then(({ connect }) => connect(port, '127.0.0.1'));
    socket.write(
      `POST /api/advertiser/media/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${owner.token}\r\n` +
        'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 9000000\r\n\r\n' +
        '--b\r\nContent-Disposition: form-data; name="file"; filename="x.mp4"\r\n\r\nsome bytes',
    );
    const incoming = path.join(stand.config.mediaDir, 'incoming');
    await until(() => readdirSync(incoming).length > 0);
    socket.destroy();
    await until(() => readdirSync(incoming).length === 0);
    expect(storedFiles()).toEqual(files);
  });
});

describe('html5 · uploaded', () => {
  test('a zip · is an asset of its size whose page takes the click address', async () => {
    const answer = await owner.upload('/media/upload', await html5Zip(), 'ad.zip');
    expect(answer.status).toBe(201);
    expect(dataOf(answer)).toMatchObject({
      type: 'HTML5',
      name: 'ad.zip',
      mime: 'text/html',
      width: 300,
      height: 250,
      duration_s: null,
    });
    const url = pathOf(dataOf(answer)['url']);
    expect(url).toMatch(/^\/media\/signed\/[\w-]+\/[0-9a-f]{2}\/[0-9a-f]{32}\/index\.html$/);
    const page = await request(stand.app).get(url);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toMatch(/^sandbox allow-scripts /);
    expect(page.headers['content-security-policy']).not.toContain('allow-same-origin');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.text.startsWith('<!doctype html><script>(function(){')).toBe(true);
    const script = await request(stand.app).get(url.replace('index.html', 'js/main.js'));
    expect([script.text, script.headers['content-security-policy']]).toEqual([
      'document.title = "creative";',
      `default-src 'none'; base-uri 'none'; form-action 'none'; sandbox; frame-ancestors ${stand.config.urls.base}`,
    ]);
  });

  test('in a folder of its own, with what packers leave · is taken from there', async () => {
    const zip = await zipOf([
      { name: 'my-ad/index.html', content: HTML5_INDEX },
      { name: 'my-ad/img/a.png', content: await image('png') },
      { name: '__MACOSX/my-ad/._index.html', content: 'x' },
      { name: 'my-ad/.DS_Store', content: 'x' },
    ]);
    const answer = await owner.upload('/media/upload', zip);
    expect(answer.status).toBe(201);
    const url = pathOf(dataOf(answer)['url']);
    const picture = await request(stand.app).get(url.replace('index.html', 'img/a.png'));
    expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/png']);
    expect((await request(stand.app).get(url.replace('index.html', '.DS_Store'))).status).toBe(404);
  });
});

describe('html5 · refused', () => {
  const many: ZipEntry[] = Array.from({ length: HTML5_FILES_MAX }, (_, index) => ({
    name: `f${index}.txt`.replace('.txt', '.css'),
    content: 'a{}',
  }));
  const link: ZipEntry = { name: 'js/link.js', content: '/etc/passwd', mode: 0o120777 };

  test.each<[string, () => Promise<Buffer>, string]>([
    [
      'no index.html',
      async () => await zipOf([{ name: 'main.html', content: HTML5_INDEX }]),
      'index_missing',
    ],
    [
      'index.html in one of two folders',
      async () =>
        await zipOf([
          { name: 'a/index.html', content: HTML5_INDEX },
          { name: 'b/x.css', content: '' },
        ]),
      'index_missing',
    ],
    [
      'no clickTag',
      async () => await html5Zip([], '<!doctype html><a href="https://x.example">x</a>'),
      'click_tag_missing',
    ],
    [
      'a clickTag of its own',
      async () => await html5Zip([], '<script>const clickTag = "https://x.example"</script>'),
      'click_tag_fixed',
    ],
    ['101 files', async () => await html5Zip(many), 'too_many_files'],
    [
      'a zip within',
      async () => await html5Zip([{ name: 'more.zip', content: await html5Zip() }]),
      'nested_archive',
    ],
    [
      'a zip within that is called a picture',
      async () => await html5Zip([{ name: 'more.png', content: await html5Zip() }]),
      'content_mismatch',
    ],
    [
      'a picture of another kind',
      async () => await html5Zip([{ name: 'a.gif', content: await image('png') }]),
      'content_mismatch',
    ],
    [
      'a script that is none',
      async () => await html5Zip([{ name: 'a.js', content: Buffer.from([0, 1, 2]) }]),
      'content_mismatch',
    ],
    ['a program', async () => await html5Zip([{ name: 'a.exe', content: 'MZ' }]), 'file_name'],
    [
      'a hidden file',
      async () => await html5Zip([{ name: '.htaccess.js', content: 'x' }]),
      'file_name',
    ],
    ['a link', async () => await html5Zip([link]), 'symlink'],
    [
      'a way out',
      async () =>
        renamed(await html5Zip([{ name: 'aa/b.js', content: 'x' }]), 'aa/b.js', '../b.js'),
      'file_name',
    ],
    [
      'an absolute name',
      async () =>
        renamed(await html5Zip([{ name: 'etc/bb.js', content: 'x' }]), 'etc/bb.js', '/etc/b.js'),
      'file_name',
    ],
    [
      'a name with a backslash',
      async () =>
        renamed(await html5Zip([{ name: 'aa/b.js', content: 'x' }]), 'aa/b.js', 'aa\\b.js'),
      'file_name',
    ],
    [
      'the same name twice',
      async () => await html5Zip([{ name: 'JS/main.js', content: 'x' }]),
      'duplicate_name',
    ],
  ])('%s · is 422 with its rule', async (_name, zip, code) => {
    const bytes = await zip();
    const answer = await leavesNothing(
      async () => await owner.upload('/media/upload', bytes, 'x.zip'),
    );
    expect([answer.status, faultsOf(answer)]).toEqual([422, [`file ${code}`]]);
  });

  test.each<[string, () => Promise<Buffer>, number]>([
    [
      'one file that packs to a thousandth',
      async () => await html5Zip([{ name: 'a.css', content: Buffer.alloc(20 * 1024 * 1024, 32) }]),
      413,
    ],
    [
      'files that are too much together',
      async () =>
        await html5Zip(
          Array.from({ length: 40 }, (_, index) => ({
            name: `${index}.css`,
            content: halfNoise(1024 * 1024),
          })),
        ),
      413,
    ],
    [
      'more than 10 MiB',
      async () => Buffer.concat([await html5Zip(), Buffer.alloc(HTML5_ZIP_BYTES_MAX)]),
      413,
    ],
    ['half a zip', async () => (await html5Zip()).subarray(0, 200), 415],
    [
      'an entry that gives more than it says',
      async () => understated(await html5Zip([{ name: 'big.css', content: 'a'.repeat(4_000) }])),
      415,
    ],
  ])('%s · is %i', async (_name, zip, status) => {
    const bytes = await zip();
    const answer = await leavesNothing(
      async () => await owner.upload('/media/upload', bytes, 'x.zip'),
    );
    expect([answer.status, answer.body.code]).toEqual([status, status * 100]);
  });

  test('behind a picture · is only the picture', async () => {
    const bytes = Buffer.concat([await image('gif', { colour: '#0a0b0c' }), await html5Zip()]);
    const answer = await owner.upload('/media/upload', bytes, 'x.zip');
    expect([answer.status, dataOf(answer)['type']]).toEqual([201, 'IMAGE']);
    const served = await request(stand.app)
      .get(pathOf(dataOf(answer)['url']))
      .buffer(true);
    expect((served.body as Buffer).includes('index.html')).toBe(false);
  });
});

/** Packs to about a tenth, so that only the sum of many is too much. */
function halfNoise(length: number): Buffer {
  const line = Buffer.from('.a1{color:#fff;background:#000}\n');
  const bytes = Buffer.alloc(length, line);
  for (let at = 0; at < length; at += 100) bytes[at] = 97 + ((at * 7_919) % 26);
  return bytes;
}

/** The central directory says that each entry unpacks to 10 bytes. */
function understated(zip: Buffer): Buffer {
  const bytes = Buffer.from(zip);
  const signature = Buffer.from('504b0102', 'hex');
  for (let at = bytes.indexOf(signature); at >= 0; at = bytes.indexOf(signature, at + 4)) {
    bytes.writeUInt32LE(10, at + 24);
  }
  return bytes;
}

describe('media · deleted', () => {
  test('while a live creative shows it · is 409; afterwards it is gone, and comes back with its bytes', async () => {
    const bytes = await image('png', { colour: '#313233' });
    const uploaded = await owner.upload('/media/upload', bytes);
    const id = idOf(uploaded);
    const creative = idOf(await owner.post('/creatives', { name: 'C', image_media_id: id }));
    const refused = await owner.delete(`/media/${id}`);
    expect([refused.status, dataOf(refused)['creative_id']]).toEqual([409, creative]);
    const shown = [{ id: creative, name: 'C' }];
    expect(dataOf(await owner.get(`/media/${id}`))['shown_by']).toEqual(shown);
    const { items } = dataOf(await owner.get('/media?type=IMAGE'));
    expect((items as { id: number }[]).find((each) => each.id === id)).toMatchObject({
      shown_by: shown,
    });

    await owner.delete(`/creatives/${creative}`);
    expect(dataOf(await owner.get(`/media/${id}`))['shown_by']).toEqual([]);
    expect(dataOf(await owner.delete(`/media/${id}`))).toEqual({ id, status: 'ARCHIVED' });
    expect((await owner.get(`/media/${id}`)).status).toBe(404);
    expect((await owner.delete(`/media/${id}`)).status).toBe(404);
    const named = await owner.post('/creatives', { name: 'C', image_media_id: id });
    expect(faultsOf(named)).toEqual(['image_media_id unknown']);

    const again = await owner.upload('/media/upload', bytes);
    expect([again.status, dataOf(again)]).toEqual([201, dataOf(uploaded)]);
  });

  test('of an approved revision behind an edit · is still shown, so 409', async () => {
    const first = idOf(
      await owner.upload('/media/upload', await image('png', { colour: '#414243' })),
    );
    const second = idOf(
      await owner.upload('/media/upload', await image('png', { colour: '#515253' })),
    );
    const creative = idOf(await owner.post('/creatives', { name: 'C', image_media_id: first }));
    await owner.put(`/creatives/${creative}`, { image_media_id: second });
    expect((await owner.delete(`/media/${second}`)).status).toBe(409);
    expect(dataOf(await owner.get(`/media/${first}`))['shown_by']).toEqual([]);
    // Nobody ever approved the first revision: only the latest one counts.
    expect((await owner.delete(`/media/${first}`)).status).toBe(200);
  });

  test('by another advertiser · is 404', async () => {
    const id = idOf(await owner.upload('/media/upload', await image('png', { colour: '#616263' })));
    const other = await stand.newAdvertiser();
    expect((await other.get(`/media/${id}`)).status).toBe(404);
    expect((await other.delete(`/media/${id}`)).status).toBe(404);
    expect((await owner.get(`/media/${id}`)).status).toBe(200);
  });
});
