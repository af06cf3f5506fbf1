import { mountedRoutes } from '../../../api/openapi/route-list.ts';
import { rolesOf } from '../../../api/openapi/openapi-responses.ts';
import { asksForProof } from '../../../api/http/roles.ts';
import { OPERATOR_ROLES, type OperatorRole } from '../../../domain/operator.ts';
import { DECIDER_OF, mayRead } from '../../../domain/task-rules.ts';
import { TASK_KINDS, type TaskKind } from '../../../domain/lifecycle/task.ts';
import type { TestDatabase } from '../../support/database.ts';
import { makeOperator, makePublisher } from '../../support/make/account.ts';
import { insertRow } from '../../support/make/row.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** interface 5.2: of money, payees and identities each operator sees what they decide, and it is written down. */
let stand: Stand;
let database: TestDatabase;
const operators = {} as Record<OperatorRole, number>;

beforeAll(async () => {
  stand = await createStand();
  ({ database } = stand);
  for (const role of OPERATOR_ROLES) operators[role] = (await makeOperator(database.db, role)).id;
});
afterAll(async () => {
  await stand.close();
});

const as = (role: OperatorRole) => stand.as('admin', operators[role]);

const SUBJECT_OF: Partial<Record<TaskKind, string>> = {
  kyc_review: 'kyc',
  deposit_review: 'deposit',
  deposit_second_approval: 'deposit',
  suspense: 'deposit',
  deposit_refund: 'deposit',
  withdrawal_review: 'withdrawal',
  withdrawal_second_approval: 'withdrawal',
  payout_unknown: 'withdrawal',
  domain_transfer: 'site',
  money_refused: 'deposit',
  review_refused: 'creative',
};

let serial = 0;
async function task(kind: TaskKind): Promise<number> {
  serial += 1;
  return await insertRow(database, 'tasks', {
    kind,
    subject_type: SUBJECT_OF[kind] ?? kind.replace('_review', ''),
    subject_id: 1,
    account_id: (await makePublisher(database.db)).id,
    summary: 'Pay 500.00 to DE** **** 1234',
    decisions: JSON.stringify(['approve', 'reject']),
    required_role: DECIDER_OF[kind],
    workflow_id: `least:${serial}`,
    dedupe_key: `least:${serial}`,
  });
}

/** Who reads a kind of task beside ADMIN, written out: a slip of the rule is seen here. */
const READERS: Record<TaskKind, string> = {
  campaign_review: 'REVIEWER SUPPORT',
  adgroup_review: 'REVIEWER SUPPORT',
  ad_review: 'REVIEWER SUPPORT',
  creative_review: 'REVIEWER SUPPORT',
  site_review: 'REVIEWER SUPPORT',
  zone_review: 'REVIEWER SUPPORT',
  kyc_review: 'REVIEWER',
  deposit_review: 'FINANCE',
  deposit_second_approval: 'FINANCE',
  withdrawal_review: 'FINANCE',
  withdrawal_second_approval: 'FINANCE',
  payout_unknown: 'FINANCE',
  suspense: 'FINANCE',
  domain_transfer: 'REVIEWER',
  removal_appeal: 'FINANCE',
  money_refused: 'FINANCE',
  review_refused: 'REVIEWER',
  reversal_second_approval: 'FINANCE',
  removal_appeal_second_approval: 'FINANCE',
  deposit_refund: 'FINANCE',
};

describe.each(TASK_KINDS)('%s', (kind) => {
  test.each(OPERATOR_ROLES)('as %s · detail, list, notes, assign follow the role', async (role) => {
    const taskId = await task(kind);
    const reads = role === 'ADMIN' || (READERS[kind] ?? '').split(' ').includes(role);
    // ADMIN decides everything but money (interface 5.19).
    const decider = DECIDER_OF[kind];
    const decides = role === decider || (role === 'ADMIN' && decider !== 'FINANCE');
    expect(mayRead(role, kind)).toBe(reads);

    const detail = await as(role).get(`/tasks/${taskId}`);
    expect(detail.status).toBe(reads ? 200 : 403);
    if (!reads) expect(JSON.stringify(detail.body)).not.toContain('DE**');

    for (const query of ['', `&kind=${kind}`, `&kinds=${kind}`]) {
      const list = await as(role).get(`/tasks?page_size=100&sort=-opened_at${query}`);
      const ids = (list.body.data.items as { id: number }[]).map(({ id }) => id);
      expect([query, list.status, ids.includes(taskId)]).toEqual([query, 200, reads]);
    }

    // How many wait is told to nobody who may not see which.
    const counts = await as(role).get('/tasks/counts');
    const counted = (counts.body.data.kinds as { kind: string }[]).map((each) => each.kind);
    expect([counts.status, counted.includes(kind)]).toEqual([200, reads]);

    // Of whoever may read it, it is the task that has no film.
    const film = await as(role).post(`/tasks/${taskId}/film`);
    expect(film.status).toBe(reads ? 409 : 403);
    const note = await as(role).post(`/tasks/${taskId}/notes`, { text: 'seen' });
    expect(note.status).toBe(reads ? 201 : 403);
    const assignees = await as(role).get(`/tasks/${taskId}/assignees`);
    expect(assignees.status).toBe(decides ? 200 : 403);
    const taken = await as(role).post(`/tasks/${taskId}/assign`, {});
    expect(taken.status).toBe(decides ? 200 : 403);
    const given = await as(role).post(`/tasks/${taskId}/assign`, {
      assignee_id: operators[decider],
    });
    expect(given.status).toBe(decides ? 200 : 403);
    const released = await as(role).post(`/tasks/${taskId}/release`, {});
    expect(released.status).toBe(reads ? 200 : 403);
  });
});

