/**
 * How the document of an ad looks (markup.ts). The box has the zone's size and never more room than its
 * frame; what is in it asks the box (container queries), not the zone, because a phone's page makes
 * a frame narrower. Texts are cut after whole lines, so that nothing is seen in half; the picture
 * of a card takes what the texts leave.
 *
 *     strip  under 72 px high: one line of title, one of text
 *     row    twice as wide as high: picture, texts and button side by side
 *     column everything else, one below the other
 */
const PAGE = [
  'html,body{margin:0;padding:0;width:100%;height:100%;overflow:hidden;background:transparent;font:13px/17px system-ui,sans-serif;-webkit-text-size-adjust:100%;text-size-adjust:100%}',
  '.b{position:relative;overflow:hidden;max-width:100%;max-height:100%;container-type:size}',
  '.b>a{display:block;width:100%;height:100%;color:inherit;text-decoration:none}',
  '.b>a:focus-visible{outline:2px solid #1558d6;outline-offset:-2px}',
  '.g{position:absolute;right:0;top:0;z-index:2;padding:0 4px;font:9px/11px sans-serif;color:#fff;background:rgba(0,0,0,.6);pointer-events:none}',
  '.p{position:absolute;left:0;top:0;width:1px;height:1px;opacity:0;pointer-events:none}',
];

const MEDIA = [
  '.b img.m,.b video{display:block;width:100%;height:100%;object-fit:contain}',
  '.b video{background:#000}',
  '.b iframe{display:block;border:0;width:100%;height:100%}',
  // Code of a size of its own is made smaller where the box is, and never changes its shape. The
  // tangent of an arc tangent is how CSS divides a length by a length.
  '.b iframe.f{position:absolute;left:50%;top:50%;width:var(--w);height:var(--h);translate:-50% -50%;scale:min(1,tan(atan2(100cqw,var(--w))),tan(atan2(100cqh,var(--h))))}',
  // The controls of a video stay in reach under our link.
  '.c{position:absolute;inset:0;z-index:1}.b video+.c{height:auto;bottom:56px}',
];

const CARD = [
  '.b>a.t{box-sizing:border-box;display:flex;flex-direction:column;justify-content:center;gap:6px;padding:16px 8px 8px;background:#fff;color:#202124;box-shadow:inset 0 0 0 1px #dadce0;--T:3;--D:6}',
  '.b>a.t.q{padding-top:8px;--T:2;--D:2}',
  '.t .q{display:block;flex:0 1 auto;min-width:0;min-height:0;width:100%;object-fit:contain}',
  '.t .q.k{width:40px;height:40px;flex:none}',
  '.x{display:flex;flex-direction:column;gap:2px;flex:none;min-width:0}',
  '.x>*,.t em{unicode-bidi:plaintext;text-align:start;overflow-wrap:anywhere;font-style:normal}',
  '.x b,.x span{display:-webkit-box;-webkit-box-orient:vertical;overflow:hidden}',
  '.x b{font-size:14px;line-height:18px;-webkit-line-clamp:var(--T)}',
  '.x span{-webkit-line-clamp:var(--D)}',
  '.x i,.t em{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}',
  '.x i{font-size:11px;line-height:14px;color:#5f6368}.x i img{width:14px;height:14px;margin-inline-end:4px;vertical-align:top}',
  '.t em{box-sizing:border-box;flex:none;max-width:100%;padding:0 12px;border-radius:4px;background:#1558d6;color:#fff;font-weight:600;line-height:28px;align-self:flex-start}',
];

const large = (card: string): string =>
  `${card} .x b{font-size:18px;line-height:23px}${card} .x span{font-size:15px;line-height:20px}${card} em{font-size:15px;line-height:34px}`;

const COLUMN_BY_HEIGHT = [
  // Without a picture there is room for larger letters.
  `@container (min-height:220px){.b>a.t{--D:4}.b>a.t.q{--D:2}${large('.t:not(.q)')}}`,
  `@container (min-height:400px){.b>a.t{--T:4;--D:12}.b>a.t.q{--T:3;--D:6}${large('.t')}}`,
  '@container (max-height:219px){.b>a.t,.b>a.t.q{--T:2;--D:2}}',
  '@container (max-height:149px){.b>a.t,.b>a.t.q{gap:4px;--T:2;padding-top:14px}.t .q,.x span{display:none}}',
  '@container (max-height:109px){.b>a.t,.b>a.t.q{--T:1}}',
];

const ROW =
  '@container (min-aspect-ratio:2/1){' +
  [
    '.b>a.t,.b>a.t.q{flex-direction:row;justify-content:flex-start;align-items:center;gap:8px;padding:6px 24px 6px 8px;--T:2;--D:6}',
    '.t .q{display:block;flex:none;width:auto;height:100%;max-width:38%}.x{flex:1 1 0}.t em{max-width:36%;align-self:center}',
  ].join('') +
  '}' +
  `@container (min-aspect-ratio:2/1) and (min-height:220px){.b>a.t,.b>a.t.q{gap:16px;--T:2;--D:5}${large('.t')}}` +
  '@container (min-aspect-ratio:2/1) and (max-height:199px){.b>a.t,.b>a.t.q{--D:1}.x span{display:-webkit-box}}' +
  '@container (min-aspect-ratio:2/1) and (max-height:86px){.b>a.t,.b>a.t.q{--T:1}}';

const STRIP =
  '@container (min-aspect-ratio:2/1) and (max-height:71px){' +
  [
    '.b>a.t,.b>a.t.q{gap:6px;padding:3px 26px 3px 6px}.t .q{max-width:60px}.t .q.k{width:32px;height:32px}',
    '.x{gap:0}.x b{font-size:13px;line-height:17px}.x span{font-size:11px;line-height:14px}.x span+i{display:none}',
    '.t em{padding:0 8px;font-size:12px;line-height:26px}',
  ].join('') +
  '}' +
  '@container (max-height:39px){.t .q,.t .q.k,.x span,.x i{display:none}.t em{line-height:20px}}' +
  '@container (max-width:199px) and (min-aspect-ratio:2/1){.t .q,.t .q.k{display:none}}';

/** Of an ad that is one picture, film or frame. */
export const MEDIA_STYLE = [...PAGE, ...MEDIA].join('');
/** Of one that is made of texts, and perhaps a picture. */
export const CARD_STYLE = [...PAGE, ...CARD, ...COLUMN_BY_HEIGHT, ROW, STRIP].join('');
