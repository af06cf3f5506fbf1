import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { MEMBER_ROLES } from '../../domain/member.ts';
import { OPERATOR_ROLES, type OperatorRole } from '../../domain/operator.ts';
import { runBooks } from '../../db/queries/books.ts';
import { mountedRoutes } from '../../api/openapi/route-list.ts';
import type { TestDatabase } from '../support/database.ts';
import {
  AUDITED_READS,
  catalogue,
  nounOfId,
  NOUNS,
  OPEN_ROUTES,
  type RouteSpec,
  SETTING_KEY,
} from '../support/bad-input/catalogue.ts';
import {
  createRawClient,
  describe as shown,
  each,
  names,
  type RawAnswer,
  type RawClient,
  type RawRequest,
} from '../support/bad-input/client.ts';
import { tableHashes } from '../support/bad-input/tables.ts';
import {
  makeMembers,
  makeOperators,
  makeTenant,
  multipart,
  MULTIPART,
  type Tenant,
} from '../support/bad-input/tenants.ts';
import {
  DEEP,
  goodBody,
  ODD_QUERY,
  WRONG_QUERY,
  wrongForAll,
  wrongValues,
} from '../support/bad-input/values.ts';
import { createStand, type Stand } from '../support/stand.ts';

/**
 * Bad input on every route of the console, generated from the routes that are really mounted: the
 * right status and envelope, nothing stored. A route without an entry in the catalogue fails here.
 */
type Realm = 'advertiser' | 'publisher' | 'admin';

/** Past this, a minute's 60 writes of one account would be used up. */
const STEP_MS = 1_300;
const UNKNOWN_ID = 987_654_321;
const BAD_IDS = [
  'abc',
  '0',
  '-1',
  '1.5',
  '1e3',
  '00001',
  '9999999999999999',
  '99999999999999999999999',
  '%00',
  '1%00',
  '%27%20OR%201%3D1',
  '%EF%BC%91',
  '..%2f1',
  'NaN',
];
const NO_OBJECTS = [
  '{"name": ',
  '{name: 1}',
  '"text"',
  '7',
  'null',
  'NaN',
  '{}}',
  '\u0000',
  '{"a":1,}',
];
const NO_JSON_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'text/html',
  'application/jsonx',
  '*/*',
];
const MASS_ASSIGNMENT = [
  'balance',
  'audit_status',
  'kyc_status',
  'advertiser_id',
  'publisher_id',
  'account_id',
  'role',
  'status',
  'id',
  'token_version',
  'password_hash',
  'delivery_status',
  'verify_status',
  'zone_key',
  'tracking_code',
  'created_at',
  '__proto__',
  'constructor',
  'toString',
];
/** Thousands of requests each, on a machine that may be busy with other suites. */
const STORM_MS = 300_000;
/** Whoever sends the same POST twice may be answered from here; a session is seen by being used. */
const NOT_COMPARED = ['idempotency_keys', 'sessions'];

let stand: Stand;
let database: TestDatabase;
let client: RawClient;
let mine: Tenant;
let others: Tenant;
let operators: Record<OperatorRole, string>;
let members: Awaited<ReturnType<typeof makeMembers>>;
let routes: RouteSpec[];
let before: Record<string, string>;

beforeAll(async () => {
  stand = await createStand();
  ({ database } = stand);
  client = createRawClient(stand.port, () => {
    stand.passTime(STEP_MS);
  });
  mine = await makeTenant(database, client);
  others = await makeTenant(database, client);
  operators = await makeOperators(stand);
  members = await makeMembers(database, stand, mine);
  routes = catalogue(stand, mine.objects);
  before = await tableHashes(database, NOT_COMPARED);
});

afterAll(async () => {
  client.close();
  await stand.close();
});

const methodOf = ({ route }: RouteSpec): string => route.split(' ')[0] ?? '';

const realmOf = ({ route }: RouteSpec): Realm => {
  const realm = /\/api\/(\w+)/.exec(route)?.[1];
  if (realm === 'advertiser' || realm === 'publisher' || realm === 'admin') return realm;
  throw new Error(`${route} is in no realm`);
};

function pathOf(spec: RouteSpec, id?: string | number): string {
  const path = (spec.route.split(' ')[1] ?? '').replace(':key', SETTING_KEY);
  const own = spec.noun === undefined ? '' : mine.objects[spec.noun];
  return path.replace(':id', String(id ?? own));
}

const tokenOf = (spec: RouteSpec, tenant: Tenant = mine): string => {
  const realm = realmOf(spec);
  if (realm !== 'admin') return tenant[realm];
  // Money is not ADMIN's (interface 5.19).
  return operators[spec.roles?.includes('ADMIN') === false ? 'FINANCE' : 'ADMIN'];
};

