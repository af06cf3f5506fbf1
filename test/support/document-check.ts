import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type OpenApiDocument, templateOf } from '../../api/http/openapi.ts';
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

/** Holds answers against an OpenAPI document; answers what is wrong with one, or null. */
export function createDocumentCheck(
  document: OpenApiDocument,
): (answered: Answered) => string | null {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  addFormats.default(ajv);
  ajv.addFormat('amount', { type: 'number', validate: isAmount });
  ajv.addSchema(document, 'doc');
  const validators = new Map<string, ValidateFunction>();

  return ({ method, path, status, type, value }) => {
    const template = templateOf(path);
    const operation = document.paths[template]?.[method.toLowerCase()];
    const responses = operation?.['responses'] as Record<string, Documented> | undefined;
    const response = responses?.[String(status)];
    if (response === undefined) return 'a status that the document does not name';
    if (response.content === undefined) return null;
    const content = response.content[type];
    if (content === undefined) return `a content type that the document does not name: ${type}`;
    if (type !== 'application/json' || content.schema === undefined) return null;
    const at = `${template.replaceAll('/', '~1')}/${method.toLowerCase()}`;
    const pointer = `doc#/paths/${encodeURIComponent(at).replaceAll('%2F', '/')}/responses/${status}/content/application~1json/schema`;
    let validate = validators.get(pointer);
    if (validate === undefined) {
      validate = ajv.compile({ $ref: pointer });
      validators.set(pointer, validate);
    }
    return validate(value()) ? null : ajv.errorsText(validate.errors, { dataVar: '' });
  };
}

interface Documented {
  content?: Record<string, { schema?: object }>;
}

const isAmount = (value: number): boolean => parseAmount(Math.abs(value)) !== undefined;
