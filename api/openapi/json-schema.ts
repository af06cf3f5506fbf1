import type * as yup from 'yup';

/** JSON Schema 2020-12, as OpenAPI 3.1 uses it. */
export type JsonSchema = Record<string, unknown>;

/** Named objects, collected while schemas are written; they become `components.schemas`. */
export type Components = Map<string, JsonSchema>;

type Described = yup.SchemaDescription & {
  fields?: Record<string, yup.SchemaFieldDescription>;
  innerType?: yup.SchemaFieldDescription;
};
type Rule = Described['tests'][number];

/**
 * A yup schema as JSON Schema. What only code can judge (a landing page's host, a domain's
 * registrability) is not in it: the document may allow what the route refuses with 422, and never
 * refuses what the route takes.
 */
export function jsonSchemaOf(schema: yup.AnySchema, components: Components): JsonSchema {
  return convert(schema.describe() as Described, components);
}

function convert(described: Described, components: Components): JsonSchema {
  const meta: yup.CustomSchemaMetadata = described.meta ?? {};
  const plain = { ...bare(described, components), ...meta.schema };
  if (meta.description !== undefined) plain['description'] = meta.description;
  if (meta.name === undefined) return orNull(plain, described.nullable);
  components.set(meta.name, plain);
  const reference = { $ref: `#/components/schemas/${meta.name}` };
  return described.nullable ? { anyOf: [reference, { type: 'null' }] } : reference;
}

function bare(described: Described, components: Components): JsonSchema {
  const { tests, meta } = described;
  const schema: JsonSchema = {};
  if (described.default !== undefined && typeof described.default !== 'object') {
    schema['default'] = described.default;
  }
  // One that names another field ("the same as") is a rule that a schema cannot express.
  const values = described.oneOf.filter((each) => each !== null && typeof each !== 'object');
  if (values.length > 0) schema['enum'] = values;
  switch (described.type) {
    case 'string':
      return { type: 'string', ...schema, ...textRules(tests) };
    case 'number':
      return { type: isWhole(tests) ? 'integer' : 'number', ...schema, ...bounds(tests) };
    case 'boolean':
      return { type: 'boolean', ...schema };
    case 'array':
      return {
        type: 'array',
        ...(described.innerType === undefined
          ? {}
          : { items: convert(described.innerType as Described, components) }),
        ...lengths(tests, ['minItems', 'maxItems']),
      };
    case 'object':
      return objectOf(described, components);
    default:
      return meta?.values === undefined
        ? schema
        : { ...schema, additionalProperties: jsonSchemaOf(meta.values, components) };
  }
}

function objectOf(described: Described, components: Components): JsonSchema {
  const fields = Object.entries(described.fields ?? {}) as [string, Described][];
  const required = fields.filter(([, field]) => !field.optional).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(([name, field]) => [name, convert(field, components)]),
    ),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

const orNull = (schema: JsonSchema, nullable: boolean): JsonSchema => {
  if (!nullable || schema['type'] === undefined) return schema;
  const { enum: words } = schema;
  return {
    ...schema,
    type: [schema['type'], 'null'].flat(),
    ...(Array.isArray(words) ? { enum: [...(words as unknown[]), null] } : {}),
  };
};

const isWhole = (tests: Rule[]): boolean => tests.some(({ name }) => name === 'integer');

const numberOf = (tests: Rule[], name: string, param = name): number | undefined => {
  const value: unknown = tests.find((test) => test.name === name)?.params?.[param];
  return typeof value === 'number' ? value : undefined;
};

function bounds(tests: Rule[]): JsonSchema {
  return present({
    minimum: numberOf(tests, 'min'),
    maximum: numberOf(tests, 'max'),
    exclusiveMinimum: numberOf(tests, 'min', 'more'),
    exclusiveMaximum: numberOf(tests, 'max', 'less'),
  });
}

function lengths(tests: Rule[], [min, max]: readonly [string, string]): JsonSchema {
  const exact = numberOf(tests, 'length');
  return present({
    [min]: exact ?? numberOf(tests, 'min'),
    [max]: exact ?? numberOf(tests, 'max'),
  });
}

function textRules(tests: Rule[]): JsonSchema {
  const patterns = tests
    .map(({ params }) => params?.['regex'])
    .filter((regex): regex is RegExp => regex instanceof RegExp)
    .map(({ source }) => ({ pattern: source }));
  const [only] = patterns;
  return {
    ...lengths(tests, ['minLength', 'maxLength']),
    ...(patterns.length > 1 ? { allOf: patterns } : only),
  };
}

const present = (entries: Record<string, number | undefined>): JsonSchema =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
