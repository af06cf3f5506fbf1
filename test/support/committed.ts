import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import type { OpenApiDocument } from '../../api/openapi/openapi.ts';
import type { Example } from '../../api/openapi/openapi-responses.ts';

/** The document is generated and committed; `npm run docs` writes it anew. */
const isUpdating = process.env['UPDATE_DOCS'] === '1';

const OPENAPI_FILE = 'docs/openapi.yaml';

/** The document as it is committed; with UPDATE_DOCS=1 it is written first. */
export function committedDocument(generated: OpenApiDocument): OpenApiDocument {
  if (isUpdating) {
    mkdirSync(path.dirname(OPENAPI_FILE), { recursive: true });
    const text = stringify(generated, { aliasDuplicateObjects: false, lineWidth: 100 });
    writeFileSync(OPENAPI_FILE, text);
  }
  return readDocument();
}

/** Real requests and answers that the committed document shows, by `METHOD /path` as mounted. */
export const readExamples = (): Record<string, Example> =>
  existsSync(OPENAPI_FILE) ? examplesOf(readDocument()) : {};

/**
 * What is shown already stays where the answer now says the same but for what each walk draws anew (keys, ids,
 * moments), so that a new document differs where the platform does.
 */
export function settledExamples(now: Readonly<Record<string, Example>>): Record<string, Example> {
  const shown = readExamples();
  return Object.fromEntries(
    Object.entries(now).map(([key, example]) => {
      const earlier = shown[key];
      return [key, earlier !== undefined && isAlike(earlier, example) ? earlier : example];
    }),
  );
}

/** Equal but for words with a digit, and numbers as large as moments and drawn ids are. */
export function isAlike(one: unknown, other: unknown): boolean {
  if (typeof one === 'string' && typeof other === 'string')
    return withoutDrawn(one) === withoutDrawn(other);
  if (typeof one === 'number' && typeof other === 'number')
    return one === other || (one > DRAWN_FROM && other > DRAWN_FROM);
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other))
    return one === other;
  const names = Object.keys(one);
  return (
    names.join() === Object.keys(other).join() &&
    names.every((name) => isAlike(one[name], other[name]))
  );
}

const DRAWN_FROM = 1_000_000;
const withoutDrawn = (text: string): string => text.replace(/[\w+=-]*\d[\w+=-]*/g, '#');
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const readDocument = (): OpenApiDocument =>
  parse(readFileSync(OPENAPI_FILE, 'utf8')) as OpenApiDocument;

type Shown = Record<string, { example?: unknown }>;
interface Operation {
  requestBody?: { content: Shown };
  responses: Record<string, { content?: Shown }>;
}

/** What openApiOf was given: a document that is made with these is the same document. */
export function examplesOf(document: OpenApiDocument): Record<string, Example> {
  const operations = Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods as unknown as Record<string, Operation>).map(
      ([method, operation]) =>
        [
          `${method.toUpperCase()} ${template.replace(/\{(\w+)\}/g, ':$1')}`,
          exampleOf(operation),
        ] as const,
    ),
  );
  return Object.fromEntries(
    operations.flatMap(([key, example]) => (example === null ? [] : [[key, example]])),
  );
}

function exampleOf({ requestBody, responses }: Operation): Example | null {
  const asked = Object.values(requestBody?.content ?? {}).find(
    (each) => each.example !== undefined,
  );
  const request = asked === undefined ? {} : { request: asked.example };
  for (const [status, { content = {} }] of Object.entries(responses)) {
    for (const [type, { example }] of Object.entries(content)) {
      if (example !== undefined)
        return { status: Number(status), type, ...request, answer: example };
    }
  }
  return asked === undefined ? null : { status: 0, type: '', ...request, answer: null };
}
