import { placeOf } from '../../db/sealed-columns.ts';
import { type MountedRoute, mountedRoutes } from '../../api/openapi/route-list.ts';
import { readOnlyFields } from '../../api/http/write-back.ts';
import { governsMoney } from '../../domain/approvals.ts';
import { SETTING_KEYS } from '../../domain/settings.ts';
import { nounOf } from '../support/bad-input/catalogue.ts';
import {
  createRawClient,
  names,
  type RawAnswer,
  type RawClient,
} from '../support/bad-input/client.ts';
import { makeOperators, makeTenant, type Tenant } from '../support/bad-input/tenants.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { testProviders } from '../support/providers.ts';

/** One that takes effect at once: those that govern money wait for another person's word. */
const OWN_SETTING = SETTING_KEYS.find((key) => !governsMoney(key)) ?? '';

/** Of every update that is mounted: its record may be read, changed and written back (interface 2.1). */
let database: TestDatabase;
let app: TestApp;
let client: RawClient;
let tenant: Tenant;
let admin: string;
/** An operator's own is no tenant's. */
let operatorsOwn: Readonly<Record<string, string>>;
let updates: MountedRoute[];

beforeAll(async () => {
  database = await createTestDatabase();
  app = await createTestApp(database);
  client = createRawClient(app.port, () => {
    app.passTime(1_300);
  });
  tenant = await makeTenant(database, client);
  admin = (await makeOperators(app)).ADMIN;
  const view = { page: 'reports', name: 'Own', state: { columns: ['spend'] } };
  const made = { method: 'POST', path: '/api/admin/saved-views', token: admin, body: view };
  const operatorView = (await client.send(made)).json?.data?.['id' as never];
  operatorsOwn = {
    operatorSavedView: String(operatorView),
    operatorReportSchedule: await operatorSchedule(),
    operatorFactor: await operatorFactor(),
  };
  updates = mountedRoutes(app.app).filter(({ method }) => method === 'PUT');
});
afterAll(async () => {
  client.close();
  await app.close();
  await database.close();
});

async function operatorSchedule(): Promise<string> {
  const body = {
    name: 'Own',
    group_by: 'date',
    period: 'YESTERDAY',
    timezone: 'UTC',
    frequency: 'DAILY',
    hour: 8,
  };
  const path = '/api/admin/report-schedules';
  const made = await client.send({ method: 'POST', path, token: admin, body });
  return String(made.json?.data?.['id' as never]);
}

async function operatorFactor(): Promise<string> {
  const { rows: admins } = await database.pool.query<{ id: string }>(
    `SELECT id FROM operators WHERE role = 'ADMIN'`,
  );
  const adminId = admins[0]?.id ?? '';
  const { rows } = await database.pool.query<{ id: string }>(
    `INSERT INTO factors (id, person_type, person_id, kind, name, sealed_secret)
     VALUES (9001, 'OPERATOR', $2, 'TOTP', 'Own', $1) RETURNING id`,
    [
      testProviders().sealer.seal(
        'JBSWY3DPEHPK3PXP',
        placeOf('factors.sealed_secret', 'OPERATOR', adminId, 9_001),
      ),
      adminId,
    ],
  );
  return rows[0]?.id ?? '';
}

const tokenOf = (path: string): string =>
  path.startsWith('/api/admin')
    ? admin
    : tenant[path.startsWith('/api/advertiser') ? 'advertiser' : 'publisher'];

function addressOf({ path }: MountedRoute): string {
  const noun = nounOf(path);
  const id = noun === undefined ? '' : (operatorsOwn[noun] ?? String(tenant.objects[noun]));
  return path.replace(':id', id).replace(':key', OWN_SETTING);
}

type Sent = Record<string, unknown>;

const put = async (route: MountedRoute, body: Sent): Promise<RawAnswer> =>
  await client.send({ method: 'PUT', path: addressOf(route), token: tokenOf(route.path), body });

async function read(route: MountedRoute): Promise<Sent> {
  const path = addressOf(route);
  // Some records have no page of their own: they are read in their list.
  const isListed = /\/(settings|members|saved-views|report-schedules|factors|bank-cards)\//.test(
    path,
  );
  const [, list = path, name] = /^(.*)\/([^/]+)$/.exec(path) ?? [];
  const asked = isListed ? list : path;
  const { json } = await client.send({ method: 'GET', path: asked, token: tokenOf(path) });
  const data = json?.data as unknown as Sent & { items?: Sent[] };
  const found = isListed
    ? data.items?.find(({ key, id }) => key === name || String(id) === name)
    : data;
  if (found === undefined) throw new Error(`${path} answers no record`);
  return found;
}

