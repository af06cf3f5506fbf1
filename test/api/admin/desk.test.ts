import { randomUUID } from 'node:crypto';
import { createStand, type Stand } from '../../support/stand.ts';
import { hex } from '../../support/settlement.ts';
import { makeOperator } from '../../support/make/account.ts';
import { makeReviewRows, type ReviewRows } from '../../support/make/review-rows.ts';
import { insertRow } from '../../support/make/row.ts';
import { type Caller, dataOf, faultsOf } from '../../support/call.ts';

/** interface 5.2: the operators' queue, settings and log, over the whole API and without flows. */
type Role = 'ADMIN' | 'REVIEWER' | 'FINANCE' | 'SUPPORT';
const ROLES: readonly Role[] = ['ADMIN', 'REVIEWER', 'FINANCE', 'SUPPORT'];

let stand: Stand;
let rows: ReviewRows;
const operators = {} as Record<Role, Caller>;

beforeAll(async () => {
  stand = await createStand();
  rows = await makeReviewRows(stand.database);
  for (const role of ROLES) {
    operators[role] = stand.as('admin', (await makeOperator(stand.database.db, role)).id);
  }
});
afterAll(async () => await stand.close());

async function task(kind: string, subjectId: number, row: object = {}): Promise<number> {
  const subject = kind.replace('_review', '');
  return await insertRow(stand.database, 'tasks', {
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
    await insertRow(stand.database, 'reviews', {
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
        record: { id: rows.campaignId, name: 'Spring', landing_url: 'https://shop.example/spring' },
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
        image_url: expect.stringMatching(/\/media\/ab\/[0-9a-f]{32}\.png$/),
      },
      approved_revision: null,
      diff: {},
    });
  });

  it.each([
    ['campaign', 'campaignId', 'ad_type pricing_model bid_nanos landing_url'],
    ['adgroup', 'adGroupId', 'campaign_id bid_nanos'],
    [
      'ad',
      'adId',
      'campaign_id adgroup_id creative_id title description button_text brand_name display_url landing_url',
    ],
    ['creative', 'creativeId', 'creative_type type latest_revision approved_revision'],
    [
      'site',
      'siteId',
      'media_type domain app_package url description icp verify_status verify_method',
    ],
  ] as const)(
    'of a reviewed %s · %s · the fields that a reviewer reads',
    async (type, key, own) => {
      const id = await task(`${type}_review`, rows[key]);
      const { detail } = dataOf(await operators.REVIEWER.get(`/tasks/${id}`));
      const { record } = detail as { record: Record<string, unknown> };
      const names = ['id', 'name', 'status', 'audit_status', ...own.split(' ')];
      expect(Object.keys(record).toSorted()).toEqual(names.toSorted());
      if (type === 'campaign') expect(record['bid_nanos']).toBe('1000000000');
      if (type === 'ad') expect(record['landing_url']).toBe('https://shop.example/spring');
    },
  );

  it('of a creative with two revisions · both as a whole, and what differs', async () => {
    const { creativeId } = await makeReviewRows(stand.database);
    await insertRow(stand.database, 'creative_revisions', {
      creative_id: creativeId,
      revision: 2,
      html_code: '<b>new</b>',
      width: 320,
      height: 250,
    });
    await stand.database.pool.query(
      'UPDATE creatives SET approved_revision = 1, latest_revision = 2 WHERE id = $1',
      [creativeId],
    );
    const id = await task('creative_review', creativeId, { payload: JSON.stringify({}) });
    const { detail } = dataOf(await operators.REVIEWER.get(`/tasks/${id}`));
    const image = expect.any(Number);
    const common = {
      height: 250,
      image_media_id_2: null,
      image_url_2: null,
      video_media_id: null,
      video_url: null,
      icon_media_id: null,
      icon_url: null,
      html5_media_id: null,
      html5_url: null,
      vast_xml: null,
      vast_url: null,
      click_url: null,
    };
    const before = { width: 300, html_code: null, image_media_id: image };
    const after = { width: 320, html_code: '<b>new</b>', image_media_id: null };
    expect(detail).toMatchObject({
      diff: {
        width: [300, 320],
        html_code: [null, '<b>new</b>'],
        image_media_id: [image, null],
      },
    });
    const { revision, approved_revision: approved, diff } = detail as Record<string, object>;
    expect(Object.keys(diff ?? {})).toHaveLength(3);
    expect(revision).toEqual({
      ...common,
      ...after,
      audit_status: 'PENDING',
      revision: 2,
      image_url: null,
    });
    const url = expect.stringMatching(/\/media\/ab\/[0-9a-f]{32}\.png$/);
    expect(approved).toEqual({
      ...common,
      ...before,
      audit_status: 'PENDING',
      revision: 1,
      image_url: url,
    });
  });

  it('of a deposit · the order and what arrived', async () => {
    const deposit = await insertRow(stand.database, 'deposits', {
      advertiser_id: rows.advertiserId,
      amount_nanos: '100000000000',
      payment_method: 'BANK',
      reference: `RF${hex(5)}`,
      expires_at: new Date(),
    });
    const receipt = await insertRow(stand.database, 'deposit_receipts', {
      deposit_id: deposit,
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
      receipts: [{ id: receipt, amount: 60, state: 'SUSPENSE' }],
      receipt_id: receipt,
    });
  });

  it('decided · by whom, why, and on what evidence', async () => {
    const id = await task('site_review', rows.siteId);
    const media = Number(
      (await stand.database.pool.query('SELECT id FROM media LIMIT 1')).rows[0]?.id,
    );
    const decided = await operators.REVIEWER.post(`/tasks/${id}/decision`, {
      decision: 'reject',
      reasons: [{ code: 'NO_CONTENT', field: 'url', note: 'Empty pages' }],
      note: 'Looked twice',
      evidence_media_id: media,
    });
    expect(decided.status).toBe(202);
    expect(decided.headers['location']).toBe(`/api/admin/tasks/${id}`);
    // What the flow does when it takes the decision.
    await stand.database.pool.query(
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
      ['reasons[1].code one_of', 'reasons[2].code one_of'],
    ],
    ['another role', 'FINANCE', { decision: 'approve' }, 403, []],
    ['another role', 'SUPPORT', { decision: 'approve' }, 403, []],
  ])('%s · by %s · writes nothing', async (_what, role, body, status, faults) => {
    const id = await task('zone_review', 1);
    const answer = await operators[role].post(`/tasks/${id}/decision`, body);
    expect([answer.status, faultsOf(answer)]).toEqual([status, faults]);
    const { rows: written } = await stand.database.pool.query(
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
    const given = await assign('SUPPORT', { assignee_id: operators.ADMIN.id });
    expect(dataOf(given)['assignee']).toMatchObject({ id: operators.ADMIN.id });
    expect((await assign('ADMIN', { assignee_id: operators.FINANCE.id })).status).toBe(422);
    expect((await assign('ADMIN', { assignee_id: 987_654_321 })).status).toBe(422);
    expect(dataOf(await assign('ADMIN', { assignee_id: null }))['assignee']).toBeNull();
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
    await insertRow(stand.database, 'clicks', {
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
    await insertRow(stand.database, 'conversions', {
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
    await expect(stand.database.pool.query(`UPDATE audit_log SET action = 'x'`)).rejects.toThrow(
      'append-only',
    );
    await expect(stand.database.pool.query('DELETE FROM audit_log')).rejects.toThrow('append-only');
  });
});
