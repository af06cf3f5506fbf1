import {
  type AdFacts,
  blockersOf,
  type CampaignFacts,
  type CreativeFacts,
  landingHost,
  needsHuman,
  reviewFindings,
} from '../../domain/review-findings.ts';

const creative = (facts: Partial<CreativeFacts>): CreativeFacts => ({
  type: 'creative',
  creativeType: 'image',
  imageMediaId: 1,
  videoMediaId: null,
  html5Findings: null,
  htmlCode: null,
  vastXml: null,
  vastUrl: null,
  ...facts,
});
const html = (htmlCode: string): string[] =>
  reviewFindings(creative({ creativeType: 'html', htmlCode })).map((finding) => finding.code);
const landing = (facts: Partial<AdFacts>): AdFacts => ({
  type: 'ad',
  landingUrl: 'https://shop.example/x',
  approvedHosts: [],
  title: null,
  description: null,
  buttonText: null,
  brandName: null,
  displayUrl: null,
  copyIsNew: false,
  displaySite: null,
  landingSite: 'shop.example',
  brands: ['PayPal', 'Apple', 'Bank of America'],
  ...facts,
});
const campaign = (facts: Partial<CampaignFacts>): CampaignFacts => ({
  type: 'campaign',
  landingUrl: 'https://shop.example/x',
  approvedHosts: [],
  shownByApprovedAds: false,
  displaySites: [],
  landingSite: 'shop.example',
  ...facts,
});
/** Of an ad whose page is known. */
const copy = (facts: Partial<AdFacts>): string[] =>
  reviewFindings(landing({ approvedHosts: ['shop.example'], ...facts })).map(
    ({ code, field }) => `${code} ${field ?? ''}`,
  );

describe('creative', () => {
  it('image · with its image · clean', () => {
    expect(reviewFindings(creative({}))).toEqual([]);
  });

  it.each([
    ['image', { imageMediaId: null }, 'IMAGE_MISSING'],
    ['native', { imageMediaId: null }, 'IMAGE_MISSING'],
    ['html', {}, 'HTML_MISSING'],
    ['html', { htmlCode: '  ' }, 'HTML_MISSING'],
    ['html5', { htmlCode: '<b>no zip</b>' }, 'HTML5_MISSING'],
    ['video', {}, 'VIDEO_MISSING'],
    ['vast', {}, 'VAST_MISSING'],
  ] as const)('%s · without what it shows · blocked', (creativeType, facts, code) => {
    const findings = reviewFindings(creative({ creativeType, ...facts }));
    expect(blockersOf(findings).map((finding) => finding.code)).toEqual([code]);
  });

  it.each([
    ['<p>Hello <b>you</b></p><a href="#">x</a>', []],
    ['<svg xmlns="http://www.w3.org/2000/svg"></svg>', []],
    ['<script>document.write("x")</script>', ['HTML_DOCUMENT_WRITE']],
    ['<script>document["write"]("x")</script>', ['HTML_DOCUMENT_WRITE']],
    ['<script>eval ("x")</script>', ['HTML_EVAL']],
    ['<script>new Function("x")()</script>', ['HTML_EVAL']],
    ['<script>setTimeout("x", 1)</script>', ['HTML_EVAL']],
    ['<script>setTimeout(go, 1)</script>', []],
    ['<script>window.top.location = "/"</script>', ['HTML_TOP_NAVIGATION']],
    ["<script>parent['location'].href = '/'</script>", ['HTML_TOP_NAVIGATION']],
    ['<a target=_top href=x>x</a>', ['HTML_TOP_NAVIGATION']],
    ['<META HTTP-EQUIV="Refresh" content="0">', ['HTML_META_REFRESH']],
    ['<base href="/x">', ['HTML_BASE']],
    ['<iframe src="x"></iframe>', ['HTML_FRAME']],
    ['<a href="javascript:go()">x</a>', ['HTML_SCRIPT_URL']],
    ['<script>navigator.serviceWorker</script>', ['HTML_WORKER']],
    [
      '<a class="x" href="https://shop.example/">x</a><!-- clickTag -->',
      ['HTML_UNCOUNTED_LINK', 'HTML_EXTERNAL_HOST'],
    ],
    ['<area href = //shop.example/>', ['HTML_UNCOUNTED_LINK', 'HTML_EXTERNAL_HOST']],
    [
      '<svg><a xlink:href="http://shop.example/"/></svg>',
      ['HTML_UNCOUNTED_LINK', 'HTML_EXTERNAL_HOST'],
    ],
    ['<script>open("//localhost/")</script>', ['HTML_UNCOUNTED_LINK']],
    ['<script>location.replace(`https://localhost`)</script>', ['HTML_UNCOUNTED_LINK']],
    ["<script>location.href = 'https://localhost'</script>", ['HTML_UNCOUNTED_LINK']],
    ['<a href="{click_url}">x</a><a href="${CLICK_URL}">y</a><a href="#top">z</a>', []],
    ['<script>open(clickTag); var clickTag = "";</script>', []],
    ['<img src="https://cdn.evil.example/x.png">', ['HTML_EXTERNAL_HOST']],
    ['<img src="//cdn.evil.example/x.png">', ['HTML_EXTERNAL_HOST']],
    ['<script>new WebSocket("wss://evil.example")</script>', ['HTML_EXTERNAL_HOST']],
  ])('html · %s · %j', (code, expected) => {
    expect(html(code)).toEqual(expected);
  });

  it('html · the same host many times · named once, in lower case', () => {
    const code = '<img src="https://A.example/1"><img src="https://a.example/2">';
    expect(reviewFindings(creative({ creativeType: 'html', htmlCode: code }))).toEqual([
      { code: 'HTML_EXTERNAL_HOST', severity: 'notice', field: 'html_code', note: 'a.example' },
    ]);
  });

  it('html · a megabyte made to be slow · judged in time', () => {
    const began = performance.now();
    html('<meta '.repeat(170_000));
    html('//'.repeat(500_000));
    html('<a '.repeat(330_000));
    html(`//${'a.'.repeat(500_000)}`);
    expect(performance.now() - began).toBeLessThan(3_000);
  });
});