/** The request as it ought to be, to be spoilt in one way. */
function requestOf(spec: RouteSpec, changes: Partial<RawRequest> = {}): RawRequest {
  return {
    method: methodOf(spec),
    path: pathOf(spec),
    token: spec.open ? undefined : tokenOf(spec),
    ...(spec.body === undefined ? {} : { body: goodBody(spec.body) }),
    ...changes,
  };
}

/**
 * What is refused for all routes by one piece of code is asked of each route in `count` of its forms, and in
 * others of the next route: each form meets dozens of routes.
 */
const inTurn = <Form>(spec: RouteSpec, forms: readonly Form[], count: number): Form[] => {
  const from = routes.indexOf(spec) * count;
  return Array.from(
    { length: Math.min(count, forms.length) },
    (_, at) => forms[(from + at) % forms.length] as Form,
  );
};

const withBody = (): RouteSpec[] => routes.filter(({ body }) => body !== undefined);
const isProtected = (spec: RouteSpec): boolean => spec.open !== true;

interface Expected {
  status: number | readonly number[];
  error?: string;
  /** Fields that the 422 has to name. */
  fields?: readonly string[];
}

/** What a field refuses, each with a word for it. */
type Wrong = readonly [name: string, values: readonly (readonly [label: string, value: unknown])[]];

/** What an upload cannot be asked without. */
const UPLOAD_QUERIES: Readonly<Record<string, string>> = {
  'POST /api/admin/bank-statements': '?account=Storm&date_column=Date&amount_column=Amount',
};

/** Everything that came out otherwise, as a list to read. */
class Findings {
  readonly list: string[] = [];

  async expect(request: RawRequest, expected: Expected, what = ''): Promise<RawAnswer> {
    const answer = await client.send(request);
    const { status, json } = answer;
    const wanted: readonly number[] =
      typeof expected.status === 'number' ? [expected.status] : expected.status;
    const missing = (expected.fields ?? []).filter((field) => !names(answer, field));
    const wrongError = expected.error !== undefined && json?.data?.error !== expected.error;
    if (!wanted.includes(status) || missing.length > 0 || wrongError) {
      this.list.push(
        `${what} ${shown(request)} -> ${status} ${answer.bytes.toString('utf8').slice(0, 240)}` +
          (missing.length > 0 ? ` (does not name ${missing.join(', ')})` : ''),
      );
    }
    return answer;
  }

  /**
   * Each of the values of each name is refused with its name: the first of all names together, then the second,
   * and so on. A name that is not told among the others is asked about alone, and so are all where the whole
   * is refused otherwise (too large): a fault in one field may hide what hangs on it.
   */
  async expectAllNamed(
    wrong: readonly Wrong[],
    requestWith: (values: Record<string, unknown>) => RawRequest,
  ): Promise<void> {
    const most = Math.max(0, ...wrong.map(([, values]) => values.length));
    for (let turn = 0; turn < most; turn += 1) {
      const now = wrong.flatMap(([name, values]) => {
        const value = values[turn];
        return value === undefined ? [] : [[name, ...value] as const];
      });
      const together = requestWith(Object.fromEntries(now.map(([name, , value]) => [name, value])));
      const answer = await client.send(together);
      for (const [name, label, value] of now) {
        if (answer.status === 422 && names(answer, name)) continue;
        const alone = requestWith({ [name]: value });
        await this.expect(alone, { status: 422, fields: [name] }, `${name}: ${label}`);
      }
    }
  }
}

describe('catalogue of routes', () => {
  test('every route · mounted in the application · is in the catalogue, and none else', () => {
    const mounted = mountedRoutes(stand.app).map(({ method, path }) => `${method} ${path}`);
    const known = [...OPEN_ROUTES, ...routes.map(({ route }) => route)];
    expect([...mounted].sort()).toEqual([...new Set(known)].sort());
    expect(new Set(known).size).toBe(known.length);
    const withId = mounted.filter((route) => route.includes(':id'));
    expect(withId.length).toBeGreaterThan(0);
    console.info(`${mounted.length} routes are mounted, ${withId.length} of them with :id`);
  });

  test('a route with :id · in the catalogue · says of what', () => {
    const nameless = routes.filter(
      ({ route, noun }) => route.includes(':id') !== (noun !== undefined),
    );
    expect(nameless.map(({ route }) => route)).toEqual([]);
    expect(NOUNS.filter((noun) => !(mine.objects[noun] > 0))).toEqual([]);
  });

  test('a route that writes · in the catalogue · says what it takes, or that it takes nothing', () => {
    const silent = routes.filter(
      (spec) =>
        /^(POST|PUT|PATCH)/.test(spec.route) &&
        spec.body === undefined &&
        spec.upload === undefined &&
        !spec.route.endsWith('/logout'),
    );
    expect(silent.map(({ route }) => route)).toEqual([]);
  });

  test('the good body of a create route · as it stands · is good', async () => {
    // On another tenant's things, so that the storm's own stay as they are: every fault below is
    // the spoilt part's, never the rest's.
    const findings = new Findings();
    const fresh = await makeTenant(database, client);
    const theirs = catalogue(stand, fresh.objects);
    await each(
      theirs.filter(
        (spec) =>
          /^POST \/api\/(advertiser|publisher)\/(\w+|media\/ai-\w+)$/.test(spec.route) &&
          spec.body !== undefined,
      ),
      async (spec) => {
        const request = requestOf(spec, { token: tokenOf(spec, fresh) });
        // A publisher that may withdraw is verified already; the advertiser's shows that it is good.
        const isVerified = spec.route === 'POST /api/publisher/kyc';
        await findings.expect(request, { status: isVerified ? 409 : [201, 202] });
      },
    );
    expect(findings.list).toEqual([]);
    before = await tableHashes(database, NOT_COMPARED);
  });
});

