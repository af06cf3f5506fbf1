import { randomBytes } from 'node:crypto';
import {
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ipaddr from 'ipaddr.js';
import { pino } from 'pino';
import { type DatacenterList, datacentersOf, openDatacenters } from '../../api/datacenters.ts';
import { createViewerReader } from '../../api/viewer.ts';
import { eventually } from '../support/until.ts';

/** The operator's lists of hosting networks (interface 6). */
const log = pino({ level: 'silent' });
const has = (list: { has(address: ipaddr.IPv4 | ipaddr.IPv6): boolean }, text: string): boolean =>
  list.has(ipaddr.process(text));

const LIST = `# clouds
3.5.140.0/22 # a remark
13.34.37.64,13.34.37.95
52.94.76.9
2600:1f00::/24
`;

test.each([
  ['3.5.139.255', false],
  ['3.5.140.0', true],
  ['3.5.143.255', true],
  ['3.5.144.0', false],
  ['13.34.37.63', false],
  ['13.34.37.64', true],
  ['13.34.37.95', true],
  ['13.34.37.96', false],
  ['52.94.76.9', true],
  ['52.94.76.10', false],
  ['2600:1fff:ffff::1', true],
  ['2600:2000::1', false],
  ['::ffff:52.94.76.9', true],
])('address %s · of a list of networks, ranges and addresses · is in it: %p', (text, expected) => {
  expect(has(datacentersOf(LIST), text)).toBe(expected);
});

test('networks that overlap and lie in any order · are found as if each were asked', () => {
  const list = datacentersOf('10.0.0.0/8\n10.1.0.0/16\n9.255.255.255\n11.0.0.0/9\n10.200.0.0/16');
  const asked = ['9.255.255.254', '9.255.255.255', '10.1.2.3', '11.127.255.255', '11.128.0.0'];
  expect(asked.map((text) => has(list, text))).toEqual([false, true, true, true, false]);
});

test.each(['3.5.140.0/33', 'nonsense', '5.0.0.2,5.0.0.1', '5.0.0.1,::1', '4.0.0.0/7', '2000::/3'])(
  'a line %p · is refused, by its number',
  (line) => {
    expect(() => datacentersOf(`1.2.3.0/24\n${line}`)).toThrow('line 2');
  },
);

/** As Amazon, Google, Oracle, Microsoft and DigitalOcean publish theirs. */
test.each([
  [
    '{"prefixes":[{"ip_prefix":"3.5.140.0/22","region":"x","service":"EC2"}],"ipv6_prefixes":[{"ipv6_prefix":"2600:1f00::/24"}]}',
  ],
  [
    '{"syncToken":"1","prefixes":[{"ipv4Prefix":"3.5.140.0/22","scope":"x"},{"ipv6Prefix":"2600:1f00::/24"}]}',
  ],
  [
    '{"regions":[{"region":"x","cidrs":[{"cidr":"3.5.140.0/22","tags":["OCI"]},{"cidr":"2600:1f00::/24","tags":[]}]}]}',
  ],
  ['{"values":[{"name":"x","properties":{"addressPrefixes":["3.5.140.0/22","2600:1f00::/24"]}}]}'],
  ['3.5.140.0/22,NL,NL-NH,Amsterdam,1098 XH\n2600:1f00::/24,US,US-NY,New York,10013'],
])("a provider's own file %s · is read as it is published", (text) => {
  const asked = ['3.5.141.1', '3.5.144.1', '2600:1f00::1', '2601::1'];
  expect(asked.map((address) => has(datacentersOf(text), address))).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

describe('of a file and an address', () => {
  let folder: string;
  let server: Server;
  let answer: { status: number; text: string };
  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'datacenters-'));
    answer = { status: 200, text: '52.0.0.0/8' };
    server = createServer((_req, res) => res.writeHead(answer.status).end(answer.text));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  });
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/list`;
  const open = async () => {
    const file = path.join(folder, 'own.txt');
    writeFileSync(file, '3.0.0.0/8');
    const url = address();
    const list = await openDatacenters({ file, urls: [url], log });
    list.close();
    return ['3.1.2.3', '52.1.2.3', '8.8.8.8'].map((text) => has(list, text));
  };

  test('both answer · both count', async () => {
    expect(await open()).toEqual([true, true, false]);
  });

  test.each([
    ['nothing but a failure', { status: 500, text: '52.0.0.0/8' }],
    ['a page', { status: 200, text: '<html>' }],
    ['an empty list', { status: 200, text: '# moved\n' }],
    ['JSON without a network', { status: 200, text: '{"prefixes":[]}' }],
    ['everybody', { status: 200, text: '0.0.0.0/0' }],
    ['everybody, in JSON', { status: 200, text: '{"cidr":"::/0"}' }],
    ['half of JSON', { status: 200, text: '{"cidr":' }],
  ])('the address answers %s · the file counts alone', async (_what, next) => {
    answer = next;
    expect(await open()).toEqual([true, false, false]);
  });

  /** Whether a viewer of this address is marked, as beacons see it. */
  const viewersOf = (datacenters: DatacenterList): ((ip: string) => boolean) => {
    const hashKey = randomBytes(32);
    const read = createViewerReader({ hashKey, geo: () => null, trustedProxies: [], datacenters });
    return (ip) =>
      read({ socket: { remoteAddress: ip }, headers: {} } as IncomingMessage).datacenter;
  };

  test('a network that a reload adds · marks a viewer who was there before it', async () => {
    const waitsMs = { fetched: 10, failed: 3_600_000 };
    const list = await openDatacenters({ file: undefined, urls: [address()], log, waitsMs });
    const isMarked = viewersOf(list);
    expect([isMarked('52.1.2.3'), isMarked('8.8.8.8')]).toEqual([true, false]);
    answer = { status: 200, text: '8.8.8.0/24' };
    await eventually(() => expect(isMarked('8.8.8.8')).toBe(true));
    expect(isMarked('52.1.2.3')).toBe(false);
    list.close();
  });

  test('an address that is away at the start · is asked again soon, and viewers of it are marked', async () => {
    answer = { status: 503, text: '' };
    const waitsMs = { fetched: 3_600_000, failed: 10 };
    const list = await openDatacenters({ file: undefined, urls: [address()], log, waitsMs });
    const isMarked = viewersOf(list);
    expect(isMarked('52.1.2.3')).toBe(false);
    answer = { status: 200, text: '52.0.0.0/8' };
    await eventually(() => expect(isMarked('52.1.2.3')).toBe(true));
    list.close();
  });

  test('one address of two is away · its list of before stays, and its age is told', async () => {
    const waitsMs = { fetched: 20, failed: 20 };
    const urls = [address(), `${address()}?other`];
    const list = await openDatacenters({ file: undefined, urls, log, waitsMs });
    expect([list.stats().networks, has(list, '52.1.2.3')]).toEqual([1, true]);
    expect(list.stats().ageSeconds).toBeLessThan(5);
    answer = { status: 503, text: '' };
    await eventually(() => expect(list.stats().ageSeconds).toBeGreaterThan(0.3));
    expect(has(list, '52.1.2.3')).toBe(true);
    answer = { status: 200, text: '8.8.8.0/24' };
    await eventually(() => expect(has(list, '52.1.2.3')).toBe(false));
    expect(list.stats().ageSeconds).toBeLessThan(5);
    list.close();
  });

  test('no address answered yet · the age is that of the process', async () => {
    answer = { status: 500, text: '' };
    const list = await openDatacenters({ file: undefined, urls: [address()], log });
    expect(list.stats().networks).toBe(0);
    await eventually(() => expect(list.stats().ageSeconds).toBeGreaterThan(0.05));
    list.close();
  });

  test.each([
    ['a failure', { status: 503, text: '' }, 'ANSWERED'],
    ['a page', { status: 200, text: '<html>' }, 'NOT_A_LIST'],
    ['too much', { status: 200, text: ' '.repeat(16 * 1_024 * 1_024 + 1) }, 'TOO_LARGE'],
  ])(
    'each list · one answers %s · is told by its name, without what may be secret',
    async (...row) => {
      const [, next, fault] = row;
      const file = path.join(folder, 'own.txt');
      writeFileSync(file, '3.0.0.0/8\n5.0.0.0/8');
      const url = `${address()}?key=secret`;
      const waitsMs = { fetched: 20, failed: 20 };
      const list = await openDatacenters({ file, urls: [url], log, waitsMs });
      const [own, fetched] = list.lists();
      expect(own).toEqual({
        source: 'FILE',
        networks: 2,
        fetchedAt: expect.any(Date),
        failed: null,
      });
      expect(fetched).toEqual({
        source: address(),
        networks: 1,
        fetchedAt: expect.any(Date),
        failed: null,
      });
      answer = next;
      await eventually(() =>
        expect(list.lists()[1]).toMatchObject({
          networks: 1,
          failed: { fault, at: expect.any(Date) },
        }),
      );
      answer = { status: 200, text: '8.8.8.0/24\n9.9.9.0/24' };
      await eventually(() => expect(list.lists()[1]).toMatchObject({ networks: 2, failed: null }));
      list.close();
    },
  );

  test('an address that never answered · has no networks and no time', async () => {
    const urls = ['http://127.0.0.1:9/list'];
    const list = await openDatacenters({ file: undefined, urls, log });
    list.close();
    expect(list.lists()).toEqual([
      {
        source: urls[0],
        networks: 0,
        fetchedAt: null,
        failed: { at: expect.any(Date), fault: 'AWAY' },
      },
    ]);
  });

  test('the file is written anew, or another is put in its place · is read again, and viewers are marked by it', async () => {
    const file = path.join(folder, 'own.txt');
    writeFileSync(file, '3.0.0.0/8');
    const waitsMs = { file: 10 };
    const list = await openDatacenters({ file, urls: [address()], log, waitsMs });
    const isMarked = viewersOf(list);
    const marked = () => ['3.1.2.3', '4.1.2.3', '5.1.2.3', '52.1.2.3'].map(isMarked);
    expect(marked()).toEqual([true, false, false, true]);
    const [before] = list.lists();
    writeFileSync(file, '4.0.0.0/8');
    await eventually(() => expect(marked()).toEqual([false, true, false, true]));
    expect(list.lists()[0]?.fetchedAt?.getTime()).toBeGreaterThan(
      before?.fetchedAt?.getTime() ?? Infinity,
    );
    // Of the same size, and as old as the one before.
    writeFileSync(`${file}.next`, '5.0.0.0/8');
    const { atime, mtime } = statSync(file);
    utimesSync(`${file}.next`, atime, mtime);
    renameSync(`${file}.next`, file);
    await eventually(() => expect(marked()).toEqual([false, false, true, true]));
    list.close();
  });

  test.each([
    ['is gone', (file: string) => unlinkSync(file), 'AWAY'],
    ['is half written', (file: string) => writeFileSync(file, '4.0.0.0/8\n5.0.'), 'NOT_A_LIST'],
    ['has no network', (file: string) => writeFileSync(file, '# moved'), 'NOT_A_LIST'],
    ['is everybody', (file: string) => writeFileSync(file, '0.0.0.0/0'), 'NOT_A_LIST'],
    [
      'is too large',
      (file: string) => writeFileSync(file, '4.0.0.0/8'.padEnd(16 * 1_024 * 1_024 + 1)),
      'TOO_LARGE',
    ],
  ])('the file %s · its list of before stays, and it is told, until it is one', async (...row) => {
    const [, spoil, fault] = row;
    const file = path.join(folder, 'own.txt');
    writeFileSync(file, '3.0.0.0/8');
    const list = await openDatacenters({ file, urls: [], log, waitsMs: { file: 10 } });
    spoil(file);
    await eventually(() => expect(list.lists()[0]?.failed?.fault).toBe(fault));
    expect([list.lists()[0]?.networks, has(list, '3.1.2.3')]).toEqual([1, true]);
    writeFileSync(file, '6.0.0.0/8');
    await eventually(() => expect(list.lists()[0]?.failed).toBeNull());
    expect([has(list, '3.1.2.3'), has(list, '6.1.2.3')]).toEqual([false, true]);
    list.close();
  });

  test('a file that is not there · stops the process at its start', async () => {
    const file = path.join(folder, 'none.txt');
    await expect(openDatacenters({ file, urls: [], log })).rejects.toThrow('ENOENT');
  });

  test('neither · no address is in a data centre', async () => {
    const list = await openDatacenters({ file: undefined, urls: [], log });
    expect(has(list, '3.1.2.3')).toBe(false);
  });
});
