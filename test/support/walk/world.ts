import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rateLimitKey } from '../../../db/keys.ts';
import { createRedis } from '../../../db/redis.ts';
import {
  makeSandboxKeys,
  type Sandboxes,
  sandboxEnv,
  startSandboxes,
} from '../../../dev/sandboxes/stand.ts';
import { ownRedisUrl, type TestDatabase } from '../database.ts';
import { type Platform, startPlatform } from '../platform.ts';
import { Recorder } from './recorder.ts';
import { until } from '../until.ts';
import { type LocalSites, startLocalSites } from '../local-sites.ts';

/** A platform with its people, as the walk over every route needs it. */
export interface World {
  platform: Platform;
  sites: LocalSites;
  /** Payment providers. */
  sandboxes: Sandboxes;
  walk: Recorder;
  /** Bearer tokens. */
  tokens: Record<'advertiser' | 'publisher' | 'admin' | 'reviewer' | 'finance', string>;
  /** Ids of what was made, by a name of the walk's own. */
  made: Record<string, number>;
  /** What was made and is no id: keys, codes, track ids. */
  words: Record<string, string>;
  /** As if a minute had passed: the walk asks faster than any account may for long. */
  nextMinute(): Promise<void>;
  /** The letters that were sent so far, oldest first. */
  letters(): string[];
  close(): Promise<void>;
}

/** Where passkeys of the walk are good: a console with a name. */
export const CONSOLE_ORIGIN = 'https://console.example.com';
export const PASSWORD = 'correct horse battery 9';
export const SITE_DOMAIN = 'gazette.example.com';
export const OLD_DOMAIN = 'old.example.com';
export const SHOP_DOMAIN = 'shop.example.com';
export const AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