test('a look at a withdrawal or an identity · by its task, once and again · is in the audit log once', async () => {
  for (const [kind, role, action] of [
    ['withdrawal_review', 'FINANCE', 'withdrawal.view'],
    ['kyc_review', 'REVIEWER', 'kyc.view'],
  ] as const) {
    const looker = await makeOperator(database.db, role);
    const taskId = await task(kind);
    for (let i = 0; i < 3; i += 1) {
      expect((await stand.as('admin', looker.id).get(`/tasks/${taskId}`)).status).toBe(200);
    }
    const { rows } = await database.pool.query(
      'SELECT action, subject_id::int FROM audit_log WHERE actor_type = $1 AND actor_id = $2',
      ['OPERATOR', looker.id],
    );
    expect(rows).toEqual([{ action, subject_id: 1 }]);
  }
});

test('the audit log · changed or emptied by whoever has the database · refuses', async () => {
  const { pool } = database;
  await as('FINANCE').get(`/tasks/${await task('withdrawal_review')}`);
  for (const statement of [
    `UPDATE audit_log SET action = 'nothing'`,
    'DELETE FROM audit_log',
    'TRUNCATE audit_log',
  ]) {
    await expect(pool.query(statement)).rejects.toThrow('append-only');
  }
});

/**
 * Every route of the operators: A ADMIN, R REVIEWER, F FINANCE, S SUPPORT; `!` asks for the second factor again
 * (decisions do where the task is FINANCE's). A new one has to be added here.
 */
test('every route of the operators · by role · is this table', () => {
  const letter = { ADMIN: 'A', REVIEWER: 'R', FINANCE: 'F', SUPPORT: 'S' };
  const table = Object.fromEntries(
    mountedRoutes(stand.app).flatMap(({ method, path, contract }) => {
      if (contract === undefined || !path.startsWith('/api/admin/')) return [];
      const roles = rolesOf({ method, path, contract });
      if (roles === undefined) return [];
      const word = roles.map((role) => letter[role as OperatorRole]).join('');
      const proof = asksForProof('admin', method, contract) ? '!' : '';
      return [[`${method} ${path.slice('/api/admin'.length)}`, word + proof]];
    }),
  );
  expect(table).toEqual(TABLE);
});

