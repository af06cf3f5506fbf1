import { createTrackSealer } from '../../domain/tracking/track-id.ts';
import { runBooks } from '../../db/queries/books.ts';
import { untilClickable } from '../support/by-hand.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { until } from '../support/until.ts';
import { makeAdvertiser } from '../support/make/account.ts';
import { makeCampaignTree } from '../support/make/campaign.ts';
import { nanos } from '../support/make/money.ts';
import { makePlace } from '../support/make/place.ts';
import { PERSON_AGENT } from '../support/browser.ts';
import { ApiClient } from '../support/call.ts';

/**
 * What must never bill: over HTTP, through settlement, down to the stored reason. The answer to each
 * report is compared byte for byte with the answer to an honest one.
 */
const PASSWORD = 'what-is-refused-is-kept-5';
let platform: Platform;
const zones: Record<'open' | 'budget' | 'balance', string> = { open: '', budget: '', balance: '' };

beforeAll(async () => {
  platform = await startPlatform();
  const { db } = platform;
  const size = (width: number, height: number) => ({ revision: { width, height } });
  const zone = async (width: number, height: number): Promise<string> => {
    // With a floor of 1 per mille every impression costs 0.001.
    const built = await makePlace(db, {
      zone: { width, height, floorPriceCpmNanos: nanos(1) },
    });
    return built.zone.zoneKey;
  };
  zones.open = await zone(300, 250);
  zones.budget = await zone(728, 90);
  zones.balance = await zone(160, 600);
  await makeCampaignTree(db, (await makeAdvertiser(db, { balance: 100 })).id);
  await makeCampaignTree(db, (await makeAdvertiser(db, { balance: 100 })).id, {
    ...size(728, 90),
    campaign: { dailyBudgetNanos: nanos(0.0025), bidNanos: nanos(1.1) },
  });
  await makeCampaignTree(db, (await makeAdvertiser(db, { balance: 0.0035 })).id, {
    ...size(160, 600),
    campaign: { bidNanos: nanos(1.1) },
  });
  // A serving process that starts sees what is there.
  await platform.api.kill('SIGTERM');
  await platform.api.restart();
}, 120_000);

afterAll(async () => {
  await platform?.close();
}, 60_000);

let people = 0;
/** Another person each time: no two share an address, unless a test wants it. */
function somebody(agent = PERSON_AGENT): Record<string, string> {
  people += 1;
  return { 'User-Agent': agent, 'X-Forwarded-For': `8.8.${people >> 8}.${people & 255}` };
}

async function requestAd(zone: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(`${platform.baseUrl}/ad/request?zone=${zone}`, { headers });
  const answer = (await response.json()) as { data: { ads: { id: string }[] } };
  const id = answer.data.ads[0]?.id;
  if (id === undefined) throw new Error('no ad was served');
  return id;
}

/** Everything of an answer that a reporter can see. */
async function report(trackId: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(`${platform.baseUrl}/track/impression/${trackId}`, { headers });
  const seen = [...response.headers].filter(([name]) => name !== 'date');
  const body = Buffer.from(await response.arrayBuffer()).toString('hex');
  return JSON.stringify([response.status, seen, body]);
}

interface Stored {
  reason: string | null;
  billable: boolean;
  price_nanos: string;
  events: number;
}

async function whenStored(count: number): Promise<Stored[]> {
  return await until(`${count} judged events`, async () => {
    const { rows } = await platform.pool.query<Stored>(
      `SELECT reason, billable, price_nanos, count(*)::int AS events FROM events
       GROUP BY reason, billable, price_nanos ORDER BY reason NULLS FIRST`,
    );
    return rows.reduce((sum, row) => sum + row.events, 0) >= count && rows;
  });
}

const reasonsOf = (rows: Stored[]): Record<string, number> =>
  Object.fromEntries(rows.map((row) => [row.reason ?? 'billed', row.events]));

