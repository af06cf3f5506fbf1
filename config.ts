import { randomBytes } from 'node:crypto';
import * as yup from 'yup';
import { type KeyRingEntry, list, parseKeys } from './config-keys.ts';
import { type PaymentSettings, paymentsOf } from './config-payments.ts';
import { payoutsOf } from './config-payouts.ts';
import { temporalOf } from './config-temporal.ts';
import { originFaults } from './domain/url.ts';

/**
 * Every environment variable, parsed once. Entry points call loadConfig; a fault stops the process
 * with all faults listed. Secrets have no default outside development.
 */
const url = () => yup.string().trim().min(1);
const port = (fallback: number) => yup.number().integer().min(0).max(65_535).default(fallback);

const schema = yup.object({
  NODE_ENV: yup.string().oneOf(['development', 'test', 'production']).default('development'),
  LOG_LEVEL: yup.string().oneOf(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** The application's role; the owner's (POSTGRES_OWNER_URL) is for dev/admin.ts alone. */
  POSTGRES_URL: url().default('postgres://postgres@127.0.0.1:5432/adplatform'),
  POSTGRES_POOL_MAX: yup.number().integer().min(2).max(100).default(10),
  /** Frequency counters and change notices; may be lost. */
  REDIS_URL: url().default('redis://127.0.0.1:6379'),
  /** Where operators look at a flow, which tasks and operations link to; empty: nowhere. */
  TEMPORAL_UI_URL: yup.string().trim().default(''),
  /** Listening port of the API process and the public addresses of its surfaces (interface 0). */
  PORT: port(8080),
  /** Of `/metrics`, a port of its own; 0: nothing is measured. A worker also takes the next one. */
  METRICS_PORT: port(0),
  /** Of a collector of OpenTelemetry; empty: nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: yup.string().trim().default(''),
  HOST: yup.string().default('127.0.0.1'),
  BASE_URL: url().default('http://127.0.0.1:8080'),
  TRACK_URL: url().default('http://127.0.0.1:8080'),
  SDK_URL: url().default('http://127.0.0.1:8080'),
  CDN_URL: url().default('http://127.0.0.1:8080'),
  /** Where assets alone are served, as CDN_URL; 0 is among everything else, outside production. */
  CDN_PORT: port(0),
  SURFACES: yup.string().default('console,ad,track'),
  /** How many processes share PORT (api/processes.ts). */
  SERVING_PROCESSES: yup.number().integer().min(1).max(64).default(1),
  /** Comma lists: proxies (CIDR) whose X-Forwarded-For is believed; origins of consoles beside BASE_URL. */
  TRUSTED_PROXIES: yup.string().default(''),
  CONSOLE_ORIGINS: yup.string().default(''),
  /** Whether operators need a second factor; in production unless it says otherwise. */
  OPERATOR_SECOND_FACTOR: yup.string().oneOf(['required', 'optional'] as const),
  /** What `npm run build` has made for browsers. */
  WEB_DIR: yup.string().default('dist/web'),
  /** Media, the spool of events while PostgreSQL is away, sealed proofs of identity, exports of a day. */
  MEDIA_DIR: yup.string().default('.data/media'),
  SPOOL_DIR: yup.string().default('.data/spool'),
  PRIVATE_DIR: yup.string().default('.data/private'),
  WORKFLOW_BUNDLE: yup.string(),
  EXPORT_DIR: yup.string().default('.data/exports'),
  /** `smtp://user:password@host:587`; empty writes letters to MAIL_DIR, one .eml file each. */
  SMTP_URL: yup.string().default(''),
  MAIL_FROM: yup.string().default('Advertising platform <no-reply@localhost>'),
  MAIL_DIR: yup.string().default('.data/mail'),
  /** Country database (MMDB; empty: the bundled one); hosting networks, by file and addresses. */
  GEO_MMDB: yup.string().default(''),
  DATACENTER_FILE: yup.string().default(''),
  DATACENTER_URL: yup.string().trim().default(''),
  /** OpenAI-compatible endpoint for generated media; a kind without a model is made by ourselves. */
  AI_BASE_URL: yup.string().default(''),
  AI_API_KEY: yup.string().default(''),
  AI_IMAGE_MODEL: yup.string().default(''),
  AI_VIDEO_MODEL: yup.string().default(''),
  AI_TEXT_MODEL: yup.string().default(''),
  /** 32 bytes hex each. JWT keys are per realm; TRACK_KEYS is `id:hex,id:hex`, first one seals. */
  JWT_KEY_ADVERTISER: yup.string(),
  JWT_KEY_PUBLISHER: yup.string(),
  JWT_KEY_ADMIN: yup.string(),
  TRACK_KEYS: yup.string(),
  /** Keys hashes of addresses and agents at rest, and session keys. */
  HASH_KEY: yup.string(),
  /** Seals account numbers and the like at rest; `id:hex,id:hex`, first one seals. */
  DATA_KEYS: yup.string(),
  /** Sign documents of accounts (Ed25519); `id:hex,id:hex`, first one signs. */
  DOCUMENT_KEYS: yup.string(),
  /** Seals what Temporal keeps of a flow, likewise; unset outside production: kept in clear. */
  FLOW_KEYS: yup.string().default(''),

  /** In development, the folder that sandboxes of payouts pay into. */
  PAYOUT_SANDBOX_DIR: yup.string().default(''),

  /** Number of settlement shards; an event's shard is its advertiser's id modulo this. */
  SHARDS: yup.number().integer().min(1).max(64).default(1),

  /** Development and tests only (interface 4.9): where a name lives, and what its TXT record says. */
  DEV_HOSTS: yup.string().default(''),
  DEV_TXT: yup.string().default(''),
  /** Tests only: a keyed request's step (`after:deposit.open`) or a flow's (crash-points.ts) to die at. */
  CRASH_AT: yup.string().default(''),
});

export interface Config {
  env: 'development' | 'test' | 'production';
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  postgres: { url: string; poolMax: number };
  redis: { url: string };
  temporal: ReturnType<typeof temporalOf> & { uiUrl: string | null };
  metricsPort: number; // 0: nothing is measured
  traced: boolean;
  workflowBundle: string | undefined; // undefined: of the build in production, else made of the sources
  http: {
    host: string;
    port: number;
    cdnPort: number | undefined;
    surfaces: ReadonlySet<string>;
    servingProcesses: number;
    trustedProxies: string[];
    consoleOrigins: string[];
  };
  urls: { base: string; track: string; sdk: string; cdn: string };
  webDir: string;
  mediaDir: string;
  spoolDir: string;
  privateDir: string;
  exportDir: string;
  mail: { smtpUrl: string | undefined; from: string; dir: string };
  geoMmdb: string | undefined;
  datacenters: { file: string | undefined; urls: string[] };
  ai: Record<'baseUrl' | 'apiKey' | 'imageModel' | 'videoModel' | 'textModel', string | undefined>;
  keys: {
    jwt: { advertiser: Buffer; publisher: Buffer; admin: Buffer };
    /** First one seals; all of them open. Ids are 0..15. */
    track: KeyRingEntry[];
    hash: Buffer;
    /** First one seals columns; all of them open. */
    data: KeyRingEntry[];
    /** First one signs documents; all of them verify. */
    documents: KeyRingEntry[];
    /** First one seals payloads of flows; all of them open. Empty: they are kept in clear. */
    flow: KeyRingEntry[];
  };
  payouts: ReturnType<typeof payoutsOf>;
  /** What money of advertisers comes in by; unset, a method is not usable. */
  payments: PaymentSettings;
  shards: number;
  operatorFactor: 'required' | 'optional';
  dev: { hosts: ReadonlyMap<string, string>; txt: ReadonlyMap<string, string> };
  crashAt: string;
}

/** Raises one Error whose message lists every fault, a line each. */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const faults: string[] = [];
  let raw: yup.InferType<typeof schema>;
  try {
    raw = schema.validateSync(env, { abortEarly: false, stripUnknown: true });
  } catch (error) {
    if (!(error instanceof yup.ValidationError)) throw error;
    throw new Error(`Configuration faults:\n- ${error.errors.join('\n- ')}`, { cause: error });
  }
  const production = raw.NODE_ENV === 'production';
  const at = { production, faults };
  // What one process seals another opens.
  const mustShare = production || raw.SERVING_PROCESSES > 1;
  const key = (name: string, value: string | undefined): Buffer => {
    if (value === undefined || value === '') {
      if (mustShare) faults.push(`${name} must be set (64 hex digits)`);
      return randomBytes(32);
    }
    if (!/^[0-9a-f]{64}$/i.test(value)) faults.push(`${name} must be 64 hex digits`);
    return Buffer.from(value, 'hex');
  };
  for (const name of ['DEV_HOSTS', 'DEV_TXT', 'PAYOUT_SANDBOX_DIR'] as const) {
    if (production && raw[name] !== '') faults.push(`${name} is refused in production`);
  }
  if (raw.CRASH_AT !== '' && raw.NODE_ENV !== 'test') faults.push('CRASH_AT is for tests only');
  const config: Config = {
    env: raw.NODE_ENV,
    logLevel: raw.LOG_LEVEL,
    postgres: { url: raw.POSTGRES_URL, poolMax: raw.POSTGRES_POOL_MAX },
    redis: { url: raw.REDIS_URL },
    temporal: {
      ...temporalOf(env, faults),
      uiUrl: raw.TEMPORAL_UI_URL === '' ? null : trimSlash(raw.TEMPORAL_UI_URL),
    },
    http: {
      host: raw.HOST,
      port: raw.PORT,
      cdnPort: raw.CDN_PORT === 0 ? undefined : raw.CDN_PORT,
      surfaces: new Set(list(raw.SURFACES)),
      servingProcesses: raw.SERVING_PROCESSES,
      trustedProxies: list(raw.TRUSTED_PROXIES),
      consoleOrigins: list(raw.CONSOLE_ORIGINS),
    },
    urls: urlsOf(raw),
    webDir: raw.WEB_DIR,
    mediaDir: raw.MEDIA_DIR,
    spoolDir: raw.SPOOL_DIR,
    privateDir: raw.PRIVATE_DIR,
    metricsPort: raw.METRICS_PORT,
    traced: raw.OTEL_EXPORTER_OTLP_ENDPOINT !== '',
    workflowBundle: raw.WORKFLOW_BUNDLE,
    exportDir: raw.EXPORT_DIR,
    mail: mailOf(raw, faults),
    geoMmdb: given(raw.GEO_MMDB),
    datacenters: datacentersOf(raw, faults),
    ai: aiOf(raw, faults),
    keys: {
      jwt: {
        advertiser: key('JWT_KEY_ADVERTISER', raw.JWT_KEY_ADVERTISER),
        publisher: key('JWT_KEY_PUBLISHER', raw.JWT_KEY_PUBLISHER),
        admin: key('JWT_KEY_ADMIN', raw.JWT_KEY_ADMIN),
      },
      track: keyRing('TRACK_KEYS', raw.TRACK_KEYS, { mustShare, faults }),
      hash: key('HASH_KEY', raw.HASH_KEY),
      data: keyRing('DATA_KEYS', raw.DATA_KEYS, { mustShare, faults }),
      documents: keyRing('DOCUMENT_KEYS', raw.DOCUMENT_KEYS, { mustShare, faults }),
      flow: keyRing('FLOW_KEYS', raw.FLOW_KEYS, { mustShare: production, faults }),
    },
    payouts: payoutsOf(env, at),
    payments: paymentsOf(env, production, faults),
    shards: raw.SHARDS,
    operatorFactor: raw.OPERATOR_SECOND_FACTOR ?? (production ? 'required' : 'optional'),
    dev: devOf(raw, faults),
    crashAt: raw.CRASH_AT,
  };
  if (production) faults.push(...originFaults(config));
  if (faults.length > 0) throw new Error(`Configuration faults:\n- ${faults.join('\n- ')}`);
  return config;
}

