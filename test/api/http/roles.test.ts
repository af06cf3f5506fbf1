import { mountedRoutes } from '../../../api/openapi/route-list.ts';
import { rolesOf } from '../../../api/openapi/openapi-responses.ts';
import { rolesThatMay } from '../../../api/http/roles.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

/** Who may call what. That each route heeds it: test/api/every-route.test.ts. */
let database: TestDatabase;
let testApp: TestApp;

beforeAll(async () => {
  database = await createTestDatabase();
  testApp = await createTestApp(database);
});
afterAll(async () => {
  await testApp.close();
  await database.close();
});

describe('a contract that names no role', () => {
  test.each(['advertiser', 'publisher'] as const)(
    'of %s · is read by everybody and written by ADMIN and EDITOR',
    (realm) => {
      const everyone = ['ADMIN', 'EDITOR', 'FINANCE', 'VIEWER'];
      expect(rolesThatMay(realm, 'GET')).toEqual(everyone);
      expect(rolesThatMay(realm, 'HEAD')).toEqual(everyone);
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'SOMETHING']) {
        expect(rolesThatMay(realm, method)).toEqual(['ADMIN', 'EDITOR']);
      }
    },
  );

  test('of the operators · is for ADMIN alone', () => {
    expect(rolesThatMay('admin', 'GET')).toEqual(['ADMIN']);
    expect(rolesThatMay('admin', 'POST')).toEqual(['ADMIN']);
  });
});

describe('a contract that names roles', () => {
  test('by what it names · lets these and ADMIN in, and no word of another realm', () => {
    expect(rolesThatMay('advertiser', 'GET', [])).toEqual(['ADMIN']);
    expect(rolesThatMay('advertiser', 'POST', ['FINANCE'])).toEqual(['ADMIN', 'FINANCE']);
    expect(rolesThatMay('publisher', 'POST', ['SUPPORT', 'REVIEWER'])).toEqual(['ADMIN']);
    expect(rolesThatMay('admin', 'POST', ['EDITOR', 'FINANCE'])).toEqual(['ADMIN', 'FINANCE']);
    expect(rolesThatMay('admin', 'POST', 'everyone')).toHaveLength(4);
  });
});

describe('routes of an account', () => {
  const others = (by: 'advertiser' | 'publisher', fits: (method: string) => boolean) =>
    Object.fromEntries(
      mountedRoutes(testApp.app).flatMap(({ method, path, contract }) => {
        if (contract === undefined || !path.startsWith(`/api/${by}/`) || !fits(method)) return [];
        const roles = rolesOf({ method, path, contract })?.join(' ');
        if (roles === undefined || roles === rolesThatMay(by, method).join(' ')) return [];
        return [[`${method} ${path.slice(`/api/${by}`.length)}`, roles]];
      }),
    );
  const isRead = (method: string): boolean => method === 'GET';
  const isWrite = (method: string): boolean => !isRead(method);

  /** What is not as silence has it is said here as well: a slip of one contract is seen. */
  test('of advertisers · that differ from reading for all and writing for EDITOR · are these', () => {
    expect(others('advertiser', isRead)).toEqual({
      'GET /members': 'ADMIN',
      'GET /trackers/:id/postback-secret': 'ADMIN EDITOR',
    });
    expect(others('advertiser', isWrite)).toEqual({
      ...OF_EVERYBODY,
      ...OF_IDENTITY,
      ...OF_MEMBERS,
      ...OF_WEBHOOKS,
      'POST /deposits': 'ADMIN FINANCE',
      'POST /deposits/:id/cancel': 'ADMIN FINANCE',
    });
  });

  test('of publishers · that differ from reading for all and writing for EDITOR · are these', () => {
    expect(others('publisher', isRead)).toEqual({ 'GET /members': 'ADMIN' });
    expect(others('publisher', isWrite)).toEqual({
      ...OF_EVERYBODY,
      ...OF_IDENTITY,
      ...OF_MEMBERS,
      ...OF_WEBHOOKS,
      'POST /withdrawals': 'ADMIN FINANCE',
      'POST /withdrawals/:id/cancel': 'ADMIN FINANCE',
      'POST /withdrawals/bank-cards': 'ADMIN FINANCE',
      'PUT /withdrawals/bank-cards/:id': 'ADMIN FINANCE',
      'DELETE /withdrawals/bank-cards/:id': 'ADMIN FINANCE',
    });
  });
});

const EVERYBODY = 'ADMIN EDITOR FINANCE VIEWER';
const OF_EVERYBODY = {
  'POST /auth/logout': EVERYBODY,
  'POST /auth/password': EVERYBODY,
  'POST /auth/email-change': EVERYBODY,
  'DELETE /auth/email-change': EVERYBODY,
  'POST /auth/email-confirmation': EVERYBODY,
  'DELETE /auth/factors/:id': EVERYBODY,
  'PUT /auth/factors/:id': EVERYBODY,
  'POST /auth/factors/:id/confirm': EVERYBODY,
  'POST /auth/factors/passkey': EVERYBODY,
  'POST /auth/factors/passkey/confirm': EVERYBODY,
  'POST /auth/factors/totp': EVERYBODY,
  'POST /auth/recovery-codes': EVERYBODY,
  'DELETE /auth/sessions/:id': EVERYBODY,
  'POST /auth/sessions/end-others': EVERYBODY,
  'POST /auth/step-up': EVERYBODY,
  'POST /auth/step-up/question': EVERYBODY,
  'PUT /auth/profile': EVERYBODY,
  'POST /report-schedules': EVERYBODY,
  'PUT /report-schedules/:id': EVERYBODY,
  'DELETE /report-schedules/:id': EVERYBODY,
  'POST /report-schedules/:id/run': EVERYBODY,
  'POST /saved-views': EVERYBODY,
  'PUT /saved-views/:id': EVERYBODY,
  'DELETE /saved-views/:id': EVERYBODY,
  'PUT /preferences': EVERYBODY,
};
const OF_MEMBERS = {
  'POST /members': 'ADMIN',
  'PUT /members/:id': 'ADMIN',
  'DELETE /members/:id': 'ADMIN',
  'POST /members/:id/resend': 'ADMIN',
  'POST /members/:id/end-sessions': 'ADMIN',
  'POST /members/:id/suspend': 'ADMIN',
  'POST /members/:id/restore': 'ADMIN',
};
const OF_WEBHOOKS = {
  'POST /webhooks': 'ADMIN',
  'PUT /webhooks/:id': 'ADMIN',
  'DELETE /webhooks/:id': 'ADMIN',
  'POST /webhooks/:id/rotate-secret': 'ADMIN',
  'POST /webhooks/:id/test': 'ADMIN',
  'POST /webhooks/:id/deliveries/:delivery_id/resend': 'ADMIN',
};
const OF_IDENTITY = { 'POST /kyc': 'ADMIN FINANCE', 'POST /kyc/documents': 'ADMIN FINANCE' };
