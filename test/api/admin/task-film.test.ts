import type { RequestListener } from 'node:http';
import { type Caller, dataOf } from '../../support/call.ts';
import { type Listener, startListener, status } from '../../support/listener.ts';
import { makeAdvertiser, makeOperator } from '../../support/make/account.ts';
import { type CampaignTreeOptions, makeCampaignTree } from '../../support/make/campaign.ts';
import { insertRow } from '../../support/make/row.ts';
import { hex } from '../../support/settlement.ts';
import { createStand, type Stand } from '../../support/stand.ts';
import { documentOf, inlineOf, NO_AD, wrapperTo } from '../../support/vast-documents.ts';

/** interface 5.2: a film that another server has, for whoever decides about it. */
const ROLES = ['ADMIN', 'REVIEWER', 'FINANCE', 'SUPPORT'] as const;
type Role = (typeof ROLES)[number];

let stand: Stand;
let server: Listener;
let advertiserId: number;
let asked: string[] = [];
const answers = new Map<string, RequestListener>();
const operators = {} as Record<Role, Caller>;
const ids = {} as Record<Role, number>;
const at = (path: string): string => `http://films.example${path}`;

beforeAll(async () => {
  server = await startListener((req, res) => {
    asked.push(req.url ?? '');
    (answers.get(req.url ?? '') ?? status(404))(req, res);
  });
  stand = await createStand({ env: { DEV_HOSTS: `films.example=${server.host}` } });
  advertiserId = (await makeAdvertiser(stand.database.db)).id;
  for (const role of ROLES) {
    ids[role] = (await makeOperator(stand.database.db, role)).id;
    operators[role] = stand.as('admin', ids[role]);
  }
});
afterAll(async () => {
  await stand.close();
  await server.close();
});
beforeEach(() => {
  asked = [];
  answers.clear();
});

async function tree(revision: NonNullable<CampaignTreeOptions['revision']>) {
  return await makeCampaignTree(stand.database.db, advertiserId, {
    creative: { creativeType: 'vast', type: 'VIDEO' },
    revision: { imageMediaId: null, ...revision },
  });
}

const task = async (kind: 'creative' | 'ad', subjectId: number, row: object = {}) =>
  await insertRow(stand.database, 'tasks', {
    kind: `${kind}_review`,
    subject_type: kind,
    subject_id: subjectId,
    account_id: advertiserId,
    summary: 'A film',
    decisions: JSON.stringify(['approve', 'reject']),
    required_role: 'REVIEWER',
    workflow_id: `review:film:${hex(8)}`,
    dedupe_key: hex(8),
    ...row,
  });

const wrapped = async (address: string): Promise<number> =>
  await task('creative', (await tree({ vastXml: wrapperTo(address) })).creative.id);
const ask = async (taskId: number, role: Role = 'REVIEWER') =>
  await operators[role].post(`/tasks/${taskId}/film`);
const hop = (address: string, outcome: string) => ({
  address,
  outcome,
  refusal: null,
  detail: null,
});
const FILM = {
  duration_seconds: 15,
  media_files: [
    { url: at('/film.mp4'), type: 'video/mp4', width: 640, height: 360, bitrate_kbps: 500 },
  ],
};

test('a wrapper · whose film is looked for · answers the way and the film; nothing else is asked', async () => {
  answers.set('/first', documentOf(wrapperTo(at('/second'))));
  answers.set('/second', documentOf(inlineOf(at('/film.mp4'))));
  const answer = await ask(await wrapped(at('/first')));
  expect([answer.status, dataOf(answer)]).toEqual([
    200,
    { hops: [hop(at('/first'), 'wrapper'), hop(at('/second'), 'film')], film: FILM },
  ]);
  expect(asked).toEqual(['/first', '/second']);
});

test('the address of a document, and the creative of an ad · are followed as well', async () => {
  answers.set('/tag', documentOf(inlineOf(at('/film.mp4'))));
  const { creative, ad } = await tree({ vastUrl: at('/tag') });
  for (const id of [await task('creative', creative.id), await task('ad', ad.id)]) {
    expect(dataOf(await ask(id))).toEqual({ hops: [hop(at('/tag'), 'film')], film: FILM });
  }
});

