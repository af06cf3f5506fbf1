import fc from 'fast-check';
import {
  clockSeconds,
  clockTime,
  NOBODY,
  type VastAd,
  type VastSource,
  viewSecondsOf,
} from '../../../domain/creative/vast.ts';
import { vast2 } from '../../../domain/creative/vast-2.ts';
import { vast4 } from '../../../domain/creative/vast-4.ts';
import { find, readNodes, vastFaults, type VastNode } from '../../support/vast-rules.ts';

const TRACK = 'https://track.example';
const inline = (over: Partial<Extract<VastSource, { kind: 'inline' }>> = {}): VastSource => ({
  kind: 'inline',
  durationSeconds: 15,
  mediaFiles: [
    {
      url: 'https://cdn.example/v.mp4?a=1&b=]]>',
      mime: 'video/mp4',
      width: 640,
      height: 360,
      bitrateKbps: 165,
      codec: 'avc1.42c01e',
    },
  ],
  thirdParty: NOBODY,
  ...over,
});
const wrapped: VastSource = {
  kind: 'wrapper',
  tagUrl: 'https://other.example/vast?cb=[CACHEBUSTING]',
  thirdParty: NOBODY,
};
const told = {
  impressions: ['https://count.example/i'],
  errors: ['https://count.example/e?c=[ERRORCODE]'],
  beacons: [
    { event: 'start', url: 'https://count.example/s', offset: null },
    { event: 'fullscreen', url: 'https://count.example/f', offset: null },
    { event: 'playerExpand', url: 'https://count.example/x', offset: null },
    { event: 'progress', url: 'https://count.example/p', offset: '00:00:05' },
    { event: 'progress', url: 'https://count.example/no-offset', offset: null },
  ],
  clickTracking: ['https://count.example/c'],
};
const adOf = (over: Partial<VastAd> = {}): VastAd => ({
  adId: 7,
  creativeId: 77,
  requestId: 'ab'.repeat(16),
  title: 'A title',
  adName: 'Anzeige',
  description: 'Copy',
  advertiser: 'Brand',
  source: inline(),
  companion: null,
  skipAfterSeconds: null,
  trackUrl: TRACK,
  trackId: 'TID',
  ...over,
});
const companion = { url: 'https://cdn.example/c.png', mime: 'image/png', width: 300, height: 250 };

const write = { '2.0': vast2, '4.2': (ads: VastAd[]) => vast4(ads, TRACK) } as const;
const versions = ['2.0', '4.2'] as const;
const rootOf = (xml: string): VastNode => {
  const [root] = readNodes(xml);
  if (root === undefined) throw new Error('no root');
  return root;
};
const events = (xml: string): string[] =>
  find(rootOf(xml), 'Tracking').map(({ attributes }) => attributes['event'] ?? '');
const texts = (xml: string, name: string): string[] =>
  find(rootOf(xml), name).map(({ text }) => text);

