import fc from 'fast-check';
import {
  readVast,
  VAST_CHARS_MAX,
  type VastReading,
} from '../../../activities/providers/vast-source.ts';

const media = (attributes = '', url = 'https://c.example/v.mp4'): string =>
  `<MediaFile delivery="progressive" type="video/mp4" width="640" height="360" ${attributes}><![CDATA[${url}]]></MediaFile>`;
const linear = (over: { files?: string; duration?: string; more?: string } = {}): string =>
  `<Linear><Duration>${over.duration ?? '00:00:15'}</Duration>${over.more ?? ''}<MediaFiles>${over.files ?? media()}</MediaFiles></Linear>`;
const inLine = (creative = linear(), head = ''): string =>
  `<VAST version="3.0"><Ad id="1"><InLine><AdSystem>x</AdSystem>${head}<Creatives><Creative>${creative}</Creative></Creatives></InLine></Ad></VAST>`;
const wrapper = (uri: string): string =>
  `<VAST version="4.0" xmlns="http://www.iab.com/VAST"><Ad><Wrapper>${uri}</Wrapper></Ad></VAST>`;
const reasonOf = (reading: VastReading): string => (reading.ok ? 'accepted' : reading.reason);

describe('an advertiser’s VAST document', () => {
  test('InLine · with everything that we keep · is read; entities and CDATA are one', () => {
    const head =
      '<Impression><![CDATA[https://a.example/i?x=1&cb=[CACHEBUSTING]]]></Impression><Impression/>' +
      '<Error>https://a.example/e?x=1&amp;c=[ERRORCODE]</Error>';
    const more =
      '<TrackingEvents><Tracking event="start">https://a.example/s</Tracking><Tracking event="progress" offset="25%">https://a.example/p</Tracking><Tracking event="start"/></TrackingEvents>' +
      '<VideoClicks><ClickThrough>https://steer.example/</ClickThrough><ClickTracking>https://a.example/c</ClickTracking></VideoClicks>';
    const files = media('bitrate="500" codec="avc1.42c01e"') + media('apiFramework="VPAID"');
    expect(readVast(inLine(linear({ more, files }), head))).toEqual({
      ok: true,
      source: {
        kind: 'inline',
        durationSeconds: 15,
        mediaFiles: [
          {
            url: 'https://c.example/v.mp4',
            mime: 'video/mp4',
            width: 640,
            height: 360,
            bitrateKbps: 500,
            codec: 'avc1.42c01e',
          },
        ],
        thirdParty: {
          impressions: ['https://a.example/i?x=1&cb=[CACHEBUSTING]'],
          errors: ['https://a.example/e?x=1&c=[ERRORCODE]'],
          beacons: [
            { event: 'start', url: 'https://a.example/s', offset: null },
            { event: 'progress', url: 'https://a.example/p', offset: '25%' },
          ],
          clickTracking: ['https://a.example/c'],
        },
      },
    });
  });

  test('Wrapper · with a namespace · keeps the address it leads to', () => {
    const reading = readVast(
      wrapper('<VASTAdTagURI><![CDATA[https://o.example/?c=[CB]&a=1]]></VASTAdTagURI>'),
    );
    expect(reading).toMatchObject({
      ok: true,
      source: { kind: 'wrapper', tagUrl: 'https://o.example/?c=[CB]&a=1' },
    });
  });

  const many = (one: string, count: number): string => one.repeat(count);
  test.each<[string, string, RegExp]>([
    ['nothing', '', /well-formed/],
    ['no XML', 'hello', /well-formed/],
    ['a NUL', `${inLine()}\u0000`, /readable/],
    ['an open element', '<VAST><Ad></VAST>', /well-formed/],
    ['two roots', `${inLine()}${inLine()}`, /well-formed|cannot be read/],
    ['another root', '<html/>', /must hold VAST/],
    ['an empty answer', '<VAST version="3.0"/>', /exactly one Ad/],
    ['a pod', inLine().replace('</Ad>', '</Ad><Ad/>'), /exactly one Ad/],
    ['no kind of ad', '<VAST><Ad/></VAST>', /must hold Wrapper/],
    ['no linear creative', inLine('<NonLinearAds/>'), /Linear/],
    ['no duration', inLine(linear({ duration: '' })), /Duration/],
    ['a duration of zero', inLine(linear({ duration: '00:00:00' })), /Duration/],
    ['a duration of an hour', inLine(linear({ duration: '01:00:00' })), /Duration/],
    ['scripts only', inLine(linear({ files: media('apiFramework="VPAID"') })), /media file/],
    ['a stream', inLine(linear({ files: media().replace('progressive', 'streaming') })), /media/],
    ['no size', inLine(linear({ files: media().replace('width="640"', '') })), /width/],
    ['a script as file', inLine(linear({ files: media('', 'javascript:alert(1)') })), /MediaFile/],
    [
      'a file of a user',
      inLine(linear({ files: media('', 'https://u:p@c.example/') })),
      /MediaFile/,
    ],
    ['a local file', inLine(linear({ files: media('', 'file:///etc/passwd') })), /MediaFile/],
    ['a space in it', inLine(linear({ files: media('', 'https://c.example/a b') })), /MediaFile/],
    ['an impression nowhere', inLine(linear(), '<Impression>data:,x</Impression>'), /Impression/],
    ['a wrapper to nowhere', wrapper('<VASTAdTagURI/>'), /VASTAdTagURI/],
    ['a wrapper without one', wrapper(''), /VASTAdTagURI/],
    [
      'too many beacons',
      inLine(linear(), many('<Impression>https://a.example/</Impression>', 31)),
      /at most 30/,
    ],
    ['too many files', inLine(linear({ files: many(media(), 21) })), /too many media files/],
    ['too long', inLine(linear(), `<!--${'x'.repeat(VAST_CHARS_MAX)}-->`), /at most 65536/],
    ['too deep', inLine(many('<a>', 40) + many('</a>', 40)), /cannot be read/],
    ['a document type', `<!DOCTYPE VAST>${inLine()}`, /document type/],
    [
      'entities that grow',
      `<!DOCTYPE v [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;">]>${inLine()}`,
      /document type/,
    ],
    [
      'an entity of a file',
      `<!doctype v [<!ENTITY a SYSTEM "file:///etc/passwd">]>${inLine()}`,
      /document type/,
    ],
    ['a name of the language', '<VAST><__proto__><Ad/></__proto__></VAST>', /cannot be read/],
  ])('%s · is refused, with its reason', (_name, xml, reason) => {
    expect(reasonOf(readVast(xml))).toMatch(reason);
  });

  test.each([
    ['no XML', 'hello', 'NOT_XML'],
    ['nothing', '', 'NOT_XML'],
    ['a document type', `<!DOCTYPE VAST>${inLine()}`, 'NOT_VAST'],
    ['another root', '<html/>', 'NOT_VAST'],
    ['a pod', inLine().replace('</Ad>', '</Ad><Ad/>'), 'NOT_VAST'],
    ['an empty answer', '<VAST version="3.0"/>', 'NO_AD'],
    ['an empty answer with its Error', '<VAST><Error>https://a.example/</Error></VAST>', 'NO_AD'],
  ])('%s · has the fault that it has', (_name, xml, fault) => {
    expect(readVast(xml)).toMatchObject({ ok: false, fault });
  });

  test('any text · whatever it is · is answered, never thrown, and within a moment', () => {
    const parts = fc.constantFrom(
      '<VAST>',
      '</VAST>',
      '<Ad>',
      '</Ad>',
      '<InLine>',
      '<![CDATA[',
      ']]>',
      '&amp;',
      '&x;',
      '&#0;',
      '&#xFFFFFFFF;',
      '<!--',
      '-->',
      '<?pi',
      '?>',
      ' a="b"',
      '<constructor/>',
      '<toString/>',
      '\u0000',
      inLine(),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(parts, fc.string()), { maxLength: 30 }), (texts) => {
        expect(typeof readVast(texts.join('')).ok).toBe('boolean');
      }),
      { numRuns: 500 },
    );
    const begun = process.cpuUsage();
    for (const hostile of ['<', '<a ', '<![CDATA[', '&', '<!--', '<a b="', '<a>']) {
      readVast(hostile.repeat(Math.floor(VAST_CHARS_MAX / hostile.length)));
    }
    // Of the processor, whoever else wants it.
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(3_000);
  });
});
