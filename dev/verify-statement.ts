import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createDocumentSigner } from '../activities/providers/document-signer.ts';
import { loadConfig } from '../config.ts';

/**
 * `npm run verify-statement FILE`: whether a document is what the platform issued. FILE is its .csv or its
 * .jws.json; the other one lies beside it. The keys are those of DOCUMENT_KEYS, or of the stand of `npm start`.
 * Ends with 0 when it is valid, 1 when it is not, 2 when nothing could be looked at.
 */
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

function main(): number {
  const [file] = process.argv.slice(2);
  if (file === undefined) {
    say('usage: npm run verify-statement FILE (a .csv, or a .jws.json with its .csv beside it)');
    return 2;
  }
  const base = file.replace(/\.(csv|jws\.json)$/, '');
  const signed = createDocumentSigner(keys()).open(readFileSync(`${base}.jws.json`));
  if (signed === undefined) {
    say(`INVALID: no key of ours has signed ${base}.jws.json`);
    return 1;
  }
  const manifest = JSON.parse(signed.text) as Manifest;
  const { account } = manifest;
  say(
    `${manifest.kind} ${manifest.number}, signed by key ${signed.keyId} on ${manifest.issued_at}`,
  );
  say(`account ${account.id} (${account.realm}), ${account.name}`);
  say(manifest.month === null ? `batch ${manifest.ledger_batch}` : `month ${manifest.month}`);
  if (manifest.opening !== null) say(`opening ${manifest.opening} ${manifest.currency}`);
  say(`total   ${manifest.total} ${manifest.currency}`);
  if (manifest.closing !== null) say(`closing ${manifest.closing} ${manifest.currency}`);
  const wrong = manifest.files.filter(({ name, bytes, sha256 }) => {
    const found = readFileSync(path.join(path.dirname(base), name));
    return found.length !== bytes || createHash('sha256').update(found).digest('hex') !== sha256;
  });
  for (const { name } of wrong) say(`INVALID: ${name} is not what was signed`);
  if (wrong.length === 0) say('VALID');
  return wrong.length === 0 ? 0 : 1;
}

function keys() {
  const own = process.env['DOCUMENT_KEYS'];
  if (own !== undefined) return loadConfig({ DOCUMENT_KEYS: own }).keys.documents;
  const stand = JSON.parse(readFileSync('.data/secrets.json', 'utf8')) as {
    keys: Record<string, string>;
  };
  return loadConfig({ DOCUMENT_KEYS: stand.keys['DOCUMENT_KEYS'] ?? '' }).keys.documents;
}

process.exitCode = main();
