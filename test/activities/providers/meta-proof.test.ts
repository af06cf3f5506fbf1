import { hasMetaProof } from '../../../activities/providers/meta-proof.ts';

const CODE = '0123456789abcdef0123456789abcdef';

describe('meta proof', () => {
  it.each([
    `<html><head><meta name="adplatform-verification" content="${CODE}"></head>`,
    `<META content='${CODE}' NAME='Adplatform-Verification' />`,
    `<meta name=adplatform-verification content=${CODE}>`,
    `<head><meta charset="utf-8"><meta\n name="adplatform-verification"\n content=" ${CODE} ">`,
  ])('%s · read · found', (html) => {
    expect(hasMetaProof(html, CODE)).toBe(true);
  });

  it.each([
    '',
    `<meta name="adplatform-verification" content="${CODE}x">`,
    `<meta name="other" content="${CODE}">`,
    `<meta name="adplatform-verification" data-content="${CODE}">`,
    `<!-- <meta name="adplatform-verification" content="${CODE}"> -->`,
    `<!-- never closed <meta name="adplatform-verification" content="${CODE}">`,
    `<head></head><body><meta name="adplatform-verification" content="${CODE}">`,
    `<script>var a = '<meta name="adplatform-verification" content="${CODE}">'</script>`,
    `<title><meta name="adplatform-verification" content="${CODE}"></title>`,
    CODE,
    // The attacks of issue 11.6: planted by who may only write a description or a comment.
    `<head><meta property="og:description" content='x <meta name="adplatform-verification" content="${CODE}">'></head>`,
    `<head><meta name="description" content="<meta name=adplatform-verification content=${CODE}>"></head>`,
    `<p>hello <meta name="adplatform-verification" content="${CODE}"></p>`,
    `<head><p>x</p><meta name="adplatform-verification" content="${CODE}"></head>`,
    `<head><template><meta name="adplatform-verification" content="${CODE}"></template></head>`,
    `<head><noscript><meta name="adplatform-verification" content="${CODE}"></noscript></head>`,
    `<textarea><meta name="adplatform-verification" content="${CODE}"></textarea>`,
    `<svg><meta name="adplatform-verification" content="${CODE}"></svg>`,
  ])('%s · read · not found', (html) => {
    expect(hasMetaProof(html, CODE)).toBe(false);
  });
});
