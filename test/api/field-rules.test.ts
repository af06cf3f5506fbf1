import type * as yup from 'yup';
import { readAmounts } from '../../api/http/read.ts';
import { mountedRoutes } from '../../api/openapi/route-list.ts';
import { createStand, type Stand } from '../support/stand.ts';

/**
 * Every text that a request may write, at any depth, in one look: a new field cannot forget what no text
 * may hold, and no address that we are to call may be one that no call could reach.
 */
let stand: Stand;
beforeAll(async () => {
  stand = await createStand();
});
afterAll(async () => await stand?.close());

interface Leaf {
  at: string;
  field: string;
  schema: yup.StringSchema;
}

/** Texts of a body, of its parts, and of its lists' items. */
function leavesOf(schema: unknown, at: string): Leaf[] {
  const { type, fields, innerType } = schema as {
    type: string;
    fields?: Record<string, unknown>;
    innerType?: unknown;
  };
  if (type === 'object') {
    return Object.entries(fields ?? {}).flatMap(([name, each]) => leavesOf(each, `${at} ${name}`));
  }
  if (type === 'array') return innerType === undefined ? [] : leavesOf(innerType, at);
  const field = at.split(' ').at(-1) ?? '';
  return type === 'string' ? [{ at, field, schema: schema as yup.StringSchema }] : [];
}

const leaves = (): Leaf[] =>
  mountedRoutes(stand.app).flatMap(({ method, path, contract }) =>
    // What pages and servers report is told by no form: api/pages.ts and the events' facts clean it.
    contract?.body === undefined || !path.startsWith('/api/')
      ? []
      : leavesOf(contract.body, `${method} ${path}`),
  );
const takes = ({ schema }: Leaf, text: string): boolean => schema.isValidSync(text);

/** Never shown as text: compared and not kept, or run in a box of its own and shown as code. */
const isShown = ({ at, schema, field }: Leaf): boolean =>
  !['secret', 'code'].includes(schema.describe().meta?.kind ?? '') &&
  !at.endsWith('/auth/login username') &&
  field !== 'vast_xml';

test('a text that others read · holds nothing that turns, hides or runs', () => {
  const all = leaves().filter(isShown);
  expect(all.length).toBeGreaterThan(60);
  const unreadable = ['moc.\u202elapyap', 'a\u2066b', 'pay\u200bpal', 'javascript:alert(1)'];
  const loose = unreadable.flatMap((text) =>
    all.filter((leaf) => takes(leaf, text)).map(({ at }) => `${at} takes ${JSON.stringify(text)}`),
  );
  expect(loose).toEqual([]);
});

test('every amount that a route takes · as decimal text · is read as the number', () => {
  const found = mountedRoutes(stand.app).flatMap(({ method, path, contract }) => {
    const body = contract?.body;
    if (body === undefined) return [];
    return Object.entries(body.fields as Record<string, yup.AnySchema>).flatMap(([name, field]) =>
      field.describe().meta?.kind === 'amount'
        ? [{ at: `${method} ${path} ${name}`, name, body }]
        : [],
    );
  });
  expect(found.length).toBeGreaterThan(15);
  const read = found.map(({ at, name, body }) => {
    const sent = readAmounts({ [name]: '12.345678' }, body);
    return [at, (sent as Record<string, unknown>)[name]];
  });
  expect(read).toEqual(found.map(({ at }) => [at, 12.345678]));
});

/** Addresses that are shown or led to by a browser; every other one is called by us. */
const LED_TO = new Set(['landing_url', 'click_url', 'vast_url', 'display_url', 'site_url']);
/** `url` of a site is shown, of a webhook it is called. */
const isCalled = ({ at, field }: Leaf): boolean =>
  /(^|_)url$/.test(field) && !LED_TO.has(field) && !/\/sites\b/.test(at);

test.each([
  'https://shop.example:8099/sold',
  'http://127.0.0.1/sold',
  'http://10.0.0.8/sold',
  'http://169.254.169.254/latest',
  'http://[::1]/sold',
  'http://0x7f000001/sold',
  'http://localhost/sold',
  'http://printer.local/sold',
  'http://user:word@shop.example/sold',
])('an address that we call · as %s · is refused when it is saved', (address) => {
  const called = leaves().filter(isCalled);
  expect(called.map(({ field }) => field)).toEqual(
    expect.arrayContaining(['postback_url', 'reward_callback_url', 'url']),
  );
  expect(called.filter((leaf) => takes(leaf, address)).map(({ at }) => at)).toEqual([]);
});
