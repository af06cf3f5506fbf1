import { randomUUID } from 'node:crypto';
import { createStand, type Stand } from '../../support/stand.ts';
import type { TestDatabase } from '../../support/database.ts';
import { hex } from '../../support/settlement.ts';
import { makeOperator, makeAdvertiser } from '../../support/make/account.ts';
import { makeZone } from '../../support/make/place.ts';
import { makeReviewRows, type ReviewRows } from '../../support/make/review-rows.ts';
import { insertRow } from '../../support/make/row.ts';
import { type Caller, dataOf, faultsOf } from '../../support/call.ts';

/** interface 5.2: the operators' queue, settings and log, over the whole API and without flows. */
type Role = 'ADMIN' | 'REVIEWER' | 'FINANCE' | 'SUPPORT';
const ROLES: readonly Role[] = ['ADMIN', 'REVIEWER', 'FINANCE', 'SUPPORT'];

let stand: Stand;
let database: TestDatabase;
let rows: ReviewRows;
const operators = {} as Record<Role, Caller>;

beforeAll(async () => {
  stand = await createStand();
  ({ database } = stand);
  rows = await makeReviewRows(database);
  for (const role of ROLES) {
    operators[role] = stand.as('admin', (await makeOperator(database.db, role)).id);
  }
});
afterAll(async () => {
  await stand.close();
});
beforeEach(() => {
  stand.passTime(60_000);
});

async function task(kind: string, subjectId: number, row: object = {}): Promise<number> {
  const subject = kind.replace('_review', '');
  return await insertRow(database, 'tasks', {
    kind,
    subject_type: subject,
    subject_id: subjectId,
    account_id: rows.advertiserId,
    summary: `A ${subject}`,
    findings: JSON.stringify([{ code: 'new_host', severity: 'notice', field: 'landing_url' }]),
    decisions: JSON.stringify(['approve', 'reject']),
    required_role: 'REVIEWER',
    workflow_id: `review:${subject}:${subjectId}:1`,
    dedupe_key: hex(8),
    ...row,
  });
}

