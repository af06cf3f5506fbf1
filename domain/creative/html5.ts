import type { Finding } from '../finding.ts';
import { codeFindings } from '../review-findings.ts';

/**
 * An HTML5 creative is a small site of its own, shown in a sandboxed frame of an origin of its own
 * (interface 2.5). Its clicks go where `clickTag` says, which only the ad that shows it knows: the
 * frame's address carries it behind `#`, where it neither reaches a log nor splits a cache.
 */
const CLICK_TAG = /\bclickTag\b/;
/** Such a binding hides the property of the window, and with it every click from us. */
const OWN_BINDING = /\b(?:let|const|class)\s+clickTag\b/;

/**
 * Reads the frame's address before any script of the creative runs. A getter whose setter does
 * nothing keeps the usual `var clickTag = "https://…"` of the creative, which is its preview's.
 */
const CLICK_TAG_SCRIPT =
  '<script>(function(){var m=/[#&]clickTag=([^&]*)/.exec(location.hash),u=m?decodeURIComponent(m[1]):"";' +
  'if(!/^https?:[/][/]/i.test(u))u="about:blank";' +
  'Object.defineProperty(window,"clickTag",{configurable:true,enumerable:true,get:function(){return u},set:function(){}})})()</script>';

const DOCTYPE = /^\s*(?:<!--[\s\S]*?-->\s*)*<!doctype[^>]*>/i;

/** A page of the creative as it is stored: our script is the first of the document. */
export function withClickTag(html: string): string {
  const at = DOCTYPE.exec(html)?.[0].length ?? 0;
  return html.slice(0, at) + CLICK_TAG_SCRIPT + html.slice(at);
}

/** The address of a creative's frame; `clickUrl` is ours. */
export const html5FrameUrl = (indexUrl: string, clickUrl: string): string =>
  `${indexUrl}#clickTag=${encodeURIComponent(clickUrl)}`;

/** Pages and scripts of a creative, by name. */
export type Html5Texts = ReadonlyMap<string, string>;

/** Why a creative cannot take our click address; null when it can. */
export function clickTagFault(texts: Html5Texts): { code: string; message: string } | null {
  for (const [name, text] of texts) {
    if (OWN_BINDING.test(text)) {
      const message = `${name} must declare clickTag with var, so that the ad can set it.`;
      return { code: 'click_tag_fixed', message };
    }
  }
  if ([...texts.values()].some((text) => CLICK_TAG.test(text))) return null;
  return { code: 'click_tag_missing', message: 'Open clickTag when the creative is clicked.' };
}

const SIDE_MAX = 10_000;

/** `<meta name="ad.size" content="width=300,height=250">`, the trade's own way to say it. */
export function adSizeOf(html: string): { width: number; height: number } | null {
  const tag = /<meta\b[^>]{0,200}\bname\s*=\s*["']?ad\.size\b[^>]{0,200}>/i.exec(html)?.[0] ?? '';
  const width = Number(/\bwidth\s*=\s*(\d{1,5})/i.exec(tag)?.[1]);
  const height = Number(/\bheight\s*=\s*(\d{1,5})/i.exec(tag)?.[1]);
  const fits = (side: number): boolean => side >= 1 && side <= SIDE_MAX;
  return fits(width) && fits(height) ? { width, height } : null;
}

const FINDINGS_MAX = 50;

/** What a machine sees in the code, once per kind and host; for the reviewer (interface 3). */
export function html5Findings(texts: Html5Texts): Finding[] {
  const found = new Map<string, Finding>();
  for (const [name, text] of texts) {
    for (const finding of codeFindings(text, 'html5_media_id')) {
      const note = finding.note === undefined ? name : `${finding.note} (${name})`;
      const key = `${finding.code} ${finding.note ?? ''}`;
      if (!found.has(key)) found.set(key, { ...finding, note });
    }
  }
  return [...found.values()].slice(0, FINDINGS_MAX);
}
