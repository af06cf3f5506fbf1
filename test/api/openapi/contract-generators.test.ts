import * as yup from 'yup';
import {
  address,
  anything,
  idOf,
  listOrNullOf,
  mapOf,
  money,
  oneOfOrNull,
  record,
  timeOrNull,
  whole,
  wordsOrNull,
} from '../../../api/http/response-shapes.ts';
import { amount, day, name } from '../../../api/http/fields.ts';
import { type Components, jsonSchemaOf } from '../../../api/openapi/json-schema.ts';
import type { OpenApiDocument } from '../../../api/openapi/openapi.ts';
import { refusalsOf } from '../../../api/openapi/openapi-responses.ts';
import { clientRoles, clientRoutes } from '../../../dev/client-routes.ts';
import { formRules } from '../../../dev/form-rules.ts';

/** What the document and the client are made with: schemas, refusals, types. */
const schemaOf = (schema: yup.AnySchema, components: Components = new Map()) =>
  jsonSchemaOf(schema, components);

describe('JSON Schema of a yup schema', () => {
  const table: [what: string, schema: yup.AnySchema, expected: object][] = [
    [
      'a whole number with bounds',
      whole().min(1).max(9),
      { type: 'integer', minimum: 1, maximum: 9 },
    ],
    [
      'money that is sent',
      amount(),
      {
        type: ['number', 'string'],
        format: 'amount',
        minimum: 0,
        pattern: '^\\d{1,10}(\\.\\d{1,6})?$',
      },
    ],
    ['money that is answered', money(), { type: 'number', format: 'amount' }],
    ['a day', day(), { type: 'string', format: 'date' }],
    ['a time or null', timeOrNull(), { type: ['string', 'null'], format: 'date-time' }],
    ['an address', address(), { type: 'string', format: 'uri' }],
    [
      'some words or null',
      oneOfOrNull(['A', 'B']),
      { type: ['string', 'null'], enum: ['A', 'B', null] },
    ],
    ['text of a pattern', yup.string().matches(/^x+$/), { type: 'string', pattern: '^x+$' }],
    [
      'text of two patterns',
      // yup tells one rule of each name.
      yup.string().matches(/a/).matches(/b/, { name: 'second', message: 'has b' }),
      { type: 'string', allOf: [{ pattern: 'a' }, { pattern: 'b' }] },
    ],
    ['a default', yup.boolean().default(false), { type: 'boolean', default: false }],
    ['anything', anything(), {}],
    ['a map', mapOf(whole()), { type: 'object', additionalProperties: { type: 'integer' } }],
    [
      'a list or null',
      listOrNullOf(wordsOrNull()),
      { type: ['array', 'null'], items: { type: ['string', 'null'] } },
    ],
    [
      'an object with one field that may be left out',
      yup.object({ id: idOf(), note: yup.string() }),
      {
        type: 'object',
        properties: { id: { type: 'integer', minimum: 1 }, note: { type: 'string' } },
        required: ['id'],
        additionalProperties: false,
      },
    ],
    [
      'a field that must equal another',
      yup.object({ again: yup.string().oneOf([yup.ref('first')]) }),
      { type: 'object', properties: { again: { type: 'string' } }, additionalProperties: false },
    ],
  ];

  test.each(table)('%s · as a schema · is this', (_what, schema, expected) => {
    expect(schemaOf(schema)).toEqual(expected);
  });

  test('a named record · in an answer · is a component, also where it may be null', () => {
    const components: Components = new Map();
    const boat = record({ id: idOf() }, 'Boat');
    expect(schemaOf(boat, components)).toEqual({ $ref: '#/components/schemas/Boat' });
    expect(schemaOf(boat.nullable(), components)).toEqual({
      anyOf: [{ $ref: '#/components/schemas/Boat' }, { type: 'null' }],
    });
    expect([...components.keys()]).toEqual(['Boat']);
  });

  test('a name that a person types · as a schema · never refuses what the route takes', () => {
    const { pattern } = schemaOf(name()) as { pattern: string };
    expect(new RegExp(pattern, 'u').test('Ropes für jedes Boot 🚤')).toBe(true);
    expect(new RegExp(pattern, 'u').test('a\u0000b')).toBe(false);
    expect(new RegExp(pattern, 'u').test('\u200d\u3164 \u2800')).toBe(false);
  });
});

describe('refusals of a route', () => {
  const contract = { summary: 'x', rule: 'interface 1', answer: anything() };

  test('a guarded write of one thing · by its nature · has these', () => {
    const path = '/api/admin/settings/:key';
    expect(
      refusalsOf({ method: 'PUT', path, contract: { ...contract, roles: [], updates: true } }),
    ).toEqual([
      'malformed_request',
      'token_missing',
      'token_expired',
      'wrong_realm',
      'forbidden_role',
      'not_found',
      'precondition_failed',
      'too_large',
      'unsupported_media',
      'validation_failed',
      'rate_limited',
      'internal',
      'unavailable',
    ]);
  });

  test('an open read · by its nature · knows neither tokens nor owners', () => {
    const path = '/api/advertiser/auth/x';
    expect(refusalsOf({ method: 'GET', path, contract: { ...contract, open: true } })).toEqual([
      'malformed_request',
      'validation_failed',
      'internal',
      'unavailable',
    ]);
  });
});

