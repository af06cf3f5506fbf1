import { faultsOf } from '../call.ts';
import type { TestDatabase } from '../database.ts';
import { makeAdvertiser, makePublisher } from '../make/account.ts';
import { makeCampaignTree } from '../make/campaign.ts';
import type { Line } from '../make/line.ts';
import { nanos } from '../make/money.ts';
import { makeSite, makeZone } from '../make/place.ts';
import { CARD, ibanOf, passKyc } from '../payouts.ts';
import { append, eventOf } from '../settlement.ts';
import type { Stand } from '../stand.ts';

/** Who pays in, by which method, and who is paid, by which channel: each has a name in the story. */
const ADVERTISERS = ['bank', 'alipay', 'wechat', 'usdt', 'cash'] as const;
const PUBLISHERS = ['bank', 'paypal', 'usdt', 'paxum'] as const;
export type AdvertiserName = (typeof ADVERTISERS)[number];
export type PublisherName = (typeof PUBLISHERS)[number];

const HOMES: Readonly<Record<PublisherName, [country: string, entity: 'PERSONAL' | 'BUSINESS']>> = {
  bank: ['DE', 'PERSONAL'],
  paypal: ['US', 'BUSINESS'],
  usdt: ['US', 'PERSONAL'],
  paxum: ['BR', 'BUSINESS'],
};

export interface Cast {
  /** Ids. */
  advertisers: Record<AdvertiserName, number>;
  publishers: Record<PublisherName, number>;
  /** Each campaign in each zone: two sites of each publisher. */
  lines: Line[];
}

/** Approved accounts, identities, campaigns and places; what they agree on and their money is the story's. */
export async function makeCast(stand: Stand): Promise<Cast> {
  const { database } = stand;
  const { db } = database;
  const advertisers = await named(ADVERTISERS, async () => (await makeAdvertiser(db)).id);
  const publishers = await named(
    PUBLISHERS,
    async (name) => await makeSeller(database, ...HOMES[name]),
  );
  const card = await stand
    .as('publisher', publishers.bank)
    .post('/withdrawals/bank-cards', { ...CARD, iban: ibanOf(1) });
  if (card.status !== 201) throw new Error(`no card: ${faultsOf(card).join()}`);
  const lines: Line[] = [];
  for (const publisherId of Object.values(publishers)) {
    const places = await Promise.all([1, 2].map(async () => await makeSite(db, publisherId)));
    for (const [at, advertiserId] of Object.values(advertisers).entries()) {
      const { campaign, adGroup, creative, ad } = await makeCampaignTree(db, advertiserId, {
        campaign: { bidNanos: nanos(1) },
      });
      const site = places[at % 2];
      if (site === undefined) throw new Error('no site');
      lines.push({
        advertiserId,
        publisherId,
        campaignId: campaign.id,
        adGroupId: adGroup.id,
        adId: ad.id,
        creativeId: creative.id,
        siteId: site.id,
        zoneId: (await makeZone(db, site)).id,
      });
    }
  }
  return { advertisers, publishers, lines };
}

async function named<Name extends string, Made>(
  names: readonly Name[],
  make: (name: Name) => Promise<Made>,
): Promise<Record<Name, Made>> {
  const made: [Name, Made][] = [];
  for (const name of names) made.push([name, await make(name)]);
  return Object.fromEntries(made) as Record<Name, Made>;
}

async function makeSeller(
  database: TestDatabase,
  country: string,
  entity: 'PERSONAL' | 'BUSINESS',
): Promise<number> {
  const { id } = await makePublisher(database.db);
  await passKyc(database, id);
  await database.pool.query(
    `INSERT INTO kyc_applications (account_id, round, status, entity_type, legal_name, country,
       document_number_sealed, document_number_tail, document_ids, workflow_id)
     VALUES ($1::bigint, 1, 'APPROVED', $2, 'Ada', $3, '', '', '{}', 'kyc:' || $1::bigint)`,
    [id, entity, country],
  );
  return id;
}

/** Prices no share and no tax divides, and each another one. */
const PRICE = 7_000_000_001n;

/** One impression of each line an hour, as beacons leave them: of so many hours of a day. */
export async function dayOfTraffic(
  database: TestDatabase,
  { lines }: Pick<Cast, 'lines'>,
  { day, hours }: { day: Date; hours: number },
): Promise<void> {
  const events = Array.from({ length: hours }, (_, hour) =>
    lines.map((line, at) =>
      eventOf(line, {
        at: new Date(day.getTime() + hour * 3_600_000 + at * 1_000),
        priceNanos: PRICE + BigInt(day.getUTCDate() * 1_000_003 + hour * 7_919 + at * 104_729),
      }),
    ),
  );
  await append(database, ...events.flat());
}
