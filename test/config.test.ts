import { loadConfig } from '../config.ts';

const crash = { CRASH_AT: 'after:deposit.open' };

test('CRASH_AT · in a test · is taken', () => {
  expect(loadConfig({ NODE_ENV: 'test', ...crash }).crashAt).toBe('after:deposit.open');
});

test.each(['development', 'production', undefined])(
  'CRASH_AT · with NODE_ENV %s · the process does not start',
  (NODE_ENV) => {
    expect(() => loadConfig({ NODE_ENV, ...crash })).toThrow('CRASH_AT is for tests only');
  },
);

test('lists of data centres · at several addresses · are all asked, and what is none stops the process', () => {
  const at = (DATACENTER_URL: string) =>
    loadConfig({ NODE_ENV: 'test', DATACENTER_URL }).datacenters;
  expect(at('')).toEqual({ file: undefined, urls: [] });
  expect(at('https://a.example/x.json, http://b.example/y').urls).toEqual([
    'https://a.example/x.json',
    'http://b.example/y',
  ]);
  expect(() => at('https://a.example/x.json,file:///etc/passwd')).toThrow('DATACENTER_URL: "file:');
});

test.each(['DEV_HOSTS', 'DEV_TXT', 'PAYOUT_SANDBOX_DIR'])(
  '%s · in production · the process does not start',
  (name) => {
    const config = () => loadConfig({ NODE_ENV: 'production', [name]: 'shop.example.com=x' });
    expect(config).toThrow(`${name} is refused in production`);
  },
);

test('where flows are looked at · unset · nowhere; set · without a slash at its end', () => {
  expect(loadConfig({ NODE_ENV: 'test' }).temporal.uiUrl).toBeNull();
  const TEMPORAL_UI_URL = 'https://flows.example.com/ui/';
  expect(loadConfig({ NODE_ENV: 'test', TEMPORAL_UI_URL }).temporal.uiUrl).toBe(
    'https://flows.example.com/ui',
  );
});

test('several serving processes · keys that are not set · are refused, as each would make its own', () => {
  expect(() => loadConfig({ SERVING_PROCESSES: '2' })).toThrow(
    /TRACK_KEYS must be set[^]*HASH_KEY/,
  );
  expect(loadConfig({}).http.servingProcesses).toBe(1);
});

test.each([
  ['https://console.example', '8081', 'CDN_URL must be an origin of its own'],
  ['https://cdn.example', undefined, 'CDN_PORT must be set'],
])(
  'assets at %s, port %s · in production · the process does not start',
  (CDN_URL, CDN_PORT, fault) => {
    const BASE_URL = 'https://console.example';
    expect(() => loadConfig({ NODE_ENV: 'production', BASE_URL, CDN_URL, CDN_PORT })).toThrow(
      fault,
    );
  },
);

describe('Temporal of a cluster', () => {
  const env = { NODE_ENV: 'test', TEMPORAL_ADDRESS: 'ads.tmprl.example:7233' };

  it('an address alone · no TLS, the namespace of the house', () => {
    const { connection, namespace } = loadConfig(env).temporal;
    expect(connection).toMatchObject({ address: 'ads.tmprl.example:7233' });
    expect(connection.tls ?? false).toBe(false);
    expect(namespace).toBe('ads');
  });

  it('a key · is sent, over TLS', () => {
    const { connection } = loadConfig({ ...env, TEMPORAL_API_KEY: 'k-1' }).temporal;
    expect(connection.apiKey).toBe('k-1');
    expect(connection.tls ?? false).not.toBe(false);
  });

  it('a certificate that is not there · is a fault among the others', () => {
    const TEMPORAL_TLS_CLIENT_CERT_PATH = '/nowhere/client.pem';
    const load = () => loadConfig({ ...env, TEMPORAL_TLS_CLIENT_CERT_PATH });
    expect(load).toThrow('TEMPORAL_*');
  });
});

const TRON = {
  TRON_RPC: 'https://api.trongrid.io/jsonrpc',
  TRON_SOLIDITY: 'https://api.trongrid.io/',
  TRON_CHAIN_ID: '3448148188',
  TRON_CONTRACT: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  TRON_XPUB: 'xpub6D1Aabwhatever',
};

test('TRON · whole · is taken, without a slash at the end', () => {
  expect(loadConfig({ NODE_ENV: 'test', ...TRON }).payments.tron).toEqual({
    rpc: 'https://api.trongrid.io/jsonrpc',
    solidity: 'https://api.trongrid.io',
    chainId: 3_448_148_188,
    contract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    xpub: 'xpub6D1Aabwhatever',
    apiKey: null,
    page: null,
  });
});

test.each([
  [{ TRON_CONTRACT: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T' }, 'right checksum'],
  [{ TRON_XPUB: 'xprv9whatever' }, 'TRON_XPUB must be an extended public key'],
  [{ TRON_SOLIDITY: '' }, 'TRON_SOLIDITY must be set with the others'],
  [{ TRON_RPC: 'ftp://node' }, 'TRON_RPC must be'],
])('TRON · %p · the process does not start', (wrong, fault) => {
  expect(() => loadConfig({ NODE_ENV: 'test', ...TRON, ...wrong })).toThrow(fault);
});