describe('a task · shown', () => {
  it('of a campaign · the record and its earlier rounds', async () => {
    await insertRow(database, 'reviews', {
      subject_type: 'campaign',
      subject_id: rows.campaignId,
      account_id: rows.advertiserId,
      round: 1,
      status: 'REJECTED',
      decided_by: 'OPERATOR',
      workflow_id: `review:campaign:${rows.campaignId}:1`,
      reasons: JSON.stringify([{ code: 'misleading', field: 'name' }]),
    });
    const id = await task('campaign_review', rows.campaignId);
    const shown = dataOf(await operators.SUPPORT.get(`/tasks/${id}`));
    expect(shown).toMatchObject({
      id,
      status: 'open',
      subject: { type: 'campaign', id: rows.campaignId },
      findings: [{ code: 'new_host', severity: 'notice' }],
      decision: null,
      assignee: null,
      detail: {
        campaign: {
          id: rows.campaignId,
          name: 'Spring',
          landing_url: 'https://shop.example/spring',
        },
        history: [{ round: 1, status: 'REJECTED', reasons: [{ code: 'misleading' }] }],
      },
    });
    expect(shown['temporal_url']).toContain(
      encodeURIComponent(`review:campaign:${rows.campaignId}`),
    );
  });

  it('of a creative · the revision to decide on, with its picture', async () => {
    const id = await task('creative_review', rows.creativeId, {
      payload: JSON.stringify({ revision: 1 }),
    });
    const { detail } = dataOf(await operators.REVIEWER.get(`/tasks/${id}`));
    expect(detail).toMatchObject({
      revision: {
        revision: 1,
        image_url: expect.stringMatching(/\/media\/signed\/\d+-[\w-]{22}\/ab\/[0-9a-f]{32}\.png$/),
      },
      approved_revision: null,
      revision_before: null,
      changes: [],
    });
  });

  it.each([
    ['campaign', 'campaignId', 'advertiserId'],
    ['adgroup', 'adGroupId', 'advertiserId'],
    ['ad', 'adId', 'advertiserId'],
    ['creative', 'creativeId', 'advertiserId'],
    ['site', 'siteId', 'publisherId'],
  ] as const)(
    'of a reviewed %s · the record as its owner sees it, and no other',
    async (type, key, owner) => {
      const id = await task(`${type}_review`, rows[key], { account_id: rows[owner] });
      const page = dataOf(await operators.REVIEWER.get(`/tasks/${id}`));
      const detail = page['detail'] as Record<string, unknown>;
      const realm = owner === 'advertiserId' ? 'advertiser' : 'publisher';
      const own = dataOf(await stand.as(realm, rows[owner]).get(`/${type}s/${rows[key]}`));
      expect(detail[type]).toEqual(own);
      expect(page['account']).toMatchObject({ id: rows[owner], kind: realm.toUpperCase() });
      const shown = new Set(
        ['campaign', 'adgroup', 'ad', 'creative', 'site', 'zone'].filter(
          (name) => detail[name] !== null,
        ),
      );
      expect(shown).toEqual(new Set(type === 'ad' ? ['ad', 'campaign', 'creative'] : [type]));
    },
  );

  it('of another account’s thing · none of it is shown', async () => {
    const other = await makeReviewRows(database);
    const id = await task('campaign_review', rows.campaignId, { account_id: other.advertiserId });
    const { detail } = dataOf(await operators.REVIEWER.get(`/tasks/${id}`));
    expect(detail).toMatchObject({ campaign: null, history: expect.any(Array) });
  });

  it('of a zone · with its site, and without where its rewards are reported to', async () => {
    const zone = await makeZone(
      database.db,
      { id: rows.siteId, publisherId: rows.publisherId },
      { rewardCallbackUrl: 'https://rewards.example/secret' },
    );
    const id = await task('zone_review', zone.id, { account_id: rows.publisherId });
    const { detail } = dataOf(await operators.REVIEWER.get(`/tasks/${id}`));
    expect(detail).toMatchObject({
      zone: { id: zone.id, reward_callback_url: null },
      site: { id: rows.siteId, name: 'Gazette' },
    });
  });

  it('of a creative with two revisions · both as a whole, their files, and what differs', async () => {
    const { creativeId, advertiserId } = await makeReviewRows(database);
    await insertRow(database, 'creative_revisions', {
      creative_id: creativeId,
      revision: 2,
      html_code: '<b>new</b>',
      width: 320,
      height: 250,
    });
    await database.pool.query('UPDATE creatives SET latest_revision = 2 WHERE id = $1', [
      creativeId,
    ]);
    const shown = async () => {
      const id = await task('creative_review', creativeId, {
        payload: JSON.stringify({ revision: 2 }),
        account_id: advertiserId,
      });
      return dataOf(await operators.REVIEWER.get(`/tasks/${id}`))['detail'] as {
        media: { id: number }[];
      };
    };
    const image = expect.stringMatching(/^\d+$/);
    const url = expect.stringMatching(/\/media\/signed\/\d+-[\w-]{22}\/ab\/[0-9a-f]{32}\.png$/);
    const compared = {
      revision: { revision: 2, width: 320, html_code: '<b>new</b>', image_url: null },
      revision_before: { revision: 1, width: 300, html_code: null, image_url: url },
      changes: [
        { field: 'width', before: '300', after: '320' },
        { field: 'image_media_id', before: image, after: null },
        { field: 'html_code', before: null, after: '<b>new</b>' },
      ],
      media: [{ url, mime: 'image/png', width: expect.any(Number), height: expect.any(Number) }],
    };
    expect(await shown()).toMatchObject({ ...compared, approved_revision: null });
    await database.pool.query('UPDATE creatives SET approved_revision = 1 WHERE id = $1', [
      creativeId,
    ]);
    expect(await shown()).toMatchObject({
      ...compared,
      approved_revision: { revision: 1, is_serving: true },
    });
  });

  it('of a deposit · the order and what arrived', async () => {
    const deposit = await insertRow(database, 'deposits', {
      advertiser_id: rows.advertiserId,
      amount_nanos: '100000000000',
      payment_method: 'BANK',
      reference: `RF${hex(5)}`,
      expires_at: new Date(),
    });
    const media = Number((await database.pool.query('SELECT id FROM media LIMIT 1')).rows[0]?.id);
    const receipt = await insertRow(database, 'deposit_receipts', {
      deposit_id: deposit,
      evidence_media_id: media,
      amount_nanos: '60000000000',
      provider: 'BANK',
      provider_reference: hex(6),
      received_at: new Date(),
    });
    const id = await task('deposit_review', deposit, {
      required_role: 'FINANCE',
      payload: JSON.stringify({ receipt_id: receipt }),
    });
    const { detail } = dataOf(await operators.FINANCE.get(`/tasks/${id}`));
    expect(detail).toMatchObject({
      deposit: { id: deposit, amount: 100 },
      receipts: [
        {
          id: receipt,
          amount: 60,
          state: 'SUSPENSE',
          evidence: { id: media },
          asked: { task_id: id, kind: 'deposit_review', not_by: null },
        },
      ],
      receipt_id: receipt,
      advertiser_balance: { currency: 'USD', pending_deposits: 100 },
      withdrawal: null,
    });
  });

  it('asked again · what was asked and answered before, and what operators noted', async () => {
    const { siteId, publisherId } = await makeReviewRows(database);
    const owned = { account_id: publisherId };
    const first = await task('site_review', siteId, owned);
    const noted = await operators.SUPPORT.post(`/tasks/${first}/notes`, {
      text: ' Wrote to support twice \n',
    });
    expect(noted.status).toBe(201);
    const note = {
      task_id: first,
      text: 'Wrote to support twice',
      operator_id: operators.SUPPORT.id,
    };
    expect(dataOf(noted)).toMatchObject(note);
    await operators.REVIEWER.post(`/tasks/${first}/decision`, {
      decision: 'reject',
      reasons: [{ code: 'NO_CONTENT' }],
    });
    await database.pool.query(
      `WITH d AS (UPDATE task_decisions SET status = 'APPLIED' WHERE task_id = $1 RETURNING id)
       UPDATE tasks SET status = 'decided', decided_at = now(), decision_id = d.id FROM d WHERE tasks.id = $1`,
      [first],
    );
    const second = await task('site_review', siteId, owned);
    await operators.REVIEWER.post(`/tasks/${second}/notes`, { text: 'Has content now' });
    expect(dataOf(await operators.REVIEWER.get(`/tasks/${second}`))).toMatchObject({
      other_tasks: [
        {
          id: first,
          status: 'decided',
          decision: {
            decision: 'reject',
            reasons: [{ code: 'NO_CONTENT' }],
            operator_id: operators.REVIEWER.id,
          },
        },
      ],
      notes: [note, { task_id: second, text: 'Has content now' }],
    });
    const { notes } = dataOf(await operators.ADMIN.get(`/tasks/${await task('site_review', 1)}`));
    expect(notes).toEqual([]);
  });

  it('a note · empty, too long, or on no task · is refused; one that was written stays', async () => {
    const id = await task('zone_review', 1);
    for (const text of ['', '  ', 'x'.repeat(2_001), undefined]) {
      expect((await operators.ADMIN.post(`/tasks/${id}/notes`, { text })).status).toBe(422);
    }
    const nowhere = await operators.ADMIN.post('/tasks/987654321/notes', { text: 'x' });
    expect(nowhere.status).toBe(404);
    await operators.ADMIN.post(`/tasks/${id}/notes`, { text: 'x' });
    await expect(database.pool.query(`UPDATE task_notes SET text = 'y'`)).rejects.toThrow(
      'append-only',
    );
    await expect(database.pool.query('DELETE FROM task_notes')).rejects.toThrow('append-only');
  });

  it('decided · by whom, why, and on what evidence', async () => {
    const id = await task('site_review', rows.siteId);
    const own = await database.pool.query('SELECT id FROM media WHERE advertiser_id = $1', [
      rows.advertiserId,
    ]);
    const media = Number(own.rows[0]?.id);
    const decided = await operators.REVIEWER.post(`/tasks/${id}/decision`, {
      decision: 'reject',
      reasons: [{ code: 'NO_CONTENT', field: 'url', note: 'Empty pages' }],
      note: 'Looked twice',
      evidence_media_id: media,
    });
    expect(decided.status).toBe(202);
    expect(decided.headers['location']).toBe(`/api/admin/tasks/${id}`);
    // What the flow does when it takes the decision.
    await database.pool.query(
      `WITH d AS (UPDATE task_decisions SET status = 'APPLIED' WHERE task_id = $1 RETURNING id)
       UPDATE tasks SET status = 'decided', decided_at = now(), decision_id = d.id FROM d WHERE tasks.id = $1`,
      [id],
    );
    expect(dataOf(await operators.SUPPORT.get(`/tasks/${id}`))).toMatchObject({
      status: 'decided',
      decision: {
        decision: 'reject',
        reasons: [{ code: 'NO_CONTENT', field: 'url', note: 'Empty pages' }],
        note: 'Looked twice',
        evidence_media_id: media,
        operator_id: operators.REVIEWER.id,
      },
    });
    const again = await operators.REVIEWER.post(`/tasks/${id}/decision`, { decision: 'approve' });
    expect([again.status, dataOf(again)['status']]).toEqual([409, 'decided']);
  });
});

