import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type MountedRoute, mountedRoutes } from '../../../api/openapi/route-list.ts';
import { type OpenApiDocument, openApiOf } from '../../../api/openapi/openapi.ts';
import { createStand, type Stand } from '../../support/stand.ts';
import { committedDocument, readExamples } from '../../support/committed.ts';
import { createDocumentCheck } from '../../support/document-check.ts';

/**
 * The interface's 120 routes, the routes that are really mounted, the document and the generated
 * client say the same. After a change of a contract: `npm run docs`.
 */
const ROUTES_OF_THE_INTERFACE = 120;

let stand: Stand;
let document: OpenApiDocument;

beforeAll(async () => {
  stand = await createStand();
  document = openApiOf(stand.app, readExamples());
});

afterAll(async () => await stand.close());

/** `METHOD /path` with nameless parameters: how a parameter is called is no difference. */
const keyOf = (method: string, route: string): string =>
  `${method.toUpperCase()} ${route.replace(/:\w+|\{\w+\}/g, '{}')}`;

const ofInterface = (): string[] =>
  readFileSync(path.join('test/fixtures/endpoints.tsv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [method = '', route = ''] = line.split('\t');
      return keyOf(method, route);
    });

const ofApp = (): string[] =>
  mountedRoutes(stand.app).map((route) => keyOf(route.method, route.path));

const ofDocument = (paths: OpenApiDocument['paths']): string[] =>
  Object.entries(paths).flatMap(([route, operations]) =>
    Object.keys(operations).map((method) => keyOf(method, route)),
  );

/** What the first list has and the second has not. */
const missing = (wanted: readonly string[], found: readonly string[]): string[] => {
  const known = new Set(found);
  return wanted.filter((key) => !known.has(key)).toSorted();
};

/** Every `$ref` and what it should lead to. */
function danglingIn(whole: OpenApiDocument): string[] {
  const dangling: string[] = [];
  JSON.stringify(whole, (key, value: unknown) => {
    if (key === '$ref' && typeof value === 'string') {
      const found = value
        .split('/')
        .slice(1)
        .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], whole);
      if (found === undefined) dangling.push(value);
    }
    return value;
  });
  return dangling;
}

const operationsOf = ({ paths }: OpenApiDocument) =>
  Object.values(paths).flatMap((operations) => Object.values(operations));

describe('routes', () => {
  test('interface · against the application · every route is mounted', () => {
    const wanted = ofInterface();
    expect(new Set(wanted).size).toBe(ROUTES_OF_THE_INTERFACE);
    expect(missing(wanted, ofApp())).toEqual([]);
  });

  test('application · against the document · every mounted route is described, and none else', () => {
    const described = ofDocument(document.paths);
    expect(missing(ofApp(), described)).toEqual([]);
    expect(missing(described, ofApp())).toEqual([]);
  });

  test('a route taken away · from either side · is missed', () => {
    const [first = '', ...rest] = ofInterface();
    expect(missing([first, ...rest], rest)).toEqual([first]);
    const { '/api/advertiser/campaigns/{id}': gone, ...paths } = document.paths;
    expect(Object.keys(gone ?? {}).toSorted()).toEqual(['delete', 'get', 'put']);
    expect(missing(ofApp(), ofDocument(paths))).toEqual(
      expect.arrayContaining([
        'DELETE /api/advertiser/campaigns/{}',
        'GET /api/advertiser/campaigns/{}',
        'PUT /api/advertiser/campaigns/{}',
      ]),
    );
  });
});

describe('document', () => {
  test('references · in the document · lead somewhere', () => {
    expect(danglingIn(document)).toEqual([]);
    const broken = { ...document, components: { ...document.components, schemas: {} } };
    expect(danglingIn(broken)).toContain('#/components/schemas/Refusal');
  });

  test('operations · of the document · have names of their own and say where their rules are', () => {
    const operations = operationsOf(document);
    const ids = operations.map(({ operationId }) => String(operationId));
    expect(new Set(ids).size).toBe(ids.length);
    const told = readFileSync('docs/interface.md', 'utf8');
    const lost = mountedRoutes(stand.app).flatMap(({ method, path: at, contract }) =>
      ruleAnchors(contract?.rule ?? 'nothing')
        .filter((anchor) => !told.includes(anchor))
        .map((anchor) => `${method} ${at}: ${anchor}`),
    );
    expect(lost).toEqual([]);
    expect(ruleAnchors('nothing')).toEqual(['<a id="nothing">']);
  });

  test('docs/openapi.yaml · against the application · is what it says now', () => {
    expect(committedDocument(document)).toEqual(JSON.parse(JSON.stringify(document)));
  });
});

describe('examples', () => {
  test('docs/openapi.yaml · its examples · are a success of every operation that answers JSON', () => {
    const examples = readExamples();
    const faultIn = createDocumentCheck(openApiOf(stand.app));
    const answersJson = ({ contract }: MountedRoute): boolean =>
      (contract?.raw === undefined && contract?.produces === undefined) ||
      Object.entries(contract.raw ?? {}).some(
        ([status, { type, shape }]) =>
          status < '300' && type === 'application/json' && shape !== undefined,
      );
    const mounted = mountedRoutes(stand.app)
      .filter(answersJson)
      .map(({ method, path: at }) => `${method} ${at}`);
    expect(mounted.length).toBeGreaterThan(ROUTES_OF_THE_INTERFACE);
    expect(missing(mounted, Object.keys(examples))).toEqual([]);
    const faults = Object.entries(examples).flatMap(([key, { status, type, answer }]) => {
      if (answer === null) return [];
      const [method = '', at = ''] = key.split(' ');
      const fault = faultIn({ method, path: at, status, type, value: () => answer });
      return fault === null ? [] : [`${key}: ${fault}`];
    });
    expect(faults).toEqual([]);
  });

  test('an example that does not fit · against the document · is refused', () => {
    const faultIn = createDocumentCheck(openApiOf(stand.app));
    const at = { method: 'GET', path: '/api/advertiser/campaigns/options', status: 200 };
    const value = () => ({ code: 0, message: 'x', data: { items: [{ id: 'one' }] }, timestamp: 1 });
    expect(faultIn({ ...at, type: 'application/json', value })).toMatch(/id must be integer/);
    expect(faultIn({ ...at, status: 418, type: 'application/json', value })).toMatch(/status/);
    expect(faultIn({ ...at, type: 'text/html', value })).toMatch(/content type/);
  });

  test('docs/openapi.yaml · its examples · hold no secret', () => {
    const text = JSON.stringify(readExamples());
    expect(text.length).toBeGreaterThan(1_000);
    expect(text.match(/eyJ[\w-]{10,}\.[\w-]{10,}\./g) ?? []).toEqual([]);
  });
});

/** `interface 4.2, 2.3` as the anchors of docs/interface.md; anything else leads nowhere. */
const ruleAnchors = (rule: string): string[] =>
  /^interface \d+(\.\d+)?(, \d+(\.\d+)?)*$/.test(rule)
    ? [...rule.matchAll(/\d+(?:\.\d+)?/g)].map(([section]) => `<a id="interface-${section}">`)
    : [`<a id="${rule}">`];
