import { placeOf } from '../../../db/sealed-columns.ts';
import type { ActivityDeps } from '../../../activities/deps.ts';
import { createOutbound } from '../../../activities/providers/outbound.ts';
import { recheckSites } from '../../../activities/publisher/site-recheck.ts';
import { createSiteActivities } from '../../../activities/publisher/sites.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { activityDeps } from '../../support/settlement.ts';
import { type Listener, startListener } from '../../support/listener.ts';
import { makePublisher } from '../../support/make/account.ts';
import { makeSite } from '../../support/make/place.ts';

let database: TestDatabase;
let deps: ActivityDeps;
let server: Listener;
let publisherId: number;
/** What each host's proof file holds. */
const files = new Map<string, string>();
const hosts = new Map<string, string>();
let now = new Date('2026-03-01T00:00:00Z');
let onAsk: (() => Promise<void>) | undefined;

const WEEK_MS = 7 * 86_400_000;
const NOTICE_MS = 72 * 3_600_000;
const pass = (ms: number): void => {
  now = new Date(now.getTime() + ms);
};

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startListener((req, res) => {
    void (async () => {
      await onAsk?.();
      const body = files.get((req.headers.host ?? '').split(':')[0] ?? '');
      res.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/plain' }).end(body);
    })();
  });
  deps = { ...activityDeps(database), clock: () => now };
  deps.providers = {
    ...deps.providers,
    outbound: createOutbound({ baseUrl: 'https://ads.platform.example', devHosts: hosts }),
  };
  publisherId = (await makePublisher(database.db)).id;
});

afterAll(async () => {
  await server.close();
  await database.close();
});

beforeEach(async () => {
  onAsk = undefined;
  await database.pool.query(`UPDATE sites SET status = 'ARCHIVED'`);
});

async function verifiedSite() {
  const site = await makeSite(database.db, publisherId);
  await site.update({ verifyMethod: 'FILE', verifiedAt: now });
  const domain = site.domain ?? '';
  hosts.set(domain, server.host);
  files.set(domain, site.verifyToken);
  return { site, domain };
}

async function stateOf(id: number) {
  const { rows } = await database.pool.query<{
    status: string;
    misses: number;
    lapses: Date | null;
    due: Date | null;
    version: number;
  }>(
    `SELECT verify_status AS status, verify_misses AS misses, verify_lapses_at AS lapses,
       verify_due_at AS due, version FROM sites WHERE id = $1`,
    [id],
  );
  return rows[0];
}

/** Letters to the publisher that name this domain, each with a flow that sends it. */
async function lettersAbout(domain: string): Promise<{ kind: string; expiresAt: Date }[]> {
  const { rows } = await database.pool.query<{
    id: string;
    kind: string;
    sealed: string;
    expires_at: Date;
    flows: string;
  }>(
    `SELECT m.id, m.kind, m.sealed, m.expires_at, (SELECT count(*) FROM outbox
       WHERE dedupe_key = 'start:mail:' || m.id) AS flows
     FROM mails m WHERE m.account_id = $1 ORDER BY m.id`,
    [publisherId],
  );
  return rows
    .filter(
      ({ id, sealed }) =>
        deps.providers.sealer.open(sealed, placeOf('mails.sealed', publisherId, null, null, id)) ===
        domain,
    )
    .map(({ kind, expires_at: expiresAt, flows }) => {
      expect(flows).toBe('1');
      return { kind, expiresAt };
    });
}

test('a verified site · before its week is over, then after · is not looked at, then is', async () => {
  const { site } = await verifiedSite();
  expect(await recheckSites(deps)).toEqual({ checked: 0, missed: 0, lapsed: 0 });
  expect((await stateOf(site.id))?.due).toEqual(new Date(now.getTime() + WEEK_MS));
  pass(WEEK_MS);
  expect(await recheckSites(deps)).toEqual({ checked: 1, missed: 0, lapsed: 0 });
  expect(await recheckSites(deps)).toEqual({ checked: 0, missed: 0, lapsed: 0 });
  expect(await stateOf(site.id)).toMatchObject({ status: 'VERIFIED', misses: 0 });
});

