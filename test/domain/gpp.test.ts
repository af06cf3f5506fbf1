import { gppRestricts } from '../../domain/gpp.ts';

/**
 * Strings as the IAB's own library (@iabgpp/cmpapi 3.2.0) writes them: every field around the opt-outs is 1, which
 * there would be an opt-out, so that one read at a wrong place is seen. Without another word nobody opted out.
 */
const SECTIONS = {
  /* Canada, where of all purposes but the second the other way is said */ 5: {
    'open: expressly': 'DBABDA~BQuaY6VQuaY6VAy___EN_____oAAAX___gASiIABEAA.YAAAAAAAAAA',
    'open: by silence': 'DBABDA~BQuaY6VQuaY6VAy___EN_____3___oAAAAASiIABEAA.YAAAAAAAAAA',
    'open: both': 'DBABDA~BQuaY6VQuaY6VAy___EN_____oAAAIAAAAASiIABEAA.YAAAAAAAAAA',
    'agreed to all but the choice of basic ads':
      'DBABDA~BQuaY6VQuaY6VAy___EN_____3___3___gASiIABEAA.YAAAAAAAAAA',
  },
  7: {
    open: 'DBABLA~CVVqVVVVVQFU.QA',
    'open, first version': 'DBABLA~BVVqVVVVBVA.QA',
    sale: 'DBABLA~CVVaVVVVVQFU.QA',
    sharing: 'DBABLA~CVVmVVVVVQFU.QA',
    'sharing, first version': 'DBABLA~BVVmVVVVBVA.QA',
    targeting: 'DBABLA~CVVpVVVVVQFU.QA',
    gpc: 'DBABLA~CVVqVVVVVQFU.YA',
    child: 'DBABLA~CVVqVVVVVQlU.QA',
    'child, first version': 'DBABLA~BVVqVVVVJVA.QA',
  },
  8: {
    open: 'DBABBg~BVpVVUFU.QA',
    sale: 'DBABBg~BVZVVUFU.QA',
    sharing: 'DBABBg~BVlVVUFU.QA',
    gpc: 'DBABBg~BVpVVUFU.YA',
    child: 'DBABBg~BVpVVUlU.QA',
  },
  9: {
    open: 'DBABRg~BVpVVRU',
    sale: 'DBABRg~BVZVVRU',
    targeting: 'DBABRg~BVlVVRU',
    child: 'DBABRg~BVpVVZU',
  },
  10: {
    open: 'DBABJg~BVpVVFQ.QA',
    sale: 'DBABJg~BVZVVFQ.QA',
    targeting: 'DBABJg~BVlVVFQ.QA',
    gpc: 'DBABJg~BVpVVFQ.YA',
    child: 'DBABJg~BVpVVlQ.QA',
  },
  11: {
    open: 'DBABFg~BVaVVUVA',
    sale: 'DBABFg~BVWVVUVA',
    targeting: 'DBABFg~BVZVVUVA',
    child: 'DBABFg~BVaVVWVA',
  },
  12: {
    open: 'DBABVg~BVpVVQFQ.QA',
    sale: 'DBABVg~BVZVVQFQ.QA',
    targeting: 'DBABVg~BVlVVQFQ.QA',
    gpc: 'DBABVg~BVpVVQFQ.YA',
    child: 'DBABVg~BVpVVQlQ.QA',
  },
  13: {
    open: 'DBABAw~BVpVVQFU',
    sale: 'DBABAw~BVZVVQFU',
    targeting: 'DBABAw~BVlVVQFU',
    child: 'DBABAw~BVpVVQlU',
  },
  14: {
    open: 'DBABQw~BVpVVQFU.QA',
    sale: 'DBABQw~BVZVVQFU.QA',
    targeting: 'DBABQw~BVlVVQFU.QA',
    gpc: 'DBABQw~BVpVVQFU.YA',
    child: 'DBABQw~BVpVVQlU.QA',
  },
  15: {
    open: 'DBABIw~BVpVVVQFUA.QA',
    sale: 'DBABIw~BVZVVVQFUA.QA',
    targeting: 'DBABIw~BVlVVVQFUA.QA',
    gpc: 'DBABIw~BVpVVVQFUA.YA',
    child: 'DBABIw~BVpVVVQlUA.QA',
  },
  16: {
    open: 'DBABEw~BVpVVRVA.QA',
    sale: 'DBABEw~BVZVVRVA.QA',
    targeting: 'DBABEw~BVlVVRVA.QA',
    gpc: 'DBABEw~BVpVVRVA.YA',
    child: 'DBABEw~BVpVVZVA.QA',
  },
  17: {
    open: 'DBABUw~BVpVVUAFUA.QA',
    sale: 'DBABUw~BVZVVUAFUA.QA',
    targeting: 'DBABUw~BVlVVUAFUA.QA',
    gpc: 'DBABUw~BVpVVUAFUA.YA',
    child: 'DBABUw~BVpVVUAlUA.QA',
  },
  18: {
    open: 'DBABCw~BVaVVUVA.QA',
    sale: 'DBABCw~BVWVVUVA.QA',
    targeting: 'DBABCw~BVZVVUVA.QA',
    gpc: 'DBABCw~BVaVVUVA.YA',
    child: 'DBABCw~BVaVVWVA.QA',
  },
  19: {
    open: 'DBABSw~BVpVVRVA.QA',
    sale: 'DBABSw~BVZVVRVA.QA',
    targeting: 'DBABSw~BVlVVRVA.QA',
    gpc: 'DBABSw~BVpVVRVA.YA',
    child: 'DBABSw~BVpVVZVA.QA',
  },
  20: {
    open: 'DBABKw~BVpVVQFU.QA',
    sale: 'DBABKw~BVZVVQFU.QA',
    targeting: 'DBABKw~BVlVVQFU.QA',
    gpc: 'DBABKw~BVpVVQFU.YA',
    child: 'DBABKw~BVpVVQlU.QA',
  },
  21: {
    open: 'DBABAYA~BVpVVVABVA.QA',
    sale: 'DBABAYA~BVZVVVABVA.QA',
    targeting: 'DBABAYA~BVlVVVABVA.QA',
    gpc: 'DBABAYA~BVpVVVABVA.YA',
    child: 'DBABAYA~BVpVVVAJVA.QA',
  },
  22: {
    open: 'DBABQYA~BVpVVRVA.QA',
    sale: 'DBABQYA~BVZVVRVA.QA',
    targeting: 'DBABQYA~BVlVVRVA.QA',
    gpc: 'DBABQYA~BVpVVRVA.YA',
    child: 'DBABQYA~BVpVVZVA.QA',
  },
  23: {
    open: 'DBABIYA~BVpVVRVA.QA',
    sale: 'DBABIYA~BVZVVRVA.QA',
    targeting: 'DBABIYA~BVlVVRVA.QA',
    gpc: 'DBABIYA~BVpVVRVA.YA',
    child: 'DBABIYA~BVpVVZVA.QA',
  },
};