describe('who may ask', () => {
  test(
    'a protected route · without a token, or with a foreign or forged one · answers 401 or 403',
    async () => {
      const findings = new Findings();
      const past = Math.floor(Date.now() / 1_000) - 7_300;
      const expired = { iat: past, exp: past + 7_200, ver: 1 };
      await each(routes.filter(isProtected), async (spec) => {
        const realm = realmOf(spec);
        const owner = String(realm === 'admin' ? 1 : mine.objects[realm]);
        const other: Realm = realm === 'publisher' ? 'advertiser' : 'publisher';
        const good = tokenOf(spec);
        const [head = '', payload = '', seal = ''] = good.split('.');
        const subject = { subject: owner };
        type Refusal = [what: string, changes: Partial<RawRequest>, expected: Expected];
        const missing: Refusal[] = [
          ['no token', { token: undefined }, { status: 401, error: 'token_missing' }],
          [
            'basic',
            { token: undefined, headers: { Authorization: 'Basic YTpi' } },
            { status: 401, error: 'token_missing' },
          ],
        ];
        const broken: Refusal[] = [
          ['empty', { token: '' }, { status: 401 }],
          ['garbage', { token: 'garbage' }, { status: 401 }],
          ['three parts', { token: 'a.b.c' }, { status: 401 }],
          ['json of nothing', { token: 'e30.e30.e30' }, { status: 401 }],
          ['header of null', { token: `bnVsbA.${payload}.${seal}` }, { status: 401 }],
          ['payload of text', { token: `${head}.InRleHQi.${seal}` }, { status: 401 }],
          ['huge', { token: 'x'.repeat(7_000) }, { status: 401 }],
        ];
        const forged: Refusal[] = [
          ['no seal', { token: `${head}.${payload}.` }, { status: 401 }],
          ['other seal', { token: `${head}.${payload}.${seal.slice(0, -3)}AAA` }, { status: 401 }],
          ['alg none', { token: unsigned(owner, realm) }, { status: 401 }],
          ['our key for another audience', { token: audience(realm, owner) }, { status: 401 }],
        ];
        const stale: Refusal[] = [
          [
            'expired',
            { token: stand.sign(realm, expired, subject) },
            { status: 401, error: 'token_expired' },
          ],
          [
            'old version',
            { token: stand.sign(realm, { ver: 99 }, subject) },
            { status: 401, error: 'token_expired' },
          ],
        ];
        const nobody: Refusal[] = [
          [
            'nobody',
            { token: stand.sign(realm, { ver: 1 }, { subject: String(UNKNOWN_ID) }) },
            { status: 401 },
          ],
          ['no subject', { token: stand.sign(realm, { ver: 1 }) }, { status: 401 }],
          ['no version', { token: stand.sign(realm, {}, subject) }, { status: 401 }],
          ['version of text', { token: stand.sign(realm, { ver: 'x' }, subject) }, { status: 401 }],
          [
            'odd subject',
            { token: stand.sign(realm, { ver: 1 }, { subject: "1' OR 1=1" }) },
            { status: 401 },
          ],
        ];
        const foreign: Refusal[] = [
          ['another realm', { token: mine[other] }, { status: 403, error: 'wrong_realm' }],
          realm === 'admin'
            ? ['an advertiser', { token: mine.advertiser }, { status: 403, error: 'wrong_realm' }]
            : ['an operator', { token: operators.ADMIN }, { status: 403, error: 'wrong_realm' }],
        ];
        const refusals = [
          ...missing,
          ...inTurn(spec, broken, 1),
          ...inTurn(spec, forged, 2),
          ...inTurn(spec, stale, 1),
          ...inTurn(spec, nobody, 1),
          ...foreign,
        ];
        for (const [what, changes, expected] of refusals) {
          const answer = await findings.expect(requestOf(spec, changes), expected, what);
          if (expected.status === 401 && answer.json?.code === 40_101) {
            findings.list.push(`${spec.route} ${what}: says the password is wrong`);
          }
        }
      });
      expect(findings.list).toEqual([]);
    },
    STORM_MS,
  );

  const unsigned = (subject: string, realm: Realm): string => {
    const part = (value: object): string =>
      Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = {
      sub: subject,
      ver: 1,
      aud: `adplatform:${realm}`,
      iss: 'adplatform',
      jti: 'x',
    };
    return `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`;
  };
  const audience = (realm: Realm, subject: string): string =>
    stand.sign(realm, { ver: 1 }, { subject, audience: 'adplatform:nothing' });

  test('an operator route · with each role · lets in the stated ones and refuses the others', async () => {
    const findings = new Findings();
    const admin = routes.filter((spec) => realmOf(spec) === 'admin' && isProtected(spec));
    await each(admin, async (spec) => {
      for (const role of OPERATOR_ROLES) {
        const allowed = spec.roles?.includes(role) === true;
        const token = operators[role];
        if (!allowed) {
          const expected = { status: 403, error: 'forbidden_role' };
          await findings.expect(requestOf(spec, { token }), expected, role);
        } else if (methodOf(spec) === 'GET') {
          if (AUDITED_READS.includes(spec.route)) continue;
          // A creative's review is no concern of FINANCE (least-privilege.test.ts has each kind).
          if (spec.route.endsWith('/tasks/:id') && role === 'FINANCE') continue;
          // To whom it may be given, whoever decides it asks (desk.test.ts).
          if (spec.route.endsWith('/assignees') && !['ADMIN', 'REVIEWER'].includes(role)) continue;
          // These have nothing to answer without being asked for something.
          const status = /\/(events|search|inventory\/item)$/.test(spec.route) ? 422 : 200;
          await findings.expect(requestOf(spec, { token }), { status }, role);
        } else if (spec.body !== undefined) {
          const request = requestOf(spec, { token, body: { no_such_field: 1 } });
          await findings.expect(request, { status: 422 }, role);
        }
      }
    });
    const decide = { method: 'POST', path: `/api/admin/tasks/${mine.objects.task}/decision` };
    for (const role of ['SUPPORT', 'FINANCE'] as const) {
      const request = { ...decide, token: operators[role], body: { decision: 'approve' } };
      await findings.expect(request, { status: 403, error: 'forbidden_role' }, role);
    }
    expect(findings.list).toEqual([]);
  });

  test("an account's route · with each role · lets in the stated ones and refuses the others", async () => {
    const findings = new Findings();
    const own = routes.filter((spec) => realmOf(spec) !== 'admin' && isProtected(spec));
    const tried = { in: 0, out: 0 };
    await each(own, async (spec) => {
      const realm = realmOf(spec) as 'advertiser' | 'publisher';
      for (const role of MEMBER_ROLES) {
        const token = members[realm][role];
        if (spec.roles?.includes(role) !== true) {
          tried.out += 1;
          const expected = { status: 403, error: 'forbidden_role' };
          const { json } = await findings.expect(requestOf(spec, { token }), expected, role);
          const told = JSON.stringify(json?.data?.['roles']);
          if (told !== JSON.stringify(spec.roles)) findings.list.push(`${spec.route}: ${told}`);
        } else if (methodOf(spec) === 'GET') {
          tried.in += 1;
          // A file that is still being written is not there yet, and nothing has begun a test.
          const status = /\/(?:file|:test_id)$/.test(spec.route) ? 404 : 200;
          await findings.expect(requestOf(spec, { token }), { status }, role);
        } else if (spec.body !== undefined) {
          tried.in += 1;
          const request = requestOf(spec, { token, body: { no_such_field: 1 } });
          await findings.expect(request, { status: 422 }, role);
        }
      }
    });
    expect(findings.list).toEqual([]);
    expect(Math.min(tried.in, tried.out)).toBeGreaterThan(100);
    console.info(`members were let in ${tried.in} times and refused ${tried.out} times`);
  });
});