export async function createWorld(): Promise<World> {
  const sites = await startLocalSites();
  const keys = makeSandboxKeys();
  const sandboxes = await startSandboxes(keys);
  const folder = mkdtempSync(path.join(tmpdir(), 'walk-'));
  const redisUrl = ownRedisUrl();
  const platform = await startPlatform({
    REDIS_URL: redisUrl,
    DEV_HOSTS: [SITE_DOMAIN, OLD_DOMAIN, SHOP_DOMAIN]
      .map((name) => `${name}=127.0.0.1:${sites.port}`)
      .join(','),
    ...sandboxEnv(sandboxes.base, keys),
    MAIL_DIR: path.join(folder, 'mail'),
    EXPORT_DIR: path.join(folder, 'exports'),
    PRIVATE_DIR: path.join(folder, 'private'),
    CONSOLE_ORIGINS: CONSOLE_ORIGIN,
    TEMPORAL_UI_URL: 'http://flows.example:8233',
    PAYOUT_DEBTOR_NAME: 'Advertising platform',
    PAYOUT_DEBTOR_IBAN: 'DE75512108001245126199',
    PAYOUT_DEBTOR_BIC: 'SOGEDEFFXXX',
    // Every route is asked at one address.
    CDN_PORT: '0',
  });
  await platform.createOperators(PASSWORD);
  return {
    platform,
    sites,
    sandboxes,
    walk: new Recorder(platform.baseUrl),
    tokens: { advertiser: '', publisher: '', admin: '', reviewer: '', finance: '' },
    made: {},
    words: {},
    nextMinute: async () => await forgetLimits(redisUrl),
    letters: () => lettersIn(path.join(folder, 'mail')),
    close: async () => {
      await platform.close();
      await sites.close();
      await sandboxes.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function forgetLimits(redisUrl: string): Promise<void> {
  const redis = createRedis(redisUrl);
  await redis.connect();
  try {
    const counters = await redis.keys(rateLimitKey('*', '*', 0).replace(/0$/, '*'));
    if (counters.length > 0) await redis.del(counters);
  } finally {
    redis.destroy();
  }
}

/** The folder is made with the first letter. */
const lettersIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith('.eml'))
        // By their numbers: a hundredth letter is newer than a ninety-ninth.
        .toSorted((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10))
        .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    : [];

/** The platform's database, for what only time or money from outside would bring. */
export const databaseOf = ({
  platform: { db, pool, appPool, ownerUrl, postgresUrl: url },
}: World): TestDatabase => ({
  db,
  pool,
  appPool,
  ownerUrl,
  url,
  close: () => Promise.reject(new Error('the platform closes its own database')),
});

/** An id of the walk; raises when the step that should have made it did not. */
export function idOf({ made }: World, name: string): number {
  const id = made[name];
  if (id === undefined) throw new Error(`there is no ${name}`);
  return id;
}

export function wordOf({ words }: World, name: string): string {
  const word = words[name];
  if (word === undefined) throw new Error(`there is no ${name}`);
  return word;
}

/** Decides the open task of a subject, as an operator would. Answers what it was of. */
export async function decide(
  { walk, tokens }: World,
  subject: { type: string; id?: number; kind?: string; by?: 'admin' | 'reviewer' },
  decision = 'approve',
): Promise<Task['subject']> {
  const task = await until(`a task for ${subject.type} ${subject.id}`, async () => {
    const { items } = await walk.ask<{ items: Task[] }>('GET /api/admin/tasks', {
      token: tokens.admin,
      query: { status: 'open', page_size: 100 },
    });
    return items.find(
      (item) =>
        item.subject.type === subject.type &&
        (subject.id === undefined || item.subject.id === subject.id) &&
        (subject.kind === undefined || item.kind === subject.kind),
    );
  });
  await walk.ask('POST /api/admin/tasks/:id/decision', {
    id: task.id,
    // Money is decided by FINANCE alone.
    token: tokens[subject.by ?? (task.required_role === 'FINANCE' ? 'finance' : 'admin')],
    body: {
      decision,
      note: decision === 'approve' ? 'Looks right' : 'Not as it should be',
      ...(decision === 'reject' ? { reasons: [{ code: 'OTHER', note: 'Not reachable' }] } : {}),
    },
  });
  return task.subject;
}

export interface Task {
  id: number;
  kind: string;
  required_role: string;
  subject: { type: string; id: number };
}

/** Waits until a record of `route` is approved; a person is asked where one is needed. */
export async function approved(
  world: World,
  route: string,
  subject: { type: string; id: number; token: string },
): Promise<void> {
  const { id, token } = subject;
  await until({ what: `${subject.type} ${id} is approved`, withinMs: 30_000 }, async () => {
    const { audit_status } = await world.walk.ask<{ audit_status: string }>(route, { id, token });
    if (audit_status === 'APPROVED') return true;
    const { items } = await world.walk.ask<{ items: Task[] }>('GET /api/admin/tasks', {
      token: world.tokens.admin,
      query: { status: 'open', page_size: 100 },
    });
    const task = items.find(
      ({ subject: { type, id: of } }) => type === subject.type && of === subject.id,
    );
    if (task !== undefined) {
      await world.walk.ask('POST /api/admin/tasks/:id/decision', {
        id: task.id,
        token: world.tokens.admin,
        body: { decision: 'approve' },
      });
    }
    return undefined;
  });
}

/** A file of a form, as a browser sends it. */
export function fileForm(bytes: Uint8Array, file: { name: string; type: string }): FormData {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)], { type: file.type }), file.name);
  return form;
}

/**
 * A thing that a person rejects although nothing is wrong with it, and its owner's appeal: the setting
 * sends it to a person for that time.
 */
export async function appealed(
  world: World,
  { noun, type, id, token }: { noun: string; type: string; id: number; token: string },
): Promise<void> {
  const { walk, tokens } = world;
  const set = async (value: string): Promise<void> => {
    await walk.ask('PUT /api/admin/settings/:key', {
      params: { key: `review.${type}` },
      token: tokens.admin,
      body: { value },
    });
  };
  const isAlwaysSeen = type === 'creative' || type === 'site';
  if (!isAlwaysSeen) await set('human');
  await walk.ask(`POST ${noun}/:id/submit-audit`, { id, token });
  await decide(world, { type, id }, 'reject');
  await until(`${type} ${id} is rejected`, async () => {
    const { audit_status: status } = await walk.ask<{ audit_status: string }>(`GET ${noun}/:id`, {
      id,
      token,
    });
    return status === 'REJECTED';
  });
  await walk.ask(`POST ${noun}/:id/appeal`, { id, token, body: { text: 'The page says so' } });
  if (!isAlwaysSeen) await set('auto_when_clean');
}
