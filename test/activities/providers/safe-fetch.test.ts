import type http from 'node:http';
import {
  createSafeFetch,
  type ResolvedAddress,
  type SafeFetch,
} from '../../../activities/providers/safe-fetch.ts';
import { isPublicAddress } from '../../../activities/providers/public-address.ts';
import { type Listener, startListener } from '../../support/listener.ts';
import { ownTime } from '../../support/own-time.ts';

const KB = 1024;

describe('safe fetch', () => {
  let server: Listener;
  let port: number;
  let hits: string[] = [];
  let answer: http.RequestListener = (_req, res) => res.end('ok');

  beforeAll(async () => {
    server = await startListener((req, res) => {
      hits.push(`${req.headers.host}${req.url}`);
      answer(req, res);
    });
    port = server.port;
  });
  afterAll(async () => {
    await server.close();
  });
  beforeEach(() => {
    hits = [];
    answer = (_req, res) => {
      res.setHeader('content-type', 'text/plain; charset=utf-8');
      res.end('hello');
    };
  });

  const planted = (timeoutMs = 5_000): SafeFetch =>
    createSafeFetch({
      devHosts: new Map([['pub.example', `127.0.0.1:${port}`]]),
      resolve: () => Promise.reject(Object.assign(new Error('no name'), { code: 'ENOTFOUND' })),
      timeoutMs,
    });
  const resolvingTo = (addresses: string[]) => (): Promise<ResolvedAddress[]> =>
    Promise.resolve(addresses.map((address) => ({ address, family: 4 })));

  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://0x7f000001/',
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://0/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://localhost/',
    'https://localhost/',
    'http://LOCALHOST./',
  ])('literal address · %s is asked for · refused before a socket opens', async (address) => {
    const outcome = await createSafeFetch()(address);
    expect(outcome.ok).toBe(false);
    expect(outcome).toMatchObject({ reason: expect.stringMatching(/PRIVATE_ADDRESS|DNS_/) });
    expect(hits).toEqual([]);
  });

  it.each([
    'ftp://pub.example/',
    'file:///etc/passwd',
    'gopher://pub.example/',
    'http://user@pub.example/',
    'http://user:secret@pub.example/',
    'http://pub.example:8080/',
    'http://pub.example:22/',
    'not an address',
    '//pub.example/',
    '',
  ])('address · %s is asked for · refused as BAD_ADDRESS', async (address) => {
    expect(await planted()(address)).toEqual({ ok: false, reason: 'BAD_ADDRESS' });
    expect(hits).toEqual([]);
  });

  it('names · one private address among public ones · refused', async () => {
    const fetch = createSafeFetch({ resolve: resolvingTo(['93.184.216.34', '127.0.0.1']) });
    expect(await fetch('http://mixed.example/')).toEqual({ ok: false, reason: 'PRIVATE_ADDRESS' });
  });

  it('names · resolve to nothing · told as DNS_NXDOMAIN', async () => {
    const fetch = createSafeFetch({ resolve: resolvingTo([]) });
    expect(await fetch('http://void.example/')).toEqual({ ok: false, reason: 'DNS_NXDOMAIN' });
  });

  it('names · rebind from public to private · each call is checked once, and connects to what was checked', async () => {
    const asked: string[] = [];
    // 3ffe::/16 is public by its form, but was given back and is routed nowhere.
    const answers = [{ address: '3ffe::1', family: 6 }];
    const fetch = createSafeFetch({
      timeoutMs: 400,
      resolve: (host) => {
        asked.push(host);
        return Promise.resolve([answers.shift() ?? { address: '127.0.0.1', family: 4 }]);
      },
    });
    expect(await fetch('http://rebind.example/')).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/TIMEOUT|CONNECTION_FAILED/),
    });
    expect(asked).toHaveLength(1);
    expect(await fetch('http://rebind.example/')).toEqual({ ok: false, reason: 'PRIVATE_ADDRESS' });
    expect(asked).toHaveLength(2);
    expect(hits).toEqual([]);
  });

  it('development host · its very name · reached, with its own Host header', async () => {
    expect(await planted()('http://pub.example/a?b=1')).toEqual({
      ok: true,
      status: 200,
      url: 'http://pub.example/a?b=1',
      body: 'hello',
    });
    expect(hits).toEqual(['pub.example/a?b=1']);
  });

  it('development host · any other name, or its address itself · still refused', async () => {
    expect(await planted()('http://www.pub.example/')).toMatchObject({
      ok: false,
      reason: 'DNS_NXDOMAIN',
    });
    expect(await planted()('http://127.0.0.1/')).toMatchObject({ reason: 'PRIVATE_ADDRESS' });
    expect(hits).toEqual([]);
  });

  it.each([
    ['http://127.0.0.1/', 'PRIVATE_ADDRESS'],
    ['http://169.254.169.254/', 'PRIVATE_ADDRESS'],
    ['http://[::1]/', 'PRIVATE_ADDRESS'],
    ['file:///etc/passwd', 'BAD_ADDRESS'],
    ['http://127.0.0.1:6379/', 'BAD_ADDRESS'],
    ['http://other.example/', 'DNS_NXDOMAIN'],
  ])('redirect · to %s · refused as %s', async (location, reason) => {
    answer = (_req, res) => res.writeHead(302, { location }).end();
    expect(await planted()('http://pub.example/')).toEqual({ ok: false, reason });
    expect(hits).toHaveLength(1);
  });

  it('redirect · out of the domain when that proves nothing · refused', async () => {
    answer = (_req, res) => res.writeHead(302, { location: 'http://other.example/x' }).end();
    expect(await planted()('http://pub.example/', { offDomainHopsMax: 0 })).toEqual({
      ok: false,
      reason: 'REDIRECT_OFF_DOMAIN',
    });
  });

  it('redirect · three inside the domain, then four · followed, then refused', async () => {
    const chain = (hops: number): void => {
      answer = (req, res) => {
        const at = Number(req.url?.slice(1));
        if (at < hops) res.writeHead(301, { location: `/${at + 1}` }).end();
        else res.writeHead(200, { 'content-type': 'text/plain' }).end('end');
      };
    };
    chain(3);
    expect(await planted()('http://pub.example/0')).toMatchObject({ ok: true, body: 'end' });
    chain(4);
    expect(await planted()('http://pub.example/0')).toEqual({
      ok: false,
      reason: 'TOO_MANY_REDIRECTS',
    });
  });

  it('body · longer than 64 KB · refused, or cut where the head is enough', async () => {
    answer = (_req, res) => {
      res.setHeader('content-type', 'text/html');
      res.end('x'.repeat(200 * KB));
    };
    expect(await planted()('http://pub.example/')).toEqual({ ok: false, reason: 'TOO_LARGE' });
    const cut = await planted()('http://pub.example/', { whenLarger: 'cut' });
    expect(cut.ok && cut.body.length).toBe(64 * KB);
  });

  it('body · endless · stopped at the limit', async () => {
    answer = (_req, res) => {
      res.setHeader('content-type', 'text/html');
      const pump = (): void => {
        while (!res.destroyed && res.write('y'.repeat(8 * KB))) continue;
      };
      res.on('drain', pump);
      pump();
    };
    expect(await planted()('http://pub.example/')).toEqual({ ok: false, reason: 'TOO_LARGE' });
  });

  it('body · one byte at a time · the deadline is over all of it', async () => {
    answer = (_req, res) => {
      res.setHeader('content-type', 'text/plain');
      const timer = setInterval(() => res.write('z'), 30);
      res.on('close', () => clearInterval(timer));
    };
    const spent = ownTime();
    expect(await planted(300)('http://pub.example/')).toEqual({ ok: false, reason: 'TIMEOUT' });
    expect(spent()).toBeLessThan(2_000);
  });

  it('answer · never begins · TIMEOUT', async () => {
    answer = () => undefined;
    expect(await planted(200)('http://pub.example/')).toEqual({ ok: false, reason: 'TIMEOUT' });
  });

  it.each([
    ['application/octet-stream', undefined],
    ['image/png', undefined],
    ['text/plain', 'gzip'],
  ])('answer · of type %s, encoding %s · WRONG_TYPE', async (type, encoding) => {
    answer = (_req, res) => {
      res.setHeader('content-type', type);
      if (encoding !== undefined) res.setHeader('content-encoding', encoding);
      res.end('data');
    };
    expect(await planted()('http://pub.example/')).toEqual({ ok: false, reason: 'WRONG_TYPE' });
  });

  it('answer · another status · told as it is', async () => {
    answer = (_req, res) => res.writeHead(404, { 'content-type': 'image/png' }).end('gone');
    expect(await planted()('http://pub.example/')).toMatchObject({ ok: true, status: 404 });
  });

  it('server · speaks no TLS, or hangs up · named', async () => {
    expect(await planted()('https://pub.example/')).toEqual({ ok: false, reason: 'TLS_FAILED' });
    answer = (req) => req.socket.destroy();
    expect(await planted()('http://pub.example/')).toEqual({
      ok: false,
      reason: 'CONNECTION_FAILED',
    });
    const closed = createSafeFetch({ devHosts: new Map([['pub.example', '127.0.0.1:1']]) });
    expect(await closed('http://pub.example/')).toEqual({ ok: false, reason: 'CONNECTION_FAILED' });
  });

  it('POST · redirected · its body goes nowhere else', async () => {
    answer = (_req, res) => res.writeHead(307, { location: 'http://other.example/' }).end();
    expect(
      await planted()('http://pub.example/', { method: 'POST', body: 'secret' }),
    ).toMatchObject({
      ok: true,
      status: 307,
    });
    expect(hits).toHaveLength(1);
  });
});

describe('public address', () => {
  it.each(['8.8.8.8', '93.184.216.34', '2606:4700:4700::1111', '::ffff:8.8.8.8'])(
    '%s · judged · public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
  it.each([
    '',
    'x',
    '::127.0.0.1',
    '2002:7f00:1::',
    '2001:db8::1',
    '203.0.113.9',
    '192.0.0.1',
    '4000::1',
  ])('%s · judged · not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