describe('whose it is', () => {
  test('a thing of another account · by any method · does not exist', async () => {
    const findings = new Findings();
    await each(
      routes.filter(({ noun }) => noun !== undefined),
      async (spec) => {
        const expected = { status: 404, error: 'not_found' };
        if (realmOf(spec) === 'admin') {
          await findings.expect(requestOf(spec, { path: pathOf(spec, UNKNOWN_ID) }), expected);
          return;
        }
        await findings.expect(requestOf(spec, { token: tokenOf(spec, others) }), expected);
        await findings.expect(requestOf(spec, { path: pathOf(spec, UNKNOWN_ID) }), expected);
      },
    );
    expect(findings.list).toEqual([]);
  });

  test('an id · that is no positive whole number · does not exist', async () => {
    const findings = new Findings();
    await each(
      routes.filter(({ noun }) => noun !== undefined),
      async (spec) => {
        for (const id of inTurn(spec, BAD_IDS, 5)) {
          await findings.expect(requestOf(spec, { path: pathOf(spec, id) }), { status: 404 }, id);
        }
        const broken = requestOf(spec, { path: pathOf(spec, '%zz') });
        await findings.expect(broken, { status: 400, error: 'malformed_request' });
      },
    );
    expect(findings.list).toEqual([]);
  });

  test('a reference · to a thing of another account · is refused as unknown', async () => {
    const findings = new Findings();
    await each(
      routes.filter(({ refs }) => refs !== undefined),
      async (spec) => {
        for (const [name, noun] of Object.entries(spec.refs ?? {})) {
          for (const id of [others.objects[noun], UNKNOWN_ID]) {
            if (spec.body === undefined) {
              const request = requestOf(spec, { path: `${pathOf(spec)}?${name}=${id}` });
              await findings.expect(request, { status: 404, error: 'not_found' });
              continue;
            }
            const request = requestOf(spec, { body: { ...goodBody(spec.body), [name]: id } });
            const answer = await findings.expect(request, { status: [404, 422] });
            if (answer.status === 422 && !names(answer, name)) {
              findings.list.push(`${shown(request)}: does not name ${name}`);
            }
          }
        }
      },
    );
    expect(findings.list).toEqual([]);
  });
});

