import { byteText } from '../../../api/http/byte-text.ts';
import {
  type ItemFrame,
  type ItemIds,
  presentDocument,
  presentItem,
} from '../../../api/ad/item.ts';
import { ItemTexts } from '../../../api/ad/item-texts.ts';
import type { AdContent, ServableAd } from '../../../api/ad/servable-ads.ts';
import { vastAdOf, vastDocument } from '../../../api/ad/vast-item.ts';
import { NOBODY } from '../../../domain/creative/vast.ts';
import type { DisplayType } from '../../../domain/auction/types.ts';
import { sketchCandidate } from '../../support/auction.ts';

const PICTURE = 'https://cdn.example/a&b.png';
const CONTENT = {
  title: `Größe & "Preis" <b>'\`</b> 日本語 שלום 🚀 \u2028`,
  description: null,
  buttonText: 'Go',
  brandName: null,
  displayUrl: 'shop.example',
  landingUrl: 'https://shop.example/?c={click_id}',
  imageUrl: PICTURE,
  imageUrl2: null,
  videoUrl: 'https://cdn.example/film.mp4',
  iconUrl: PICTURE,
  html5Url: null,
  code: '<a href="{click_url}">é</a><script>open(clickTag);var u="${CLICK_URL}"</script>',
  video: null,
  companion: null,
} as unknown as AdContent;

const DISPLAYS: DisplayType[] = ['IMAGE', 'NATIVE', 'TEXT', 'HTML', 'RICH_MEDIA', 'VIDEO'];

function adOf(display: DisplayType, changes: Partial<AdContent> = {}): ServableAd {
  const candidate = sketchCandidate({ ad: 1, display });
  return { ...candidate, content: { ...CONTENT, ...changes } } as ServableAd;
}

const FRAMES: ItemFrame[] = [1, 2].flatMap((protocol) =>
  ['BANNER', 'NATIVE'].map((type) => ({
    type,
    width: 300,
    height: 250,
    protocol: protocol as 1 | 2,
    trackUrl: 'https://track.example',
  })),
);
const idsOf = (name: string): ItemIds => ({
  trackId: `${name}-_track`,
  requestId: `${name}-_request`,
  sessionKey: `${name}-_key`,
  nonce: `1700000000000.${name}-_nonce`,
  signature: `${name}-_signature`,
  lang: 'de',
  adName: `${name} 広告 إعلان`,
});

const inBytes = (ids: ItemIds): ItemIds => ({ ...ids, adName: byteText(ids.adName) });
const readAs = (bytes: string): string => Buffer.from(bytes, 'latin1').toString();

test.each(DISPLAYS)(
  'item text · %s, twice with other ids · is what presenting anew gives',
  (display) => {
    const texts = new ItemTexts();
    for (const changes of [
      {},
      { html5Url: 'https://cdn.example/page/' },
      { title: null, iconUrl: null },
    ]) {
      const ad = adOf(display, changes);
      for (const frame of FRAMES) {
        for (const ids of [idsOf('first'), idsOf('second')]) {
          const item = presentItem(ad, frame, ids);
          const given = { ad, frame, ids: inBytes(ids) };
          expect(readAs(texts.write('json', given))).toBe(JSON.stringify(item));
          expect(readAs(texts.write('html', given))).toBe(presentDocument(ad, frame, ids));
        }
      }
    }
  },
);

test('item text · for a player, by version and by when it may be skipped · is what writing anew gives', () => {
  const texts = new ItemTexts();
  const file = { mime: 'video/mp4', width: 640, height: 360, bitrateKbps: 900, codec: null };
  const thirdParty = { ...NOBODY, impressions: ['https://a.example/?x=]]>&y=é'] };
  const mediaFiles = [{ ...file, url: 'https://cdn.example/film.mp4' }];
  const video = { kind: 'inline' as const, durationSeconds: 45, mediaFiles, thirdParty };
  const ad = adOf('VIDEO', { video, title: null });
  for (const version of ['2.0', '4.2'] as const) {
    for (const skipAfterSeconds of [undefined, 5, 10]) {
      for (const ids of [idsOf('first'), idsOf('second')]) {
        const frame = { ...(FRAMES[0] as ItemFrame), skipAfterSeconds };
        const given = { ad, frame, ids: inBytes(ids) };
        const anew = vastDocument(version, [vastAdOf(ad, given.frame, ids)], given.frame.trackUrl);
        expect(readAs(texts.write(`vast-${version}`, given))).toBe(anew);
      }
    }
  }
});

test('item text · zones of other sizes · each its own', () => {
  const texts = new ItemTexts();
  const ad = adOf('IMAGE');
  const flexible = { ...ad, creative: { ...ad.creative, width: null, height: null } };
  const [frame] = FRAMES;
  for (const width of [300, 728, 300]) {
    const given = { ad: flexible, frame: { ...(frame as ItemFrame), width }, ids: idsOf('one') };
    expect(JSON.parse(readAs(texts.write('json', given)))).toMatchObject({ width });
  }
});

test('item text · many large ads · old ones are made again and stay right', () => {
  const texts = new ItemTexts();
  const [frame] = FRAMES;
  const code = 'x'.repeat(900_000);
  const ads = Array.from({ length: 60 }, (_none, at) => adOf('HTML', { code: `${at} ${code}` }));
  for (const round of ['a', 'b']) {
    for (const ad of ads) {
      const given = { ad, frame: frame as ItemFrame, ids: inBytes(idsOf(round)) };
      expect(texts.write('html', given)).toHaveLength(
        Buffer.byteLength(presentDocument(ad, frame as ItemFrame, idsOf(round))),
      );
    }
  }
});
