import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * The doors between the rooms hold, and each rule is shown to bite: a planted violation in a copy
 * of the tree must be named by the rule that forbids it.
 */
const ROOT = process.cwd();
const ROOMS = ['api', 'workflows', 'activities', 'worker', 'db', 'domain', 'dev'];

interface CruiseResult {
  summary: { violations: { rule: { name: string }; from: string; to: string }[] };
}

function cruise(folder: string): CruiseResult['summary']['violations'] {
  let output: string;
  try {
    output = execFileSync(
      process.execPath,
      [
        path.join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
        '--config',
        '.dependency-cruiser.cjs',
        '--output-type',
        'json',
        ...ROOMS,
        'config.ts',
      ],
      { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
    );
  } catch (error) {
    // The tool's exit code is the number of violations; its report is still on stdout.
    output = (error as { stdout: string }).stdout;
  }
  return (JSON.parse(output) as CruiseResult).summary.violations;
}

/** Rule, the file that breaks it, and the import that does. */
const PLANTED: [rule: string, file: string, source: string][] = [
  ['no-circular', 'domain/ring-a.ts', "export { b } from './ring-b.ts'; export const a = 1;"],
  ['domain-imports-only-domain', 'domain/leak.ts', "import pg from 'pg'; export const x = pg;"],
  [
    'crypto-in-tracking-only',
    'domain/ledger/leak.ts',
    "import { randomBytes } from 'node:crypto'; export const x = randomBytes;",
  ],
  [
    'config-is-read-by-entry-points-only',
    'activities/leak.ts',
    "import { loadConfig } from '../config.ts'; export const x = loadConfig;",
  ],
  [
    'db-knows-no-caller',
    'db/leak.ts',
    "import { postEntries } from '../activities/core/ledger.ts'; export const x = postEntries;",
  ],
  [
    'activities-know-no-caller',
    'activities/leak-2.ts',
    "import { envelope } from '../api/http/envelope.ts'; export const x = envelope;",
  ],
  [
    'workflows-see-only-temporal-and-contracts',
    'workflows/leak.ts',
    "import { openPool } from '../db/postgres.ts'; export const x = openPool;",
  ],
  [
    'contracts-are-plain-data',
    'workflows/contracts/leak.ts',
    "import { proxyActivities } from '@temporalio/workflow'; export const x = proxyActivities;",
  ],
  [
    'api-loads-no-workflow-code',
    'api/leak.ts',
    "import { x as y } from '../workflows/leak-target.ts'; export const x = y;",
  ],
  [
    'nothing-imports-the-entry-rooms',
    'worker/leak.ts',
    "import { envelope } from '../api/http/envelope.ts'; export const x = envelope;",
  ],
  [
    'nothing-imports-the-worker',
    'api/leak-2.ts',
    "import { x as y } from '../worker/leak-target.ts'; export const x = y;",
  ],
  [
    'surfaces-do-not-import-each-other',
    'api/publisher/leak.ts',
    "import { x as y } from '../advertiser/leak-target.ts'; export const x = y;",
  ],
  [
    'api-http-is-http-and-nothing-else',
    'api/http/leak.ts',
    "import { x as y } from '../advertiser/leak-target.ts'; export const x = y;",
  ],
  [
    'presenters-know-no-surface',
    'api/present/leak.ts',
    "import { x as y } from '../advertiser/leak-target.ts'; export const x = y;",
  ],
  [
    'core-activities-stand-on-no-topic',
    'activities/core/leak.ts',
    "import { createPasswords } from '../accounts/passwords.ts'; export const x = createPasswords;",
  ],
  [
    'schema-imports-tables-domain-and-the-runner',
    'db/schema/leak.ts',
    "import { totalOf } from '../queries/page-total.ts'; export const x = totalOf;",
  ],
  [
    'tables-import-schema-and-domain',
    'db/tables/leak.ts',
    "import { inventoryChannel } from '../keys.ts'; export const x = inventoryChannel;",
  ],
  ...['events', 'serving', 'files'].map((room): (typeof PLANTED)[number] => [
    'only-callers-use-queries',
    `db/${room}/leak.ts`,
    "import { totalOf } from '../queries/page-total.ts'; export const x = totalOf;",
  ]),
  [
    'sequelize-is-behind-two-doors',
    'db/queries/leak.ts',
    "import { Op } from 'sequelize'; export const x = Op;",
  ],
  [
    'hot-path-never-reaches-sequelize-or-temporal',
    'api/track/leak.ts',
    "import { openPool } from '../../db/postgres.ts'; export const x = openPool;",
  ],
];
const TARGETS = [
  'workflows/leak-target.ts',
  'worker/leak-target.ts',
  'api/advertiser/leak-target.ts',
];

/** What the linter refuses among the consoles' folders: its message, the file, and the import. */
const PLANTED_IN_CONSOLES: [message: string, file: string, imports: string][] = [
  ['parts know no noun', 'parts/leak.tsx', '../queries/advertiser/campaign.ts'],
  ['parts know no noun', 'parts/leak-2.tsx', '../routes/index.tsx'],
  ['parts know no noun', 'parts/leak-3.ts', '../may/withdrawal.ts'],
  ['realms never meet', 'routes/advertiser/leak.tsx', '../../queries/publisher/account.ts'],
  ['realms never meet', 'routes/publisher/_in/leak.tsx', '../../../queries/operator/account.ts'],
  ['realms never meet', 'routes/operator/_in/leak.tsx', '../../advertiser/login.tsx'],
  ['realms never meet', 'queries/publisher/leak.ts', '../advertiser/account.ts'],
  ['realms never meet', 'queries/operator/leak.ts', '../publisher/account.ts'],
];

interface LintReport {
  diagnostics: { filename: string; code: string; help?: string }[];
}

/** Whatever the linter says of `web` in a folder that has its settings. */
function lint(folder: string): LintReport['diagnostics'] {
  const oxlint = path.join(ROOT, 'node_modules/oxlint/bin/oxlint');
  try {
    execFileSync(process.execPath, [oxlint, '--format', 'json', 'web'], { cwd: folder });
    return [];
  } catch (error) {
    // Findings are an exit code of 1; the report is still on stdout.
    return (JSON.parse(String((error as { stdout: Buffer }).stdout)) as LintReport).diagnostics;
  }
}

describe('arrows', () => {
  test('the tree · as it stands · breaks no rule', () => {
    expect(cruise(ROOT)).toEqual([]);
  });

  test('every rule · a violation planted for it · names that violation', () => {
    const copy = mkdtempSync(path.join(tmpdir(), 'arrows-'));
    try {
      for (const name of [
        ...ROOMS,
        'config.ts',
        'package.json',
        'tsconfig.json',
        '.dependency-cruiser.cjs',
      ]) {
        cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
      }
      symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
      writeFileSync(
        path.join(copy, 'domain/ring-b.ts'),
        "export { a } from './ring-a.ts'; export const b = 2;",
      );
      for (const target of TARGETS) writeFileSync(path.join(copy, target), 'export const x = 1;');
      for (const [, file, source] of PLANTED) {
        mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
        writeFileSync(path.join(copy, file), source);
      }
      const found = cruise(copy);
      const missed = PLANTED.filter(
        ([rule, file]) => !found.some((v) => v.rule.name === rule && v.from === file),
      ).map(([rule]) => rule);
      expect(missed).toEqual([]);
    } finally {
      rmSync(copy, { recursive: true });
    }
  });

  test('the consoles · a violation planted for each fence · is what the linter says', () => {
    const copy = mkdtempSync(path.join(tmpdir(), 'fences-'));
    try {
      // Types are no part of these rules, and a few files alone have none.
      const settings = readFileSync(path.join(ROOT, '.oxlintrc.json'), 'utf8');
      const untyped = settings.replace('"typeAware": true', '"typeAware": false');
      writeFileSync(path.join(copy, '.oxlintrc.json'), untyped);
      const plant = (file: string, imports: string): void => {
        const at = path.join(copy, 'web/console', file);
        mkdirSync(path.dirname(at), { recursive: true });
        writeFileSync(at, `import { x } from '${imports}';\nexport const y = x;\n`);
      };
      for (const [, file, imports] of PLANTED_IN_CONSOLES) plant(file, imports);
      plant('routes/advertiser/well.tsx', '../../queries/advertiser/account.ts');
      plant('parts/well.tsx', '../texts/publisher.ts');
      const said = lint(copy).map(({ help, filename }) => `${filename}: ${help}`);
      expect(said.toSorted()).toEqual(
        PLANTED_IN_CONSOLES.map(([why, file]) => `web/console/${file}: ${why}`).toSorted(),
      );
    } finally {
      rmSync(copy, { recursive: true });
    }
  });
});