describe('every other name of an id', () => {
  const named = (): { spec: RouteSpec; name: string }[] =>
    routes
      .filter((spec) => isProtected(spec) && realmOf(spec) !== 'admin')
      .flatMap((spec) => spec.ids.map((name) => ({ spec, name })));

  test('in an account’s route · is said whose it is', () => {
    const unsaid = named().filter(({ spec, name }) => nounOfId(spec.route, name) === undefined);
    expect(unsaid.map(({ spec, name }) => `${spec.route}: ${name}`)).toEqual([]);
  });

  test('of another account’s thing · is answered as of a thing that does not exist', async () => {
    const findings = new Findings();
    let asked = 0;
    for (const { spec, name } of named()) {
      const noun = nounOfId(spec.route, name);
      if (noun === null || noun === undefined) continue;
      asked += 1;
      const [theirs, nothing] = await Promise.all(
        [others.objects[noun], UNKNOWN_ID].map(async (id) => {
          const answer = await client.send(requestNaming(spec, name, id));
          return { answer, told: toldOf(answer, id) };
        }),
      );
      if (theirs === undefined || nothing === undefined) continue;
      const { answer, told } = theirs;
      const isNamed = answer.status !== 422 || names(answer, name.replace('?', ''));
      if (told === nothing.told && isNamed) continue;
      findings.list.push(`${shown(answer.request)}: ${told}, not ${nothing.told}`);
    }
    expect(findings.list).toEqual([]);
    expect(asked).toBeGreaterThan(40);
  });

  /** Everything else is the caller's own; what may be rehearsed is really asked for. */
  function requestNaming(spec: RouteSpec, name: string, id: number): RawRequest {
    const key = name.slice(1);
    if (name.startsWith(':')) {
      return requestOf(spec, { path: pathOf(spec).replace(name, String(id)) });
    }
    if (name.startsWith('?')) {
      const type = key === 'subject_id' ? `&subject_type=${nounOfId(spec.route, name)}` : '';
      return requestOf(spec, { path: `${pathOf(spec)}?${key}=${id}${type}` });
    }
    const good: Record<string, unknown> = structuredClone(goodBody(spec.body ?? {}));
    if (Object.hasOwn(good, 'dry_run')) good['dry_run'] = false;
    const [part = '', inner] = name.split('.');
    if (inner === undefined) good[part] = part.endsWith('ids') ? [id] : id;
    else good[part] = { ...(good[part] as object), [inner]: id };
    return requestOf(spec, { body: good });
  }

  /** What the answer says, but for the id itself, the request's and the moment. */
  const toldOf = ({ status, bytes }: RawAnswer, id: number): string =>
    `${status} ${bytes
      .toString('utf8')
      .replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'ID')
      .replaceAll(
        /"(request_id|timestamp|generated_at|as_of|settled_until)":("[^"]*"|\d+)/g,
        '"$1"',
      )}`;
});

