import { randomBytes } from 'node:crypto';
import type { Db } from '../../db/postgres.ts';
import type { RecordOf } from '../../db/schema/models.ts';

type Site = RecordOf<'sites'>;
type Zone = RecordOf<'zones'>;

/** Rows that a publisher's tests start from; written past the API on purpose. */
const word = (): string => randomBytes(5).toString('hex');

export async function makeAccount(db: Db, kind: 'ADVERTISER' | 'PUBLISHER'): Promise<number> {
  const name = `${kind.toLowerCase()}_${word()}`;
  const account = await db.models.accounts.create({
    kind,
    username: name,
    email: `${name}@example.com`,
    passwordHash: 'none',
  });
  return account.id;
}

export async function makeSite(
  db: Db,
  publisherId: number,
  fields: Partial<Pick<Site, 'auditStatus' | 'status' | 'verifyStatus' | 'domain' | 'name'>> = {},
): Promise<Site> {
  const domain = fields.domain ?? `site-${word()}.example`;
  return await db.models.sites.create({
    publisherId,
    name: 'Site',
    url: `https://${domain}`,
    verifyToken: randomBytes(16).toString('hex'),
    auditStatus: 'APPROVED',
    verifyStatus: 'VERIFIED',
    ...fields,
    domain,
  });
}

export async function makeZone(
  db: Db,
  site: Pick<Site, 'id' | 'publisherId'>,
  fields: Partial<Pick<Zone, 'auditStatus' | 'status' | 'type' | 'name'>> = {},
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
