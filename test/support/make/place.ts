import { randomBytes } from 'node:crypto';
import type { Db } from '../../../db/postgres.ts';
import type { RecordOf } from '../../../db/schema/models.ts';
import { makePublisher } from './account.ts';

type Account = RecordOf<'accounts'>;
type Site = RecordOf<'sites'>;
type Zone = RecordOf<'zones'>;

/** A verified and approved site. */
export async function makeSite(
  db: Db,
  publisherId: number,
  fields: Partial<Site> = {},
): Promise<Site> {
  const domain = fields.domain ?? `site-${randomBytes(6).toString('hex')}.example`;
  return await db.models.sites.create({
    publisherId,
    name: 'Site',
    url: `https://${domain}`,
    verifyToken: randomBytes(16).toString('hex'),
    verifyStatus: 'VERIFIED',
    auditStatus: 'APPROVED',
    ...fields,
    domain,
  });
}

/** An approved banner zone of 300x250. */
export async function makeZone(
  db: Db,
  site: Pick<Site, 'id' | 'publisherId'>,
  fields: Partial<Zone> = {},
): Promise<Zone> {
  return await db.models.zones.create({
    publisherId: site.publisherId,
    siteId: site.id,
    name: 'Zone',
    zoneKey: `zone_${randomBytes(4).toString('hex')}`,
    auditStatus: 'APPROVED',
    ...fields,
  });
}

export interface Place {
  publisher: Account;
  site: Site;
  zone: Zone;
}

/** A publisher's site with one zone that sells by every pricing model. */
export async function makePlace(
  db: Db,
  options: { site?: Partial<Site>; zone?: Partial<Zone>; publisher?: Account } = {},
): Promise<Place> {
  const publisher = options.publisher ?? (await makePublisher(db));
  const site = await makeSite(db, publisher.id, options.site);
  const pricingTypes = 'CPC,CPM,CPA,CPS,CPV';
  const zone = await makeZone(db, site, { pricingTypes, ...options.zone });
  return { publisher, site, zone };
}
