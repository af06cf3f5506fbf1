import { runInNewContext } from 'node:vm';
import {
  adSizeOf,
  clickTagFault,
  html5Findings,
  html5FrameUrl,
  withClickTag,
} from '../../../domain/creative/html5.ts';

const CLICK = 'https://track.example/track/click/AbC?x=1&y=2#z';

/** What `clickTag` is once the stored page has run, opened at `address`. */
function clickTagIn(html: string, address: string): unknown {
  const { hash } = new URL(address);
  const window: Record<string, unknown> = {};
  window['window'] = window;
  window['location'] = { hash };
  const context = window as { clickTag?: unknown };
  for (const [, code = ''] of withClickTag(html).matchAll(/<script>([\s\S]*?)<\/script>/g)) {
    runInNewContext(code, context);
  }
  return context.clickTag;
}

describe('html5 · clickTag', () => {
  it.each([
    ['set by var', '<!doctype html><script>var clickTag = "https://own.example/"</script>'],
    ['set on the window', '<script>window.clickTag = "https://own.example/"</script>'],
    ['set in strict code', '<script>"use strict"; var clickTag = "https://own.example/"</script>'],
    ['only read', '<script>var seen = clickTag</script>'],
  ])('%s · stays the address of the ad', (_name, html) => {
    expect(clickTagIn(html, html5FrameUrl('https://cdn.example/index.html', CLICK))).toBe(CLICK);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://x.example/', ''])(
    'an address %j by hand · is not taken',
    (address) => {
      const url = html5FrameUrl('https://cdn.example/index.html', address);
      expect(clickTagIn('<p>x</p>', url)).toBe('about:blank');
    },
  );

  it.each([
    ['<!doctype html><html>', '<!doctype html>'],
    [
      '<!-- by a packer -->\n<!DOCTYPE HTML PUBLIC "x"><html>',
      '<!-- by a packer -->\n<!DOCTYPE HTML PUBLIC "x">',
    ],
    ['<html><head><!-- <!doctype html> -->', ''],
    ['<!-- <script> --><html>', ''],
  ])('the script in %j · comes first, behind the doctype', (html, before) => {
    expect(withClickTag(html).startsWith(`${before}<script>(function(){`)).toBe(true);
    expect(withClickTag(html).replace(/<script>\(function.*?<\/script>/, '')).toBe(html);
  });

  it.each([
    ['var clickTag = 1', null],
    ['window.open(clickTag)', null],
    ['open("https://x.example")', 'click_tag_missing'],
    ['var myclickTagger = 1', 'click_tag_missing'],
    ['const clickTag = "x"', 'click_tag_fixed'],
    ['let  clickTag', 'click_tag_fixed'],
    ['class clickTag {}', 'click_tag_fixed'],
  ])('code %j · fault %s', (code, expected) => {
    expect(clickTagFault(new Map([['main.js', code]]))?.code ?? null).toBe(expected);
  });
});

describe('html5 · what the code tells', () => {
  it.each([
    ['<meta name="ad.size" content="width=300,height=250">', { width: 300, height: 250 }],
    ["<META content='height=90, width=728' name='ad.size'>", { width: 728, height: 90 }],
    ['<meta name="ad.size" content="width=0,height=250">', null],
    ['<meta name="ad.size" content="width=99999,height=250">', null],
    ['<meta name="viewport" content="width=300,height=250">', null],
    ['', null],
  ])('size in %j · is %j', (html, size) => {
    expect(adSizeOf(html)).toEqual(size);
  });

  it('the same finding in several files · is told once, by its first file', () => {
    const eval_ = 'eval("1")';
    const findings = html5Findings(
      new Map([
        ['a.js', eval_],
        ['b.js', `${eval_}; fetch("https://api.example/x")`],
      ]),
    );
    expect(findings).toEqual([
      { code: 'HTML_EVAL', severity: 'notice', field: 'html5_media_id', note: 'a.js' },
      {
        code: 'HTML_EXTERNAL_HOST',
        severity: 'notice',
        field: 'html5_media_id',
        note: 'api.example (b.js)',
      },
    ]);
  });
});
