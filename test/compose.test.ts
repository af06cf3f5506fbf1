import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { loadConfig } from '../config.ts';

/** docker-compose.yml hands the platform each of its settings, and no more than is set is needed. */
interface Compose {
  services: Record<string, { environment: Record<string, string | number> }>;
}
const { services } = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as Compose;

const KEY = 'a'.repeat(64);
/** Without a default in the file: whoever deploys sets them. */
const SET: Readonly<Record<string, string>> = {
  POSTGRES_APP_PASSWORD: 'letters',
  BASE_URL: 'https://console.example',
  TRACK_URL: 'https://track.example',
  SDK_URL: 'https://sdk.example',
  CDN_URL: 'https://cdn.example',
  JWT_KEY_ADVERTISER: KEY,
  JWT_KEY_PUBLISHER: 'b'.repeat(64),
  JWT_KEY_ADMIN: 'c'.repeat(64),
  TRACK_KEYS: `0:${KEY}`,
  HASH_KEY: KEY,
  DATA_KEYS: `0:${KEY}`,
  DOCUMENT_KEYS: `0:${KEY}`,
  FLOW_KEYS: `0:${KEY}`,
};
const filled = (text: string | number, given: Readonly<Record<string, string>>): string =>
  String(text).replaceAll(/\$\{(\w+)(?::-([^}]*)|:\?[^}]*)\}/g, (_all, name: string, other = '') =>
    given[name] === undefined || given[name] === '' ? String(other) : given[name],
  );
const envOf = (service: string, given: Readonly<Record<string, string>>) => ({
  NODE_ENV: 'production',
  ...Object.fromEntries(
    Object.entries(services[service]?.environment ?? {}).map(([name, text]) => [
      name,
      filled(text, given),
    ]),
  ),
});

test.each(['api', 'worker'])('%s · with what must be set and nothing else · starts', (service) => {
  expect(() => loadConfig(envOf(service, SET))).not.toThrow();
});

test('each of what must be set · left out · the platform does not start', () => {
  const { POSTGRES_APP_PASSWORD: _role, SDK_URL: _page, TRACK_URL: _counting, ...own } = SET;
  const harmless = Object.keys(own).filter((name) => {
    try {
      loadConfig(envOf('api', { ...SET, [name]: '' }));
      return true;
    } catch {
      return false;
    }
  });
  expect(harmless).toEqual([]);
});

/** The image has them, each process its own, or they are refused in production. */
const ELSEWHERE = new Set(
  [
    'NODE_ENV LOG_LEVEL POSTGRES_POOL_MAX HOST PORT SURFACES WORKFLOW_BUNDLE GEO_MMDB DATACENTER_FILE',
    'MEDIA_DIR SPOOL_DIR PRIVATE_DIR EXPORT_DIR MAIL_DIR OPERATOR_SECOND_FACTOR PAYMENT_ASK_SECONDS',
    'PAYOUT_ACCOUNT_WAIT_SECONDS PAYOUT_SANDBOX_DIR WEB_DIR USDT_PAGE TRON_PAGE DEV_HOSTS DEV_TXT CRASH_AT',
  ].flatMap((line) => line.split(' ')),
);

test('each setting that README names · is handed to the platform, or is elsewhere', () => {
  const [, table = ''] = /^(\| `NODE_ENV`[^]*?)\n\n/m.exec(readFileSync('README.md', 'utf8')) ?? [];
  const named = table
    .split('\n')
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([A-Z][A-Z0-9_]+)`/g)])
    .map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(80);
  const handed = new Set(
    ['api', 'worker', 'migrate'].flatMap((name) => Object.keys(envOf(name, SET))),
  );
  expect(named.filter((name) => !handed.has(name) && !ELSEWHERE.has(name))).toEqual([]);
});