const STRINGS = Object.entries(SECTIONS).flatMap(([id, strings]) =>
  Object.entries(strings).map(([what, gpp]) => [id, what, gpp] as const),
);

test.each(STRINGS)('section %s · %s', (id, what, gpp) => {
  const isRestricted = !what.startsWith('open');
  expect(gppRestricts(gpp, id)).toBe(isRestricted);
  // Of a string alone every section counts; one that does not apply never does.
  expect(gppRestricts(gpp, '')).toBe(isRestricted);
  expect(gppRestricts(gpp, '0')).toBe(isRestricted);
  expect(gppRestricts(gpp, '${GPP_SID}')).toBe(isRestricted);
  expect(gppRestricts(gpp, '-1')).toBe(false);
});

describe('several sections', () => {
  /** The examples of the standard: TCF of the EU (no purpose agreed to) and US Privacy; both with an opt-out. */
  const [tcf, usp] = ['CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA', '1YNN'];
  const agreed = `${tcf.slice(0, 25)}I${tcf.slice(26)}`;
  const canada = SECTIONS[5]['open: by silence'].split('~')[1] ?? '';
  test.each([
    ['TCF refused', `DBABMA~${tcf}`, '2', true],
    ['TCF agreed', `DBABMA~${agreed}`, '2', false],
    ['the shorter header of the standard', `DBABM~${agreed}`, '2', false],
    ['US Privacy alone applies', `DBACNYA~${tcf}~${usp}`, '6', false],
    ['TCF alone applies', `DBACNYA~${tcf}~${usp}`, '2', true],
    ['neither is said to apply', `DBACNYA~${tcf}~${usp}`, '', true],
    ['both apply, one is refused', `DBACNYA~${agreed}~1YYN`, '2,6', true],
    ['both apply, by the other separator', `DBACNYA~${agreed}~1YYN`, '2_6', true],
    ['both apply, none is refused', `DBACNYA~${agreed}~1YNN`, '2,6', false],
    ['a group of sections, the second opted out', 'DBABh4~BVpVVUFU~BVZVVRU', '9', true],
    ['a group of sections, the second open', 'DBABh4~BVZVVUFU~BVpVVRU', '9', false],
    ['Canada and US Privacy in a group', `DBABjw~${canada}~1YNN`, '5,6', false],
    ['of a group Canada alone applies', `DBABjw~${canada}~1YYN`, '5', false],
    ['Canada does not apply', 'DBABjw~x~1YNN', '6', false],
    ['what is not judged here applies alone', 'DBABDA~x', '4', false],
  ])('%s', (_what, gpp, sid, isRestricted) => {
    expect(gppRestricts(gpp, sid)).toBe(isRestricted);
  });
});