describe('what must never bill', () => {
  test('impressions · forged, altered, expired, replayed, by a bot, twice · stored with the reason, answered alike', async () => {
    const person = somebody();
    const honest = await requestAd(zones.open, person);
    const answers = [await report(honest, person)];

    const flipped = honest[70] === 'A' ? 'B' : 'A';
    answers.push(await report(honest.slice(0, 70) + flipped + honest.slice(71), somebody()));
    answers.push(await report('A'.repeat(honest.length), somebody()));

    const sealer = createTrackSealer(trackKeys());
    const opened = sealer.open(honest);
    if (opened === null) throw new Error('the seal is not ours');
    const old = sealer.seal({
      ...opened,
      bidId: 'f'.repeat(16),
      issuedAt: opened.issuedAt - 7_200,
    });
    answers.push(await report(old, somebody()));

    // The same track_id from elsewhere is a replay; another ad for the same person is a duplicate.
    answers.push(await report(honest, somebody()));
    answers.push(await report(await requestAd(zones.open, person), person));

    const bot = somebody(
      'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    );
    answers.push(await report(await requestAd(zones.open, bot), bot));
    const nobody = somebody('x');
    answers.push(await report(await requestAd(zones.open, nobody), nobody));

    expect(new Set(answers).size).toBe(1);
    const rows = await whenStored(8);
    expect(reasonsOf(rows)).toEqual({
      billed: 1,
      TRACK_INVALID: 2,
      TRACK_EXPIRED: 1,
      REPLAY: 1,
      DUPLICATE_IMPRESSION: 1,
      BOT_UA: 1,
      EMPTY_UA: 1,
    });
    expect(rows.filter((row) => row.reason !== null && row.price_nanos !== '0')).toEqual([]);
  }, 60_000);

  test('budget and balance · more is shown than there is money for · the cap is billed and no nano more', async () => {
    const before = reasonsOf(await whenStored(8))['billed'] ?? 0;
    const served: [string, Record<string, string>][] = [];
    // What a process has shown is held back from what is left; one that has just begun knows of none of it.
    for (const _process of ['this one', 'the next']) {
      for (const [zone, payable] of [
        [zones.budget, 2],
        [zones.balance, 3],
      ] as const) {
        for (let n = 0; n < payable; n += 1) {
          const person = somebody();
          served.push([await requestAd(zone, person), person]);
        }
        await expect(requestAd(zone, somebody())).rejects.toThrow('no ad was served');
      }
      await platform.api.kill('SIGTERM');
      await platform.api.restart();
    }
    const answers = new Set<string>();
    for (const [trackId, person] of served) answers.add(await report(trackId, person));
    expect(answers.size).toBe(1);
    const reasons = reasonsOf(await whenStored(18));
    // A budget of 0.0025 pays two impressions of 0.001, a balance of 0.0035 pays three.
    expect(reasons['billed']).toBe(before + 5);
    expect(reasons['BUDGET_EXCEEDED']).toBe(2);
    expect(reasons['BALANCE_EXHAUSTED']).toBe(3);
  }, 60_000);

  test('serving · once settlement has told it · shows neither campaign any more', async () => {
    for (const zone of [zones.budget, zones.balance]) {
      await until({ what: 'no ad is served without money', withinMs: 5_000 }, async () => {
        const response = await fetch(`${platform.baseUrl}/ad/request?zone=${zone}`, {
          headers: somebody(),
        });
        const answer = (await response.json()) as { message: string; data: { ads: unknown[] } };
        return answer.data.ads.length === 0 && answer.message === 'No ad available';
      });
    }
  });

  test('click · verified twice, and by another browser · one bill at most, the second is refused', async () => {
    const person = somebody();
    const trackId = await requestAd(zones.open, person);
    await report(trackId, person);
    await untilClickable();
    const page = await fetch(`${platform.baseUrl}/track/click/${trackId}`, { headers: person });
    const key = /data-key="([\w-]+)"/.exec(await page.text())?.[1];
    const verify = async (headers: Record<string, string>): Promise<number> => {
      const response = await fetch(`${platform.baseUrl}/track/click-verify`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ track_id: trackId, qa_k: key }),
      });
      const body = (await response.json()) as Record<string, unknown>;
      expect(body).not.toHaveProperty('timestamp');
      return response.status;
    };
    const stranger = somebody(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1',
    );
    expect(await verify(stranger)).toBe(409);
    expect((await Promise.all([verify(person), verify(person)])).sort()).toEqual([200, 409]);
  });

  test('operator · asks what became of one impression · is told the verdict and why', async () => {
    const operators = await platform.createOperators(PASSWORD);
    const admin = await new ApiClient(`${platform.baseUrl}/api/admin`).login(
      operators.SUPPORT,
      PASSWORD,
    );
    const bot = somebody('curl/8.5.0 (a tool that says so)');
    const trackId = await requestAd(zones.open, bot);
    await report(trackId, bot);
    const text = await until('the refused impression can be looked up', async () => {
      const found = JSON.stringify(await admin.must('GET', `/events?track_id=${trackId}`));
      return found.includes('BOT_UA') && found;
    });
    expect(text).not.toContain(bot['X-Forwarded-For'] ?? '');
    expect(text).toContain('.0/24');
  });

  test('books · after all that · every invariant holds', async () => {
    expect((await runBooks(platform.pool)).filter((check) => !check.ok)).toEqual([]);
  });
});

function trackKeys(): { id: number; secret: Buffer }[] {
  return (platform.env['TRACK_KEYS'] ?? '').split(',').map((item) => {
    const [id = '0', hex = ''] = item.split(':');
    return { id: Number(id), secret: Buffer.from(hex, 'hex') };
  });
}
