import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { OpenApiDocument } from '../api/openapi/openapi.ts';
import { clientRoutes } from './client-routes.ts';

const FILE = 'web/client/routes.ts';

/** Writes the client's routes, which are made of the document and not kept. */
export function writeClientTypes(): void {
  const document = parse(readFileSync('docs/openapi.yaml', 'utf8')) as OpenApiDocument;
  const text = clientRoutes(document);
  let before = '';
  try {
    before = readFileSync(FILE, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  // An unchanged file keeps its time, so that editors and compilers do not read it again.
  if (before !== text) writeFileSync(FILE, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeClientTypes();
