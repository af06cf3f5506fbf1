import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Example } from '../../api/openapi/openapi-responses.ts';

/** Files of docs/ and web/ that are generated and committed; `npm run docs` writes them anew. */
const isUpdating = process.env['UPDATE_DOCS'] === '1';

export const OPENAPI_FILE = 'docs/openapi.yaml';
export const EXAMPLES_FILE = 'docs/examples.json';
export const CLIENT_FILE = 'web/client/routes.ts';

/** What is committed of a generated file; with UPDATE_DOCS=1 it is written first. */
export function committed(file: string, generated: string): string {
  if (isUpdating) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, generated);
  }
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Real requests and answers, by `METHOD /path` as mounted. */
export const readExamples = (): Record<string, Example> =>
  existsSync(EXAMPLES_FILE)
    ? (JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as Record<string, Example>)
    : {};