describe('types of the client', () => {
  const schema = {
    type: 'object',
    properties: {
      id: { type: 'integer' },
      kind: { type: ['string', 'null'], enum: ["it's", null] },
      boats: { type: 'array', items: { $ref: '#/components/schemas/Boat' } },
      by_day: { type: 'object', additionalProperties: { type: 'number' } },
      'a-b': {},
    },
    required: ['id', 'kind'],
  };
  const answer = { content: { 'application/json': { schema: { properties: { data: schema } } } } };
  const document = {
    openapi: '3.1.0',
    components: { schemas: { Boat: { type: 'object', properties: {} }, Refusal: {} } },
    paths: {
      '/api/admin/boats/{id}': {
        put: {
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
            { name: 'page', in: 'query', schema: { type: 'integer' } },
            { name: 'If-Match', in: 'header', schema: { type: 'string' } },
          ],
          requestBody: { required: true, content: { 'multipart/form-data': { schema: {} } } },
          'x-roles': ['ADMIN', 'FINANCE'],
          responses: { '200': answer, '404': {} },
        },
      },
      '/api/advertiser/boats': {
        get: {
          parameters: [],
          'x-roles': ['ADMIN', 'EDITOR', 'FINANCE', 'VIEWER'],
          responses: { '200': answer },
        },
      },
      '/health': { get: { parameters: [], responses: {} } },
    },
  } as unknown as OpenApiDocument;

  test('a route · with everything · becomes this text; surfaces are left out', () => {
    expect(clientRoutes(document)).toBe(
      [
        '// Generated from docs/openapi.yaml by dev/client-types.ts.',
        '',
        'export type Boat = Record<string, never>;',
        '',
        'export interface Routes {',
        "  'PUT /api/admin/boats/{id}': {",
        '    path: { id: number };',
        '    query?: { page?: number };',
        "    headers?: { 'If-Match'?: string };",
        '    body: FormData;',
        "    answer: { id: number; kind: 'it\\'s' | null; boats?: (Boat)[]; " +
          "by_day?: Record<string, number>; 'a-b'?: unknown };",
        '  };',
        "  'GET /api/advertiser/boats': {",
        "    answer: { id: number; kind: 'it\\'s' | null; boats?: (Boat)[]; " +
          "by_day?: Record<string, number>; 'a-b'?: unknown };",
        '  };',
        '}',
        '',
      ].join('\n'),
    );
  });

  const rolesOf = (name: string, ...lines: string[]): string =>
    [
      '// Generated from docs/openapi.yaml by dev/client-types.ts.',
      '',
      "import type { Routes } from './routes.ts';",
      '',
      `export const ${name} = {`,
      ...lines,
      '} as const satisfies {',
      '  readonly [Name in keyof Routes]?: readonly string[];',
      '};',
      '',
    ].join('\n');

  test('who may call them · operators, and members of accounts · are lists of their own, without what all of them read', () => {
    expect(clientRoles(document, 'operator')).toBe(
      rolesOf('OPERATOR_ROUTES', "  'PUT /api/admin/boats/{id}': ['ADMIN', 'FINANCE'],"),
    );
    expect(clientRoles(document, 'member')).toBe(rolesOf('MEMBER_ROUTES'));
  });
});

describe('rules of forms', () => {
  const json = (properties: object) => ({
    requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } },
  });
  const document = {
    paths: {
      '/api/admin/boats': {
        post: json({
          name: { type: 'string', minLength: 1, maxLength: 9, pattern: '^x' },
          masts: { type: ['integer', 'null'], minimum: 1, maximum: 5 },
          price: { type: 'number', exclusiveMinimum: 0 },
          kind: { type: 'string', enum: ['A'] },
          crew: { type: ['object', 'null'], properties: { size: { type: 'integer', minimum: 2 } } },
          id: { type: 'integer', minimum: 1, readOnly: true },
        }),
        get: {},
      },
      '/api/admin/flags': { post: json({ on: { type: 'boolean' } }) },
      '/ad/request': { post: json({ limit: { type: 'integer', minimum: 1 } }) },
    },
  } as unknown as OpenApiDocument;

  test('a route’s body · bounds of what can be typed · are kept, and nothing else', () => {
    const lines = formRules(document).split('\n');
    expect(lines.filter((line) => line.startsWith("  '"))).toEqual([
      `  'POST /api/admin/boats': ${JSON.stringify({
        name: { minLength: 1, maxLength: 9 },
        masts: { minimum: 1, maximum: 5, whole: true },
        price: { exclusiveMinimum: 0 },
        'crew.size': { minimum: 2, whole: true },
      })},`,
    ]);
  });
});
