import { createOutbound } from '../../activities/providers/outbound.ts';
import type { VerifyMethod } from '../../domain/lifecycle/site.ts';
import type { SiteCheckResult } from '../../workflows/contracts/site-verification.ts';
import { openFlows } from '../../activities/flows/open-flows.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createTestFlows, type TestFlows } from '../support/flows.ts';
import { captureHistory } from '../support/histories.ts';
import { type Listener, startListener } from '../support/listener.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { eventually } from '../support/until.ts';
import { makePublisher } from '../support/make/account.ts';
import { makeSite } from '../support/make/place.ts';

type Site = RecordOf<'sites'>;

/** Files of the publisher's server, by path; a missing one is 404. */
type Page = { type: string; body: string } | { location: string };

const MESSAGES = `SELECT kind FROM outbox WHERE payload->>'workflowId' LIKE $1`;
const ROUNDS = `SELECT status, begun_at IS NOT NULL AS begun FROM reviews
  WHERE subject_type = 'site' AND subject_id = $1 ORDER BY round`;
const TASKS = `SELECT id FROM tasks WHERE workflow_id = $1 AND status = 'open'`;

describe('site verification flow', () => {
  let database: TestDatabase;
  let flows: TestFlows;
  let server: Listener;
  let publisherId: number;
  let pages: Record<string, Page> = {};
  const devHosts = new Map<string, string>();
  const devTxt = new Map<string, string>();

  beforeAll(async () => {
    database = await createTestDatabase();
    flows = await createTestFlows(database);
    server = await startListener((req, res) => {
      const page = pages[`${req.headers.host}${req.url}`] ?? pages[req.url ?? ''];
      if (page === undefined) res.writeHead(404, { 'content-type': 'text/plain' }).end();
      else if ('location' in page) res.writeHead(302, { location: page.location }).end();
      else res.writeHead(200, { 'content-type': page.type }).end(page.body);
    });
    flows.deps.providers.outbound = createOutbound({
      baseUrl: 'https://ads.platform.example',
      devHosts,
      devTxt,
    });
    publisherId = (await makePublisher(database.db)).id;
  }, 60_000);
  afterAll(async () => {
    await server.close();
    await flows.close();
    await database.close();
  });
  beforeEach(() => {
    pages = {};
    devTxt.clear();
  });

  const unverified = async (): Promise<Site> => {
    const site = await makeSite(database.db, publisherId, { verifyStatus: 'UNVERIFIED' });
    devHosts.set(site.domain ?? '', server.host);
    return site;
  };
  const start = async (site: Site, method: VerifyMethod, retryAfterSeconds: number[] = []) =>
    await flows.activities.requestSiteVerification({
      siteId: site.id,
      publisherId,
      method,
      retryAfterSeconds,
    });
  const result = async (site: Site, round = 1): Promise<SiteCheckResult> =>
    await eventually(
      async () =>
        (await flows.client.workflow
          .getHandle(`site-verify:${site.id}:${round}`)
          .result()) as SiteCheckResult,
    );
  const query = async <Row extends object>(sql: string, values: unknown[]): Promise<Row[]> =>
    (await database.pool.query<Row>(sql, values)).rows;
  const setting = async (who: string): Promise<unknown> =>
    await query(
      `INSERT INTO settings (key, value) VALUES ('review.site', to_jsonb($1::text))
       ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
      [who],
    );
  const round = (subjectId: number, number: number) =>
    ({ subjectType: 'site', subjectId, round: number }) as const;
  const expectedFlows = async (): Promise<string[]> => {
    const ids: string[] = [];
    for await (const flow of openFlows(flows.deps)) ids.push(flow.start.workflowId);
    return ids;
  };
  const operation = async (id: number) =>
    (await database.db.models.operations.findByPk(id))?.toJSON();

  it.each(['META', 'FILE', 'DNS', 'ADS_TXT'] as const)(
    'proof by %s · in place · VERIFIED at once, serving told, operation succeeded',
    async (method) => {
      const site = await unverified();
      const code = site.verifyToken;
      pages = {
        '/': {
          type: 'text/html; charset=utf-8',
          body: `<head><meta name="adplatform-verification" content="${code}"></head>`,
        },
        '/.well-known/adplatform.txt': { type: 'text/plain', body: `${code}\n` },
        '/ads.txt': {
          type: 'text/plain',
          body: `ads.platform.example, pub-${publisherId}, DIRECT`,
        },
      };
      devTxt.set(`_adplatform.${site.domain}`, code);
      const { operationId } = await start(site, method);
      expect(await result(site)).toEqual({ state: 'VERIFIED', outcome: 'PROOF_FOUND' });
      await site.reload();
      expect(site).toMatchObject({ verifyStatus: 'VERIFIED', verifyMethod: method });
      expect(site.verifiedAt).toBeInstanceOf(Date);
      expect(await operation(operationId)).toMatchObject({
        status: 'succeeded',
        phase: 'verified',
        result: { verify_status: 'VERIFIED', method },
        timeline: [{ phase: 'queued' }, { phase: 'verified', note: 'PROOF_FOUND' }],
      });
    },
  );

  it.each<[string, VerifyMethod, Record<string, Page>, string]>([
    ['no file', 'FILE', {}, 'HTTP_404'],
    [
      'another code',
      'FILE',
      { '/.well-known/adplatform.txt': { type: 'text/plain', body: 'x' } },
      'TOKEN_NOT_FOUND',
    ],
    [
      'a page without the tag',
      'META',
      { '/': { type: 'text/html', body: '<head></head>' } },
      'TOKEN_NOT_FOUND',
    ],
    ['an image for a page', 'META', { '/': { type: 'image/png', body: 'x' } }, 'WRONG_TYPE'],
    [
      'a redirect inside',
      'FILE',
      { '/.well-known/adplatform.txt': { location: 'http://127.0.0.1/' } },
      'REDIRECT_OFF_DOMAIN',
    ],
    [
      'a redirect to another name',
      'META',
      { '/': { location: 'http://elsewhere.example/' } },
      'REDIRECT_OFF_DOMAIN',
    ],
    ['ads.txt as html', 'ADS_TXT', { '/ads.txt': { type: 'text/html', body: '' } }, 'WRONG_TYPE'],
    [
      'ads.txt redirected inwards',
      'ADS_TXT',
      { '/ads.txt': { location: 'http://169.254.169.254/' } },
      'PRIVATE_ADDRESS',
    ],
  ])(
    'proof · %s · FAILED by its name after the last attempt',
    async (_what, method, files, outcome) => {
      const site = await unverified();
      pages = files;
      const { operationId } = await start(site, method);
      expect(await result(site)).toEqual({ state: 'FAILED', outcome });
      await site.reload();
      expect(site.verifyStatus).toBe('UNVERIFIED');
      expect(await operation(operationId)).toMatchObject({
        status: 'failed',
        error: { error: 'not_verified', outcome },
        progress: { attempts: 1, last_outcome: outcome, next_attempt_at: null },
      });
      const round = await database.db.models.siteVerifications.findOne({
        where: { siteId: site.id },
      });
      expect(round).toMatchObject({ status: 'FAILED', attempts: 1, lastOutcome: outcome });
    },
  );

  it('domain · that points inside · PRIVATE_ADDRESS, nothing was asked', async () => {
    const site = await makeSite(database.db, publisherId, {
      verifyStatus: 'UNVERIFIED',
      domain: 'localhost',
    });
    await start(site, 'FILE');
    expect(await result(site)).toEqual({ state: 'FAILED', outcome: 'PRIVATE_ADDRESS' });
  });

  it('proof · put up between attempts · found by a later one, each attempt told', async () => {
    const site = await unverified();
    const { operationId } = await start(site, 'FILE', [1, 1, 1, 1, 1, 1, 1, 1]);
    await eventually(async () => {
      expect(await operation(operationId)).toMatchObject({
        status: 'running',
        phase: 'waiting',
        progress: { attempts: 1, last_outcome: 'HTTP_404', next_attempt_at: expect.any(String) },
      });
    });
    pages = { '/.well-known/adplatform.txt': { type: 'text/plain', body: site.verifyToken } };
    expect(await result(site)).toEqual({ state: 'VERIFIED', outcome: 'PROOF_FOUND' });
    const told = await operation(operationId);
    expect(told?.timeline.map((entry) => entry.note)).toContain('HTTP_404');
    expect(told?.timeline.at(-1)?.note).toBe('PROOF_FOUND');
  });

  it('domain · changed while the flow waits · the round ends VOID, the new name stays unverified', async () => {
    const site = await unverified();
    const { operationId } = await start(site, 'FILE', [3_600]);
    await eventually(async () => expect((await operation(operationId))?.phase).toBe('waiting'));
    await flows.activities.updateSite(
      { id: site.id, publisherId },
      { domain: `new-${site.domain}` },
    );
    expect(await result(site)).toEqual({ state: 'VOID', outcome: 'WITHDRAWN' });
    expect(await operation(operationId)).toMatchObject({ status: 'cancelled' });
  });

  it.each([
    ['human', 'PENDING', 1],
    ['auto_when_clean', 'APPROVED', 0],
  ] as const)(
    'review · by %s · waits for the proof, asks nobody before, and goes on by it',
    async (who, auditStatus, asked) => {
      await setting(who);
      const domain = `review-${who.replaceAll('_', '-')}.example`;
      const id = await flows.activities.createSite({
        publisherId,
        name: 'Gazette',
        mediaType: 'WEB',
        domain,
      });
      // Edited before anybody looked: the round before has no flow that could be told.
      await flows.activities.updateSite({ id, publisherId }, { domain: `new-${domain}` });
      devHosts.set(`new-${domain}`, server.host);
      const site = await database.db.models.sites.findByPk(id, { rejectOnEmpty: true });
      expect(await query(MESSAGES, [`review:site:${id}:%`])).toEqual([]);
      expect(await query(ROUNDS, [id])).toEqual([
        { status: 'VOID', begun: false },
        { status: 'OPEN', begun: false },
      ]);
      expect(await expectedFlows()).not.toContain(`review:site:${id}:2`);
      expect(await flows.activities.isReviewWithdrawn(round(id, 1))).toBe(true);

      pages = { '/.well-known/adplatform.txt': { type: 'text/plain', body: site.verifyToken } };
      await start(site, 'FILE');
      expect(await result(site)).toMatchObject({ state: 'VERIFIED' });
      await eventually(async () => {
        await site.reload();
        expect(site.auditStatus).toBe(auditStatus);
        expect(await query(TASKS, [`review:site:${id}:2`])).toHaveLength(asked);
      });
      expect((await query<{ begun: boolean }>(ROUNDS, [id]))[1]?.begun).toBe(true);
      expect((await expectedFlows()).includes(`review:site:${id}:2`)).toBe(asked === 1);
    },
  );

  it('verification · begun again while one waits · the first ends, the second decides', async () => {
    const site = await unverified();
    const first = await start(site, 'FILE', [3_600]);
    await eventually(async () =>
      expect((await operation(first.operationId))?.phase).toBe('waiting'),
    );
    devTxt.set(`_adplatform.${site.domain}`, site.verifyToken);
    await start(site, 'DNS');
    expect(await result(site, 1)).toMatchObject({ state: 'VOID' });
    expect(await result(site, 2)).toMatchObject({ state: 'VERIFIED' });
    await site.reload();
    expect(site).toMatchObject({ verifyStatus: 'VERIFIED', verifyMethod: 'DNS' });
  });

  it('attempt · run twice, and after the domain changed under it · one write, then VOID', async () => {
    const site = await unverified();
    flows.delivery.on = false;
    try {
      await start(site, 'FILE');
      const check = { siteId: site.id, round: 1, attempt: 1, nextAfterSeconds: 60 };
      const missed = { state: 'MISSED', outcome: 'HTTP_404' };
      expect(await flows.activities.checkSite(check)).toEqual(missed);
      pages = { '/.well-known/adplatform.txt': { type: 'text/plain', body: site.verifyToken } };
      expect(await flows.activities.checkSite(check)).toEqual(missed);
      const round = await database.db.models.siteVerifications.findOne({
        where: { siteId: site.id },
      });
      expect(round?.attempts).toBe(1);
      await flows.activities.updateSite(
        { id: site.id, publisherId },
        { domain: `moved-${site.domain}` },
      );
      expect(await flows.activities.checkSite({ ...check, attempt: 2 })).toMatchObject({
        state: 'VOID',
      });
      await site.reload();
      expect(site.verifyStatus).toBe('UNVERIFIED');
    } finally {
      flows.delivery.on = true;
    }
  });

  it('answer · that comes after the domain was changed · verifies nothing', async () => {
    const site = await unverified();
    const code = site.verifyToken;
    flows.delivery.on = false;
    const { outbound } = flows.deps.providers;
    try {
      await start(site, 'DNS');
      flows.deps.providers.outbound = {
        ...createOutbound({ baseUrl: 'https://ads.platform.example' }),
        lookupTxt: async () => {
          // The owner renames the site while the name server is thinking.
          await flows.activities.updateSite(
            { id: site.id, publisherId },
            { domain: `late-${site.domain}` },
          );
          return { ok: true, records: [code] };
        },
      };
      const check = { siteId: site.id, round: 1, attempt: 1, nextAfterSeconds: null };
      expect(await flows.activities.checkSite(check)).toMatchObject({ state: 'VOID' });
      await site.reload();
      expect(site.verifyStatus).toBe('UNVERIFIED');
    } finally {
      flows.deps.providers.outbound = outbound;
      flows.delivery.on = true;
    }
  });

  it('histories · when asked for · are kept', async () => {
    const query = `WorkflowType = 'siteVerificationWorkflow'`;
    for await (const flow of flows.client.workflow.list({ query })) {
      const { workflowId, runId, status } = flow;
      const round = workflowId.split(':').at(-1);
      const name = `siteVerificationWorkflow.${status.name.toLowerCase()}-round-${round}`;
      await captureHistory(flows.client, { workflowId, runId }, name);
    }
  });
});
