import { MEMBER_ROLES } from '../domain/member.ts';
import type { OpenApiDocument } from '../api/openapi/openapi.ts';
import type { JsonSchema } from '../api/openapi/json-schema.ts';

/**
 * The realms' routes of the document as TypeScript, for web/client/client.ts: what each takes in
 * path, query and body, and what its envelope's `data` holds. Written by dev/client-types.ts.
 */
export function clientRoutes(document: OpenApiDocument): string {
  const { schemas = {} } = document.components;
  const components = Object.entries(schemas)
    .filter(([name]) => name !== 'Refusal')
    .map(([name, schema]) => `export type ${name} = ${typeOf(schema as JsonSchema)};\n`);
  const routes = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/api/'))
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) =>
        routeOf(`${method.toUpperCase()} ${path}`, operation as unknown as Operation),
      ),
    );
  return [
    '// Generated from docs/openapi.yaml by dev/client-types.ts.\n',
    ...components,
    `export interface Routes {\n${routes.join('')}}\n`,
  ].join('\n');
}

/**
 * Who may call each route that needs a token; others get forbidden_role. Of operators, and of the members of accounts:
 * a console brings along its own alone, and what all of an account read goes without saying.
 */
export function clientRoles(document: OpenApiDocument, of: 'operator' | 'member'): string {
  const lines = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/api/admin/') === (of === 'operator'))
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        key: `${method.toUpperCase()} ${path}`,
        may: (operation as unknown as Operation)['x-roles'],
      })),
    )
    .flatMap(({ key, may }) =>
      may === undefined || (key.startsWith('GET ') && isEverybody(may))
        ? []
        : [{ key, may: `[${may.map(literal).join(', ')}]` }],
    )
    // Alike beside alike: it is packed smaller.
    .toSorted((one, other) => order(`${one.may} ${one.key}`, `${other.may} ${other.key}`))
    .map(({ key, may }) => `  '${key}': ${may},\n`);
  return [
    '// Generated from docs/openapi.yaml by dev/client-types.ts.\n',
    "import type { Routes } from './routes.ts';\n",
    `export const ${of.toUpperCase()}_ROUTES = {\n${lines.join('')}} as const satisfies {\n` +
      '  readonly [Name in keyof Routes]?: readonly string[];\n};\n',
  ].join('\n');
}

const order = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const isEverybody = (may: readonly string[]): boolean =>
  MEMBER_ROLES.every((role) => may.includes(role));

interface Operation {
  /** Every role that may call it; absent where no token is needed. */
  'x-roles'?: readonly string[];
  parameters: { name: string; in: string; required?: true; schema: JsonSchema }[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { content?: Record<string, { schema?: JsonSchema }> }>;
}

function routeOf(key: string, { parameters, requestBody, responses }: Operation): string {
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const fields = [
    ...place('path', of('path')),
    ...place('query', of('query')),
    ...place('headers', of('header')),
    ...bodyOf(requestBody),
    `answer: ${answerOf(responses)};`,
  ];
  return `  '${key}': {\n${fields.map((field) => `    ${field}\n`).join('')}  };\n`;
}

function place(name: string, parameters: Operation['parameters']): string[] {
  if (parameters.length === 0) return [];
  const isOptional = parameters.every(({ required }) => required !== true);
  const fields = parameters.map(
    (each) => `${propertyName(each.name)}${each.required ? '' : '?'}: ${typeOf(each.schema)}`,
  );
  return [`${name}${isOptional ? '?' : ''}: { ${fields.join('; ')} };`];
}

function bodyOf(requestBody: Operation['requestBody']): string[] {
  if (requestBody === undefined) return [];
  const { required, content } = requestBody;
  const json = content['application/json'];
  if (json === undefined) return ['body: FormData;'];
  if (Object.keys((json.schema['properties'] as object | undefined) ?? {}).length === 0) return [];
  return [`body${required ? '' : '?'}: ${typeOf(json.schema)};`];
}

/** `data` of whichever success has one; a route that only sends a file has none. */
function answerOf(responses: Operation['responses']): string {
  const types = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => content?.['application/json']?.schema)
    .map((schema) => (schema?.['properties'] as { data?: JsonSchema } | undefined)?.data)
    .map((data) => (data === undefined ? 'unknown' : typeOf(data)));
  return [...new Set(types)].join(' | ');
}

function typeOf(schema: JsonSchema): string {
  const { $ref: reference, anyOf, type } = schema;
  if (typeof reference === 'string') return reference.split('/').at(-1) ?? 'unknown';
  if (Array.isArray(anyOf)) return (anyOf as JsonSchema[]).map(typeOf).join(' | ');
  if ('const' in schema) return literal(schema['const']);
  if (Array.isArray(schema['enum'])) return (schema['enum'] as unknown[]).map(literal).join(' | ');
  if (type === undefined) return 'unknown';
  const types = (Array.isArray(type) ? type : [type]) as string[];
  return types.map((each) => plainType(each, schema)).join(' | ');
}

function plainType(type: string, schema: JsonSchema): string {
  switch (type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'array': {
      const items = schema['items'] as JsonSchema | undefined;
      return items === undefined ? 'unknown[]' : `(${typeOf(items)})[]`;
    }
    case 'object':
      return objectType(schema);
    default:
      return type;
  }
}

function objectType(schema: JsonSchema): string {
  const properties = schema['properties'] as Record<string, JsonSchema> | undefined;
  if (properties === undefined) {
    const values = schema['additionalProperties'] as JsonSchema | undefined;
    return `Record<string, ${values === undefined ? 'unknown' : typeOf(values)}>`;
  }
  const required = new Set((schema['required'] as string[] | undefined) ?? []);
  const fields = Object.entries(properties).map(
    ([name, each]) => `${propertyName(name)}${required.has(name) ? '' : '?'}: ${typeOf(each)}`,
  );
  return fields.length === 0 ? 'Record<string, never>' : `{ ${fields.join('; ')} }`;
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : String(value);

const propertyName = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`);
