import type { ActivityDeps } from '../../../activities/deps.ts';
import { createOutbound } from '../../../activities/providers/outbound.ts';
import { recheckSites } from '../../../activities/publisher/site-recheck.ts';
import { createSiteVerificationActivities } from '../../../activities/publisher/site-verification.ts';
import { loadReviewFacts } from '../../../activities/review/review-facts.ts';
import { inTransaction } from '../../../db/postgres.ts';
import type { RecordOf } from '../../../db/schema/models.ts';
import type { VerifyMethod } from '../../../domain/lifecycle/site.ts';
import { reviewFindings } from '../../../domain/review-findings.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type Listener, startListener } from '../../support/listener.ts';
import { makePublisher } from '../../support/make/account.ts';
import { makeSite } from '../../support/make/place.ts';
import { activityDeps } from '../../support/settlement.ts';

type Site = RecordOf<'sites'>;

/** What a proof of a domain says of the names below it, and what it does not (interface 4.9). */
let database: TestDatabase;
let deps: ActivityDeps;
let server: Listener;
let owner: number;
let stranger: number;
let now = new Date();
/** Nothing is asked of the real DNS. */
class Records extends Map<string, string> {
  override get(name: string): string {
    return super.get(name) ?? 'something else';
  }
}
const txt = new Records();
const hosts = new Map<string, string>();
const files = new Map<string, string>();
let serial = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startListener((req, res) => {
    const body = files.get(`${(req.headers.host ?? '').split(':')[0]}${req.url}`);
    const type = req.url === '/' ? 'text/html' : 'text/plain';
    res.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body);
  });
  deps = { ...activityDeps(database), clock: () => now };
  const outbound = createOutbound({
    baseUrl: 'https://ads.platform.example',
    devHosts: hosts,
    devTxt: txt,
  });
  deps.providers = { ...deps.providers, outbound };
  owner = (await makePublisher(database.db)).id;
  stranger = (await makePublisher(database.db)).id;
});
afterAll(async () => {
  await server.close();
  await database.close();
});

const verified = async (
  domain: string,
  fields: { publisherId?: number; verifyMethod?: VerifyMethod } = {},
): Promise<Site> => {
  const { publisherId = owner, verifyMethod = 'DNS' } = fields;
  const site = await makeSite(database.db, publisherId, {
    domain,
    verifyMethod,
    verifiedAt: now,
  });
  if (verifyMethod === 'DNS') txt.set(`_adplatform.${domain}`, site.verifyToken);
  return site;
};
const claimed = async (domain: string, publisherId = owner): Promise<Site> => {
  hosts.set(domain, server.host);
  const fields = { domain, verifyStatus: 'UNVERIFIED', auditStatus: 'PENDING' } as const;
  return await makeSite(database.db, publisherId, fields);
};
/** A first and last look, as the flow asks for it. */
async function verify(site: Site, method: VerifyMethod = 'DNS'): Promise<string> {
  const activities = createSiteVerificationActivities(deps);
  const { id: siteId, publisherId } = site;
  await activities.requestSiteVerification({ siteId, publisherId, method, retryAfterSeconds: [] });
  await site.reload();
  const round = site.verifyRound;
  const { state } = await activities.checkSite({
    siteId,
    round,
    attempt: 1,
    nextAfterSeconds: null,
  });
  await site.reload();
  return state;
}
const fresh = (suffix = 'example'): string => {
  serial += 1;
  return `owned-${serial}-${owner}.${suffix}`;
};

test('the DNS of a domain that the account has verified · covers all names below it, however deep', async () => {
  const domain = fresh();
  await verified(domain);
  for (const name of [`blog.${domain}`, `a.b.c.${domain}`, `www.shop.${domain}`]) {
    const site = await claimed(name);
    expect([name, await verify(site)]).toEqual([name, 'VERIFIED']);
  }
});

