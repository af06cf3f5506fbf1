import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openApiOf } from '../../api/openapi/openapi.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { readExamples } from '../support/committed.ts';
import { createTestDatabase, prepareTemplateDatabase } from '../support/database.ts';
import { image } from '../support/images.ts';
import { createRawClient } from '../support/bad-input/client.ts';
import { makeOperators, makeTenant, type Tenant } from '../support/bad-input/tenants.ts';
import { documentFor } from './document.ts';
import { summaryOf } from './summary.ts';

/**
 * Requests made from the OpenAPI document against the running application: no 5xx, no status, no
 * content type and no shape that the document does not name. Each realm has a tenant of its own,
 * with one of everything, so that requests meet rows.
 */
const SECONDS = Number(process.env['FUZZ_SECONDS'] ?? 180);
const EXAMPLES = process.env['FUZZ_EXAMPLES'] ?? '25';
const SEED = process.env['FUZZ_SEED'] ?? '7';
/** Names of runs, by comma, and what their paths hold; all of them else. */
const ONLY = process.env['FUZZ_ONLY']?.split(',');
const PATHS = process.env['FUZZ_PATHS'] ?? '';
/** Coverage of every parameter comes first and takes what it takes; this ends a run that hangs. */
const END_AFTER_MS = (SECONDS + 600) * 1_000;
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];
/** The console's clock runs ahead, so that limits per minute end no run (interface 8). */
const MINUTE_PASSES_EVERY_MS = 100;
/** A logout ends the token that the other requests need. */
const LOGOUT = '/auth/logout$';

interface Run {
  name: string;
  token: string | undefined;
  /** Regular expression of the paths. */
  include: string;
  exclude?: string;
}

const database = await prepareTemplateDatabase().then(async () => await createTestDatabase());
const testApp = await createTestApp(database);
const folder = mkdtempSync(path.join(tmpdir(), 'fuzz-'));
const passing = setInterval(() => {
  testApp.passTime(60_000);
}, MINUTE_PASSES_EVERY_MS);
let failed = false;
try {
  failed = await fuzzAll();
} finally {
  clearInterval(passing);
  await rm(folder, { recursive: true, force: true });
  failed = !(await closes(testApp)) || failed;
  await database.close();
}
process.exit(failed ? 1 : 0);

async function fuzzAll(): Promise<boolean> {
  const client = createRawClient(testApp.port, () => undefined);
  const tenant = await makeTenant(database, client);
  const other = await makeTenant(database, client);
  const operators = await makeOperators(testApp);
  tenant.objects.receiptEvidence = await uploadEvidence(operators.ADMIN);
  await testApp.startServing();
  const trackIds = await served(tenant);
  client.close();
  const runs: Run[] = [
    // First: the consoles' runs pause and archive what is served.
    { name: 'surfaces', token: undefined, include: '^/(?!api/)' },
    { name: 'advertiser', token: tenant.advertiser, include: '^/api/advertiser/', exclude: LOGOUT },
    { name: 'publisher', token: tenant.publisher, include: '^/api/publisher/', exclude: LOGOUT },
    { name: 'admin', token: operators.ADMIN, include: '^/api/admin/', exclude: LOGOUT },
    { name: 'logout', token: other.advertiser, include: `^/api/advertiser${LOGOUT}` },
  ];
  const file = path.join(folder, 'openapi.json');
  writeFileSync(
    file,
    JSON.stringify(documentFor(openApiOf(testApp.app, readExamples()), knownOf(tenant, trackIds))),
  );
  let anyFailed = false;
  for (const run of runs) {
    if (ONLY?.includes(run.name) !== false) anyFailed = (await fuzz(run, file)) || anyFailed;
  }
  for (const fault of new Set(testApp.faults)) process.stdout.write(`logged: ${fault}\n`);
  return anyFailed || testApp.faults.length > 0;
}