test('a site verified by the database clock · a week later · is looked at, once', async () => {
  const { site } = await verifiedSite();
  // now() has microseconds, which a Date loses.
  await database.pool.query(
    `UPDATE sites SET verified_at = $2::timestamptz + interval '123 microseconds' WHERE id = $1`,
    [site.id, now],
  );
  await recheckSites(deps);
  pass(WEEK_MS + 1);
  expect(await recheckSites(deps)).toMatchObject({ checked: 1 });
  expect(await recheckSites(deps)).toMatchObject({ checked: 0 });
});

test('a proof that stays away · week after week · notice after the third miss, LAPSED when it ends, told to serving', async () => {
  const { site, domain } = await verifiedSite();
  files.delete(domain);
  await recheckSites(deps);
  for (const misses of [1, 2, 3]) {
    pass(WEEK_MS);
    expect(await recheckSites(deps)).toEqual({ checked: 1, missed: 1, lapsed: 0 });
    expect(await stateOf(site.id)).toMatchObject({ status: 'VERIFIED', misses });
  }
  const lapses = new Date(now.getTime() + NOTICE_MS);
  expect(await stateOf(site.id)).toMatchObject({ lapses, due: lapses });
  expect(await lettersAbout(domain)).toEqual([{ kind: 'site_lapsing', expiresAt: lapses }]);
  pass(NOTICE_MS - 1);
  expect(await recheckSites(deps)).toMatchObject({ checked: 0 });
  const { rows: told } = await database.pool.query(`SELECT id FROM outbox WHERE kind = 'publish'`);
  pass(1);
  expect(await recheckSites(deps)).toEqual({ checked: 1, missed: 1, lapsed: 1 });
  expect(await stateOf(site.id)).toMatchObject({ status: 'LAPSED', lapses: null, due: null });
  const after = await database.pool.query(`SELECT id FROM outbox WHERE kind = 'publish'`);
  expect(after.rows.length).toBe(told.length + 1);
  const kinds = (await lettersAbout(domain)).map(({ kind }) => kind);
  expect(kinds).toEqual(['site_lapsing', 'site_lapsed']);
  pass(WEEK_MS);
  expect(await recheckSites(deps)).toMatchObject({ checked: 0 });
});

test('a proof that comes back · under notice · forgives every miss', async () => {
  const { site, domain } = await verifiedSite();
  files.delete(domain);
  await recheckSites(deps);
  for (let week = 0; week < 3; week += 1) {
    pass(WEEK_MS);
    await recheckSites(deps);
  }
  files.set(domain, site.verifyToken);
  pass(NOTICE_MS);
  expect(await recheckSites(deps)).toEqual({ checked: 1, missed: 0, lapsed: 0 });
  expect(await stateOf(site.id)).toMatchObject({ status: 'VERIFIED', misses: 0, lapses: null });
  expect(await lettersAbout(domain)).toHaveLength(1);
});

test('a domain · changed while its proof is looked for · the look is not written', async () => {
  const { site } = await verifiedSite();
  await recheckSites(deps);
  pass(WEEK_MS);
  onAsk = async () => {
    onAsk = undefined;
    await createSiteActivities(deps).updateSite(
      { id: site.id, publisherId },
      { domain: `moved-${site.domain}` },
    );
  };
  expect(await recheckSites(deps)).toEqual({ checked: 0, missed: 0, lapsed: 0 });
  expect(await stateOf(site.id)).toMatchObject({ status: 'UNVERIFIED', misses: 0 });
});

test('two rounds at once · over more sites than look at once · each site is written once', async () => {
  const made = [];
  for (let i = 0; i < 20; i += 1) made.push(await verifiedSite());
  for (const { domain } of made) files.delete(domain);
  await recheckSites(deps);
  pass(WEEK_MS);
  const reports = await Promise.all([recheckSites(deps), recheckSites(deps)]);
  expect(reports.reduce((sum, { checked }) => sum + checked, 0)).toBe(20);
  for (const { site } of made) expect(await stateOf(site.id)).toMatchObject({ misses: 1 });
});
