import {
  makeSandboxKeys,
  type Sandboxes,
  sandboxEnv,
  type SandboxKeys,
  startSandboxes,
} from '../../dev/sandboxes/stand.ts';

export interface TestSandboxes extends Sandboxes {
  keys: SandboxKeys;
  /** What leads a provider to them. */
  env: Record<string, string>;
}

/** Once a process: four pairs of RSA keys take longer than most tests. */
let keys: SandboxKeys | undefined;

/** The outside companies, as `npm start` has them, for one file. */
export async function startTestSandboxes(): Promise<TestSandboxes> {
  keys ??= makeSandboxKeys();
  const sandboxes = await startSandboxes(keys);
  return { ...sandboxes, keys, env: sandboxEnv(sandboxes.base, keys) };
}
