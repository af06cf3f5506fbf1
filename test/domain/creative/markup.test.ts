import fc from 'fast-check';
import { AD_SCRIPT } from '../../../domain/creative/ad-script.ts';
import { escapeHtml, escapeUrl, scriptJson } from '../../../domain/creative/escape.ts';
import {
  AD_SANDBOX,
  adDocument,
  type AdMarkup,
  codeDocument,
} from '../../../domain/creative/markup.ts';
import { videoScript } from '../../../domain/creative/video-script.ts';

const base: AdMarkup = {
  words: { lang: 'en', ad: 'Advertisement' },
  isServed: false,
  display: 'IMAGE',
  title: 'Title',
  description: 'Description',
  buttonText: 'Buy',
  brandName: 'Brand',
  displayUrl: 'shop.example',
  imageUrl: 'https://cdn.example/a.png',
  videoUrl: 'https://cdn.example/a.mp4',
  iconUrl: 'https://cdn.example/i.png',
  html5Url: null,
  code: '<p>hello</p>',
  width: 300,
  height: 250,
  isFluid: false,
  drawnFor: null,
  clickUrl: 'https://track.example/track/click/abc',
  pixelUrl: 'https://track.example/track/impression/abc?_v=2&qa_k=k',
  progressUrl: 'https://track.example/track/video/abc?e=',
};
const displays = ['IMAGE', 'NATIVE', 'TEXT', 'HTML', 'RICH_MEDIA', 'VIDEO'] as const;

const HOSTILE = [
  '"><script>alert(1)</script>',
  "' onerror='alert(1)",
  '</a></body><script>x</script>',
  '`${alert(1)}`',
  '<img src=x onerror=alert(1)>',
  '\u2028<!--',
];

/** What a browser would run or load: tags and attributes as written into the outer document. */
function outerTags(html: string): string[] {
  return [...html.matchAll(/<([a-z]+)/gi)].map((match) => (match[1] ?? '').toLowerCase());
}