/** The tenant's own is a row without a file, which the platform is right to call a fault. */
async function uploadEvidence(token: string): Promise<number> {
  const body = new FormData();
  const bytes = new Uint8Array(await image('png'));
  body.set('file', new Blob([bytes], { type: 'image/png' }), 'slip.png');
  const answer = await fetch(`http://127.0.0.1:${testApp.port}/api/admin/receipt-evidence`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body,
  });
  const { data } = (await answer.json()) as { data: { id?: number } };
  if (data.id === undefined) throw new Error(`no evidence was taken: ${JSON.stringify(data)}`);
  return data.id;
}

/** Names of parameters and fields whose values lead somewhere. */
function knownOf(tenant: Tenant, trackIds: string[]) {
  const { objects, zoneKey, trackingCode } = tenant;
  const of = (id: number) => [id, 987_654_321];
  const values = {
    campaign_id: of(objects.campaign),
    adgroup_id: of(objects.adgroup),
    creative_id: of(objects.creative),
    tracker_id: of(objects.tracker),
    image_media_id: of(objects.media),
    site_id: of(objects.site),
    zone_id: [objects.zone, zoneKey, 'zone_nowhere0'],
    zone: [zoneKey, 'zone_nowhere0'],
    track_id: [...trackIds, 'not-sealed-here'],
    code: [trackingCode, 'trk_unknown'],
    c: [trackingCode, 'trk_unknown'],
  };
  return { objects, values };
}

/** Track ids of real answers; the inventory may take a moment to be loaded. */
async function served(tenant: Tenant): Promise<string[]> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const answer = await fetch(
      `http://127.0.0.1:${testApp.port}/ad/request?zone=${tenant.zoneKey}`,
      {
        headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/141.0.0.0 Safari/537.36' },
      },
    );
    const { data } = (await answer.json()) as { data: { ads: { id: string }[] } };
    if (data.ads.length > 0) return data.ads.map(({ id }) => id);
    await sleep(200);
  }
  throw new Error('no ad was served: tracking would be fuzzed with nothing but forged ids');
}

/** True when something was found. */
async function fuzz(run: Run, file: string): Promise<boolean> {
  const report = path.join(folder, `${run.name}.json`);
  const begun = performance.now();
  const args: Record<string, string> = {
    url: `http://127.0.0.1:${testApp.port}`,
    'include-path-regex': `(?=${run.include}).*(?:${PATHS})`,
    ...(run.exclude === undefined ? {} : { 'exclude-path-regex': run.exclude }),
    ...(run.token === undefined ? {} : { header: `Authorization: Bearer ${run.token}` }),
    checks: CHECKS.join(','),
    phases: 'examples,coverage,fuzzing',
    'max-examples': EXAMPLES,
    'max-time': String(SECONDS),
    seed: SEED,
    warnings: 'off',
    'suppress-health-check': 'all',
    'generation-database': 'none',
    report: 'ndjson',
    'report-ndjson-path': report,
  };
  const switches = ['--continue-on-failure', '--no-shrink', '--no-color'];
  const stated = Object.entries(args).flatMap(([name, value]) => [`--${name}`, value]);
  const fuzzer = process.env['FUZZER'] ?? 'schemathesis';
  const code = await command(fuzzer, ['run', file, ...stated, ...switches]);
  const seconds = Math.round((performance.now() - begun) / 1_000);
  process.stdout.write(
    `${run.name.padEnd(12)} ${summaryOf(readFileSync(report, 'utf8'))}, ${seconds} s\n`,
  );
  return code !== 0;
}

async function command(file: string, args: string[]): Promise<number> {
  return await new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: ['ignore', 'inherit', 'inherit'], cwd: folder });
    const timer = setTimeout(() => child.kill('SIGKILL'), END_AFTER_MS);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve(code ?? 1);
    });
  });
}

/** The test server holds every answer against the document as well (answer-check.ts). */
async function closes(app: TestApp): Promise<boolean> {
  try {
    await app.close();
    return true;
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  }
}
