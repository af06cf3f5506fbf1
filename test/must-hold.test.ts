import { readFileSync } from 'node:fs';

/**
 * The nine properties that serving and tracking must never lose, each with the tests that hold it. A
 * test that is renamed or taken away is missed here.
 */
const PROPERTIES: readonly [property: string, tests: readonly (readonly [string, string])[]][] = [
  [
    '1. one changed character of track_id, qa_k, _r, _d or _s: never billable, answered as the good one',
    [
      ['api/track/track', 'any one-character change · is never told, and never passes'],
      [
        'api/track/track',
        'forged, altered, expired, bot, empty agent, prefetch, repeated · same bytes and headers as a good one',
      ],
      ['api/track/track', 'click · forged, altered, expired, bot · the same page'],
      ['domain/tracking/verdict', '%s · %s · not billable, for this reason first'],
    ],
  ],
  [
    '2. one signed URL twice is one billable event; of parallel click-verify calls exactly one succeeds',
    [
      ['domain/tracking/batch', 'a bid · shown twice · counts once'],
      ['domain/tracking/batch', 'a nonce · used twice · is a replay'],
      ['api/track/track', 'click-verify · twenty at once · exactly one succeeds'],
    ],
  ],
  [
    '3. a v2 track_id reported v1-style, and the qa_k of another request: not billable',
    [
      ['api/track/track', 'issued under v2, reported v1-style · both protocols are in the facts'],
      ['domain/tracking/verdict', "['SESSION_EXPIRED', 'the session key is of another request'"],
      ['domain/tracking/verdict', "'SIG_MISSING',"],
    ],
  ],
  [
    '4. click-verify before an impression, after 301 s, from another OS or by a bot: no bill, the row stays',
    [
      [
        'domain/tracking/batch-clicks',
        'its impression · later in the batch, in the marks, or nowhere',
      ],
      ['api/track/track', 'click-verify · key 301 s old, of another click, another browser'],
      ['api/track/track', 'deadline passed on the database clock · 409 and the row still waits'],
      ['domain/tracking/verdict', "'CLICK_BEFORE_IMPRESSION',"],
    ],
  ],
  [
    '5. a reward once per transaction, never early, its amount never from the client',
    [
      ['api/reward/reward', 'asked again, 20 at once · is granted once'],
      ['api/reward/reward', 'too early · is 409 with the time that is left'],
      ['api/reward/reward', 'tells the zone’s own terms, never the page’s'],
    ],
  ],
  [
    '6. every VAST answer, 2.0 and 4.2, own and wrapped and empty, is what a player accepts',
    [
      ['api/ad/vast', 'version %s · a stored file · is announced as it was probed'],
      ['api/ad/vast', 'a wrapper by its %s · leads on'],
      ['api/ad/vast', 'no ad · in a zone that nobody buys · is an empty document with 200'],
    ],
  ],
  [
    '7. an advertiser’s code reads nothing of the publisher’s page, by html, by /ad/render, by the SDK',
    [
      ['api/ad/creative-frame', 'html as srcdoc · on a publisher page that sandboxes nothing'],
      ['api/ad/creative-frame', '/ad/render as src · on the same page'],
      ['api/ad/html5-frame', 'runs in a frame of its own'],
    ],
  ],
  [
    '8. no request of ours reaches an address that is not public, by any spelling, redirect or name',
    [
      ['activities/providers/safe-fetch', 'refused before a socket opens'],
      ['activities/providers/safe-fetch', 'redirect · to %s · refused as %s'],
      ['activities/providers/safe-fetch', '%s · judged · not public'],
    ],
  ],
  [
    '9. privacy signals reduce what is kept, and no whole address is at rest',
    [
      ['api/ad/request', 'privacy · %s · nothing is counted, capped ads stay out'],
      ['api/ad/request', 'is sealed as its fingerprint, unless privacy signals restrict'],
      ['api/track/track', "not.toContain('8.8.8.8')"],
    ],
  ],
];

test('the list · counts nine', () => {
  expect(PROPERTIES.map(([property]) => property[0])).toEqual('123456789'.split(''));
});

test.each(PROPERTIES)('%s', (_property, tests) => {
  for (const [file, title] of tests) {
    expect(readFileSync(`test/${file}.test.ts`, 'utf8')).toContain(title);
  }
});
