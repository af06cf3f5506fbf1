import { randomBytes } from 'node:crypto';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { datacentersOf } from '../../api/datacenters.ts';
import { addressOf } from '../../api/http/address.ts';
import { createViewerReader } from '../../api/viewer.ts';
import { openGeo } from '../../db/geo.ts';
import { CHROME } from '../support/agents.ts';

const geo = openGeo();
const hashKey = randomBytes(32);
const read = createViewerReader({
  hashKey,
  geo,
  trustedProxies: ['127.0.0.0/8', '::1', '10.1.0.0/16'],
});

function request(address: string, headers: Record<string, string> = {}): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: address });
  const req = new IncomingMessage(socket);
  Object.assign(req.headers, { 'user-agent': CHROME, ...headers });
  return req;
}
const from = (address: string, forwarded?: string) =>
  read(request(address, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }));

describe('viewer address', () => {
  test('viewer · untrusted socket with X-Forwarded-For · the header is not believed', () => {
    expect(from('8.8.8.8', '1.1.1.1').ipPrefix).toBe('8.8.8.0/24');
  });
  test('viewer · trusted proxy · the right-most untrusted address counts', () => {
    expect(from('127.0.0.1', '1.2.3.4, 8.8.8.8').ipPrefix).toBe('8.8.8.0/24');
    expect(from('127.0.0.1', '1.2.3.4, 8.8.8.8, 10.1.2.3').ipPrefix).toBe('8.8.8.0/24');
    expect(from('::ffff:127.0.0.1', '8.8.8.8').ipPrefix).toBe('8.8.8.0/24');
  });
  test.each([
    ['8.8.8.8:52100', '8.8.8.0/24'],
    ['1.2.3.4:80, 8.8.8.8:52100, 10.1.2.3:443', '8.8.8.0/24'],
    ['[2001:4860:4860::8888]:52100', '2001:4860:4860::/48'],
    ['[2001:4860:4860::8888]', '2001:4860:4860::/48'],
    ['8.8.8.8:', '127.0.0.0/24'],
    ['8.8.8.8:x', '127.0.0.0/24'],
    ['8.8.8.8.8:80', '127.0.0.0/24'],
    ['[8.8.8.8', '127.0.0.0/24'],
  ])('viewer · trusted proxy that writes %s · is of %s', (forwarded, prefix) => {
    expect(from('127.0.0.1', forwarded).ipPrefix).toBe(prefix);
  });
  test('limits per address · of a proxy that writes the port · count each address', () => {
    expect(
      ['8.8.8.8:52100', '8.8.8.8', '[2001:db8::1]:443', 'junk:1'].map((ip) => addressOf({ ip })),
    ).toEqual(['8.8.8.8', '8.8.8.8', '2001:db8::/64', 'unknown']);
  });
  test('viewer · junk in the header · stops at the last address that was vouched for', () => {
    expect(from('127.0.0.1', 'junk').ipPrefix).toBe('127.0.0.0/24');
    expect(from('127.0.0.1', '9.9.9.9, junk, 10.1.2.3').ipPrefix).toBe('10.1.2.0/24');
  });
  test('viewer · IPv6 · keeps the /48 only', () => {
    expect(from('2001:4860:4860::8888').ipPrefix).toBe('2001:4860:4860::/48');
    expect(from('2001:4860:4860:1:2:3:4:5').ipPrefix).toBe('2001:4860:4860::/48');
  });
  test('viewer · loopback or private address · has no country, a forwarded one has', () => {
    expect(from('127.0.0.1').country).toBeNull();
    expect(from('192.168.1.1').country).toBeNull();
    expect(from('127.0.0.1', '8.8.8.8').country).toBe('US');
  });
  test('viewer · two addresses of one /24 · share ipHash, not viewerKey', () => {
    const [a, b] = [from('8.8.8.8'), from('8.8.8.9')];
    expect(a.ipHash).toBe(b.ipHash);
    expect(a.viewerKey).not.toBe(b.viewerKey);
    expect(a.ipHash).toMatch(/^[0-9a-f]{8}$/);
    expect(a.viewerKey).toMatch(/^[0-9a-f]{32}$/);
    expect(JSON.stringify(a)).not.toContain('8.8.8.8');
  });
  test('viewer · two addresses of one /64 of IPv6, which one machine has · are one viewer, of two are two', () => {
    const [a, b] = [from('2001:4860:4860:1::1'), from('2001:4860:4860:1:ffff:2:3:4')];
    expect(a.viewerKey).toBe(b.viewerKey);
    expect(from('2001:4860:4860:2::1').viewerKey).not.toBe(a.viewerKey);
    expect(from('::ffff:8.8.8.9').viewerKey).toBe(from('8.8.8.9').viewerKey);
  });
  test('viewer · other hash key · gives other hashes', () => {
    const other = createViewerReader({ hashKey: randomBytes(32), geo, trustedProxies: [] });
    expect(other(request('8.8.8.8')).viewerKey).not.toBe(from('8.8.8.8').viewerKey);
  });
  test('viewer · data-centre list given · marks its addresses; without one, none', () => {
    const listed = createViewerReader({
      hashKey,
      geo,
      trustedProxies: [],
      datacenters: datacentersOf('8.8.8.0/24'),
    });
    expect(listed(request('8.8.8.8')).datacenter).toBe(true);
    expect(listed(request('8.8.9.8')).datacenter).toBe(false);
    expect(from('8.8.8.8').datacenter).toBe(false);
  });
  test('viewer · a range that is none · is refused at start', () => {
    expect(() => createViewerReader({ hashKey, geo, trustedProxies: ['nonsense'] })).toThrow(
      'format',
    );
  });
});

