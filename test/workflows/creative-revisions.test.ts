import { Router } from 'express';
import supertest, { type Response } from 'supertest';
import { taskRoutes } from '../../api/admin/tasks.ts';
import { creativeRoutes } from '../../api/advertiser/creatives.ts';
import { createTestConsole, testApp, type TestConsole } from '../support/console.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { makeAccountRow, makeOperator } from '../support/flow-rows.ts';
import { createTestFlows, type TestFlows } from '../support/flows.ts';
import { eventually } from '../support/until.ts';

/** An advertiser edits, a reviewer decides, both over HTTP; the review is the real flow. */
let database: TestDatabase;
let flows: TestFlows;
let testConsole: TestConsole;
let app: ReturnType<typeof testApp>;
let owner: string;
let reviewer: string;

beforeAll(async () => {
  database = await createTestDatabase();
  flows = await createTestFlows(database);
  testConsole = await createTestConsole(database);
  const { deps } = testConsole;
  deps.activities = flows.activities;
  deps.dispatcher = flows.dispatcher;
  const realm = Router();
  realm.use(deps.auth.require('advertiser'), Router().use('/creatives', creativeRoutes(deps)));
  const admin = Router();
  admin.use(deps.auth.require('admin'), taskRoutes(deps));
  app = testApp({ '/api/advertiser': realm, '/tasks': admin });
  owner = tokenOf('advertiser', await makeAccountRow(database, 'ADVERTISER'));
  reviewer = tokenOf('admin', await makeOperator(database, 'REVIEWER'));
}, 90_000);
afterAll(async () => {
  await flows?.close();
  await testConsole?.close();
  await database?.close();
}, 60_000);

const tokenOf = (realm: 'advertiser' | 'admin', id: number): string =>
  testConsole.deps.auth.issue(realm, { id, tokenVersion: 1 }).token;

const send = (method: 'get' | 'post' | 'put', path: string, token = owner) =>
  supertest(app)[method](`/api/advertiser${path}`).set('Authorization', `Bearer ${token}`);

const dataOf = ({ body }: Response): Record<string, unknown> =>
  (body as { data: Record<string, unknown> }).data;

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
  const answer = await supertest(app)
    .post(`/tasks/${taskId}/decision`)
    .set('Authorization', `Bearer ${reviewer}`)
    .send(decision);
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
  const items = dataOf(await send('get', `/creatives/${id}/revisions`))['items'];
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
    const created = await send('post', '/creatives').send({
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

    const shown = await send('get', `/creatives/${id}`);
    const edit = async (code: string, tag: string) =>
      await send('put', `/creatives/${id}`).set('If-Match', tag).send({ html_code: code });
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
    expect(dataOf(await send('get', `/creatives/${id}`))).toMatchObject({
      audit_status: 'REJECTED',
      audit_reasons: reasons,
      delivery_status: 'ELIGIBLE',
    });

    const latest = await send('get', `/creatives/${id}`);
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
    const page = dataOf(await send('get', `/creatives/${id}/revisions?page=2&page_size=2`));
    expect(page).toMatchObject({ total: 3, total_pages: 2, items: [{ revision: 1 }] });
  });

  it('of another advertiser · has no history to be seen', async () => {
    const created = await send('post', '/creatives').send({
      name: 'Mine',
      creative_type: 'text',
      save_as_draft: true,
    });
    const id = Number(dataOf(created)['id']);
    expect(await historyOf(id)).toMatchObject([
      { revision: 1, audit_status: 'DRAFT', is_serving: false, decided_by: null },
    ]);
    const other = tokenOf('advertiser', await makeAccountRow(database, 'ADVERTISER'));
    expect((await send('get', `/creatives/${id}/revisions`, other)).status).toBe(404);
    expect((await send('get', `/creatives/${id}/revisions?keyword=x`)).status).toBe(422);
  });
});
