import { pino } from 'pino';
import { createZoneActivities, newZoneKey } from '../../../activities/publisher/zones.ts';
import { displaysOf } from '../../../domain/auction/formats.ts';
import { ZONE_TYPES } from '../../../domain/zone-settings.ts';
import { postEntries } from '../../../activities/core/ledger.ts';
import { inTransaction } from '../../../db/postgres.ts';
import { billingBatch } from '../../../domain/ledger/postings.ts';
import { createOutbox } from '../../../activities/core/outbox.ts';
import type { TestDatabase } from '../../support/database.ts';
import { testProviders } from '../../support/providers.ts';
import { makeAdvertiser, makePublisher } from '../../support/make/account.ts';
import { fundAdvertiser } from '../../support/make/money.ts';
import { makeSite, makeZone } from '../../support/make/place.ts';
import { createStand, type Stand } from '../../support/stand.ts';
import type { Caller } from '../../support/call.ts';

const namesOf = (errors: { field: string }[]): string[] =>
  [...new Set(errors.map((error) => error.field))].sort();

describe('publisher zones', () => {
  let stand: Stand;
  let database: TestDatabase;
  let ann: Caller;
  let bob: Caller;
  let siteId: number;

  beforeAll(async () => {
    stand = await createStand();
    ({ database } = stand);
    ann = stand.as('publisher', (await makePublisher(database.db)).id);
    bob = stand.as('publisher', (await makePublisher(database.db)).id);
    siteId = (await makeSite(database.db, ann.id)).id;
  });
  afterAll(async () => {
    await stand.close();
  });

  const call = (method: 'get' | 'post' | 'put' | 'delete', path: string, who = ann) =>
    who[method](path);
  const create = async (body: object = {}, who = ann) =>
    await call('post', '/zones', who).send({ name: 'Top', site_id: siteId, ...body });

  it('create · only what is required · the defaults of the interface', async () => {
    const res = await create();
    expect(res.status).toBe(201);
    expect(res.body.data).toMatchObject({
      site_id: siteId,
      name: 'Top',
      type: 'BANNER',
      ad_type: 'BANNER',
      width: 300,
      height: 250,
      position: 'CONTENT',
      device: 'ALL',
      pricing_types: 'CPC,CPM',
      floor_price_cpc: 0,
      floor_price_cpm: 0,
      refresh: 0,
      status: 'ACTIVE',
      audit_status: 'PENDING',
      delivery_status: 'PENDING',
      delivery_reasons: ['ZONE_PENDING'],
    });
    expect(res.body.data.zone_key).toMatch(/^zone_[a-z0-9]{8}$/);
    expect(res.body.data.trigger).toBeNull();
    const shown = await call('get', `/zones/${res.body.data.id}`);
    expect(shown.body.data).toEqual(res.body.data);
  });

  it('create · everything given · kept and normalised', async () => {
    const res = await create({
      ad_type: 'POPUP',
      width: 600,
      height: 400,
      position: 'OVERLAY',
      device: 'MOBILE',
      pricing_types: 'cpm, CPA,CPM',
      floor_price_cpc: 0.05,
      floor_price_cpm: 1.234567,
      refresh: 30,
      trigger: { type: 'DELAY', delay_seconds: 5 },
      frequency: { impressions: 1, window_seconds: 3_600 },
    });
    expect(res.body.data).toMatchObject({
      type: 'POPUP',
      pricing_types: 'CPM,CPA',
      floor_price_cpc: 0.05,
      floor_price_cpm: 1.234567,
      refresh: 30,
      trigger: { type: 'DELAY', delay_seconds: 5, scroll_percent: 50 },
      frequency: { impressions: 1, window_seconds: 3_600 },
      popup: { position: 'CENTER', close_button: true },
    });
  });

  it.each([
    ['COUPLET', ['couplet']],
    ['REWARDED', ['rewarded']],
    ['EXIT_INTENT', ['frequency']],
    ['FLOAT', ['frequency', 'popup', 'trigger']],
    ['NATIVE', []],
  ])('create · type %s · has the settings of interface 2.12', async (type, keys) => {
    const { data } = (await create({ type })).body;
    const settings = ['trigger', 'frequency', 'popup', 'couplet', 'rewarded'];
    expect(settings.filter((key) => data[key] !== null).sort()).toEqual(keys);
  });

  describe('named formats', () => {
    let ids: Record<string, number>;
    beforeAll(async () => {
      const { rows } = await database.pool.query('SELECT id, code FROM ad_formats');
      ids = Object.fromEntries(rows.map(({ id, code }) => [code, Number(id)]));
    });
    const ofFormats = (said: Record<string, string>) =>
      Object.fromEntries(Object.entries(said).map(([field, code]) => [field, ids[code]]));
    const faultsOf = ({ body }: Awaited<ReturnType<typeof create>>): string[] =>
      body.data.errors.map(
        ({ field, code }: { field: string; code: string }) => `${field} ${code}`,
      );

    it.each([
      [{ ad_format_id: 'popup-600x400' }, {}, ['POPUP', 600, 400]],
      [{ ad_format_id: 'banner-728x90' }, { height: 80 }, ['BANNER', 728, 80]],
      [{ zone_type_id: 'video-16x9' }, {}, ['VIDEO', 300, 250]],
      [{ size_id: 'banner-160x600' }, {}, ['BANNER', 160, 600]],
      [{ size_id: 'banner-160x600' }, { type: 'RESPONSIVE' }, ['RESPONSIVE', 160, 600]],
      [
        { ad_format_id: 'popup-600x400', zone_type_id: 'popup-600x400', size_id: 'banner-300x600' },
        { width: 310 },
        ['POPUP', 310, 600],
      ],
    ])('create · %j with %j · type, width and height %j', async (named, said, expected) => {
      const { data } = (await create({ ...ofFormats(named), ...said })).body;
      expect([data.type, data.width, data.height]).toEqual(expected);
      expect(data).toMatchObject(ofFormats(named));
      const settings = expected[0] === 'POPUP' ? expect.objectContaining({}) : null;
      expect(data.popup).toEqual(settings);
    });

    it('create · unknown formats and foreign settings · every one is named', async () => {
      const { body, status } = await create({
        ad_format_id: 999_997,
        zone_type_id: 999_998,
        size_id: 999_999,
        couplet: { close_button: true },
      });
      expect(status).toBe(422);
      const faults = ['ad_format_id unknown', 'zone_type_id unknown', 'size_id unknown'];
      expect(faultsOf({ body } as never)).toEqual([...faults, 'couplet not_for_type']);
    });

    it.each([
      [{ ad_format_id: 'native-feed' }, { type: 'BANNER' }, ['ad_format_id mismatch']],
      [{ zone_type_id: 'native-feed' }, { ad_type: 'VIDEO' }, ['zone_type_id mismatch']],
      [
        { ad_format_id: 'popup-600x400', zone_type_id: 'video-16x9' },
        {},
        ['zone_type_id mismatch'],
      ],
      [{ size_id: 'native-feed' }, {}, ['size_id mismatch']],
    ])('create · %j with %j · refused: %j', async (named, said, faults) => {
      const answer = await create({ ...ofFormats(named), ...said });
      expect([answer.status, faultsOf(answer)]).toEqual([422, faults]);
    });

    it('update · a format of another type · refused unless the type changes with it', async () => {
      const { id } = (await create({})).body.data;
      const named = ofFormats({ ad_format_id: 'popup-600x400' });
      const refused = await call('put', `/zones/${id}`).send(named);
      expect([refused.status, faultsOf(refused)]).toEqual([422, ['ad_format_id mismatch']]);
      const changed = await call('put', `/zones/${id}`).send({ ...named, type: 'POPUP' });
      expect(changed.body.data).toMatchObject({ type: 'POPUP', width: 600, height: 400 });
      const moved = await call('put', `/zones/${id}`).send({ type: 'VIDEO' });
      expect([moved.status, faultsOf(moved)]).toEqual([422, ['ad_format_id mismatch']]);
      const freed = await call('put', `/zones/${id}`).send({ type: 'VIDEO', ad_format_id: null });
      expect(freed.body.data).toMatchObject({ type: 'VIDEO', ad_format_id: null, width: 600 });
      const none = await call('put', `/zones/${id}`).send({
        ad_format_id: null,
        size_id: 999_999,
      });
      expect(faultsOf(none)).toEqual(['size_id unknown']);
    });
  });

  it('create · saved as a draft, submitted, submitted again · DRAFT, PENDING, 409', async () => {
    const { data } = (await create({ save_as_draft: true })).body;
    expect(data).toMatchObject({ audit_status: 'DRAFT', delivery_status: 'NOT_ELIGIBLE' });
    const submitted = await call('post', `/zones/${data.id}/submit-audit`);
    expect(submitted.body.data.audit_status).toBe('PENDING');
    expect((await call('post', `/zones/${data.id}/submit-audit`)).status).toBe(409);
  });

  it.each([
    [{ name: undefined }, ['name']],
    [{ site_id: undefined }, ['site_id']],
    [{ site_id: '1' }, ['site_id']],
    [{ site_id: 99_999_999 }, ['site_id']],
    [{ type: 'BILLBOARD' }, ['type']],
    [{ type: 'NATIVE', ad_type: 'VIDEO' }, ['ad_type']],
    [{ width: 0 }, ['width']],
    [{ width: 1.5, height: -1 }, ['height', 'width']],
    [{ position: 'left side' }, ['position']],
    [{ device: 'FRIDGE' }, ['device']],
    [{ pricing_types: '' }, ['pricing_types']],
    [{ pricing_types: 'CPC,CPX' }, ['pricing_types']],
    [{ pricing_types: ['CPC'] }, ['pricing_types']],
    [{ floor_price_cpc: -1 }, ['floor_price_cpc']],
    [{ floor_price_cpm: 0.1234567 }, ['floor_price_cpm']],
    [{ floor_price_cpm: '1,5' }, ['floor_price_cpm']],
    [{ refresh: 29 }, ['refresh']],
    [{ refresh: -1 }, ['refresh']],
    [{ zone_key: 'zone_mine0000' }, ['zone_key']],
    [{ popup: { close_button: true } }, ['popup']],
    [{ type: 'POPUP', couplet: {} }, ['couplet']],
    [{ type: 'POPUP', popup: { colour: 'red' } }, ['popup.colour']],
    [{ type: 'POPUP', trigger: { type: 'NEVER' } }, ['trigger.type']],
    [
      { type: 'REWARDED', rewarded: { reward_amount: 0, watch_seconds: 'x' } },
      ['rewarded.reward_amount', 'rewarded.watch_seconds'],
    ],
    [{ type: 'EXIT_INTENT', frequency: { impressions: 0 } }, ['frequency.impressions']],
  ])('create · %j · 422 names the fields, nothing stored', async (body, fields) => {
    const before = await database.db.models.zones.count();
    const res = await create(body);
    expect(res.status).toBe(422);
    expect(namesOf(res.body.data.errors)).toEqual(fields);
    expect(await database.db.models.zones.count()).toBe(before);
  });

  it('create · in a foreign or archived site, in one not approved · 422, 422, 409', async () => {
    const foreign = await create({ site_id: siteId }, bob);
    expect(foreign.status).toBe(422);
    expect(namesOf(foreign.body.data.errors)).toEqual(['site_id']);
    const archived = await makeSite(database.db, ann.id, { status: 'ARCHIVED' });
    expect((await create({ site_id: archived.id })).status).toBe(422);
    for (const auditStatus of ['PENDING', 'REJECTED', 'SUSPENDED'] as const) {
      const waiting = await makeSite(database.db, ann.id, { auditStatus });
      const res = await create({ site_id: waiting.id });
      expect(res.body).toMatchObject({
        code: 40900,
        data: { error: 'state_conflict', audit_status: auditStatus },
      });
    }
  });

  it('zone key · collides · another one is tried, and five collisions are too many', async () => {
    const taken = (await create()).body.data.zone_key as string;
    const { db } = database;
    const deps = {
      db,
      log: pino({ level: 'silent' }),
      clock: () => new Date(),
      outbox: createOutbox(db, () => undefined),
      providers: testProviders(),
    };
    const zone = {
      publisherId: ann.id,
      siteId,
      name: 'Twin',
      type: 'BANNER' as const,
      saveAsDraft: false,
      settings: {},
    };
    const keys = [taken, taken, newZoneKey()];
    const patient = createZoneActivities(deps, { newKey: () => keys.shift() ?? '' });
    expect(await patient.createZone(zone)).toBeGreaterThan(0);
    expect(keys).toEqual([]);
    const stubborn = createZoneActivities(deps, { newKey: () => taken });
    await expect(stubborn.createZone(zone)).rejects.toThrow('Validation error');
  });

  it('zone keys · many · of the one form, never only digits', () => {
    for (let i = 0; i < 500; i += 1) expect(newZoneKey()).toMatch(/^zone_[a-z][a-z0-9]{7}$/);
  });

  it('update · another site · 422; the same one · fine', async () => {
    const other = await makeSite(database.db, ann.id);
    const { id } = (await create()).body.data;
    const moved = await call('put', `/zones/${id}`).send({ site_id: other.id });
    expect(moved.body.data.errors).toMatchObject([{ field: 'site_id', code: 'immutable' }]);
    const kept = await call('put', `/zones/${id}`).send({ site_id: siteId, name: 'Below' });
    expect(kept.body.data).toMatchObject({ name: 'Below', site_id: siteId });
  });

  it('update · floors and refresh, then the size · stays approved, then goes through review', async () => {
    const site = await makeSite(database.db, ann.id);
    const zone = await makeZone(database.db, site);
    const cheap = await call('put', `/zones/${zone.id}`).send({ floor_price_cpm: 2, refresh: 60 });
    expect(cheap.body.data).toMatchObject({
      audit_status: 'APPROVED',
      floor_price_cpm: 2,
      refresh: 60,
    });
    const resized = await call('put', `/zones/${zone.id}`).send({ width: 728, height: 90 });
    expect(resized.body.data).toMatchObject({ audit_status: 'PENDING', width: 728 });
  });

  it('update · a part of one setting, then the type · merged, then replaced', async () => {
    const { id } = (await create({ type: 'POPUP', popup: { overlay: false } })).body.data;
    const merged = await call('put', `/zones/${id}`).send({ popup: { close_delay_seconds: 9 } });
    expect(merged.body.data.popup).toMatchObject({ overlay: false, close_delay_seconds: 9 });
    const wrong = await call('put', `/zones/${id}`).send({ couplet: { offset_top: 1 } });
    expect(wrong.status).toBe(422);
    const couplet = await call('put', `/zones/${id}`).send({
      type: 'COUPLET',
      couplet: { offset_top: 1 },
    });
    expect(couplet.body.data).toMatchObject({ type: 'COUPLET', couplet: { offset_top: 1 } });
    expect(couplet.body.data.popup).toBeNull();
  });

  it('code · read · address this zone and nothing else', async () => {
    const { id, zone_key: key } = (await create()).body.data;
    const { base, sdk } = stand.config.urls;
    const code = (await call('get', `/zones/${id}/code`)).body.data;
    expect(Object.keys(code).sort()).toEqual([
      'csp',
      'iframe',
      'prebid',
      'request_url',
      'script',
      'vast_url',
      'zone_key',
    ]);
    expect(code.zone_key).toBe(key);
    expect(code.script).toContain(`data-adp-zone="${key}"`);
    expect(code.script).toContain(`src="${sdk}/sdk.js"`);
    expect(code.iframe).toContain(`src="${base}/ad/render/${key}"`);
    expect(code.iframe).toContain('max-width:100%;color-scheme:light');
    // What nobody comes near is not asked for, and not paid.
    expect(code.iframe).toContain('loading="lazy"');
    expect(code.prebid).toContain(`src="${sdk}/prebid-adapter.js"`);
    expect(code.prebid).toContain(`params: { zone: '${key}', base: '${base}', cpm: 1 }`);
    expect(code.prebid).toContain('sizes: [[300, 250]]');
    expect(code.request_url).toBe(`${base}/ad/request?zone=${key}`);
  });

  it.each([
    ['de-AT', '?page_lang=de', 'Anzeige'],
    ['ar', '?page_lang=ar', 'إعلان'],
    ['zh_HK', '?page_lang=zh-Hant', '廣告'],
    ['en', '', 'Advertisement'],
    ['"><script>', '', 'Advertisement'],
    ['', '', 'Advertisement'],
  ])(
    'code · for a page in %j · says it in the address of its frame: %s, %s',
    async (lang, said, title) => {
      const { id, zone_key: key } = (await create({ type: 'VIDEO' })).body.data;
      const { base } = stand.config.urls;
      const asked = call('get', `/zones/${id}/code`).query({ page_lang: lang });
      const { iframe, vast_url: vast, script } = (await asked).body.data;
      expect(iframe).toContain(`src="${base}/ad/render/${key}${said}"`);
      expect(iframe).toContain(`title="${title}"`);
      expect(vast).toBe(`${base}/ad/render/vast/${key}${said}`);
      expect(script).not.toContain('page_lang');
    },
  );

  it('code · by type · offers what fits it, and the sources that its page must let in', async () => {
    const { base, sdk, track } = stand.config.urls;
    const policy = `script-src ${sdk}; connect-src ${base}; frame-src ${base}`;
    const ways: Record<string, string[]> = {};
    for (const type of ZONE_TYPES) {
      const { id, zone_key: key } = (await create({ type })).body.data;
      const code = (await call('get', `/zones/${id}/code`)).body.data;
      ways[type] = ['iframe', 'vast_url', 'prebid'].filter((way) => code[way] !== null);
      if (code.vast_url !== null) expect(code.vast_url).toBe(`${base}/ad/render/vast/${key}`);
      const isPlayed = type === 'VIDEO' || type === 'REWARDED';
      expect(code.csp).toBe(isPlayed ? `${policy}; img-src ${track}` : policy);
    }
    expect(ways).toEqual({
      BANNER: ['iframe', 'prebid'],
      NATIVE: ['iframe', 'prebid'],
      TEXT: ['iframe', 'prebid'],
      RESPONSIVE: ['iframe', 'prebid'],
      VIDEO: ['iframe', 'vast_url', 'prebid'],
      REWARDED: ['vast_url'],
      POPUP: [],
      FLOAT: [],
      INTERSTITIAL: [],
      COUPLET: [],
      EXIT_INTENT: [],
    });
  });

  it.each(ZONE_TYPES)(
    'preview · of a %s zone · a house ad of each display, nothing to count or bill',
    async (type) => {
      const { id } = (await create({ type, name: 'Top <b>' })).body.data;
      const { data } = (await call('get', `/zones/${id}/preview`)).body;
      expect(data.fill).toBe('house');
      expect(data.frames.map((frame: { display: string }) => frame.display)).toEqual(
        displaysOf(type),
      );
      for (const { html } of data.frames) {
        expect(html).toContain('>AD</span>');
        expect(html).not.toContain('/track/');
      }
      expect(data.html).not.toContain('/track/');
      expect(data.html).toContain('Top &lt;b&gt;');
      expect(data.html.match(/<iframe sandbox=/g)).toHaveLength(data.frames.length);
    },
  );

  it('preview · without a fill, and as a page · an empty slot; the page under a policy of its own', async () => {
    const { id } = (await create()).body.data;
    const { base } = stand.config.urls;
    const empty = (await call('get', `/zones/${id}/preview`).query({ fill: 'none' })).body.data;
    expect(empty).toMatchObject({ fill: 'none', frames: [] });
    expect(empty.url).toMatch(new RegExp(`^${base}/ad/render/zone_`));
    expect(empty.html.match(/<iframe sandbox=/g)).toHaveLength(1);
    const page = await call('get', `/zones/${id}/preview`).set('accept', 'text/html');
    expect(page.type).toBe('text/html');
    expect(page.text).toContain('BANNER 300×250');
    expect(page.headers['content-security-policy']).toContain('sandbox');
    expect((await call('get', `/zones/${id}/preview`).query({ fill: 'real' })).status).toBe(422);
  });

  it('options · read · the formats that ad_format_id takes', async () => {
    const { items } = (await call('get', '/zones/options')).body.data;
    expect(items).toContainEqual(
      expect.objectContaining({ code: 'banner-728x90', width: 728, height: 90 }),
    );
    const formatId = items[0].id as number;
    expect((await create({ ad_format_id: formatId })).body.data.ad_format_id).toBe(formatId);
  });

  it('If-Match · of the version seen, and of an older one · updated, then refused unchanged', async () => {
    const site = await makeSite(database.db, ann.id);
    const zone = await makeZone(database.db, site);
    const shown = await call('get', `/zones/${zone.id}`);
    expect(shown.headers['etag']).toBe(`"${shown.body.data.version}"`);
    const seen = shown.headers['etag'] ?? '';
    const first = await call('put', `/zones/${zone.id}`)
      .set('if-match', seen)
      .send({ refresh: 60 });
    expect(first.status).toBe(200);
    expect(first.body.data.version).toBe(shown.body.data.version + 1);
    for (const method of ['put', 'delete'] as const) {
      const late = await call(method, `/zones/${zone.id}`)
        .set('if-match', seen)
        .send(method === 'put' ? { refresh: 90 } : undefined);
      expect(late.status).toBe(412);
      expect(late.body.data).toMatchObject({
        error: 'precondition_failed',
        version: first.body.data.version,
      });
    }
    const after = await call('get', `/zones/${zone.id}`);
    expect(after.body.data).toMatchObject({ refresh: 60, status: 'ACTIVE' });
    const version = after.body.data.version as number;
    expect((await call('post', `/zones/${zone.id}/toggle`)).body.data.version).toBe(version + 1);
  });

  it.each([
    ['get', ''],
    ['put', ''],
    ['delete', ''],
    ['post', '/toggle'],
    ['post', '/submit-audit'],
    ['get', '/stats'],
    ['get', '/code'],
    ['get', '/preview'],
  ] as const)('foreign zone · %s %s · 404, unchanged', async (method, path) => {
    const site = await makeSite(database.db, bob.id);
    const zone = await makeZone(database.db, site);
    expect((await call(method, `/zones/${zone.id}${path}`)).status).toBe(404);
    const after = await database.db.models.zones.findByPk(zone.id);
    expect(after?.toJSON()).toEqual(zone.toJSON());
  });

  it('toggle and archive · in turn · PAUSED, ACTIVE, gone', async () => {
    const site = await makeSite(database.db, ann.id);
    const zone = await makeZone(database.db, site);
    expect((await call('post', `/zones/${zone.id}/toggle`)).body.data.delivery_status).toBe(
      'PAUSED',
    );
    expect((await call('post', `/zones/${zone.id}/toggle`)).body.data.delivery_status).toBe(
      'ELIGIBLE',
    );
    expect((await call('delete', `/zones/${zone.id}`)).status).toBe(200);
    expect((await call('post', `/zones/${zone.id}/toggle`)).status).toBe(404);
  });

  it('list · by site, type, key and state · only mine', async () => {
    const site = await makeSite(database.db, ann.id);
    const zone = await makeZone(database.db, site, { type: 'NATIVE' });
    await makeZone(database.db, site, { auditStatus: 'REJECTED' });
    const list = async (query: object) => (await call('get', '/zones').query(query)).body.data;
    expect((await list({ site_id: site.id })).total).toBe(2);
    expect((await list({ site_id: site.id, type: 'NATIVE' })).items[0].id).toBe(zone.id);
    expect((await list({ keyword: zone.zoneKey })).total).toBe(1);
    expect((await list({ site_id: site.id, audit_status: 'REJECTED' })).total).toBe(1);
    expect((await list({ site_id: (await makeSite(database.db, bob.id)).id })).total).toBe(0);
    expect((await call('get', '/zones').query({ type: 'BILLBOARD' })).status).toBe(422);
  });

  it('earnings · billed in two batches · balance and transactions agree with the ledger', async () => {
    const advertiserId = (await makeAdvertiser(database.db)).id;
    await fundAdvertiser(database.db, advertiserId, 10_000_000_000n);
    const spend = (priceNanos: bigint) => [{ advertiserId, campaignId: 1, priceNanos, events: 3 }];
    const earn = (publisherNanos: bigint) => [{ publisherId: bob.id, publisherNanos, events: 3 }];
    const batches = [
      billingBatch('b1', 0, { spend: spend(1_000_000_001n), earnings: earn(700_000_000n) }),
      billingBatch('b2', 1, { spend: spend(500_000_000n), earnings: earn(350_000_000n) }),
    ];
    for (const batch of batches) {
      await inTransaction(database.db, async (tx) => await postEntries(database.db, tx, batch));
    }
    const balance = (await call('get', '/withdrawals/balance', bob)).body.data;
    expect(balance).toEqual({
      currency: 'USD',
      balance: 1.05,
      withdrawable: 0,
      maturing: 1.05,
      held: 0,
      debt: 0,
      paid_total: 0,
      pending: 0,
    });
    const first = (await call('get', '/withdrawals/transactions', bob).query({ page_size: 1 })).body
      .data;
    expect(first).toMatchObject({
      total: 2,
      items: [{ type: 'EARNING', amount: 0.35, balance_after: 1.05, currency: 'USD' }],
    });
    const second = (
      await call('get', '/withdrawals/transactions', bob).query({
        page_size: 1,
        cursor: first.next_cursor,
      })
    ).body.data;
    expect(second.items).toMatchObject([{ amount: 0.7, balance_after: 0.7 }]);
    expect((await call('get', '/withdrawals/balance')).body.data.balance).toBe(0);
    expect((await call('get', '/withdrawals/transactions')).body.data.items).toEqual([]);
    expect((await call('get', '/withdrawals')).body.data).toMatchObject({ items: [], total: 0 });
  });
});