const devOf = (raw: yup.InferType<typeof schema>, faults: string[]): Config['dev'] => ({
  hosts: pairs('DEV_HOSTS', raw.DEV_HOSTS, faults),
  txt: pairs('DEV_TXT', raw.DEV_TXT, faults),
});

function mailOf(raw: yup.InferType<typeof schema>, faults: string[]): Config['mail'] {
  const smtpUrl = raw.SMTP_URL.trim();
  if (smtpUrl !== '' && !/^smtps?:\/\/\S+$/.test(smtpUrl)) {
    faults.push('SMTP_URL must be smtp://… or smtps://…');
  }
  if (!raw.MAIL_FROM.includes('@')) faults.push('MAIL_FROM must hold an address');
  return { smtpUrl: given(smtpUrl), from: raw.MAIL_FROM, dir: raw.MAIL_DIR };
}

const urlsOf = (raw: yup.InferType<typeof schema>): Config['urls'] => ({
  base: trimSlash(raw.BASE_URL),
  track: trimSlash(raw.TRACK_URL),
  sdk: trimSlash(raw.SDK_URL),
  cdn: trimSlash(raw.CDN_URL),
});

function aiOf(raw: yup.InferType<typeof schema>, faults: string[]): Config['ai'] {
  const baseUrl = given(raw.AI_BASE_URL);
  if (baseUrl !== undefined && !/^https?:\/\/\S+$/.test(baseUrl)) {
    faults.push('AI_BASE_URL must be http://… or https://…');
  }
  return {
    baseUrl: baseUrl?.replace(/\/+$/, ''),
    apiKey: given(raw.AI_API_KEY),
    imageModel: given(raw.AI_IMAGE_MODEL),
    videoModel: given(raw.AI_VIDEO_MODEL),
    textModel: given(raw.AI_TEXT_MODEL),
  };
}

