import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { StandContext } from './services/context.ts';
import { findBinary } from './services/install.ts';
import { runCommand } from './services/processes.ts';
import { StandError } from './services/progress.ts';
import { bringServices, serviceEnv } from './services/services.ts';
import { runForeground, runVerb } from './services/verb.ts';

/**
 * `npm run fuzz`: requests made from the OpenAPI document against a running application with a
 * database of its own (test/fuzz/main.ts). FUZZ_SECONDS is the time of each realm; FUZZ_ONLY names some of them
 * (admin,surfaces) and FUZZ_PATHS is a pattern of paths.
 */
const VERSION = '4.32.5';

await runVerb({ folder: 'fuzz', whenOwned: 'use another folder' }, async (context) => {
  const [services, fuzzer] = await Promise.all([
    bringServices(context, { lasts: 'RUN' }),
    bringFuzzer(context),
  ]);
  const env = { ...process.env, ...serviceEnv(services), FUZZER: fuzzer };
  const script = path.join(context.root, 'test/fuzz/main.ts');
  return await runForeground(context, [process.execPath, '--import', 'tsx', script], env);
});

/** Schemathesis in a virtual environment of its own, kept between clones. Answers its program. */
async function bringFuzzer({ cacheDir, env, progress }: StandContext): Promise<string> {
  const folder = path.join(cacheDir, `schemathesis-${VERSION}`);
  const program = path.join(folder, 'bin/schemathesis');
  if (existsSync(program)) return program;
  const python = findBinary(['python3'], env);
  if (python === undefined) throw new StandError('Python 3.10 or newer is needed for fuzzing.');
  progress.say(`installing schemathesis ${VERSION} in ${folder}`);
  for (const [file, args] of [
    [python, ['-m', 'venv', folder]],
    [path.join(folder, 'bin/pip'), ['install', '--quiet', `schemathesis==${VERSION}`]],
  ] as const) {
    const { code, stderr } = await runCommand(file, [...args], { env });
    if (code === 0) continue;
    // Half an environment would be taken for a whole one the next time.
    rmSync(folder, { recursive: true, force: true });
    throw new StandError(`schemathesis could not be installed:\n${stderr}`);
  }
  return program;
}
