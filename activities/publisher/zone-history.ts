import type { Transaction } from 'sequelize';
import { propertiesBut } from '../../db/schema/table.ts';
import type { FieldChange } from '../../db/tables/audit-entry.ts';
import { PLATFORM_COLUMNS } from '../../db/tables/reviewed.ts';
import { type ZoneRow, zones } from '../../db/tables/zone.ts';
import { recordOwn } from '../core/history.ts';
import type { ActivityDeps } from '../deps.ts';

/** What its owner edits; the others are the platform's. */
export const EDITED = propertiesBut(zones, [
  ...PLATFORM_COLUMNS.filter((name) => name !== 'advertiserId'),
  'publisherId',
  'siteId',
  'zoneKey',
]);

/** A line of the publisher's history. */
export async function recordZone(
  { db }: ActivityDeps,
  tx: Transaction,
  { id, publisherId: accountId }: Pick<ZoneRow, 'id' | 'publisherId'>,
  { verb, changes }: { verb: string; changes?: FieldChange[] },
): Promise<void> {
  const subject = { type: 'zone', id };
  await recordOwn(db, tx, {
    accountId,
    action: `zone.${verb}`,
    subject,
    ...(changes && { changes }),
  });
}