describe('bodies', () => {
  test('a body · that is no JSON object, of another type, or too large · is refused before it is read', async () => {
    const findings = new Findings();
    const writes = routes.filter((spec) => /^(POST|PUT)/.test(spec.route) && !spec.upload);
    const big = JSON.stringify({ name: 'x'.repeat(300 * 1_024) });
    const bomb = gzipSync(Buffer.from(JSON.stringify({ name: 'x'.repeat(5_000_000) })));
    await each(writes, async (spec) => {
      const malformed = { status: 400, error: 'malformed_request' };
      const badType = { status: 415, error: 'unsupported_media' };
      const tooLarge = { status: 413, error: 'too_large' };
      for (const body of inTurn(spec, NO_OBJECTS, 3)) {
        await findings.expect(requestOf(spec, { body }), malformed);
      }
      for (const type of inTurn(spec, NO_JSON_TYPES, 2)) {
        const request = requestOf(spec, { body: '{}', headers: { 'Content-Type': type } });
        await findings.expect(request, badType, type);
      }
      const as = (headers: Record<string, string>, body: unknown = '{}'): Partial<RawRequest> => ({
        body,
        headers: { 'Content-Type': 'application/json', ...headers },
      });
      const koi = { 'Content-Type': 'application/json; charset=koi8-r' };
      const gzip = { 'Content-Encoding': 'gzip' };
      const encodings: [string, Partial<RawRequest>, Expected][] = [
        ['charset', as(koi), badType],
        ['encoding', as({ 'Content-Encoding': 'snappy' }), badType],
        ['no gzip', as(gzip), malformed],
      ];
      const large: [string, Partial<RawRequest>, Expected][] = [
        ['large', { body: big }, tooLarge],
        ['gzip bomb', as(gzip, bomb), tooLarge],
      ];
      for (const [what, changes, expected] of [
        ...inTurn(spec, encodings, 1),
        ...inTurn(spec, large, 1),
      ]) {
        await findings.expect(requestOf(spec, changes), expected, what);
      }
    });
    expect(findings.list).toEqual([]);
  });

  test('a list, or a file · where an object is expected · is refused', async () => {
    const findings = new Findings();
    await each(withBody(), async (spec) => {
      const malformed = { status: 400, error: 'malformed_request' };
      for (const body of ['[]', '[{}]', DEEP]) {
        await findings.expect(requestOf(spec, { body }), malformed);
      }
      const file = { headers: MULTIPART, body: multipart(Buffer.from('{}')) };
      const expected = { status: 415, error: 'unsupported_media' };
      await findings.expect(requestOf(spec, file), expected, 'a file');
    });
    expect(findings.list).toEqual([]);
  });

  test(
    'a field · that the route does not know · is named, and nothing is assigned',
    async () => {
      const findings = new Findings();
      await each(withBody(), async (spec) => {
        const good = JSON.stringify(goodBody(spec.body ?? {}));
        const start = good === '{}' ? '{' : `${good.slice(0, -1)},`;
        const unknown = MASS_ASSIGNMENT.filter((name) => !Object.hasOwn(spec.body ?? {}, name));
        // Each is named among all of them; alone, the one whose turn it is.
        for (const asked of [unknown, inTurn(spec, unknown, 1)]) {
          const parts = asked.map((name) => `${JSON.stringify(name)}:0`).join();
          const request = requestOf(spec, { body: `${start}${parts}}` });
          const answer = await findings.expect(request, { status: 422, fields: asked });
          for (const { field: name, code } of answer.json?.data?.errors ?? []) {
            const isKnown = spec.shows?.includes(name) === true;
            if (asked.includes(name) && code !== (isKnown ? 'read_only' : 'unknown_field')) {
              findings.list.push(`${shown(request)}: ${name} is ${code}`);
            }
          }
        }
        const all = unknown.map((name) => `${JSON.stringify(name)}:{"$gt":0}`).join();
        const request = requestOf(spec, { body: `${start}${all}}` });
        await findings.expect(request, { status: 422, fields: unknown }, 'operators');
      });
      expect(findings.list).toEqual([]);
    },
    STORM_MS,
  );

  test(
    'a field · of the wrong type or out of bounds · is named',
    async () => {
      const findings = new Findings();
      await each(withBody(), async (spec) => {
        const good = goodBody(spec.body ?? {});
        const fields = Object.entries(spec.body ?? {});
        const wrong = fields.map(([name, rules]): Wrong => [name, wrongValues(rules)]);
        await findings.expectAllNamed(wrong, (values) =>
          requestOf(spec, { body: { ...good, ...values } }),
        );
        for (const [name, { required }] of fields) {
          if (!required) continue;
          const { [name]: _absent, ...rest } = good;
          const request = requestOf(spec, { body: rest });
          await findings.expect(request, { status: 422, fields: [name] }, `${name}: absent`);
        }
        for (const [name] of inTurn(spec, fields, 1)) {
          const text = JSON.stringify({ ...good, [name]: '@' }).replace('"@"', DEEP);
          const headers = { 'Idempotency-Key': `deep-${name}` };
          const deep = requestOf(spec, { body: text, headers });
          await findings.expect(deep, { status: [400, 422] }, `${name}: 30,000 deep`);
        }
      });
      expect(findings.list).toEqual([]);
    },
    STORM_MS,
  );

  test('several wrong fields · in one body · are all named at once', async () => {
    const findings = new Findings();
    await each(withBody(), async (spec) => {
      const fields = Object.entries(spec.body ?? {});
      if (fields.length === 0) return;
      const body = Object.fromEntries(fields.map(([name, rules]) => [name, wrongForAll(rules)]));
      const expected = { status: 422, fields: Object.keys(body) };
      await findings.expect(requestOf(spec, { body }), expected);
      const required = fields.filter(([, rules]) => rules.required).map(([name]) => name);
      if (required.length === 0) return;
      await findings.expect(requestOf(spec, { body: {} }), { status: 422, fields: required });
    });
    expect(findings.list).toEqual([]);
  });

  test('an Idempotency-Key · that is no key · is named', async () => {
    const findings = new Findings();
    const posts = withBody().filter(
      (spec) =>
        spec.route.startsWith('POST') && isProtected(spec) && !spec.route.includes('/auth/'),
    );
    await each(posts, async (spec) => {
      for (const key of ['x'.repeat(256), 'with space', 'caf\u00e9', 'tab\there']) {
        const request = requestOf(spec, {
          body: { no_such_field: 1 },
          headers: { 'Idempotency-Key': key },
        });
        await findings.expect(request, { status: 422, fields: ['Idempotency-Key'] });
      }
    });
    expect(findings.list).toEqual([]);
  });

  test('an upload · that is no picture in the field "file" · is refused', async () => {
    const findings = new Findings();
    const uploads = routes.filter(({ upload }) => upload === true);
    expect(uploads.length).toBeGreaterThan(0);
    await each(uploads, async (spec) => {
      const post = async (changes: Partial<RawRequest>, expected: Expected): Promise<void> => {
        const path = pathOf(spec) + (UPLOAD_QUERIES[spec.route] ?? '');
        const request = requestOf(spec, { path, headers: MULTIPART, ...changes });
        await findings.expect(request, expected);
      };
      await post({ body: '{}', headers: {} }, { status: 415, error: 'unsupported_media' });
      await post({ body: 'nothing like it' }, { status: [400, 422] });
      await post({ body: multipart(Buffer.alloc(0)) }, { status: [415, 422] });
      await post({ body: multipart(Buffer.from('<svg xmlns="x"/>')) }, { status: [415, 422] });
      await post({ body: multipart(Buffer.from('GIF89a')) }, { status: [415, 422] });
      await post(
        { body: multipart(Buffer.from('x'), { name: 'other' }) },
        { status: 422, fields: ['other'] },
      );
      await post({ body: multipart(Buffer.alloc(6 * 1_024 * 1_024)) }, { status: [413, 415] });
      const boundless = { 'Content-Type': 'multipart/form-data' };
      await post({ body: multipart(Buffer.from('x')), headers: boundless }, { status: 400 });
      const cut = multipart(Buffer.from('x')).subarray(0, 60);
      await post({ body: cut }, { status: 400 });
    });
    expect(findings.list).toEqual([]);
  });
});

