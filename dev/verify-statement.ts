import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type DocumentKeys,
  documentKeysOf,
  openSigned,
} from '../activities/providers/document-signer.ts';
import { loadConfig } from '../config.ts';

/**
 * `npm run verify-statement FILE [KEYS]`: whether a document is what the platform issued. FILE is one of its
 * files or its .jws.json; the others lie beside it. KEYS is what `/document-keys.json` of the platform answers,
 * as a file or its address; without it the keys are those of DOCUMENT_KEYS, or of the stand of `npm start`.
 * Ends with 0 when all of its files are as they were signed, 1 when one is not, 2 when there is nothing to look at.
 */
const USAGE = `usage: npm run verify-statement FILE [KEYS]
FILE  a document's .csv or .pdf, or its .jws.json; the signature and at least one file lie side by side
KEYS  /document-keys.json of the platform, as a file or an address`;

interface Manifest {
  number: string;
  kind: string;
  account: { id: number; realm: string; name: string };
  month: string | null;
  ledger_batch: number | null;
  currency: string;
  opening: string | null;
  total: string;
  closing: string | null;
  issued_at: string;
  files: { name: string; bytes: number; sha256: string }[];
}

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  const [file, keysAt] = process.argv.slice(2);
  if (file === undefined) return fail(USAGE);
  const base = file.replace(/\.(csv|pdf|jws\.json)$/, '');
  const bytes = read(`${base}.jws.json`);
  if (bytes === undefined) return fail(`There is no ${base}.jws.json.\n${USAGE}`);
  const signed = openSigned(bytes, await readKeys(keysAt));
  if (signed === undefined) {
    say(`INVALID: none of the keys has signed ${base}.jws.json`);
    return 1;
  }
  const manifest = JSON.parse(signed.text) as Manifest;
  describe(manifest, signed.keyId);
  // One of them may be handed on without the other; the one that was asked about may not be missing.
  const asked = path.basename(file);
  const found = manifest.files
    .map((each) => ({ ...each, content: read(path.join(path.dirname(base), each.name)) }))
    .filter(({ name, content }) => content !== undefined || name === asked);
  if (found.length === 0) return fail(`None of its files lies beside ${base}.jws.json.`);
  if (!asked.endsWith('.jws.json') && !found.some(({ name }) => name === asked)) {
    say(`INVALID: ${asked} is no file of ${manifest.number}`);
    return 1;
  }
  const wrong = found.filter(
    ({ content, sha256 }) =>
      createHash('sha256')
        .update(content ?? '')
        .digest('hex') !== sha256,
  );
  for (const { name } of wrong) say(`INVALID: ${name} is not what was signed`);
  if (wrong.length === 0) say(`VALID: ${found.map(({ name }) => name).join(', ')}`);
  return wrong.length === 0 ? 0 : 1;
}

function describe(manifest: Manifest, keyId: string): void {
  const { account, currency } = manifest;
  say(`${manifest.kind} ${manifest.number}, signed by key ${keyId} on ${manifest.issued_at}`);
  say(`account ${account.id} (${account.realm}), ${account.name}`);
  say(manifest.month === null ? `batch ${manifest.ledger_batch}` : `month ${manifest.month}`);
  if (manifest.opening !== null) say(`opening ${manifest.opening} ${currency}`);
  say(`total   ${manifest.total} ${currency}`);
  if (manifest.closing !== null) say(`closing ${manifest.closing} ${currency}`);
}

function fail(why: string): number {
  process.stderr.write(`${why}\n`);
  return 2;
}

/** Undefined when there is none. */
function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function readKeys(at: string | undefined): Promise<DocumentKeys> {
  if (at !== undefined && /^https?:\/\//.test(at)) {
    const answer = await fetch(at, { signal: AbortSignal.timeout(10_000) });
    if (!answer.ok) throw new Error(`${at} answers ${answer.status}`);
    return (await answer.json()) as DocumentKeys;
  }
  if (at !== undefined) return JSON.parse(readFileSync(at, 'utf8')) as DocumentKeys;
  const own = process.env['DOCUMENT_KEYS'];
  if (own !== undefined) return documentKeysOf(loadConfig({ DOCUMENT_KEYS: own }).keys.documents);
  const stand = JSON.parse(readFileSync('.data/secrets.json', 'utf8')) as {
    keys: Record<string, string>;
  };
  const keys = stand.keys['DOCUMENT_KEYS'] ?? '';
  return documentKeysOf(loadConfig({ DOCUMENT_KEYS: keys }).keys.documents);
}

process.exitCode = await main();