describe('a decision · refused', () => {
  it('on evidence of another account than the task’s · 422, and writes nothing', async () => {
    const id = await task('zone_review', 1);
    const { rows: media } = await database.pool.query<{ id: string }>(
      'SELECT id FROM media WHERE advertiser_id = $1',
      [rows.advertiserId],
    );
    const { id: other } = await makeAdvertiser(database.db);
    await database.pool.query('UPDATE tasks SET account_id = $2 WHERE id = $1', [id, other]);
    const body = { decision: 'approve', evidence_media_id: Number(media[0]?.id) };
    const answer = await operators.REVIEWER.post(`/tasks/${id}/decision`, body);
    expect([answer.status, faultsOf(answer)]).toEqual([422, ['evidence_media_id unknown']]);
  });

  it.each<[string, Role, object, number, string[]]>([
    [
      'evidence that is not there',
      'REVIEWER',
      { decision: 'approve', evidence_media_id: 987_654_321 },
      422,
      ['evidence_media_id unknown'],
    ],
    [
      'a word the task does not offer',
      'REVIEWER',
      { decision: 'confirm_paid' },
      422,
      ['decision one_of'],
    ],
    ['a rejection without a reason', 'REVIEWER', { decision: 'reject' }, 422, ['reasons required']],
    [
      'a reason without a code',
      'REVIEWER',
      { decision: 'reject', reasons: [{ note: 'x' }] },
      422,
      ['reasons[0].code required'],
    ],
    [
      'reasons of another kind of task',
      'REVIEWER',
      {
        decision: 'reject',
        reasons: [{ code: 'OTHER' }, { code: 'UNREADABLE' }, { code: 'other' }],
      },
      422,
      ['reasons[0].note required', 'reasons[1].code one_of', 'reasons[2].code one_of'],
    ],
    [
      'another reason that the owner is not told',
      'REVIEWER',
      { decision: 'reject', reasons: [{ code: 'OTHER' }], note: 'Too loud' },
      422,
      ['reasons[0].note required'],
    ],
    ['another role', 'FINANCE', { decision: 'approve' }, 403, []],
    ['another role', 'SUPPORT', { decision: 'approve' }, 403, []],
  ])('%s · by %s · writes nothing', async (_what, role, body, status, faults) => {
    const id = await task('zone_review', 1);
    const answer = await operators[role].post(`/tasks/${id}/decision`, body);
    expect([answer.status, faultsOf(answer)]).toEqual([status, faults]);
    const { rows: written } = await database.pool.query(
      'SELECT id FROM task_decisions WHERE task_id = $1',
      [id],
    );
    expect(written).toEqual([]);
  });

  it('ten operators at once · one decision is taken', async () => {
    const id = await task('ad_review', rows.adId);
    const answers = await Promise.all(
      Array.from(
        { length: 10 },
        async () => await operators.ADMIN.post(`/tasks/${id}/decision`, { decision: 'approve' }),
      ),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([202, ...Array.from({ length: 9 }, () => 409)]);
  });
});

describe('tasks · taken and listed', () => {
  it('assigned, given away and put back · who may decide it only', async () => {
    const id = await task('campaign_review', rows.campaignId);
    const assign = async (by: Role, body?: object) =>
      await operators[by].post(`/tasks/${id}/assign`, body);
    expect(dataOf(await assign('REVIEWER'))['assignee']).toMatchObject({
      id: operators.REVIEWER.id,
    });
    const mine = dataOf(await operators.REVIEWER.get('/tasks?assignee=me')) as {
      items: { id: number }[];
    };
    expect(mine.items.map((each) => each.id)).toEqual([id]);
    expect((await assign('SUPPORT', { assignee_id: operators.ADMIN.id })).status).toBe(403);
    const given = await assign('REVIEWER', { assignee_id: operators.ADMIN.id });
    expect(dataOf(given)['assignee']).toMatchObject({ id: operators.ADMIN.id });
    expect((await assign('ADMIN', { assignee_id: operators.FINANCE.id })).status).toBe(422);
    expect((await assign('ADMIN', { assignee_id: 987_654_321 })).status).toBe(422);
    expect(dataOf(await assign('ADMIN', { assignee_id: null }))['assignee']).toBeNull();
  });

  it('to whom it may be given · everybody who may decide it, but not who made the step it checks', async () => {
    const maker = await makeOperator(database.db, 'FINANCE');
    const finance = { required_role: 'FINANCE', maker_id: maker.id, account_id: null };
    const id = await task('deposit_second_approval', 1, finance);
    const listed = async (by: Role) => await operators[by].get(`/tasks/${id}/assignees`);
    const { items } = dataOf(await listed('FINANCE')) as { items: { id: number }[] };
    const ids = items.map((each) => each.id);
    expect(ids).toContain(operators.FINANCE.id);
    for (const other of [maker.id, operators.ADMIN.id, operators.REVIEWER.id]) {
      expect(ids).not.toContain(other);
    }
    for (const role of ['ADMIN', 'REVIEWER', 'SUPPORT'] as const) {
      expect((await listed(role)).status).toBe(403);
    }
    const given = await operators.FINANCE.post(`/tasks/${id}/assign`, { assignee_id: maker.id });
    expect([given.status, faultsOf(given)]).toEqual([422, ['assignee_id not_allowed']]);
    expect(dataOf(given)).toMatchObject({
      errors: [{ message: expect.stringContaining('a second person must decide it') }],
    });
  });

  it.each(['kind=campaign', 'kind=CAMPAIGN_REVIEW', 'status=done', 'assignee=0', 'subject=1'])(
    'list · %s · 422',
    async (query) => {
      expect((await operators.ADMIN.get(`/tasks?${query}`)).status).toBe(422);
    },
  );
});

describe('what became of a click', () => {
  it('by its id · the click, and the conversion it won; unknown, or two ids at once · refused', async () => {
    const clickId = hex(16);
    const about = { campaign_id: rows.campaignId, ad_id: rows.adId, creative_id: rows.creativeId };
    await insertRow(database, 'clicks', {
      ...about,
      id: randomUUID(),
      click_id: clickId,
      shard: 0,
      status: 'verified',
      verify_by: new Date(),
      clicked_at: new Date(),
      verified_at: new Date(),
      request_id: hex(16),
      bid_id: hex(8),
      advertiser_id: rows.advertiserId,
      adgroup_id: rows.adGroupId,
      zone_id: 1,
      bid_price_nanos: '1500000000',
      pricing_model: 'CPC',
    });
    await insertRow(database, 'conversions', {
      ...about,
      advertiser_id: rows.advertiserId,
      click_id: clickId,
      dedupe_key: 'event:LEAD',
      event_type: 'LEAD',
      value_nanos: '2500000000',
      status: 'ACCEPTED',
      latency_seconds: 7,
    });
    const { SUPPORT } = operators;
    const trace = dataOf(await SUPPORT.get(`/events?click_id=${clickId}`));
    expect(trace).toMatchObject({
      track: null,
      events: [],
      clicks: [{ click_id: clickId, status: 'verified', price: 1.5, ad_id: rows.adId }],
      conversions: [{ click_id: clickId, event_type: 'LEAD', value: 2.5, latency_seconds: 7 }],
    });
    await stand.database.pool.query(
      `INSERT INTO events (day, id, shard, kind, received_at, request_id, click_id, billable, status)
       VALUES (current_date, gen_random_uuid(), 0, 'click', now(), 'of-this-click', $1, false, 'valid')`,
      [clickId],
    );
    const byRequest = dataOf(await SUPPORT.get('/events?request_id=of-this-click'));
    expect(byRequest).toMatchObject({ events: [{}], clicks: [{ click_id: clickId }] });
    expect((await SUPPORT.get(`/events?click_id=${hex(16)}`)).status).toBe(404);
    expect((await SUPPORT.get(`/events?click_id=${clickId}&request_id=a`)).status).toBe(422);
    expect((await SUPPORT.get('/events')).status).toBe(422);
    expect((await operators.FINANCE.get(`/events?click_id=${clickId}`)).status).toBe(403);
  });
});

describe('audit log', () => {
  it('by actor, action and subject, page by page · only those, unmoved by what comes meanwhile', async () => {
    const { ADMIN } = operators;
    const id = await task('campaign_review', rows.campaignId);
    for (const assignee of [ADMIN.id, null, ADMIN.id, null, ADMIN.id]) {
      await ADMIN.post(`/tasks/${id}/assign`, { assignee_id: assignee });
    }
    const query = `actor_id=${ADMIN.id}&action=task.assign&subject_type=task&subject_id=${id}`;
    const list = async (more: string) =>
      dataOf(await ADMIN.get(`/audit-log?${query}${more}`)) as {
        items: { id: number; actor: { username: string } }[];
        total: number;
        next_cursor: number | null;
      };
    const first = await list('&page_size=2');
    expect([first.total, first.items.length]).toEqual([5, 2]);
    await ADMIN.post(`/tasks/${id}/assign`, { assignee_id: null });
    const second = await list(`&page_size=2&page=2&cursor=${first.next_cursor}`);
    const third = await list(`&page_size=2&cursor=${second.next_cursor}`);
    const ids = [first, second, third].flatMap(({ items }) => items.map((entry) => entry.id));
    expect(new Set(ids).size).toBe(5);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(third.next_cursor).toBeNull();
    const none = await ADMIN.get('/audit-log?action=task.assign&subject_id=987654321');
    expect(dataOf(none)).toMatchObject({ items: [], total: 0, next_cursor: null });
  });

  it('an entry · changed or deleted in the database · is refused', async () => {
    await expect(database.pool.query(`UPDATE audit_log SET action = 'x'`)).rejects.toThrow(
      'append-only',
    );
    await expect(database.pool.query('DELETE FROM audit_log')).rejects.toThrow('append-only');
  });
});