describe('what cannot be read restricts', () => {
  const { open } = SECTIONS[8];
  test.each([
    ['no string, of a section that applies', '', '8'],
    ['a section that applies and is not in it', 'DBAA', '8'],
    ['another one is', open, '7'],
    ['junk', 'junk', '8'],
    ['junk alone', 'junk', ''],
    ['a macro that nobody filled in', '${GPP_STRING_1}', ''],
    ['a TCF string', 'CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA', '2'],
    ['another version of the header', open.replace('DBA', 'DCA'), '8'],
    ['a header that breaks off', open.replace('DBABBg', 'DBAB'), '8'],
    ['a header of more than there are', 'D'.padEnd(400, '_') + '~x', '8'],
    ['a header of more sections than follow', 'DBABBg', '8'],
    ['fewer than follow', `${open}~BVpVVUFU`, '8'],
    ['an empty section', 'DBABBg~', '8'],
    ['another version of the section', open.replace('~B', '~D'), '8'],
    ['a value that there is not', open.replace('~BVp', '~BV_'), '8'],
    ['a section that breaks off', 'DBABBg~BVp', '8'],
    ['a letter outside base64url', open.replace('VVU', 'V+U'), '8'],
    ['a letter outside ASCII', open.replace('VVU', 'VéU'), '8'],
    ['a segment of another kind', open.replace('.QA', '.gA'), '8'],
    ['an empty segment', open.replace('.QA', '.'), '8'],
    ['US Privacy of another form', 'DBABzw~2YNN', '6'],
    ['a section that nobody has heard of', 'DBABFY~BVpVVUFU.QA', '28'],
    ['the EU’s string as Canada’s', 'DBABDA~CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA', '5'],
    ['Canada’s that breaks off', SECTIONS[5]['open: expressly'].slice(0, 34), '5'],
    ['one whose form is not agreed on', 'DBABRGA~BVpVVUFU.QA', '24'],
  ])('%s', (_what, gpp, sid) => {
    expect(gppRestricts(gpp, sid)).toBe(true);
  });

  test.each([
    ['nothing said', '', ''],
    ['no string, of none that applies', '', '-1'],
    ['no string, of none that is known', '', '0'],
    ['no segment', 'DBABBg~BVpVVUFU', '8'],
  ])('but not %s', (_what, gpp, sid) => {
    expect(gppRestricts(gpp, sid)).toBe(false);
  });

  test('every string cut or bent anywhere · is read without a fault', () => {
    for (const [id, , gpp] of STRINGS) {
      for (let at = 0; at < gpp.length; at += 1) {
        for (const letter of ['', '_', '~', '.', '%']) {
          gppRestricts(gpp.slice(0, at) + letter + gpp.slice(at + 1), id);
          gppRestricts(gpp.slice(0, at) + letter, '');
        }
      }
    }
  });
});