/** Of factors those count that were confirmed; with one, every write of money or settings asks for it. */
async function confirmFactors(route: MountedRoute): Promise<void> {
  const at = route.path.includes('/factors/') ? 'now()' : 'NULL';
  await database.pool.query(`UPDATE factors SET confirmed_at = ${at}`);
}

/** Without what a write changes by itself, and what time does: the seal of an address. */
const lasting = ({ version: _v, updated_at: _u, updated_by: _b, ...rest }: Sent): Sent =>
  Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replace(/\/signed\/[^/]+\//, '/signed/') : value,
    ]),
  );

test('every update · mounted in the application · takes its record', () => {
  expect(updates.length).toBeGreaterThan(8);
  const without = updates.filter(({ contract }) => contract?.current === undefined);
  expect(without.map(({ path }) => path)).toEqual([]);
});

test('a record · written back as it was read · is taken and stays as it is', async () => {
  for (const route of updates) {
    await confirmFactors(route);
    const before = await read(route);
    const { status, json } = await put(route, before);
    expect([route.path, status, lasting((json?.data ?? {}) as Sent)]).toEqual([
      route.path,
      200,
      lasting(before),
    ]);
    expect(lasting(await read(route))).toEqual(lasting(before));
  }
});

test('a read-only field · with another value · is refused, or read over where it moves by itself', async () => {
  for (const route of updates) {
    await confirmFactors(route);
    const before = await read(route);
    const { answer: shape, body } = route.contract ?? {};
    if (shape === undefined || body === undefined) throw new Error(`${route.path} takes nothing`);
    for (const [name, field] of Object.entries(readOnlyFields(shape, body))) {
      const wrong = await put(route, { ...before, [name]: { neither: 1 } });
      expect([route.path, name, wrong.status, names(wrong, name)]).toEqual([
        route.path,
        name,
        422,
        true,
      ]);
      expect(wrong.json?.data?.errors).toEqual([
        expect.objectContaining({ field: name, code: 'read_only' }),
      ]);
      const other = typeof before[name] === 'number' ? Number(before[name]) + 1 : 'ARCHIVED';
      const differing = await put(route, { ...before, [name]: other });
      const fits = field.spec.meta?.moving === true && field.isValidSync(other, { strict: true });
      expect([route.path, name, differing.status]).toEqual([route.path, name, fits ? 200 : 422]);
    }
    const unknown = await put(route, { ...before, no_such_field: 1 });
    expect(unknown.json?.data?.errors).toEqual([
      expect.objectContaining({ field: 'no_such_field', code: 'unknown_field' }),
    ]);
    expect(lasting(await read(route))).toEqual(lasting(before));
  }
});

test('one of two names of a value · changed in a record as it was read · is what counts', async () => {
  const zone = updates.find(({ path }) => path === '/api/publisher/zones/:id');
  if (zone === undefined) throw new Error('no such update');
  const typed = await put(zone, { ...(await read(zone)), ad_type: 'POPUP', frequency: null });
  expect(typed.json?.data).toMatchObject({ type: 'POPUP', ad_type: 'POPUP' });
  const back = await put(zone, { ...(await read(zone)), trigger: null });
  expect([back.status, (await read(zone))['trigger']]).toEqual([200, expect.any(Object)]);
});

test('a record · paused after it was read, then changed and written back · is changed and stays paused', async () => {
  const kinds = updates.filter(({ path }) =>
    /\/(campaigns|adgroups|ads|creatives|sites|zones)\/:id$/.test(path),
  );
  expect(kinds).toHaveLength(6);
  for (const route of kinds) {
    const before = await read(route);
    const toggle = {
      method: 'POST',
      path: `${addressOf(route)}/toggle`,
      token: tokenOf(route.path),
    };
    expect((await client.send({ ...toggle, body: {} })).status).toBe(200);
    const changed = await put(route, { ...before, name: 'Read before' });
    expect([route.path, changed.status, changed.json?.data]).toEqual([
      route.path,
      200,
      expect.objectContaining({ name: 'Read before', status: 'PAUSED' }),
    ]);
    expect((await client.send({ ...toggle, body: {} })).status).toBe(200);
  }
});
