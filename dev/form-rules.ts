import type { JsonSchema } from '../api/openapi/json-schema.ts';
import type { OpenApiDocument } from '../api/openapi/openapi.ts';

interface Operation {
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
}

/** What a form can say of a field before it asks; the rest is judged by the route alone. */
const KEPT = ['minLength', 'maxLength', 'minimum', 'exclusiveMinimum', 'maximum'] as const;

/**
 * The bounds of each field that a route of the realms takes, for the forms of the consoles: they
 * come from the same schemas that the routes check by. Written by dev/client-types.ts.
 */
export function formRules(document: OpenApiDocument): string {
  const routes = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/api/'))
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        fields: fieldsOf((operation as unknown as Operation).requestBody),
      })),
    )
    .filter(({ fields }) => Object.keys(fields).length > 0)
    .map(({ name, fields }) => `  '${name}': ${JSON.stringify(fields)},\n`);
  return [
    '// Generated from docs/openapi.yaml by dev/client-types.ts.\n',
    "import type { Routes } from './routes.ts';\n",
    'export interface FieldRule {\n' +
      KEPT.map((name) => `  ${name}?: number;\n`).join('') +
      '  whole?: true;\n}\n',
    'export const FORM_RULES: {\n  readonly [Name in keyof Routes]?: ' +
      `Readonly<Record<string, FieldRule>>;\n} = {\n${routes.join('')}};\n`,
  ].join('\n');
}

function fieldsOf(requestBody: Operation['requestBody']): Record<string, object> {
  const schema = requestBody?.content['application/json']?.schema ?? {};
  return Object.fromEntries(rulesIn(schema).filter(([, rule]) => Object.keys(rule).length > 0));
}

/** A field of a field is named as its refusal names it: `frequency_cap.impressions`. */
function rulesIn(schema: JsonSchema, above = ''): [name: string, rule: object][] {
  const properties = (schema['properties'] as Record<string, JsonSchema> | undefined) ?? {};
  return (
    Object.entries(properties)
      // What only comes along from the record that was read is nobody's to type.
      .filter(([, each]) => each['readOnly'] !== true)
      .flatMap(([name, each]) => [
        [`${above}${name}`, ruleOf(each)],
        ...rulesIn(each, `${above}${name}.`),
      ])
  );
}

function ruleOf(schema: JsonSchema): object {
  const bounds = KEPT.filter((name) => typeof schema[name] === 'number').map(
    (name) => [name, schema[name]] as const,
  );
  const isWhole = [schema['type']].flat().includes('integer');
  return { ...Object.fromEntries(bounds), ...(isWhole ? { whole: true } : {}) };
}
