import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { AnswerHead } from '../http/answer-head.ts';
import { asciiText, endWith } from '../http/byte-text.ts';

/**
 * The page between ad and advertiser. It waits until it is seen, reports what the browser is, and
 * leaves for the landing page. Everything but the key is constant, and keys have one length, so the page
 * says nothing of the verdict. The track_id is read from the page's own address: nothing that the caller
 * wrote is put into the page. Its policy names script and style by their hashes: no other can run.
 */
const SCRIPT = `(function () {
  var message = document.getElementById('m'), key = message.dataset.key, tries = 0, sent = false;
  function traits() {
    var s = window.screen, c = navigator.connection;
    if (navigator.globalPrivacyControl) return { webdriver: navigator.webdriver === true };
    return {
      webdriver: navigator.webdriver === true,
      screen: { width: s.width, height: s.height, ratio: window.devicePixelRatio },
      os: navigator.platform, language: navigator.language, cores: navigator.hardwareConcurrency,
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      network: c ? c.effectiveType : null, page: { referrer: document.referrer.slice(0, 500) }
    };
  }
  function say(text) { message.textContent = text; }
  function again() {
    tries += 1;
    if (tries < 4) setTimeout(send, 400 * tries);
    else say('The page cannot be reached. Please go back and try again.');
  }
  function send() {
    fetch('../click-verify', {
      method: 'POST', credentials: 'omit', cache: 'no-store', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ track_id: location.pathname.split('/').pop(), qa_k: key, device_data: traits() })
    }).then(function (answer) {
      if (answer.status >= 500) { again(); return; }
      return answer.json().then(function (body) {
        var url = body.code === 0 && body.data ? body.data.url : '';
        if (/^https?:\\/\\//i.test(url)) location.replace(url);
        else say('This link is no longer valid.');
      });
    }).catch(again);
  }
  function start() {
    if (sent || document.prerendering || document.visibilityState !== 'visible') return;
    sent = true;
    send();
  }
  document.addEventListener('prerenderingchange', start);
  document.addEventListener('visibilitychange', start);
  start();
})();`;

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;color:#333;text-align:center;margin:20vh 1rem}';

const BEFORE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>One moment</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow">
<style>${STYLE}</style>
</head><body><p id="m" role="status" data-key="`;
const AFTER = `">Taking you to the advertiser&hellip;</p>
<noscript><p>JavaScript is needed to go on to the advertiser's page.</p></noscript>
<script>${SCRIPT}</script></body></html>
`;

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const HEAD = new AnswerHead({
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    `default-src 'none'; script-src ${hashOf(SCRIPT)}; style-src ${hashOf(STYLE)}; connect-src 'self'; ` +
    `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex, nofollow',
});

export function sendInterstitial(res: ServerResponse, clickKey: string): void {
  const page = asciiText(BEFORE + clickKey + AFTER);
  HEAD.write(res, 200, page.length);
  endWith(res, page);
}
