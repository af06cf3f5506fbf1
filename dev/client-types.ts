import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { OpenApiDocument } from '../api/openapi/openapi.ts';
import { clientRoutes } from './client-routes.ts';

/** Writes web/client/routes.ts, which is made and not kept: `npm run check` begins with it. */
const document = parse(readFileSync('docs/openapi.yaml', 'utf8')) as OpenApiDocument;
const text = clientRoutes(document);
const file = 'web/client/routes.ts';
let before = '';
try {
  before = readFileSync(file, 'utf8');
} catch (error) {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
// An unchanged file keeps its time, so that editors and compilers do not read it again.
if (before !== text) writeFileSync(file, text);
