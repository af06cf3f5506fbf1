import type { StandContext } from './context.ts';
import { canInstallPackages, findBinary, installPackages } from './install.ts';
import { StandError } from './progress.ts';

/** Prometheus' own checker of rules: PROMTOOL_PATH, else the machine's, else Debian's package. */
export async function findPromtool(context: StandContext): Promise<string> {
  const given = context.env['PROMTOOL_PATH'];
  if (given !== undefined && given !== '') return given;
  const found = findBinary(['promtool'], context.env);
  if (found !== undefined) return found;
  const why = canInstallPackages(context.env)
    ? await installPackages(['prometheus'], context)
    : 'packages can be installed by root with apt-get only';
  const installed = findBinary(['promtool'], context.env);
  if (installed !== undefined) return installed;
  throw new StandError(
    `promtool is missing (${why}), with which tests hold the alerts. Install prometheus (Debian, ` +
      'Ubuntu: apt-get install prometheus; macOS: brew install prometheus), or set PROMTOOL_PATH.',
  );
}
