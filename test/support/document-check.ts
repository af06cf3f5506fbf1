import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type OpenApiDocument, templateOf } from '../../api/openapi/openapi.ts';
import { parseAmount } from '../../domain/money.ts';

/** One answer of a route, as far as the document says something of it. */
export interface Answered {
  method: string;
  /** As mounted: `/api/advertiser/campaigns/:id`. */
  path: string;
  status: number;
  /** Content-Type without its parameters. */
  type: string;
  /** The parsed body; asked for only where the document has a schema of it. */
  value: () => unknown;
}

interface Compiled {
  ajv: Ajv2020;
  validators: Map<string, ValidateFunction>;
}

/** By the document's text: files of one process are of one application, and compiling it takes seconds. */
const COMPILED = new Map<string, Compiled>();

function compiled(document: OpenApiDocument): Compiled {
  const text = JSON.stringify(document);
  const known = COMPILED.get(text);
  if (known !== undefined) return known;
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  addFormats.default(ajv);
  ajv.addFormat('amount', { type: 'number', validate: isAmount });
  ajv.addSchema(document, 'doc');
  const made = { ajv, validators: new Map<string, ValidateFunction>() };
  COMPILED.set(text, made);
  return made;
}

/** Holds answers against an OpenAPI document; answers what is wrong with one, or null. */
export function createDocumentCheck(
  document: OpenApiDocument,
): (answered: Answered) => string | null {
  const { ajv, validators } = compiled(document);
  return ({ method, path, status, type, value }) => {
    const template = templateOf(path);
    const operation = document.paths[template]?.[method.toLowerCase()];
    const responses = operation?.['responses'] as Record<string, Documented> | undefined;
    const response = resolved(document, responses?.[String(status)]);
    if (response === undefined) return 'a status that the document does not name';
    if (response.content === undefined) return null;
    const content = response.content[type];
    if (content === undefined) return `a content type that the document does not name: ${type}`;
    if (type !== 'application/json' || content.schema === undefined) return null;
    // A refusal that operations share lies among the components.
    const shared = responses?.[String(status)]?.$ref;
    const at = `${template.replaceAll('/', '~1')}/${method.toLowerCase()}`;
    const place =
      shared ?? `#/paths/${encodeURIComponent(at).replaceAll('%2F', '/')}/responses/${status}`;
    const pointer = `doc${place}/content/application~1json/schema`;
    let validate = validators.get(pointer);
    if (validate === undefined) {
      validate = ajv.compile({ $ref: pointer });
      validators.set(pointer, validate);
    }
    return validate(value()) ? null : ajv.errorsText(validate.errors, { dataVar: '' });
  };
}

/** `#/components/responses/<name>`; names have no slash. */
function resolved(
  document: OpenApiDocument,
  response: Documented | undefined,
): Documented | undefined {
  if (response?.$ref === undefined) return response;
  const name = response.$ref.split('/').at(-1) ?? '';
  return document.components['responses']?.[name] as Documented | undefined;
}

interface Documented {
  $ref?: string;
  content?: Record<string, { schema?: object }>;
}

const isAmount = (value: number): boolean => parseAmount(Math.abs(value)) !== undefined;