describe('queries', () => {
  const lists = (): RouteSpec[] =>
    routes.filter(({ query, route }) => query !== undefined && !AUDITED_READS.includes(route));
  const ask = (spec: RouteSpec, query: string): RawRequest =>
    requestOf(spec, { path: `${pathOf(spec)}?${query}` });

  test('a parameter · that the list does not know · is named', async () => {
    const findings = new Findings();
    expect(lists().length).toBeGreaterThan(0);
    await each(lists(), async (spec) => {
      for (const name of [
        'no_such_parameter',
        'advertiser',
        'constructor',
        '__proto__',
        'status[a]',
      ]) {
        const query = `${encodeURIComponent(name)}=1`;
        await findings.expect(ask(spec, query), { status: 422, fields: [name] });
      }
      const both = ask(spec, 'first_unknown=1&second_unknown=2');
      await findings.expect(both, { status: 422, fields: ['first_unknown', 'second_unknown'] });
    });
    expect(findings.list).toEqual([]);
  });

  test('a parameter · that is not of its kind, or repeated · is named', async () => {
    const findings = new Findings();
    await each(lists(), async (spec) => {
      const wrong = Object.entries(spec.query ?? {}).map(([name, kind]): Wrong => [
        name,
        [
          ...WRONG_QUERY[kind].map((value): [string, string] => [kind, value]),
          ['twice', `1&${name}=2`],
        ],
      ]);
      await findings.expectAllNamed(wrong, (values) =>
        ask(
          spec,
          Object.entries(values)
            .map(([name, value]) => `${name}=${String(value)}`)
            .join('&'),
        ),
      );
    });
    expect(findings.list).toEqual([]);
  });

  test('a parameter · that is empty, or the cache’s own · counts as absent', async () => {
    const findings = new Findings();
    await each(lists(), async (spec) => {
      const without = await client.send(requestOf(spec));
      const empty = [...Object.keys(spec.query ?? {}), 'no_such_parameter']
        .map((name) => `${name}=&_=&${name}=`)
        .join('&');
      const request = ask(spec, `_=1700000000&${empty}`);
      await findings.expect(request, { status: without.status }, 'empty');
    });
    expect(findings.list).toEqual([]);
  });

  test('a parameter · that is odd but of its kind · is answered, never a fault', async () => {
    const findings = new Findings();
    await each(lists(), async (spec) => {
      for (const [name, kind] of Object.entries(spec.query ?? {})) {
        for (const value of ODD_QUERY[kind]) {
          await findings.expect(ask(spec, `${name}=${value}`), { status: [200, 404, 422] }, kind);
        }
      }
    });
    expect(findings.list).toEqual([]);
  });

  test('a keyword of wildcards · in any list · stands for itself', async () => {
    const findings = new Findings();
    await each(
      lists().filter(({ query }) => query?.['keyword'] === 'text'),
      async (spec) => {
        for (const value of ['%25%25', '%25_', '%5C', '%5C%25']) {
          const answer = await findings.expect(ask(spec, `keyword=${value}`), { status: 200 });
          if (answer.json?.data?.total !== 0) {
            findings.list.push(`${spec.route}: keyword ${value} finds something`);
          }
        }
      },
    );
    expect(findings.list).toEqual([]);
  });

  test('page_size · beyond the maximum · is clamped and echoed', async () => {
    const findings = new Findings();
    await each(
      lists().filter(({ query }) => query?.['page_size'] !== undefined),
      async (spec) => {
        const answer = await findings.expect(ask(spec, 'page_size=1000'), { status: 200 });
        if (answer.json?.data?.page_size !== 100) findings.list.push(`${spec.route}: not clamped`);
        const far = await findings.expect(ask(spec, 'page=10000&page_size=100'), { status: 200 });
        if (far.json?.data?.items?.length !== 0) findings.list.push(`${spec.route}: far page`);
      },
    );
    expect(findings.list).toEqual([]);
  });
});

