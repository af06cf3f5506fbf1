import type { JsonSchema } from '../../api/openapi/json-schema.ts';
import type { OpenApiDocument } from '../../api/openapi/openapi.ts';
import { nounOf, type Objects } from '../support/bad-input/catalogue.ts';

/** Values that lead somewhere: without them nearly every request would end at "not found". */
export interface Known {
  objects: Objects;
  /** Parameters and top-level body fields by name. */
  values: Readonly<Record<string, readonly (string | number)[]>>;
}

const UNKNOWN_ID = 987_654_321;
/** A long poll would hold the fuzzer's workers. */
const WAIT_SECONDS_MAX = 1;

const TEXT_MAX = 100;

/** The document with the given things in place of any number, beside one that does not exist. */
export function documentFor(document: OpenApiDocument, known: Known): OpenApiDocument {
  const paths = Object.entries(document.paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [
        method,
        {
          ...operation,
          parameters: (operation['parameters'] as Parameter[]).map((each) =>
            parameterFor(path, each, known),
          ),
          ...bodyFor(operation, known),
        },
      ]),
    ),
  ]);
  const filled = { ...document, paths: Object.fromEntries(paths) as OpenApiDocument['paths'] };
  return JSON.parse(JSON.stringify(filled), buildable) as OpenApiDocument;
}

/** Of the characters that Unicode calls Cc. */
const CONTROLS = String.raw`\u0000-\u001f\u007f-\u009f`;

/** What fonts draw nothing for, as far as four digits name it. */
const UNSEEN = String.raw`\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0`;

/**
 * The fuzzer makes texts of a pattern, and knows no names of Unicode there: an operation with one such field
 * would be passed over as a whole.
 */
function buildable(key: string, value: unknown): unknown {
  if (key !== 'pattern' || typeof value !== 'string') return value;
  return value
    .replaceAll(String.raw`\P{Cc}`, `[^${CONTROLS}]`)
    .replaceAll(String.raw`\p{Cc}`, CONTROLS)
    .replaceAll(String.raw`\p{Default_Ignorable_Code_Point}`, UNSEEN)
    .replaceAll(String.raw`\p{L}\p{N}`, 'A-Za-z0-9\u00c0-\u024f\u4e00-\u9fff');
}

interface Parameter {
  name: string;
  in: string;
  schema: JsonSchema;
}

function parameterFor(path: string, parameter: Parameter, { objects, values }: Known): Parameter {
  const { name } = parameter;
  if (name === 'wait') {
    return { ...parameter, schema: { ...parameter.schema, maximum: WAIT_SECONDS_MAX } };
  }
  const noun = name === 'id' ? nounOf(path.replaceAll(/\{(\w+)\}/g, ':$1')) : undefined;
  const own = noun === undefined ? values[name] : [objects[noun], UNKNOWN_ID];
  if (own !== undefined) return { ...parameter, schema: { enum: own } };
  const { maxLength } = parameter.schema;
  // Eight texts of a thousand characters of four bytes each, percent-encoded, are more than HTTP
  // servers take as headers (16 KB): Node answers 431 before any route is asked.
  return typeof maxLength === 'number' && maxLength > TEXT_MAX
    ? { ...parameter, schema: { ...parameter.schema, maxLength: TEXT_MAX } }
    : parameter;
}

interface Body {
  requestBody?: { content: Record<string, { schema: JsonSchema; example?: JsonSchema }> };
}

/** Fields that name a thing: the caller's own, one that is not there, or null where null may be. */
function bodyFor(operation: JsonSchema, { values }: Known): Body {
  const { requestBody } = operation as Body;
  const json = requestBody?.content['application/json'];
  const properties = json?.schema['properties'] as Record<string, JsonSchema> | undefined;
  if (requestBody === undefined || json === undefined || properties === undefined) return {};
  const fields = Object.entries(properties).map(([name, schema]) => {
    const own = values[name];
    if (own === undefined) return [name, schema];
    const isNullable = Array.isArray(schema['type']) && schema['type'].includes('null');
    return [name, { enum: [...own, ...(isNullable ? [null] : [])] }];
  });
  const schema = { ...json.schema, properties: Object.fromEntries(fields) as object };
  const example =
    json.example === undefined
      ? {}
      : { example: { ...json.example, ...ownOf(json.example, values) } };
  const content = { 'application/json': { schema, ...example } };
  return { requestBody: { ...requestBody, content } };
}

/** An example names things of the run that made it: ours take their place. */
const ownOf = (example: JsonSchema, values: Known['values']): JsonSchema =>
  Object.fromEntries(
    Object.keys(example).flatMap((name) => {
      const [own] = values[name] ?? [];
      return own === undefined ? [] : [[name, own]];
    }),
  );
