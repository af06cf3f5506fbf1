import type { Express } from 'express';
import { ERRORS, type ErrorToken } from '../../domain/errors.ts';
import { type Components, type JsonSchema, jsonSchemaOf } from './json-schema.ts';
import { type MountedRoute, mountedRoutes } from './mounted.ts';
import type { RouteContract } from './route.ts';

/** A request and its answer as they happened; keyed by `METHOD /path` as mounted. */
export interface Example {
  request?: unknown;
  answer: unknown;
}

export interface OpenApiDocument {
  openapi: '3.1.0';
  paths: Record<string, Record<string, JsonSchema>>;
  components: Record<string, Record<string, unknown>>;
  [part: string]: unknown;
}

/**
 * The document of every described route of the application, from the schemas that validate.
 * docs/openapi.yaml is this, written by `npm run docs`; test/contract.test.ts holds them together.
 */
export function openApiOf(
  app: Express,
  examples: Readonly<Record<string, Example>> = {},
): OpenApiDocument {
  const components: Components = new Map();
  const paths: OpenApiDocument['paths'] = {};
  for (const mounted of mountedRoutes(app)) {
    const { method, path, contract } = mounted;
    if (contract === undefined) continue;
    const example = examples[`${method} ${path}`];
    (paths[templateOf(path)] ??= {})[method.toLowerCase()] = operationOf(
      { ...mounted, contract },
      { components, example },
    );
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Advertising platform',
      version: '1',
      description:
        'Advertiser, publisher and operator consoles, ad serving and tracking. docs/interface.md tells the rules.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths,
    components: {
      schemas: { ...Object.fromEntries([...components].sort(byName)), Refusal: REFUSAL },
      securitySchemes: {
        advertiser: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        publisher: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        admin: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
    },
  };
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

type Described = MountedRoute & { contract: RouteContract };

interface Around {
  components: Components;
  example: Example | undefined;
}

/** `/campaigns/:id` as OpenAPI writes it. */
export const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

const realmOf = (path: string): string | undefined => /^\/api\/(\w+)\//.exec(path)?.[1];

function operationOf(mounted: Described, around: Around): JsonSchema {
  const { method, path, contract } = mounted;
  const realm = realmOf(path);
  return {
    operationId: operationIdOf(method, path),
    summary: contract.summary,
    description: [
      `Rules: ${contract.rule}.`,
      ...(contract.roles === undefined
        ? []
        : [`Roles: ${['ADMIN', ...contract.roles].join(', ')}.`]),
    ].join(' '),
    tags: [
      path
        .split('/')
        .slice(1, 4)
        .filter((part) => part !== 'api' && !part.startsWith(':'))
        .slice(0, 2)
        .join(' '),
    ],
    ...(contract.open === true || realm === undefined ? {} : { security: [{ [realm]: [] }] }),
    parameters: parametersOf(mounted, around.components),
    ...requestBodyOf(mounted, around),
    responses: responsesOf(mounted, around),
  };
}

const operationIdOf = (method: string, path: string): string =>
  `${method.toLowerCase()}${path
    .replace(/^\/api/, '')
    .split(/[/.-]/)
    .filter((part) => part !== '')
    .map((part) => part.replace(':', 'by_'))
    .map((part) => part.replace(/(^|_)(\w)/g, (_all, _gap, letter: string) => letter.toUpperCase()))
    .join('')}`;

function parametersOf({ method, path, contract }: Described, components: Components): JsonSchema[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'id' ? { type: 'integer', minimum: 1 } : { type: 'string' },
  }));
  const query = contract.query === undefined ? undefined : jsonSchemaOf(contract.query, components);
  const required = new Set((query?.['required'] as string[] | undefined) ?? []);
  const inQuery = Object.entries((query?.['properties'] ?? {}) as Record<string, JsonSchema>).map(
    ([name, schema]) => {
      // A default makes the value always there for the handler; the caller may leave it out.
      const given = required.has(name) && schema['default'] === undefined;
      return { name, in: 'query', ...(given ? { required: true } : {}), schema };
    },
  );
  const isIdempotent = method === 'POST' && contract.open !== true && !contract.upload;
  const inHeader = [
    ...(isIdempotent ? [{ name: 'Idempotency-Key', in: 'header', schema: KEY }] : []),
    ...(contract.updates === true
      ? [{ name: 'If-Match', in: 'header', schema: { type: 'string' } }]
      : []),
  ];
  return [...inPath, ...inQuery, ...inHeader];
}

const KEY = { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]{1,255}$' };

