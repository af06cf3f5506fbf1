import type { ServerResponse } from 'node:http';
import { freshText } from '../../domain/tracking/fresh-bytes.ts';
import { asciiText, endWith } from '../http/byte-text.ts';

/**
 * The page between ad and advertiser. It waits until it is seen, reports what the browser is, and
 * leaves for the landing page. Everything but the two random texts is constant, and these have one
 * length, so the page says nothing of the verdict. The track_id is read from the page's own address:
 * nothing that the caller wrote is put into the page.
 */
const SCRIPT = `(function () {
  var key = '@KEY@', tries = 0, sent = false;
  function traits() {
    var s = window.screen, c = navigator.connection;
    return {
      webdriver: navigator.webdriver === true,
      screen: { width: s.width, height: s.height, ratio: window.devicePixelRatio },
      os: navigator.platform, language: navigator.language, cores: navigator.hardwareConcurrency,
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      network: c ? c.effectiveType : null, page: { referrer: document.referrer.slice(0, 500) }
    };
  }
  function say(text) { document.getElementById('m').textContent = text; }
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

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>One moment</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow">
<style nonce="@NONCE@">body{font:16px/1.5 system-ui,sans-serif;color:#333;text-align:center;margin:20vh 1rem}</style>
</head><body><p id="m" role="status">Taking you to the advertiser&hellip;</p>
<noscript><p>JavaScript is needed to go on to the advertiser's page.</p></noscript>
<script nonce="@NONCE@">${SCRIPT}</script></body></html>
`;

/** In turn: text, the nonce or the key, text, and so on. */
const PARTS = PAGE.split(/@(NONCE|KEY)@/);

export function sendInterstitial(res: ServerResponse, clickKey: string): void {
  const nonce = freshText(16, 'base64url');
  let html = '';
  for (const part of PARTS) html += part === 'NONCE' ? nonce : part === 'KEY' ? clickKey : part;
  const page = asciiText(html);
  res.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': page.length,
    'Cache-Control': 'no-store',
    'Content-Security-Policy':
      `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; ` +
      `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex, nofollow',
  });
  endWith(res, page);
}
