import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { type ApiClient, until } from './api-client.ts';
import { drawScene, type Scene } from './demo-images.ts';
import { first, type Seed } from './seed.ts';

/** A creative of each format, as an advertiser would bring them; each once, by its name. */
export interface Creative {
  id: number;
  name: string;
  audit_status: string;
}
type Size = readonly [width: number, height: number];

export const SQUARE: Size = [300, 250];
export const LEADERBOARD: Size = [728, 90];
export const CARD: Size = [600, 300];
export const SKYSCRAPER: Size = [160, 600];
export const SCREEN: Size = [480, 600];

async function creative(
  client: ApiClient,
  name: string,
  fields: () => Promise<object>,
): Promise<Creative> {
  const path = `/creatives?keyword=${encodeURIComponent(name)}`;
  const made = await first<Creative>(client, path);
  return made ?? (await client.call<Creative>('POST', '/creatives', { name, ...(await fields()) }));
}

async function upload(client: ApiClient, path: string, file: Blob, name: string): Promise<number> {
  const form = new FormData();
  form.set('file', file, name);
  return (await client.call<{ id: number }>('POST', path, form)).id;
}

async function picture(client: ApiClient, scene: Scene, [width, height]: Size): Promise<number> {
  const bytes = new Uint8Array(await drawScene(scene, width, height));
  const file = new Blob([bytes], { type: 'image/png' });
  return await upload(client, '/creatives/upload', file, `${scene}.png`);
}

export const banner = async (
  client: ApiClient,
  name: string,
  [scene, size]: [Scene, Size],
): Promise<Creative> =>
  await creative(client, name, async () => ({
    creative_type: 'image',
    type: 'IMAGE',
    width: size[0],
    height: size[1],
    image_media_id: await picture(client, scene, size),
  }));

export const nativeCard = async (
  client: ApiClient,
  name: string,
  [scene, size]: [Scene, Size],
): Promise<Creative> =>
  await creative(client, name, async () => ({
    creative_type: 'native',
    type: 'NATIVE',
    width: size[0],
    height: size[1],
    image_media_id: await picture(client, scene, size),
  }));

export const inWords = async (client: ApiClient, name: string): Promise<Creative> =>
  await creative(client, name, async () => ({ creative_type: 'text', type: 'TEXT' }));

/** Shown by campaigns of the demo (seed-showcase.ts). */
export const FILM = 'A night at the pier';

/** The formats that are no pictures. */
export async function seedFormats(seed: Seed): Promise<void> {
  const { advertiser } = seed;
  const [width, height] = SQUARE;
  await inWords(advertiser, 'Rope, in one line');
  await creative(advertiser, 'Turning knot', async () => ({
    creative_type: 'html',
    type: 'HTML',
    width,
    height,
    html_code: KNOT,
  }));
  await creative(advertiser, 'Tide table', async () => ({
    creative_type: 'rich_media',
    type: 'RICH_MEDIA',
    width,
    height,
    html_code: TIDES,
  }));
  await creative(advertiser, 'Regatta countdown', async () => ({
    creative_type: 'html5',
    type: 'HTML',
    width,
    height,
    html5_media_id: await upload(advertiser, '/media/upload', await countdown(), 'countdown.zip'),
  }));
  await creative(advertiser, FILM, async () => ({
    creative_type: 'video',
    type: 'VIDEO',
    video_media_id: await film(seed),
  }));
  await creative(advertiser, 'Rope film of our agency', async () => ({
    creative_type: 'vast',
    type: 'VIDEO',
    vast_xml: VAST,
  }));
}

/** Made by the platform's own generator, out of a picture. */
async function film({ advertiser, signal }: Seed): Promise<number> {
  const { operation } = await advertiser.call<{ operation: { id: number } }>(
    'POST',
    '/media/ai-video',
    {
      prompt: 'A lantern on the pier at night',
      duration_s: 3,
      aspect_ratio: '16:9',
      source_media_id: await picture(advertiser, 'lantern', [1280, 720]),
    },
  );
  const done = async () => {
    const { status } = await advertiser.call<{ status: string }>(
      'GET',
      `/operations/${operation.id}`,
    );
    return status === 'succeeded' || undefined;
  };
  await until('generated film', done, { signal });
  const made = await first<{ id: number }>(advertiser, '/media?type=VIDEO');
  if (made === undefined) throw new Error('the generated film is not in the media library');
  return made.id;
}

const KNOT = `<style>
.sea{width:300px;height:250px;background:#123a5a;display:grid;place-items:center}
.knot{width:120px;height:120px;border:16px double #f6c177;border-radius:50%;animation:turn 6s linear infinite}
@keyframes turn{to{transform:rotate(360deg)}}
</style><div class="sea"><div class="knot"></div></div>`;

const TIDES = `<style>
.tide{width:300px;height:250px;background:linear-gradient(#eaf6ff,#8ec5ff);position:relative;overflow:hidden;font:15px sans-serif;color:#123a5a}
.tide p{margin:0;padding:16px}
.water{position:absolute;inset:auto 0 0;height:90px;background:#1f5f8b;transition:height 1s}
.tide:hover .water{height:160px}
</style><div class="tide"><p><strong>High water 18:42</strong><br>Ropes that hold at any tide</p><div class="water"></div></div>`;

const COUNTDOWN = `<!doctype html><html><head><meta charset="utf-8">
<meta name="ad.size" content="width=300,height=250"><script>var clickTag = "https://rope.example/";</script>
<link rel="stylesheet" href="style.css"></head>
<body><a id="go" href="javascript:void(window.open(clickTag))"><b>12</b> days to the regatta</a></body></html>`;
const COUNTDOWN_STYLE = `body{margin:0}
#go{width:300px;height:250px;display:grid;place-content:center;text-align:center;background:#7a3b1d;color:#fff3d6;font:20px sans-serif;text-decoration:none}
b{font-size:72px;line-height:1}`;

async function countdown(): Promise<Blob> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(COUNTDOWN), 'index.html');
  zip.addBuffer(Buffer.from(COUNTDOWN_STYLE), 'style.css');
  zip.end();
  return new Blob([new Uint8Array(await buffer(zip.outputStream))], { type: 'application/zip' });
}

const VAST =
  '<VAST version="3.0"><Ad id="rope-film"><Wrapper>' +
  '<VASTAdTagURI>https://tags.agency.example/rope-film</VASTAdTagURI></Wrapper></Ad></VAST>';