test('a creative with older and newer revisions · the one that its task is about is followed', async () => {
  const { creative } = await tree({ vastXml: wrapperTo(at('/old')) });
  for (const [revision, path] of [
    [2, '/asked-about'],
    [3, '/newest'],
  ] as const) {
    await stand.database.db.models.creativeRevisions.create({
      creativeId: creative.id,
      revision,
      vastXml: wrapperTo(at(path)),
      auditStatus: 'PENDING',
    });
  }
  await creative.update({ latestRevision: 3 });
  answers.set('/asked-about', documentOf(NO_AD));
  const id = await task('creative', creative.id, { payload: JSON.stringify({ revision: 2 }) });
  expect(dataOf(await ask(id))).toEqual({ hops: [hop(at('/asked-about'), 'empty')], film: null });
});

test.each([
  ['is nowhere', at('/nowhere'), 'NOT_FOUND', '404'],
  ['is private', 'http://10.0.0.1/tag', 'PRIVATE_ADDRESS', null],
  ['is sent on to a private address', at('/inwards'), 'PRIVATE_ADDRESS', null],
  ['names no VAST', at('/feed'), 'NOT_VAST', 'must hold VAST in the document'],
])('a wrapper whose next document %s · says so', async (_name, address, refusal, detail) => {
  answers.set('/inwards', (_req, res) =>
    res.writeHead(302, { location: 'http://127.0.0.1/first' }).end(),
  );
  answers.set('/feed', documentOf('<rss/>'));
  const answer = await ask(await wrapped(address));
  expect([answer.status, dataOf(answer)]).toEqual([
    200,
    { hops: [{ address, outcome: 'refused', refusal, detail }], film: null },
  ]);
  expect(asked).not.toContain('/first');
});

test('by role · whoever reads the task looks, each look on record; another is refused and nobody is asked', async () => {
  answers.set('/tag', documentOf(NO_AD));
  const taskId = await wrapped(at('/tag'));
  for (const role of ROLES) {
    asked = [];
    const isReader = role !== 'FINANCE';
    const answer = await ask(taskId, role);
    expect([role, answer.status, asked]).toEqual([
      role,
      isReader ? 200 : 403,
      isReader ? ['/tag'] : [],
    ]);
    if (!isReader) expect(dataOf(answer)['error']).toBe('forbidden_role');
    const { rows } = await stand.database.pool.query(
      `SELECT subject_type, subject_id::int, detail FROM audit_log
       WHERE action = 'task.film' AND actor_id = $1 AND subject_id = $2`,
      [ids[role], taskId],
    );
    const look = { subject_type: 'task', subject_id: taskId, detail: { address: at('/tag') } };
    expect(rows).toEqual(isReader ? [look] : []);
  }
});

test('the same key twice · is one look with one answer', async () => {
  answers.set('/tag', documentOf(NO_AD));
  const taskId = await wrapped(at('/tag'));
  const key = hex(8);
  const once = async () =>
    await operators.SUPPORT.post(`/tasks/${taskId}/film`).set('Idempotency-Key', key);
  expect(dataOf(await once())).toEqual(dataOf(await once()));
  expect(asked).toEqual(['/tag']);
});

test.each<[string, NonNullable<CampaignTreeOptions['revision']>]>([
  ['no film', { htmlCode: '<b>boats</b>' }],
  ['its film in its own document', { vastXml: inlineOf(at('/film.mp4')) }],
  ['a document that rules of now refuse', { vastXml: '<!DOCTYPE x><VAST/>' }],
])('a task of a creative with %s · is 409 and nobody is asked', async (_name, revision) => {
  const { creative } = await tree(revision);
  const answer = await ask(await task('creative', creative.id));
  expect([answer.status, dataOf(answer)['error']]).toEqual([409, 'state_conflict']);
  expect(asked).toEqual([]);
});

test('a task of something else, and none · are 409 and 404; no identity is looked at', async () => {
  const kyc = await insertRow(stand.database, 'tasks', {
    kind: 'kyc_review',
    subject_type: 'kyc',
    subject_id: 1,
    account_id: advertiserId,
    summary: 'An identity',
    decisions: JSON.stringify(['approve', 'reject']),
    required_role: 'REVIEWER',
    workflow_id: 'kyc:film',
    dedupe_key: hex(8),
  });
  expect((await ask(kyc)).status).toBe(409);
  expect((await ask(987_654_321)).status).toBe(404);
  const { rows } = await stand.database.pool.query(
    `SELECT FROM audit_log WHERE action = 'kyc.view'`,
  );
  expect(rows).toEqual([]);
});