function datacentersOf(raw: yup.InferType<typeof schema>, faults: string[]): Config['datacenters'] {
  const urls = list(raw.DATACENTER_URL);
  for (const url of urls.filter((each) => !/^https?:\/\/\S+$/.test(each))) {
    faults.push(`DATACENTER_URL: "${url}" must be http://… or https://…`);
  }
  return { file: given(raw.DATACENTER_FILE), urls };
}

const trimSlash = (text: string): string => text.replace(/\/+$/, '');
const given = (text: string) => (text.trim() === '' ? undefined : text.trim());

function pairs(name: string, text: string, faults: string[]): Map<string, string> {
  const map = new Map<string, string>();
  for (const item of list(text)) {
    const cut = item.indexOf('=');
    if (cut < 1) faults.push(`${name}: "${item}" is not name=value`);
    else map.set(item.slice(0, cut).toLowerCase(), item.slice(cut + 1));
  }
  return map;
}

function keyRing(
  name: string,
  text: string | undefined,
  { mustShare, faults }: { mustShare: boolean; faults: string[] },
): KeyRingEntry[] {
  if (text === undefined || text === '') {
    if (mustShare) faults.push(`${name} must be set (id:64 hex digits, first one seals)`);
    // Two processes that made keys of their own could not read each other's flows.
    return name === 'FLOW_KEYS' ? [] : [{ id: 0, secret: randomBytes(32) }];
  }
  return parseKeys(name, text, faults);
}