describe('viewer agent', () => {
  const agent = (text: string) => read(request('8.8.8.8', { 'user-agent': text }));
  test.each([
    ['Chrome on Windows', CHROME, 'DESKTOP', 'WINDOWS', 'CHROME', 'ok'],
    [
      'Safari on iPhone',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
      'MOBILE',
      'IOS',
      'SAFARI',
      'ok',
    ],
    [
      'Samsung tablet',
      'Mozilla/5.0 (Linux; Android 13; SM-X906C) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/21.0 Chrome/110.0.5481.154 Safari/537.36',
      'TABLET',
      'ANDROID',
      'SAMSUNG',
      'ok',
    ],
    [
      'Edge on Mac',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0',
      'DESKTOP',
      'MACOS',
      'EDGE',
      'ok',
    ],
    [
      'Firefox on Linux',
      'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
      'DESKTOP',
      'LINUX',
      'FIREFOX',
      'ok',
    ],
    ['no agent', '', 'OTHER', 'OTHER', 'OTHER', 'empty'],
    [
      'agent named like an object property',
      'constructor/1.0 toString/2.0',
      'OTHER',
      'OTHER',
      'OTHER',
      'ok',
    ],
    ['short agent', 'Mozilla/5', 'OTHER', 'OTHER', 'OTHER', 'empty'],
  ])('viewer · %s · is read', (_name, text, device, os, browser, userAgent) => {
    expect(agent(text)).toMatchObject({ device, os, browser, userAgent });
  });
  test.each([
    'curl/8.5.0-DEV',
    'python-requests/2.31',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0.0.0 Safari/537.36',
  ])('viewer · %s · is a bot', (text) => {
    expect(agent(text).userAgent).toBe('bot');
  });
  test('viewer · new browser version · keeps its uaHash, another family does not', () => {
    expect(agent(CHROME.replace('126', '127')).uaHash).toBe(agent(CHROME).uaHash);
    expect(agent(`${CHROME} Edg/126.0.0.0`).uaHash).not.toBe(agent(CHROME).uaHash);
  });
  test.each(['sec-purpose', 'purpose', 'x-moz', 'x-purpose'])(
    'viewer · %s says prefetch · is marked',
    (header) => {
      expect(read(request('8.8.8.8', { [header]: 'prefetch;prerender' })).prefetch).toBe(true);
      expect(read(request('8.8.8.8', { [header]: 'document' })).prefetch).toBe(false);
    },
  );
});