describe('ad document', () => {
  test.each(displays)(
    '%s · served by us · its script asks for the pixel, else it stands',
    (display) => {
      const pixel = `https://track.example/track/impression/abc?_v=2&amp;qa_k=k" width="1" height="1" alt="">`;
      const html = adDocument({ ...base, display, isServed: true });
      expect(html.split('<noscript>').map((part) => part.includes(pixel))).toEqual([true, true]);
      expect(html).toContain(
        `<img class="p" data-src="${pixel}<noscript><img class="p" src="${pixel}</noscript>`,
      );
    },
  );

  test.each(displays)('%s · rendered · holds pixel, badge and click link or frame', (display) => {
    const html = adDocument({ ...base, display });
    expect(html).toContain('src="https://track.example/track/impression/abc?_v=2&amp;qa_k=k"');
    expect(html).toContain('<span class="g">AD</span>');
    expect(html).toContain(
      'href="https://track.example/track/click/abc" target="_blank" rel="noopener sponsored"',
    );
    expect(html).toContain('width:300px;height:250px');
  });

  test.each(HOSTILE)('hostile text %s · in every field and display · stays text', (text) => {
    for (const display of displays) {
      const calm = adDocument({ ...base, display });
      const html = adDocument({
        ...base,
        display,
        title: text,
        description: text,
        buttonText: text,
        brandName: text,
        displayUrl: text,
      });
      expect(outerTags(html)).toEqual(outerTags(calm));
      // The scripts are our own, and the same whatever the text.
      const rest = html.replace(videoScript(base.progressUrl), '').replace(AD_SCRIPT, '');
      expect(rest).not.toContain('<script');
      // Outside of quoted values no handler may stand.
      expect(rest.replaceAll(/"[^"]*"/g, '""').split('<body>')[1]).not.toMatch(
        /<[^>]*\son[a-z]+\s*=/i,
      );
    }
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,<script>1</script>',
    'vbscript:x',
    ' https://x',
    '//evil.example',
    'https://',
    'JaVaScRiPt:alert(1)',
  ])('hostile address %s · as image, icon or click · is left out', (url) => {
    for (const display of displays) {
      const html = adDocument({
        ...base,
        display,
        imageUrl: url,
        iconUrl: url,
        videoUrl: url,
        clickUrl: url,
      });
      expect(html).not.toContain(
        escapeHtml(url).slice(0, 9) === 'https://' ? 'src="https://"' : `"${escapeHtml(url)}`,
      );
    }
  });

  test('progress address · hostile · is no address of the script', () => {
    expect(videoScript('https://t.example/v?e=')).toContain('"https://t.example/v?e=")</script>');
    for (const text of ['javascript:alert(1)', '</script><script>alert(1)</script>']) {
      expect(videoScript(text)).toBe(videoScript(null));
    }
    const quoted = 'https://t.example/"+alert(1)+"</script>';
    expect(videoScript(quoted).match(/<\/script>/g)).toHaveLength(1);
    expect(videoScript(quoted)).not.toMatch(/[^\\]"\+alert/);
  });

  test('address with quotes · as image · cannot leave its attribute', () => {
    const html = adDocument({ ...base, imageUrl: 'https://cdn.example/a"onerror="alert(1)' });
    expect(html).toContain('src="https://cdn.example/a&quot;onerror=&quot;alert(1)"');
  });

  test.each(['HTML', 'RICH_MEDIA'] as const)(
    'advertiser code · %s · only inside a sandboxed frame',
    (display) => {
      const code = '<script>top.location="https://evil.example"</script>"><img src=x>';
      const html = adDocument({ ...base, display, code });
      expect(html).toContain(`<iframe sandbox="${AD_SANDBOX}" srcdoc="`);
      expect(html.replace(AD_SCRIPT, '')).not.toContain('<script');
      expect(AD_SANDBOX).not.toMatch(/same-origin|forms|modals|downloads/);
      const srcdoc = /srcdoc="([^"]*)"/.exec(html)?.[1] ?? '';
      const unescaped = srcdoc
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&#96;', '`')
        .replaceAll('&amp;', '&');
      expect(unescaped).toBe(codeDocument(code, base.clickUrl));
      expect(unescaped.endsWith(code)).toBe(true);
    },
  );

  test('an ad · that nothing is counted of · has no pixel, and its script nothing to report to', () => {
    for (const display of displays) {
      const html = adDocument({ ...base, display, pixelUrl: '', progressUrl: null });
      expect(html).not.toContain('/track/impression/abc');
      expect(html).not.toContain('class="p"');
    }
  });

  test('a card · with texts missing or blank · shows what is left, each once', () => {
    const native = (fields: Partial<AdMarkup>): string =>
      adDocument({ ...base, display: 'NATIVE', ...fields });
    const none = {
      title: null,
      description: ' ',
      buttonText: '',
      brandName: null,
      displayUrl: null,
    };
    expect(native(none)).toContain('<img class="m" src="https://cdn.example/a.png"');
    expect(native({ ...none, imageUrl: null })).toContain('aria-label="Advertisement"');
    const lonely = native({ ...none, description: 'Only this' });
    expect(lonely.match(/Only this/g)).toHaveLength(1);
    expect(lonely).toContain('<b>Only this</b>');
    expect(native({ ...none, displayUrl: 'shop.example' })).toContain('<b>shop.example</b>');
    expect(adDocument({ ...base, display: 'TEXT' })).not.toContain('a.png');
    expect(adDocument({ ...base, display: 'IMAGE', imageUrl: null })).toContain('<b>Title</b>');
  });

  test('code · drawn for a size of its own · keeps it, and is scaled by the frame', () => {
    const html = adDocument({ ...base, display: 'HTML', drawnFor: { width: 300, height: 600 } });
    expect(html).toContain('class="f" style="--w:300px;--h:600px" width="300" height="600"');
    expect(adDocument({ ...base, display: 'HTML' })).not.toContain('class="f"');
    expect(adDocument({ ...base, isFluid: true })).toContain('style="width:100%;height:250px"');
  });

  test('advertiser code · with its own click macro or clickTag · is not covered by our link', () => {
    const covered = (code: string): boolean =>
      adDocument({ ...base, display: 'HTML', code }).includes('class="c"');
    expect(covered('<p>no link</p>')).toBe(true);
    expect(covered('<a href="{click_url}">go</a>')).toBe(false);
    expect(covered('<a onclick="open(window.clickTag)">go</a>')).toBe(false);
    expect(codeDocument('<a href="${CLICK_URL}">', base.clickUrl)).toContain(
      `<a href="${base.clickUrl}">`,
    );
  });
});

describe('escaping', () => {
  test('html · any text · comes back the same and holds no markup', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const escaped = escapeHtml(text);
        expect(escaped).not.toMatch(/[<>"'`]/);
        const back = escaped
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&quot;', '"')
          .replaceAll('&#39;', "'")
          .replaceAll('&#96;', '`')
          .replaceAll('&amp;', '&');
        expect(back).toBe(text);
      }),
    );
  });

  test('script JSON · any text · parses back and cannot end its script', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const json = scriptJson({ text });
        expect(json).not.toMatch(/[<>&\u2028\u2029]/);
        expect(JSON.parse(json)).toEqual({ text });
      }),
    );
  });

  test('url · http and https · pass escaped, others are empty', () => {
    expect(escapeUrl('https://a.example/?x=1&y=2')).toBe('https://a.example/?x=1&amp;y=2');
    expect(escapeUrl('http://127.0.0.1:8080/x')).toBe('http://127.0.0.1:8080/x');
    expect(escapeUrl('ftp://a.example')).toBe('');
  });
});