describe('VAST documents', () => {
  const ads: [string, VastAd[]][] = [
    ['no ad', []],
    ['a file', [adOf()]],
    ['a file with a companion', [adOf({ companion })]],
    ['a skippable file', [adOf({ skipAfterSeconds: 5 })]],
    ['a long file', [adOf({ source: inline({ durationSeconds: 45.2 }) })]],
    ['no words at all', [adOf({ title: '', description: '', advertiser: '' })]],
    ['an own document', [adOf({ source: inline({ thirdParty: told }) })]],
    ['another server', [adOf({ source: wrapped })]],
    ['another server, measured', [adOf({ source: { ...wrapped, thirdParty: told } })]],
    ['a pod', [adOf(), adOf({ source: wrapped })]],
  ];
  test.each(versions.flatMap((version) => ads.map(([name, list]) => ({ version, name, list }))))(
    'VAST $version · $name · has the structure that its version asks for',
    ({ version, list }) => {
      expect(vastFaults(write[version](list))).toEqual([]);
    },
  );

  test.each(versions)('VAST %s · any words · are text and nothing else', (version) => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'grapheme' }),
        (title, words) => {
          const xml = write[version]([adOf({ title: `<x>${title}`, description: `&${words}]]>` })]);
          expect(vastFaults(xml)).toEqual([]);
        },
      ),
      { numRuns: 150 },
    );
  });

  test('VAST 4.2 · no ad · carries the root Error, 2.0 carries nothing', () => {
    expect(texts(vast4([], TRACK), 'Error')).toEqual([
      `${TRACK}/track/vast-error/no-ad?code=[ERRORCODE]`,
    ]);
    expect(rootOf(vast2([])).children).toEqual([]);
  });

  test.each(versions)('VAST %s · one ad · has no sequence; a pod counts its ads', (version) => {
    const sequences = (list: VastAd[]): (string | undefined)[] =>
      find(rootOf(write[version](list)), 'Ad').map(({ attributes }) => attributes['sequence']);
    expect(sequences([adOf()])).toEqual([undefined]);
    expect(sequences([adOf(), adOf()])).toEqual(['1', '2']);
  });

  test('VAST 4.2 · 45 seconds · tells the view at 30; 15 seconds or 2.0 only the end', () => {
    const long = [adOf({ source: inline({ durationSeconds: 45 }) })];
    const progress = find(rootOf(vast4(long, TRACK)), 'Tracking').find(
      ({ attributes }) => attributes['event'] === 'progress',
    );
    expect(progress).toMatchObject({
      attributes: { offset: '00:00:30' },
      text: `${TRACK}/track/video/TID?e=view`,
    });
    expect(events(vast4([adOf()], TRACK))).toEqual([
      'loaded',
      'start',
      'firstQuartile',
      'midpoint',
      'thirdQuartile',
      'complete',
    ]);
    expect(events(vast2(long))).not.toContain('progress');
    expect(events(vast2(long))).toContain('complete');
  });

  test('VAST 4.2 · skippable after 5 s · says so and tells the skip, unless it is over by then', () => {
    const xml = vast4([adOf({ skipAfterSeconds: 5 })], TRACK);
    expect(find(rootOf(xml), 'Linear')[0]?.attributes['skipoffset']).toBe('00:00:05');
    expect(events(xml)).toContain('skip');
    const short = vast4([adOf({ skipAfterSeconds: 15 })], TRACK);
    expect(find(rootOf(short), 'Linear')[0]?.attributes).toEqual({});
    expect(events(short)).not.toContain('skip');
  });

  test.each(versions)('VAST %s · macros of the player · stand untouched', (version) => {
    const xml = write[version]([adOf({ source: wrapped })]);
    expect(texts(xml, 'Error')).toEqual([`${TRACK}/track/vast-error/TID?code=[ERRORCODE]`]);
    expect(texts(xml, 'Impression')[0]).toBe(`${TRACK}/track/impression/TID?cb=[CACHEBUSTING]`);
    expect(texts(xml, 'VASTAdTagURI')).toEqual(['https://other.example/vast?cb=[CACHEBUSTING]']);
  });

  test.each(versions)('VAST %s · a click · goes to us once: not also as tracking', (version) => {
    const xml = write[version]([adOf()]);
    expect(texts(xml, 'ClickThrough')).toEqual([`${TRACK}/track/click/TID`]);
    expect(texts(xml, 'ClickTracking')).toEqual([]);
    const other = write[version]([adOf({ source: wrapped })]);
    expect(texts(other, 'ClickThrough')).toEqual([]);
    expect(texts(other, 'ClickTracking')).toEqual([`${TRACK}/track/click/TID?m=beacon`]);
  });

  test('an own document · its beacons · are told beside ours, as far as the version knows them', () => {
    const list = [adOf({ source: inline({ thirdParty: told }) })];
    expect(texts(vast4(list, TRACK), 'Impression')).toContain('https://count.example/i');
    expect(texts(vast4(list, TRACK), 'Error')).toContain('https://count.example/e?c=[ERRORCODE]');
    expect(texts(vast4(list, TRACK), 'Tracking')).toEqual(
      expect.arrayContaining([
        'https://count.example/s',
        'https://count.example/x',
        'https://count.example/p',
      ]),
    );
    expect(texts(vast4(list, TRACK), 'Tracking')).not.toContain('https://count.example/no-offset');
    expect(texts(vast2(list), 'Tracking')).toEqual(
      expect.arrayContaining(['https://count.example/s', 'https://count.example/f']),
    );
    expect(texts(vast2(list), 'Tracking')).not.toContain('https://count.example/p');
  });

  test.each(versions)(
    'VAST %s · an address that would end its CDATA · is read back whole',
    (version) => {
      expect(texts(write[version]([adOf()]), 'MediaFile')).toEqual([
        'https://cdn.example/v.mp4?a=1&b=]]>',
      ]);
    },
  );

  test.each([
    ['no Duration', (xml: string) => xml.replace(/<Duration>.*<\/Duration>/, '')],
    [
      'a child out of place',
      (xml: string) => xml.replace(/(<AdTitle>.*<\/AdTitle>)(.*)(<\/InLine>)/, '$2$1$3'),
    ],
    ['no namespace', (xml: string) => xml.replace(/ xmlns="[^"]*"/, '')],
    ['an unknown event', (xml: string) => xml.replace('event="start"', 'event="begin"')],
    ['no UniversalAdId', (xml: string) => xml.replace(/<UniversalAdId.*?<\/UniversalAdId>/, '')],
    ['an open element', (xml: string) => xml.replace('</Ad>', '')],
  ])('the checker · %s · is a fault', (_name, spoil) => {
    const sound = vast4([adOf()], TRACK);
    expect(spoil(sound)).not.toBe(sound);
    expect(vastFaults(spoil(sound))).not.toEqual([]);
  });
});

describe('times', () => {
  test.each([
    [15, '00:00:15'],
    [45.12, '00:00:45.120'],
    [3_725, '01:02:05'],
    [59.9996, '00:01:00'],
  ])('%d seconds · as a time of day · is %s', (seconds, clock) => {
    expect(clockTime(seconds)).toBe(clock);
    expect(clockSeconds(clock)).toBeCloseTo(seconds, 2);
  });
  test.each(['', '15', '00:60:00', '00:00:1', '-1:00:00', '00:00:15.1234'])(
    'the text %p · is no time',
    (text) => {
      expect(clockSeconds(text)).toBeNull();
    },
  );
  test('a view · takes the video, at most 30 s, at least 1; of another server nobody knows', () => {
    expect(viewSecondsOf(inline({ durationSeconds: 15.9 }))).toBe(15);
    expect(viewSecondsOf(inline({ durationSeconds: 45 }))).toBe(30);
    expect(viewSecondsOf(inline({ durationSeconds: 0.4 }))).toBe(1);
    expect(viewSecondsOf(wrapped)).toBeUndefined();
  });
});
