import type { StandContext } from './context.ts';
import { canInstallPackages, findBinary, installPackages } from './install.ts';
import { StandError } from './progress.ts';

/** The shell draws the same without a window's parts: a quarter less of a processor for tests of pages. */
const BINARIES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** CHROMIUM_PATH, else a local browser, else Debian's package. Only tests need one. */
export async function findChromium(context: StandContext): Promise<string> {
  const given = context.env['CHROMIUM_PATH'];
  const found = findBinary(given !== undefined && given !== '' ? [given] : BINARIES, context.env);
  if (found !== undefined) return found;
  const why = canInstallPackages(context.env)
    ? await installPackages(['chromium-headless-shell'], context)
    : 'packages can be installed by root with apt-get only';
  const installed = findBinary(BINARIES, context.env);
  if (installed !== undefined) return installed;
  throw new StandError(
    `Chromium is missing (${why}). Install it (Debian: apt-get install chromium-headless-shell), or set CHROMIUM_PATH to ` +
      'a Chromium or Chrome.',
  );
}