const TABLE = {
  'DELETE /auth/email-change': 'ARFS',
  'DELETE /auth/factors/:id': 'ARFS!',
  'DELETE /auth/sessions/:id': 'ARFS',
  'DELETE /report-schedules/:id': 'AFS',
  'DELETE /saved-views/:id': 'ARFS',
  'GET /advertisers': 'AFS',
  'GET /advertisers/:id': 'AFS',
  'GET /advertisers/:id/documents': 'AFS',
  'GET /advertisers/:id/history': 'AFS',
  'GET /advertisers/:id/inventory': 'ARFS',
  'GET /advertisers/:id/members': 'AFS',
  'GET /advertisers/:id/refundable': 'AF',
  'GET /advertisers/:id/related': 'AFS',
  'GET /approvals': 'AF',
  'GET /approvals/:id': 'AF',
  'GET /audit-log': 'A',
  'GET /auth/factors': 'ARFS',
  'GET /auth/profile': 'ARFS',
  'GET /auth/sessions': 'ARFS',
  'GET /balance-refunds': 'AF',
  'GET /balance-refunds/:id': 'AF',
  'GET /bank-statements': 'AF',
  'GET /bank-statements/position': 'AF',
  'GET /bank-statements/:id': 'AF',
  'GET /bank-statements/:id/lines': 'AF',
  'GET /books': 'AF',
  'GET /deposits': 'AF',
  'GET /deposits/:id': 'AF',
  'GET /deposits/:id/receipt-effect': 'AF',
  'GET /documents/:id/file': 'AFS',
  'GET /events': 'AS',
  'GET /factor-recoveries': 'AS',
  'GET /health': 'ARFS',
  'GET /held-conversions': 'AFS',
  'GET /inventory/item': 'ARFS',
  'GET /kyc/:id': 'AR',
  'GET /kyc/documents/:id': 'AR',
  'GET /ledger/accounts': 'AF',
  'GET /ledger/transfers': 'AF',
  'GET /notifications': 'ARFS',
  'GET /operations': 'ARFS',
  'GET /operations/:id': 'ARFS',
  'GET /operator-invitations': 'A',
  'GET /operators': 'A',
  'GET /preferences': 'ARFS',
  'GET /publishers': 'AFS',
  'GET /publishers/:id': 'AFS',
  'GET /publishers/:id/documents': 'AFS',
  'GET /publishers/:id/history': 'AFS',
  'GET /publishers/:id/inventory': 'ARFS',
  'GET /publishers/:id/members': 'AFS',
  'GET /publishers/:id/related': 'AFS',
  'GET /receipt-evidence/:id': 'AF',
  'GET /money-terms': 'AF',
  'GET /reversals': 'AF',
  'GET /reversals/:id': 'AF',
  'GET /review-reasons': 'ARFS',
  'GET /report-schedules': 'AFS',
  'GET /saved-views': 'ARFS',
  'GET /search': 'ARFS',
  'GET /settings': 'A',
  'GET /statistics/report': 'AFS',
  'GET /tasks': 'ARFS',
  'GET /tasks/:id': 'ARFS',
  'GET /tasks/:id/assignees': 'ARFS',
  'GET /tasks/counts': 'ARFS',
  'GET /timeline': 'ARFS',
  'GET /unbilled-events': 'AFS',
  'GET /unbilled-events/latest': 'AFS',
  'GET /withdrawals': 'AF',
  'GET /withdrawals/:id': 'AF',
  'GET /withdrawals/:id/payout-file': 'AF!',
  'GET /withdrawals/stages': 'AF',
  'POST /advertisers/:id/end-sessions': 'A!',
  'POST /advertisers/:id/hold-papers': 'A!',
  'POST /advertisers/:id/release-papers': 'A!',
  'POST /advertisers/:id/restore': 'A!',
  'POST /advertisers/:id/suspend': 'A!',
  'POST /approvals/:id/approve': 'AF!',
  'POST /approvals/:id/refuse': 'AF!',
  'POST /approvals/:id/withdraw': 'AF!',
  'POST /auth/email-change': 'ARFS!',
  'POST /auth/email-confirmation': 'ARFS',
  'POST /auth/factors/:id/confirm': 'ARFS',
  'POST /auth/factors/passkey': 'ARFS!',
  'POST /auth/factors/passkey/confirm': 'ARFS',
  'POST /auth/factors/totp': 'ARFS!',
  'POST /auth/logout': 'ARFS',
  'POST /auth/password': 'ARFS',
  'POST /auth/recovery-codes': 'ARFS!',
  'POST /auth/sessions/end-others': 'ARFS',
  'POST /auth/step-up': 'ARFS',
  'POST /auth/step-up/question': 'ARFS',
  'POST /balance-refunds': 'F!',
  'POST /bank-statements': 'F!',
  'POST /bank-statements/camt053': 'F!',
  'POST /inventory/recall': 'AR',
  'POST /inventory/sites/:id/suspend': 'AR',
  'POST /inventory/sites/:id/restore': 'AR',
  'POST /payout-status-files': 'F!',
  'POST /withdrawals/payout-files': 'F!',
  'POST /withdrawals/:id/payout-file/take-back': 'F!',
  'POST /bank-statements/:id/explain': 'F!',
  'POST /bank-statements/:id/record': 'F!',
  'POST /codec/pass': 'AF!',
  'POST /deposits/:id/receipts': 'F!',
  'POST /notifications/read': 'ARFS',
  'POST /operator-invitations': 'A!',
  'POST /operator-invitations/:id/resend': 'A!',
  'POST /operator-invitations/:id/take-back': 'A!',
  'POST /operators/:id/end-sessions': 'A!',
  'POST /operators/:id/restore': 'A!',
  'POST /operators/:id/role': 'A!',
  'POST /operators/:id/suspend': 'A!',
  'POST /publishers/:id/end-sessions': 'A!',
  'POST /publishers/:id/hold-papers': 'A!',
  'POST /publishers/:id/release-papers': 'A!',
  'POST /publishers/:id/restore': 'A!',
  'POST /publishers/:id/suspend': 'A!',
  'POST /receipt-evidence': 'AF',
  'POST /receipts/:id/take-back': 'F!',
  'POST /factor-recoveries/:id/refuse': 'AS',
  'POST /factor-recoveries/:id/vouch': 'AS!',
  'POST /money-terms': 'AF!',
  'POST /reversals': 'AF!',
  'POST /reversals/:id/cancel': 'AF!',
  'POST /report-schedules': 'AFS',
  'POST /report-schedules/:id/run': 'AFS',
  'POST /saved-views': 'ARFS',
  'POST /tasks/:id/assign': 'ARFS',
  'POST /tasks/:id/claim': 'ARFS',
  'POST /tasks/:id/decision': 'ARFS',
  'POST /tasks/:id/film': 'ARFS',
  'POST /tasks/:id/notes': 'ARFS',
  'POST /tasks/:id/release': 'ARFS',
  'POST /tasks/claim-next': 'ARFS',
  'POST /withdrawals/:id/return': 'F!',
  'PUT /auth/factors/:id': 'ARFS',
  'PUT /auth/profile': 'ARFS',
  'PUT /preferences': 'ARFS',
  'PUT /report-schedules/:id': 'AFS',
  'PUT /saved-views/:id': 'ARFS',
  'PUT /settings/:key': 'A!',
};
