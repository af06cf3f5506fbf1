import type { Express } from 'express';
import { deprecationText } from '../http/deprecation.ts';
import { readOnlyFields } from '../http/write-back.ts';
import { type Components, type JsonSchema, jsonSchemaOf } from './json-schema.ts';
import { mountedRoutes } from './route-list.ts';
import {
  type Around,
  type ContractedRoute,
  type Example,
  isIdempotent,
  realmOf,
  REFUSAL,
  responsesOf,
  rolesOf,
} from './openapi-responses.ts';

export interface OpenApiDocument {
  openapi: '3.1.0';
  paths: Record<string, Record<string, JsonSchema>>;
  components: Record<string, Record<string, unknown>>;
  [part: string]: unknown;
}

/**
 * The document of every described route of the application, from the schemas that validate.
 * docs/openapi.yaml is this, written by `npm run docs`; test/api/openapi/contract.test.ts holds them together.
 */
export function openApiOf(
  app: Express,
  examples: Readonly<Record<string, Example>> = {},
): OpenApiDocument {
  const components: Components = new Map();
  const refusals: Components = new Map();
  const paths: OpenApiDocument['paths'] = {};
  for (const mounted of mountedRoutes(app)) {
    const { method, path, contract } = mounted;
    if (contract === undefined) continue;
    const example = examples[`${method} ${path}`];
    (paths[templateOf(path)] ??= {})[method.toLowerCase()] = operationOf(
      { ...mounted, contract },
      { components, refusals, example },
    );
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Advertising platform',
      version: '1',
      description:
        'Advertiser, publisher and operator consoles, ad serving and tracking. The rules: [interface](/docs/interface).',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths,
    components: {
      schemas: { ...Object.fromEntries([...components].sort(byName)), Refusal: REFUSAL },
      responses: Object.fromEntries([...refusals].sort(byName)),
      securitySchemes: {
        advertiser: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        publisher: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        admin: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
    },
  };
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

/** `/campaigns/:id` as OpenAPI writes it. */
export const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

function operationOf(mounted: ContractedRoute, around: Around): JsonSchema {
  const { method, path, contract } = mounted;
  const realm = realmOf(path);
  const roles = rolesOf(mounted);
  return {
    operationId: operationIdOf(method, path),
    summary: contract.summary,
    description: [
      `Rules: ${linked(contract.rule)}.`,
      ...(roles === undefined ? [] : [`Roles: ${roles.join(', ')}.`]),
      ...(contract.deprecated === undefined ? [] : [deprecationText(contract.deprecated)]),
    ].join(' '),
    ...(contract.deprecated === undefined
      ? {}
      : { deprecated: true, 'x-sunset': contract.deprecated.sunset }),
    tags: [
      path
        .split('/')
        .slice(1, 4)
        .filter((part) => part !== 'api' && !part.startsWith(':'))
        .slice(0, 2)
        .join(' '),
    ],
    ...(contract.open === true || realm === undefined ? {} : { security: [{ [realm]: [] }] }),
    ...(roles === undefined ? {} : { 'x-roles': roles }),
    parameters: parametersOf(mounted, around.components),
    ...requestBodyOf(mounted, around),
    responses: responsesOf(mounted, around),
  };
}

/** Each section of `interface 4.2, 2.3` as a link to where the platform serves it (api/docs.ts). */
const linked = (rule: string): string =>
  rule.replace(
    /(?:interface )?(\d+(?:\.\d+)?)/g,
    (cited, section: string) => `[${cited}](/docs/interface#interface-${section})`,
  );

const operationIdOf = (method: string, path: string): string =>
  `${method.toLowerCase()}${path
    .replace(/^\/api/, '')
    .split(/[/.-]/)
    .filter((part) => part !== '')
    .map((part) => part.replace(':', 'by_'))
    .map((part) => part.replace(/(^|_)(\w)/g, (_all, _gap, letter: string) => letter.toUpperCase()))
    .join('')}`;

function parametersOf(mounted: ContractedRoute, components: Components): JsonSchema[] {
  const { path, contract } = mounted;
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
  const inHeader = [
    ...(isIdempotent(mounted) ? [{ name: 'Idempotency-Key', in: 'header', schema: KEY }] : []),
    ...(contract.updates === true
      ? [{ name: 'If-Match', in: 'header', schema: { type: 'string' } }]
      : []),
    ...(contract.conditional === true
      ? [{ name: 'If-None-Match', in: 'header', schema: { type: 'string' } }]
      : []),
  ];
  return [...inPath, ...inQuery, ...inHeader];
}

const KEY = { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]{1,255}$' };

function requestBodyOf(
  { method, contract }: ContractedRoute,
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
      : withRecord(jsonSchemaOf(contract.body, components), contract, components);
  const required = Array.isArray(schema['required']);
  const shown = example?.request === undefined ? {} : { example: example.request };
  return { requestBody: { required, content: { 'application/json': { schema, ...shown } } } };
}

/** An update takes its whole record (interface 2.1): what it does not edit is read-only. */
function withRecord(
  schema: JsonSchema,
  { answer, body, current }: ContractedRoute['contract'],
  components: Components,
): JsonSchema {
  if (current === undefined || body === undefined) return schema;
  const others = Object.entries(readOnlyFields(answer, body)).map(([name, field]) => [
    name,
    { ...jsonSchemaOf(field, components), readOnly: true },
  ]);
  const properties = schema['properties'] as Record<string, JsonSchema>;
  return { ...schema, properties: { ...properties, ...Object.fromEntries(others) } };
}
