import path from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';

/** Prebid.js 11 itself and our bidder, as a page loads them. */
export async function buildPrebid(): Promise<Record<'/prebid.js' | '/adapter.js', string>> {
  const prebid = `import pbjs from 'prebid.js'; window.pbjs = pbjs; pbjs.processQueue();`;
  return {
    '/prebid.js': await bundled({ contents: prebid, resolveDir: process.cwd() }),
    '/adapter.js': await bundled(path.join(process.cwd(), 'web/prebid/main.ts')),
  };
}

/** The adapter is loaded first: it waits in Prebid's queue. */
export const PREBID_SCRIPTS =
  '<script src="/adapter.js"></script><script src="/prebid.js"></script>';

/** The package says of its own start that nothing comes of it, which is not so. */
async function bundled(source: string | { contents: string; resolveDir: string }): Promise<string> {
  const { outputFiles } = await build({
    ...(typeof source === 'string' ? { entryPoints: [source] } : { stdin: source }),
    bundle: true,
    format: 'iife',
    ignoreAnnotations: true,
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

export interface PrebidBid {
  cpm: number;
  currency: string;
  adId: string;
  width: number;
  height: number;
  creativeId: string;
  adUrl: string;
}

export interface AdUnit {
  params: object;
  code?: string;
  width?: number;
}

/** Asks for bids of these ad units in one auction, as a page does; answers those of each. */
export async function bidsFor(
  page: Page,
  units: readonly AdUnit[],
  options: { ortb2?: object } = {},
): Promise<PrebidBid[][]> {
  const adUnits = units.map(({ params, code = 'slot', width = 300 }) => ({
    code,
    mediaTypes: { banner: { sizes: [[width, 250]] } },
    bids: [{ bidder: 'adplatform', params }],
  }));
  const asked = { ...options, timeout: 5_000, adUnits };
  return await page.evaluate(`new Promise((resolve) => {
    const asked = ${JSON.stringify(asked)};
    pbjs.que.push(() => pbjs.requestBids({
      ...asked,
      bidsBackHandler: (found = {}) => resolve(
        asked.adUnits.map(({ code }) => found[code]?.bids ?? []),
      ),
    }));
  })`);
}

/** Draws a bid as the page's ad server would tell it. */
export async function drawBid(page: Page, { adId, width, height }: PrebidBid): Promise<void> {
  await page.evaluate(`(() => {
    const frame = document.createElement('iframe');
    frame.width = ${width};
    frame.height = ${height};
    document.body.append(frame);
    pbjs.renderAd(frame.contentDocument, ${JSON.stringify(adId)});
  })()`);
}