describe('landing page', () => {
  it('host never approved · asks a person and names it', () => {
    const findings = reviewFindings(landing({}));
    expect(findings).toEqual([
      { code: 'LANDING_HOST_NEW', severity: 'notice', field: 'landing_url', note: 'shop.example' },
    ]);
    expect(needsHuman(findings)).toBe(true);
  });

  it('approved host · clean; its subdomain · is another host', () => {
    expect(reviewFindings(landing({ approvedHosts: ['shop.example'] }))).toEqual([]);
    expect(
      needsHuman(
        reviewFindings(
          landing({ landingUrl: 'https://evil.shop.example', approvedHosts: ['shop.example'] }),
        ),
      ),
    ).toBe(true);
  });

  it('ad without any landing page · blocked', () => {
    expect(blockersOf(reviewFindings(landing({ landingUrl: null })))).toHaveLength(1);
  });

  it('campaign · asks nobody before an approved ad shows its page, and somebody after', () => {
    expect(reviewFindings(campaign({}))).toEqual([]);
    expect(reviewFindings(campaign({ shownByApprovedAds: true }))).toHaveLength(1);
  });

  it.each([
    ['https://Shop.Example./a', 'shop.example'],
    ['http://shop.example:8080/', 'shop.example'],
    ['https://user@shop.example/', 'shop.example'],
    ['javascript:alert(1)', null],
    ['nonsense', null],
    [null, null],
  ])('landingHost · %s · %s', (url, host) => {
    expect(landingHost(url)).toBe(host);
  });
});

it('site · not verified · blocked; verified · clean; ad group and zone · nothing to see', () => {
  expect(
    blockersOf(reviewFindings({ type: 'site', verifyStatus: 'LAPSED', othersDomain: null })),
  ).toHaveLength(1);
  expect(reviewFindings({ type: 'site', verifyStatus: 'VERIFIED', othersDomain: null })).toEqual(
    [],
  );
  expect(reviewFindings({ type: 'adgroup' })).toEqual([]);
  expect(reviewFindings({ type: 'zone' })).toEqual([]);
});

describe('what an ad says', () => {
  it('approved before · clean; new · a person reads it', () => {
    expect(copy({ title: 'Ropes' })).toEqual([]);
    expect(copy({ title: 'Ropes', copyIsNew: true })).toEqual(['COPY_NEW title']);
    expect(copy({ copyIsNew: true })).toEqual([]);
  });

  it('an address of another site than the landing page’s, or of none · is named', () => {
    const displayUrl = 'shop.example/sale';
    expect(copy({ displayUrl, displaySite: 'shop.example' })).toEqual([]);
    const differs = ['DISPLAY_HOST_DIFFERS display_url'];
    expect(copy({ displayUrl, displaySite: 'other.example' })).toEqual(differs);
    expect(copy({ displayUrl, displaySite: null })).toEqual(differs);
    expect(copy({ displayUrl: null, displaySite: null })).toEqual([]);
  });

  it.each([
    'PayPal: confirm your account',
    'PAYPAL',
    'Ρay\u0420al', // Greek and Cyrillic letters
    'ＰａｙＰａｌ',
    'P a y P a l',
    'Pay\u200bPal',
    'paypa1',
    'my-paypal-login',
    'mypaypallogin',
  ])('a title that says PayPal as %s · is named', (title) => {
    expect(copy({ title })).toEqual(['BRAND_NAMED title']);
  });

  it('words that hold a short name · are not named', () => {
    expect(copy({ title: 'Fresh pineapple' })).toEqual([]);
    expect(copy({ title: 'An apple a day' })).toEqual(['BRAND_NAMED title']);
    expect(copy({ description: 'bank of america' })).toEqual(['BRAND_NAMED description']);
  });

  it('a campaign’s new page · is held against what its ads show', () => {
    const facts = { approvedHosts: ['shop.example'], shownByApprovedAds: true };
    expect(reviewFindings(campaign({ ...facts, displaySites: ['shop.example'] }))).toEqual([]);
    expect(
      reviewFindings(campaign({ ...facts, displaySites: ['shop.example', 'other.example'] })).map(
        ({ code }) => code,
      ),
    ).toEqual(['DISPLAY_HOST_DIFFERS']);
  });
});