test.each(['META', 'FILE'] as const)(
  'a domain verified by %s · says nothing of its neighbours: a server is not the zone',
  async (method) => {
    const domain = fresh();
    const above = await verified(domain, { verifyMethod: method });
    files.set(`${domain}/.well-known/adplatform.txt`, above.verifyToken);
    const tag = `<meta name="adplatform-verification" content="${above.verifyToken}">`;
    files.set(`${domain}/`, `<html><head>${tag}</head></html>`);
    hosts.set(domain, server.host);
    // Not even with its record in the DNS: that is not what was verified.
    txt.set(`_adplatform.${domain}`, above.verifyToken);
    const below = await claimed(`blog.${domain}`);
    expect([await verify(below), await verify(below, method)]).toEqual(['FAILED', 'FAILED']);
  },
);

test('another account’s record, readable by all · proves nothing to whoever claims a name below', async () => {
  const domain = fresh();
  const theirs = await verified(domain);
  const taken = await claimed(`blog.${domain}`, stranger);
  expect(await verify(taken)).toBe('FAILED');
  // A thief copies the record to where they may write.
  txt.set(`_adplatform.blog.${domain}`, theirs.verifyToken);
  expect(await verify(taken)).toBe('FAILED');
  // Nor does a claim of theirs for the domain, which is not verified.
  const same = await claimed(domain, stranger);
  txt.set(`_adplatform.${domain}`, `${theirs.verifyToken}`);
  expect(await verify(same)).toBe('FAILED');
  expect(await verify(taken)).toBe('FAILED');
});

test('a name below · says nothing of the domain, of a neighbour or of what only looks like it', async () => {
  const domain = fresh();
  await verified(`blog.${domain}`);
  for (const name of [
    domain,
    `shop.${domain}`,
    `www.${domain}`,
    `notblog.${domain}`,
    `x${domain}`,
  ]) {
    expect([name, await verify(await claimed(name))]).toEqual([name, 'FAILED']);
  }
});

test.each(['github.io', 'co.uk', 'blogspot.com'])(
  'a neighbour below the public suffix %s · is a stranger, whatever stands in the suffix’s own DNS',
  async (suffix) => {
    // As if an account had verified the suffix before it was one.
    await verified(suffix, { publisherId: owner });
    expect(await verify(await claimed(fresh(suffix)))).toBe('FAILED');
    const mine = fresh(suffix);
    await verified(mine);
    expect(await verify(await claimed(`blog.${mine}`))).toBe('VERIFIED');
  },
);

test('the domain’s record goes, or its site · what it covered is missed at the next looks, and lapses', async () => {
  const domain = fresh();
  const above = await verified(domain);
  const below = await claimed(`blog.${domain}`);
  expect(await verify(below)).toBe('VERIFIED');
  const look = async (): Promise<number> => {
    now = new Date(now.getTime() + 8 * 86_400_000);
    await database.pool.query(
      `UPDATE sites SET status = 'ARCHIVED' WHERE id <> ALL($1::bigint[])`,
      [[above.id, below.id]],
    );
    await recheckSites(deps);
    await below.reload();
    return below.verifyMisses;
  };
  expect(await look()).toBe(0);
  await database.pool.query(`UPDATE sites SET verify_status = 'UNVERIFIED' WHERE id = $1`, [
    above.id,
  ]);
  expect([await look(), await look()]).toEqual([1, 2]);
  await look();
  await look();
  expect(below.verifyStatus).toBe('LAPSED');
});

test('a tenant proves a name below another’s domain · may, and its review says so', async () => {
  const domain = fresh();
  await verified(domain);
  const tenant = await claimed(`tenant.${domain}`, stranger);
  txt.set(`_adplatform.tenant.${domain}`, tenant.verifyToken);
  expect(await verify(tenant)).toBe('VERIFIED');
  const findings = async (site: Site) =>
    await inTransaction(deps.db, async (tx) =>
      reviewFindings(
        await loadReviewFacts(deps, tx, { subjectType: 'site', subjectId: site.id, round: 1 }),
      ),
    );
  expect(await findings(tenant)).toEqual([
    { code: 'PART_OF_OTHERS_DOMAIN', severity: 'notice', field: 'domain', note: domain },
  ]);
  const own = await claimed(`own.${domain}`);
  expect(await verify(own)).toBe('VERIFIED');
  expect(await findings(own)).toEqual([]);
});
