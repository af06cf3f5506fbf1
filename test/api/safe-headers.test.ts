import { mountedRoutes } from '../../api/openapi/route-list.ts';
import { createStand, type Stand } from '../support/stand.ts';

/** Every route that is mounted, asked once each: whatever it answers, it answers it safely. */
let stand: Stand;
const tokens = new Map<string, string>();

beforeAll(async () => {
  stand = await createStand({ env: { BASE_URL: 'https://console.example' } });
  for (const realm of ['advertiser', 'publisher', 'admin'] as const) {
    tokens.set(realm, stand.issue(realm, 1));
  }
});
afterAll(async () => await stand?.close());

interface Asked {
  route: string;
  isConsole: boolean;
  headers: Headers;
}

async function askAll(): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const { method, path } of mountedRoutes(stand.app)) {
    const realm = /^\/api\/(\w+)/.exec(path)?.[1];
    const token = tokens.get(realm ?? '');
    const address = path.replaceAll(/:\w+/g, '1');
    const response = await fetch(`${stand.url}${address}`, {
      method,
      redirect: 'manual',
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
    await response.arrayBuffer();
    const { headers } = response;
    asked.push({ route: `${method} ${path}`, isConsole: realm !== undefined, headers });
  }
  return asked;
}

test('every answer · says what it is; pages name where they may lead; what is somebody’s is kept by nobody', async () => {
  const asked = await askAll();
  expect(asked.length).toBeGreaterThan(200);
  const without = (name: string, expected: RegExp, among: (each: Asked) => boolean): string[] =>
    asked
      .filter((each) => among(each) && !expected.test(each.headers.get(name) ?? ''))
      .map(({ route }) => `${route} ${name}: ${asked.length}`);
  const hasBody = ({ headers }: Asked): boolean => headers.has('content-type');
  expect(without('x-content-type-options', /^nosniff$/, hasBody)).toEqual([]);
  expect(without('content-security-policy', /base-uri /, hasBody)).toEqual([]);
  expect(without('content-security-policy', /form-action /, hasBody)).toEqual([]);
  expect(without('referrer-policy', /^(no-referrer|strict-origin)/, hasBody)).toEqual([]);
  expect(without('strict-transport-security', /^max-age=31536000/, () => true)).toEqual([]);
  expect(without('cache-control', /no-store/, ({ isConsole }) => isConsole)).toEqual([]);
});