function requestBodyOf(
  { method, contract }: Described,
  { components, example }: Around,
): JsonSchema {
  if (contract.upload !== undefined) {
    const file = { type: 'string', contentMediaType: 'application/octet-stream' };
    const schema = { type: 'object', properties: { file }, required: ['file'] };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
  }
  if (!['POST', 'PUT', 'PATCH'].includes(method)) return {};
  const schema =
    contract.body === undefined
      ? { type: 'object', additionalProperties: false }
      : jsonSchemaOf(contract.body, components);
  const required = Array.isArray(schema['required']);
  const shown = example?.request === undefined ? {} : { example: example.request };
  return { requestBody: { required, content: { 'application/json': { schema, ...shown } } } };
}

const REFUSAL: JsonSchema = {
  type: 'object',
  properties: {
    code: { type: 'integer' },
    message: { type: 'string' },
    data: {
      type: 'object',
      properties: {
        error: { type: 'string' },
        errors: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              field: { type: 'string' },
              code: { type: 'string' },
              message: { type: 'string' },
            },
            required: ['field', 'code', 'message'],
            additionalProperties: false,
          },
        },
        request_id: { type: 'string' },
      },
      required: ['error', 'request_id'],
    },
    timestamp: { type: 'integer' },
  },
  required: ['code', 'message', 'data', 'timestamp'],
  additionalProperties: false,
};

function responsesOf(mounted: Described, { components, example }: Around): JsonSchema {
  const { contract } = mounted;
  if (contract.raw !== undefined) return rawResponses(contract.raw, components);
  const data = jsonSchemaOf(contract.answer, components);
  const content = {
    'application/json': {
      schema: {
        type: 'object',
        properties: {
          code: { const: 0 },
          message: { type: 'string' },
          data,
          timestamp: { type: 'integer' },
        },
        required: ['code', 'message', 'data', 'timestamp'],
        additionalProperties: false,
      },
      ...(example === undefined ? {} : { example: example.answer }),
    },
    ...Object.fromEntries((contract.produces ?? []).map((type) => [type, {}])),
  };
  const successes = (contract.statuses ?? [200]).map((status) => [
    String(status),
    { description: DESCRIPTIONS[status], content },
  ]);
  return Object.fromEntries([...successes, ...refusalsByStatus(mounted)]);
}

const DESCRIPTIONS = {
  200: 'Done.',
  201: 'Created.',
  202: 'A flow goes on; `Location` says where to ask how it stands.',
} as const;

function refusalsByStatus(mounted: Described): [string, JsonSchema][] {
  const byStatus = new Map<number, ErrorToken[]>();
  for (const token of refusalsOf(mounted)) {
    const status = Math.floor(ERRORS[token][0] / 100);
    byStatus.set(status, [...(byStatus.get(status) ?? []), token]);
  }
  return [...byStatus].map(([status, tokens]) => [
    String(status),
    {
      description: tokens.map((token) => `\`${token}\`: ${ERRORS[token][1]}`).join(' '),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
    },
  ]);
}

/** Responses of a surface that has no envelope: exactly those that it names. */
const rawResponses = (raw: NonNullable<RouteContract['raw']>, components: Components): JsonSchema =>
  Object.fromEntries(
    Object.entries(raw).map(([status, { description, type, shape }]) => [
      status,
      {
        description,
        ...(type === undefined
          ? {}
          : {
              content: {
                [type]: shape === undefined ? {} : { schema: jsonSchemaOf(shape, components) },
              },
            }),
      },
    ]),
  );

/** Every refusal that can happen to a route: by its nature, and those it names itself. */
export function refusalsOf({ method, path, contract }: Described): ErrorToken[] {
  const realm = realmOf(path);
  const guarded = contract.open !== true && realm !== undefined;
  const writes = ['POST', 'PUT', 'PATCH'].includes(method);
  const tokens: ErrorToken[] = [
    'malformed_request',
    ...(guarded
      ? (['token_missing', 'token_expired', 'wrong_realm', 'rate_limited'] as const)
      : []),
    ...(guarded && realm !== 'admin' ? (['account_suspended'] as const) : []),
    ...(contract.roles === undefined ? [] : (['forbidden_role'] as const)),
    ...(path.includes(':') ? (['not_found'] as const) : []),
    ...(guarded && method === 'POST' ? (['state_conflict', 'idempotency_mismatch'] as const) : []),
    ...(contract.updates === true ? (['precondition_failed'] as const) : []),
    ...(writes ? (['too_large', 'unsupported_media'] as const) : []),
    'validation_failed',
    ...(contract.refusals ?? []),
    'internal',
    'unavailable',
  ];
  return [...new Set(tokens)].toSorted((a, b) => ERRORS[a][0] - ERRORS[b][0]);
}
