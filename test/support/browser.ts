import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** A person's browser: automation is not announced, or nothing it does would be billed. */
export const PERSON_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

/**
 * Chromium heeds the last list of its features alone, so this one begins with what Playwright turns off.
 * The rest is what an address bar suggests: two pages of the browser's own for each page that a test
 * opens, three quarters of a second of processor, in windows that nobody sees.
 */
const FEATURES_OFF = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
];

export async function launchBrowser(hostRules: string): Promise<Browser> {
  const executablePath = [
    process.env['CHROMIUM_PATH'],
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ].find((path) => path !== undefined && path !== '' && existsSync(path));
  if (executablePath === undefined) {
    throw new Error(
      'Chromium is missing: set CHROMIUM_PATH, or install the package "chromium-headless-shell"',
    );
  }
  return await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-blink-features=AutomationControlled',
      `--disable-features=${FEATURES_OFF.join(',')}`,
      // For the whole browser: an override per page misses what a sandboxed frame loads first.
      `--user-agent=${PERSON_AGENT}`,
      `--host-resolver-rules=${hostRules}`,
    ],
  });
}
