import type { TestDatabase } from '../support/database.ts';
import { eventually } from '../support/until.ts';
import { makeAdvertiser, makeOperator } from '../support/make/account.ts';
import { type Caller, dataOf } from '../support/call.ts';
import { createStand, type FlowStand } from '../support/stand.ts';

/** An advertiser edits, a reviewer decides, both over HTTP; the review is the real flow. */
let stand: FlowStand;
let database: TestDatabase;
let owner: Caller;
let reviewer: Caller;

beforeAll(async () => {
  stand = await createStand({ flows: {} });
  ({ database } = stand);
  owner = stand.as('advertiser', (await makeAdvertiser(database.db)).id);
  reviewer = stand.as('admin', (await makeOperator(database.db, 'REVIEWER')).id);
}, 90_000);
afterAll(async () => {
  await stand?.close();
}, 60_000);

/** Decides the task that asks about this revision. */
async function decide(creativeId: number, revision: number, decision: object): Promise<void> {
  const taskId = await eventually(async () => {
    const { rows } = await database.pool.query<{ id: string }>(
      `SELECT id FROM tasks WHERE subject_type = 'creative' AND subject_id = $1 AND status = 'open'
         AND payload->>'revision' = $2`,
      [creativeId, String(revision)],
    );
    if (rows[0] === undefined) throw new Error('no task yet');
    return rows[0].id;
  });
  const answer = await reviewer.post(`/tasks/${taskId}/decision`, decision);
  expect(answer.status).toBe(200);
}

/** What serving would show: the approved revision's code. */
async function servedCode(creativeId: number): Promise<string | null> {
  const { rows } = await database.pool.query<{ html_code: string }>(
    `SELECT r.html_code FROM creatives c JOIN creative_revisions r
       ON r.creative_id = c.id AND r.revision = c.approved_revision WHERE c.id = $1`,
    [creativeId],
  );
  return rows[0]?.html_code ?? null;
}

async function historyOf(id: number): Promise<unknown[]> {
  const items = dataOf(await owner.get(`/creatives/${id}/revisions`))['items'];
  return (items as Record<string, unknown>[]).map((item) => ({
    revision: item['revision'],
    audit_status: item['audit_status'],
    audit_reasons: item['audit_reasons'],
    is_serving: item['is_serving'],
    html_code: item['html_code'],
    decided_by: item['decided_by'],
  }));
}

describe('a creative through its reviews', () => {
  it('edited after approval · serves the approved revision until the next is approved', async () => {
    const created = await owner.post('/creatives', {
      name: 'Banner',
      creative_type: 'html',
      html_code: '<b>1</b>',
      width: 300,
      height: 250,
    });
    const id = Number(dataOf(created)['id']);
    expect(await servedCode(id)).toBeNull();
    await decide(id, 1, { decision: 'approve' });
    expect(await servedCode(id)).toBe('<b>1</b>');

    const shown = await owner.get(`/creatives/${id}`);
    const edit = async (code: string, tag: string) =>
      await owner.put(`/creatives/${id}`, { html_code: code }).set('If-Match', tag);
    const edited = await edit('<b>2</b>', String(shown.headers['etag']));
    expect(dataOf(edited)).toMatchObject({
      revision: 2,
      approved_revision: 1,
      audit_status: 'PENDING',
      delivery_status: 'ELIGIBLE',
    });
    expect(await servedCode(id)).toBe('<b>1</b>');
    // Whoever read the record before that edit would write over it unseen.
    expect((await edit('<b>x</b>', String(shown.headers['etag']))).status).toBe(412);

    const reasons = [{ code: 'MISLEADING', field: 'html_code', note: 'Says nothing.' }];
    await decide(id, 2, { decision: 'reject', reasons });
    expect(await servedCode(id)).toBe('<b>1</b>');
    expect(dataOf(await owner.get(`/creatives/${id}`))).toMatchObject({
      audit_status: 'REJECTED',
      audit_reasons: reasons,
      delivery_status: 'ELIGIBLE',
    });

    const latest = await owner.get(`/creatives/${id}`);
    await edit('<b>3</b>', String(latest.headers['etag']));
    await decide(id, 3, { decision: 'approve' });
    expect(await servedCode(id)).toBe('<b>3</b>');
    const decided = { audit_reasons: [], decided_by: 'OPERATOR' };
    expect(await historyOf(id)).toEqual([
      {
        ...decided,
        revision: 3,
        audit_status: 'APPROVED',
        is_serving: true,
        html_code: '<b>3</b>',
      },
      {
        ...decided,
        revision: 2,
        audit_status: 'REJECTED',
        audit_reasons: reasons,
        is_serving: false,
        html_code: '<b>2</b>',
      },
      {
        ...decided,
        revision: 1,
        audit_status: 'APPROVED',
        is_serving: false,
        html_code: '<b>1</b>',
      },
    ]);
    const page = dataOf(await owner.get(`/creatives/${id}/revisions?page=2&page_size=2`));
    expect(page).toMatchObject({ total: 3, total_pages: 2, items: [{ revision: 1 }] });
  });

  it('of another advertiser · has no history to be seen', async () => {
    const created = await owner.post('/creatives', {
      name: 'Mine',
      creative_type: 'text',
      save_as_draft: true,
    });
    const id = Number(dataOf(created)['id']);
    expect(await historyOf(id)).toMatchObject([
      { revision: 1, audit_status: 'DRAFT', is_serving: false, decided_by: null },
    ]);
    const other = stand.as('advertiser', (await makeAdvertiser(database.db)).id);
    expect((await other.get(`/creatives/${id}/revisions`)).status).toBe(404);
    expect((await owner.get(`/creatives/${id}/revisions?keyword=x`)).status).toBe(422);
  });
});
