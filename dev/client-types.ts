import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { OpenApiDocument } from '../api/openapi/openapi.ts';
import { clientRoles, clientRoutes } from './client-routes.ts';
import { formRules } from './form-rules.ts';

/** Writes the client's routes and the forms' rules, which are made of the document and not kept. */
export function writeClientTypes(): void {
  const document = parse(readFileSync('docs/openapi.yaml', 'utf8')) as OpenApiDocument;
  write('web/client/routes.ts', clientRoutes(document));
  write('web/client/member-routes.ts', clientRoles(document, 'member'));
  write('web/client/operator-routes.ts', clientRoles(document, 'operator'));
  write('web/client/form-rules.ts', formRules(document));
}

/** An unchanged file keeps its time, so that editors and compilers do not read it again. */
function write(file: string, text: string): void {
  let before = '';
  try {
    before = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  if (before !== text) writeFileSync(file, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeClientTypes();
