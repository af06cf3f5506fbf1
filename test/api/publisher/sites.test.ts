import type { TestDatabase } from '../../support/database.ts';
import { makeAdvertiser, makePublisher } from '../../support/make/account.ts';
import { makeSite, makeZone } from '../../support/make/place.ts';
import { createStand, type Stand } from '../../support/stand.ts';
import type { Caller } from '../../support/call.ts';

interface Told {
  step: string;
  state: string;
}

const namesOf = (errors: { field: string }[]): string[] =>
  [...new Set(errors.map((error) => error.field))].sort();

describe('publisher sites', () => {
  let stand: Stand;
  let database: TestDatabase;
  let ann: Caller;
  let bob: Caller;

  beforeAll(async () => {
    stand = await createStand();
    ({ database } = stand);
    ann = stand.as('publisher', (await makePublisher(database.db)).id);
    bob = stand.as('publisher', (await makePublisher(database.db)).id);
  });
  afterAll(async () => {
    await stand.close();
  });

  const call = (method: 'get' | 'post' | 'put' | 'delete', path: string, who = ann) =>
    who[method](path);
  const fresh = () => `s${Math.random().toString(36).slice(2, 10)}.example`;
  const create = async (body: object = {}, who = ann) =>
    await call('post', '/sites', who).send({ name: 'News', domain: fresh(), ...body });
  const outbox = async (siteId: number) => {
    const { rows } = await database.pool.query(
      `SELECT kind, payload FROM outbox WHERE payload->>'workflowId' LIKE $1 OR payload->>'workflowId' LIKE $2 ORDER BY id`,
      [`review:site:${siteId}:%`, `site-verify:${siteId}:%`],
    );
    return rows as { kind: string; payload: { workflowId: string } }[];
  };

  it('create · a domain in capitals · normalised, PENDING, url made, nobody asked before it is proven', async () => {
    const domain = fresh();
    const res = await create({ domain: domain.toUpperCase() });
    expect(res.status).toBe(201);
    expect(res.body.data).toMatchObject({
      name: 'News',
      media_type: 'WEB',
      domain,
      url: `https://${domain}`,
      status: 'ACTIVE',
      audit_status: 'PENDING',
      verify_status: 'UNVERIFIED',
      verification: null,
      delivery_status: 'PENDING',
      delivery_reasons: ['SITE_PENDING'],
    });
    expect(await outbox(res.body.data.id)).toEqual([]);
    const told = await call('get', `/timeline?subject_type=site&subject_id=${res.body.data.id}`);
    expect(told.body.data.timeline.map(({ step, state }: Told) => [step, state])).toEqual([
      ['submitted', 'DONE'],
      ['unproven', 'NOW'],
    ]);
    const { rows } = await database.pool.query(
      `SELECT count(*)::int AS n FROM outbox WHERE kind = 'publish' AND payload->>'topic' = 'publisher' AND payload->>'id' = $1`,
      [String(ann.id)],
    );
    expect(rows[0].n).toBeGreaterThan(0);
    const shown = await call('get', `/sites/${res.body.data.id}`);
    expect(shown.body.data).toEqual(res.body.data);
  });

  it.each([
    [{ name: undefined, domain: undefined }, ['domain', 'name']],
    [{ domain: undefined }, ['domain']],
    [{ domain: '' }, ['domain']],
    [{ domain: 'https://x.example' }, ['domain']],
    [{ domain: '127.0.0.1' }, ['domain']],
    [{ domain: 'localhost' }, ['domain']],
    [{ domain: 'co.uk' }, ['domain']],
    [{ name: '' }, ['name']],
    [{ name: 7 }, ['name']],
    [{ name: ' ' }, ['name']],
    [{ name: 'x'.repeat(256) }, ['name']],
    [{ media_type: 'PRINT' }, ['media_type']],
    [{ media_type: 'APP' }, ['app_package']],
    [{ media_type: 'MINI_PROGRAM', domain: undefined }, ['app_package']],
    [{ app_package: 'com x' }, ['app_package']],
    [{ media_type: 'APP', app_package: 'com.x.y', domain: 'co.uk' }, ['domain']],
    [{ url: 'ftp://x.example' }, ['url']],
    [{ url: 'https://elsewhere.example' }, ['url']],
    [{ url: 'https://user:pw@x.example' }, ['url']],
    [{ industry_id: -1 }, ['industry_id']],
    [{ industry_id: '3' }, ['industry_id']],
    [{ audit_status: 'APPROVED' }, ['audit_status']],
    [{ name: 5, industry_id: 'x', colour: 'red' }, ['colour', 'industry_id', 'name']],
  ])('create · %j · 422 names the fields, nothing stored', async (body, fields) => {
    const before = await database.db.models.sites.count();
    const res = await create(body);
    expect(res.status).toBe(422);
    const named = namesOf(res.body.data.errors);
    expect(named).toEqual(fields);
    expect(await database.db.models.sites.count()).toBe(before);
  });

  it('create · no JSON, or a list · 400', async () => {
    const broken = await call('post', '/sites')
      .set('content-type', 'application/json')
      .send('{"name"');
    expect(broken.status).toBe(400);
    expect((await call('post', '/sites').send([1])).status).toBe(400);
  });

  it('create · without a token, or with an advertiser token · 401, 403', async () => {
    expect((await call('get', '/sites').unset('authorization')).status).toBe(401);
    const { token } = stand.as('advertiser', (await makeAdvertiser(database.db)).id);
    const foreign = call('get', '/sites').set('authorization', `Bearer ${token}`);
    expect((await foreign).status).toBe(403);
  });

  it.each([
    ['nothing', {}, ['domain', 'name']],
    ['an app without a package', { name: '', media_type: 'APP' }, ['app_package', 'name']],
    [
      'another address than its domain, and no name',
      { domain: 'news.example.com', url: 'https://elsewhere.example.org/', name: ' ' },
      ['name', 'url'],
    ],
    [
      'a domain that is no text',
      { domain: { a: 1 }, app_package: [1] },
      ['app_package', 'domain', 'name'],
    ],
  ])('create · %s · 422 names every field at once', async (_what, body, named) => {
    const res = await call('post', '/sites').send(body);
    expect([res.status, namesOf(res.body.data.errors)]).toEqual([422, named]);
  });

  it('create · two publishers claim one domain at once · both may; a second site of one account is 409', async () => {
    for (let round = 0; round < 3; round += 1) {
      const domain = fresh();
      const both = await Promise.all([create({ domain }, ann), create({ domain }, bob)]);
      expect(both.map((res) => res.status)).toEqual([201, 201]);
      const again = await Promise.all([create({ domain }, ann), create({ domain }, bob)]);
      for (const refused of again) {
        expect(refused.status).toBe(409);
        expect(refused.body).toMatchObject({
          code: 40901,
          data: { error: 'already_claimed', field: 'domain' },
        });
      }
    }
  });

  it('app · one package, whatever the types · claimed once, its developer site verifies it', async () => {
    const app = { media_type: 'APP', domain: undefined, app_package: 'com.example.game' };
    const first = await create({ ...app, url: 'https://dev.example' });
    expect(first.body.data).toMatchObject({ app_package: 'com.example.game', domain: null });
    const second = await create(app, bob);
    expect(second.status).toBe(409);
    expect(second.body.data.field).toBe('app_package');
    for (const media_type of ['MINI_PROGRAM', 'WEB']) {
      const domain = media_type === 'WEB' ? fresh() : undefined;
      const other = await create({ ...app, media_type, domain }, bob);
      expect([other.status, other.body.data.field]).toEqual([409, 'app_package']);
    }
    const code = await call('get', `/sites/${first.body.data.id}/verify-code`);
    expect(code.body.data.methods).toMatchObject([
      { method: 'ADS_TXT', location: 'https://dev.example/app-ads.txt' },
    ]);
    const verify = await call('post', `/sites/${first.body.data.id}/verify`).send({
      method: 'META',
    });
    expect(verify.status).toBe(422);
  });

  it('archive · its domain is free again, its zones go along, it is gone for its owner', async () => {
    const site = await makeSite(database.db, ann.id);
    const zone = await makeZone(database.db, site);
    expect((await call('delete', `/sites/${site.id}`)).status).toBe(200);
    expect((await call('get', `/sites/${site.id}`)).status).toBe(404);
    expect((await call('delete', `/sites/${site.id}`)).status).toBe(404);
    await zone.reload();
    expect(zone.status).toBe('ARCHIVED');
    expect((await create({ domain: site.domain }, bob)).status).toBe(201);
  });

  it.each([
    ['get', ''],
    ['put', ''],
    ['delete', ''],
    ['post', '/toggle'],
    ['post', '/submit-audit'],
    ['get', '/stats'],
    ['get', '/verify-code'],
    ['post', '/verify'],
  ] as const)('foreign site · %s %s · 404, unchanged', async (method, path) => {
    const site = await makeSite(database.db, bob.id);
    const body = path === '/verify' ? { method: 'META' } : {};
    const req = call(method, `/sites/${site.id}${path}`);
    const res = method === 'get' ? await req : await req.send(body);
    expect(res.status).toBe(404);
    const after = await database.db.models.sites.findByPk(site.id);
    expect(after?.toJSON()).toEqual(site.toJSON());
  });

  it.each(['0', '-1', 'abc', '1e3', '99999999999999999999', '1.5'])(
    'id %s · shown · 404',
    async (id) => {
      expect((await call('get', `/sites/${id}`)).status).toBe(404);
    },
  );

  it('toggle · twice · PAUSED and ACTIVE again', async () => {
    const site = await makeSite(database.db, ann.id);
    const paused = await call('post', `/sites/${site.id}/toggle`);
    expect(paused.body.data).toMatchObject({ status: 'PAUSED', delivery_status: 'PAUSED' });
    const active = await call('post', `/sites/${site.id}/toggle`);
    expect(active.body.data).toMatchObject({ status: 'ACTIVE', delivery_status: 'ELIGIBLE' });
  });

  it('submit-audit · from REJECTED and from APPROVED · a new round, then 409', async () => {
    const site = await makeSite(database.db, ann.id, { auditStatus: 'REJECTED' });
    const res = await call('post', `/sites/${site.id}/submit-audit`);
    expect(res.body.data.audit_status).toBe('PENDING');
    expect((await call('post', `/sites/${site.id}/submit-audit`)).status).toBe(409);
  });

  it('update · another name and text · verification and review stay', async () => {
    const site = await makeSite(database.db, ann.id);
    const res = await call('put', `/sites/${site.id}`).send({
      name: 'Renamed',
      description: 'About',
    });
    expect(res.body.data).toMatchObject({
      name: 'Renamed',
      description: 'About',
      audit_status: 'APPROVED',
      verify_status: 'VERIFIED',
    });
    expect(await outbox(site.id)).toEqual([]);
  });

  it('update · another domain · verification and review begin again, with another code', async () => {
    const site = await makeSite(database.db, ann.id);
    await call('post', `/sites/${site.id}/verify`).send({ method: 'dns' });
    const domain = fresh();
    const res = await call('put', `/sites/${site.id}`).send({ domain });
    expect(res.body.data).toMatchObject({
      domain,
      url: `https://${domain}`,
      audit_status: 'PENDING',
      verify_status: 'UNVERIFIED',
      verified_at: null,
      verification: { status: 'VOID', last_outcome: 'WITHDRAWN' },
    });
    expect((await outbox(site.id)).map((row) => row.kind)).toEqual([
      'workflow_start',
      'workflow_signal',
    ]);
    const after = await database.db.models.sites.findByPk(site.id);
    expect(after?.verifyToken).not.toBe(site.verifyToken);
  });

  it('update · a taken domain, a suspended site, another media type · 409, 409, 422', async () => {
    const taken = await makeSite(database.db, ann.id);
    const site = await makeSite(database.db, ann.id);
    expect((await call('put', `/sites/${site.id}`).send({ domain: taken.domain })).status).toBe(
      409,
    );
    const held = await makeSite(database.db, ann.id, { auditStatus: 'SUSPENDED' });
    expect((await call('put', `/sites/${held.id}`).send({ domain: fresh() })).status).toBe(409);
    expect((await call('put', `/sites/${site.id}`).send({ media_type: 'APP' })).status).toBe(422);
    expect((await call('put', `/sites/${site.id}`).send({ domain: null })).status).toBe(422);
  });

  it('the name that its type does not need · may be given, changed and taken away again', async () => {
    const domain = fresh();
    const web = (await create({ domain, app_package: 'com.both.web' })).body.data;
    expect(web).toMatchObject({ domain, app_package: 'com.both.web' });
    const app = { media_type: 'APP', domain, app_package: 'com.both.app' };
    const made = await create(app, bob);
    // Only a web site claims its domain.
    expect(made.body.data).toMatchObject({ domain, app_package: 'com.both.app', url: null });
    const without = await call('put', `/sites/${web.id}`).send({ app_package: null });
    expect(without.body.data).toMatchObject({ app_package: null, audit_status: 'PENDING' });
    const needed = await call('put', `/sites/${made.body.data.id}`, bob).send({
      app_package: null,
    });
    expect([needed.status, namesOf(needed.body.data.errors)]).toEqual([422, ['app_package']]);
  });

  it('list · filters, keyword wildcards, pages · only what is asked of what is mine', async () => {
    const carol = stand.as('publisher', (await makePublisher(database.db)).id);
    const wild = await makeSite(database.db, carol.id, { name: '100%_sure' });
    await makeSite(database.db, carol.id, { name: '1000 sure', auditStatus: 'PENDING' });
    await makeSite(database.db, bob.id, { name: '100%_sure' });
    const list = async (query: object) =>
      (await call('get', '/sites', carol).query(query)).body.data;
    expect(await list({})).toMatchObject({ total: 2, page: 1, page_size: 20, total_pages: 1 });
    expect((await list({ keyword: '100%_' })).items.map((item: { id: number }) => item.id)).toEqual(
      [wild.id],
    );
    expect((await list({ keyword: wild.domain })).total).toBe(1);
    expect((await list({ audit_status: 'PENDING' })).total).toBe(1);
    expect((await list({ status: 'PAUSED' })).total).toBe(0);
    const today = new Date().toISOString().slice(0, 10);
    expect((await list({ start_date: today, end_date: today })).total).toBe(2);
    expect((await list({ end_date: '2020-01-01' })).total).toBe(0);
    expect(await list({ page_size: 1, page: 2 })).toMatchObject({
      total: 2,
      page: 2,
      total_pages: 2,
    });
    expect(await list({ page_size: 1_000 })).toMatchObject({ page_size: 100 });
    for (const query of [
      { status: 'GONE' },
      { page: 0 },
      { colour: 'red' },
      { start_date: '2026-02-30' },
    ]) {
      expect((await call('get', '/sites', carol).query(query)).status).toBe(422);
    }
  });

  it('verify-code · a web site · the code and four recipes', async () => {
    const site = await makeSite(database.db, ann.id, { verifyStatus: 'UNVERIFIED' });
    const { data } = (await call('get', `/sites/${site.id}/verify-code`)).body;
    expect(data).toMatchObject({ code: site.verifyToken, verify_status: 'UNVERIFIED' });
    expect(data.methods).toMatchObject([
      {
        method: 'META',
        value: `<meta name="adplatform-verification" content="${site.verifyToken}">`,
      },
      { method: 'FILE', location: `https://${site.domain}/.well-known/adplatform.txt` },
      { method: 'DNS', location: `_adplatform.${site.domain}` },
      { method: 'ADS_TXT', value: `127.0.0.1, pub-${ann.id}, DIRECT` },
    ]);
  });

  it('ads.txt help · of a part of a domain, an app, an app without developer site · where the fetcher looks', async () => {
    const web = (await create({ domain: `news.${fresh()}` })).body.data;
    const root = web.domain.replace('news.', '');
    const help = (await call('get', `/sites/${web.id}/ads-txt`)).body.data;
    expect(help).toEqual({
      seller_id: `pub-${ann.id}`,
      file: 'ads.txt',
      location: `https://${root}/ads.txt`,
      line: `127.0.0.1, pub-${ann.id}, DIRECT`,
      sellers_json_url: `${stand.config.urls.base}/sellers.json`,
    });
    const recipes = (await call('get', `/sites/${web.id}/verify-code`)).body.data.methods;
    expect(recipes.at(-1)).toMatchObject({ method: 'ADS_TXT', location: help.location });
    const app = { media_type: 'MINI_PROGRAM', domain: undefined, app_package: 'wx0123456789' };
    const mini = (await create(app)).body.data;
    const nowhere = (await call('get', `/sites/${mini.id}/ads-txt`)).body.data;
    expect(nowhere).toMatchObject({ file: 'app-ads.txt', location: null });
    await call('put', `/sites/${mini.id}`).send({ url: 'https://games.studio.example/mini' });
    const somewhere = (await call('get', `/sites/${mini.id}/ads-txt`)).body.data;
    expect(somewhere.location).toBe('https://studio.example/app-ads.txt');
  });

  it('If-Match · of the version seen, of an older one, of none of ours · updated, 412, 412', async () => {
    const site = await makeSite(database.db, ann.id);
    const seen = (await call('get', `/sites/${site.id}`)).headers['etag'] ?? '';
    const put = (tag: string, name: string) =>
      call('put', `/sites/${site.id}`).set('if-match', tag).send({ name });
    expect((await put(seen, 'First')).status).toBe(200);
    const late = await put(seen, 'Late');
    expect(late.body).toMatchObject({ code: 41202, data: { error: 'precondition_failed' } });
    expect((await put('W/"1"', 'Weak')).status).toBe(412);
    expect((await call('delete', `/sites/${site.id}`).set('if-match', seen)).status).toBe(412);
    expect((await put('*', 'Any')).body.data).toMatchObject({ name: 'Any', status: 'ACTIVE' });
  });

  it('version · toggled, submitted, verified, updated · counts on with each', async () => {
    const site = await makeSite(database.db, ann.id, { auditStatus: 'REJECTED' });
    const at = `/sites/${site.id}`;
    const versions = [
      (await call('get', at)).body.data.version,
      (await call('post', `${at}/toggle`)).body.data.version,
      (await call('post', `${at}/submit-audit`)).body.data.version,
    ];
    await call('post', `${at}/verify`).send({ method: 'FILE' });
    versions.push((await call('get', at)).body.data.version);
    versions.push((await call('put', at).send({ name: 'Other' })).body.data.version);
    expect(versions).toEqual(versions.map((_each, index) => versions[0] + index));
  });

  it('verify · by an alias · 202 with an operation that its owner alone can read', async () => {
    const site = await makeSite(database.db, ann.id, { verifyStatus: 'UNVERIFIED' });
    const res = await call('post', `/sites/${site.id}/verify`).send({ method: 'meta_tag' });
    expect(res.status).toBe(202);
    const { operation } = res.body.data;
    expect(operation).toMatchObject({
      kind: 'site_verification',
      status: 'queued',
      subject: { type: 'site', id: site.id },
    });
    expect(res.headers['location']).toBe(`/api/publisher/operations/${operation.id}`);
    const shown = await call('get', `/operations/${operation.id}`);
    expect(shown.body.data).toEqual(operation);
    expect((await call('get', `/operations/${operation.id}`, bob)).status).toBe(404);
    const list = await call('get', '/operations').query({ kind: 'site_verification' });
    expect(list.body.data.items.map((item: { id: number }) => item.id)).toContain(operation.id);
    expect((await call('get', '/operations', bob)).body.data.total).toBe(0);
  });

  it('verify · again while one runs · the first is withdrawn', async () => {
    const site = await makeSite(database.db, ann.id, { verifyStatus: 'UNVERIFIED' });
    const first = await call('post', `/sites/${site.id}/verify`).send({ method: 'FILE' });
    await call('post', `/sites/${site.id}/verify`).send({ method: 'DNS' });
    const shown = await call('get', `/operations/${first.body.data.operation.id}`);
    expect(shown.body.data).toMatchObject({ status: 'cancelled', phase: 'withdrawn' });
    const rows = await database.db.models.siteVerifications.findAll({
      where: { siteId: site.id },
      order: ['round'],
    });
    expect(rows.map((row) => [row.round, row.method, row.status])).toEqual([
      [1, 'FILE', 'VOID'],
      [2, 'DNS', 'RUNNING'],
    ]);
  });

  it.each([{}, { method: '' }, { method: 'EMAIL' }, { method: 5 }, { method: 'META', x: 1 }])(
    'verify · %j · 422, no round begun',
    async (body) => {
      const site = await makeSite(database.db, ann.id);
      expect((await call('post', `/sites/${site.id}/verify`).send(body)).status).toBe(422);
      await site.reload();
      expect(site.verifyRound).toBe(0);
    },
  );
});