describe('addresses', () => {
  test('a path or method · that nothing is mounted on · answers 404 in the envelope', async () => {
    const findings = new Findings();
    const nowhere = { status: 404, error: 'not_found' };
    for (const [realm, token] of [
      ['advertiser', mine.advertiser],
      ['publisher', mine.publisher],
      ['admin', operators.ADMIN],
    ] as const) {
      for (const path of [
        '',
        '/',
        '/no-such-thing',
        '/no/such/thing',
        '/auth',
        '/auth/nothing',
        '/%00',
      ]) {
        await findings.expect({ method: 'GET', path: `/api/${realm}${path}`, token }, nowhere);
      }
      for (const method of ['PATCH', 'PROPFIND', 'TRACE', 'LINK']) {
        await findings.expect({ method, path: `/api/${realm}/auth/profile`, token }, nowhere);
      }
      await findings.expect(
        { method: 'GET', path: `/api/${realm}/%zz`, token },
        { status: [400, 404] },
      );
    }
    for (const path of ['/api', '/.env', '/media/..%2f..%2fx/y', '/media/a/%00', '/media/a/b']) {
      await findings.expect({ method: 'GET', path }, nowhere);
    }
    expect(findings.list).toEqual([]);
  });

  test('what is no HTTP · on the wire · is refused, and the next request is answered', async () => {
    const bytes = [
      'GET /api/advertiser/campaigns HTTP/1.1\r\nHost: a\r\nX: \u0000\r\n\r\n',
      'GET /\u0000 HTTP/1.1\r\nHost: a\r\n\r\n',
      'POST /api/advertiser/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'nonsense\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    ];
    const statuses = await Promise.all(bytes.map(async (text) => await statusOf(text)));
    expect(statuses).toEqual(['400', '400', '400', '400', '431']);
    const alive = await client.send({ method: 'GET', path: '/health/live' });
    expect(alive.status).toBe(200);
  });

  async function statusOf(text: string): Promise<string> {
    const socket = net.connect(stand.port, '127.0.0.1');
    socket.end(text);
    let answer = '';
    for await (const chunk of socket as AsyncIterable<Buffer>) answer += chunk.toString('latin1');
    return answer.split(' ')[1] ?? 'nothing';
  }
});

describe('after the storm', () => {
  test('the database · after every refusal · is what it was, row by row', async () => {
    expect(await tableHashes(database, NOT_COMPARED)).toEqual(before);
  });

  test('the books · after every refusal · agree', async () => {
    const checks = await runBooks(database.pool);
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  });

  test('no answer · of all · was a fault of ours, or an error without its envelope', () => {
    console.info(`${client.sent()} requests were sent to the console`);
    expect(stand.faults).toEqual([]);
    expect(client.faults).toEqual([]);
  });
});
