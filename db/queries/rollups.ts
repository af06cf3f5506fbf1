import { UNKNOWN_COUNTRY } from '../../domain/tracking/rollups.ts';
import { sqlName, type Table } from '../schema/table.ts';
import { rollupAdHours } from '../tables/rollup-ad-hour.ts';
import { rollupAdTraits } from '../tables/rollup-ad-trait.ts';
import { rollupZoneHours } from '../tables/rollup-zone-hour.ts';
import { rollupZoneTraits } from '../tables/rollup-zone-trait.ts';

const keysOf = (of: Table): string[] => of.key.map((name) => sqlName(of, name));

/** Key columns of each rollup table, and which money it shows, as SQL names them. */
export const ROLLUPS = {
  rollup_ad_hours: { keys: keysOf(rollupAdHours), money: 'spend_nanos' },
  rollup_ad_traits: { keys: keysOf(rollupAdTraits), money: 'spend_nanos' },
  rollup_zone_hours: { keys: keysOf(rollupZoneHours), money: 'revenue_nanos' },
  rollup_zone_traits: { keys: keysOf(rollupZoneTraits), money: 'revenue_nanos' },
} as const;
export type RollupTable = keyof typeof ROLLUPS;
export const ROLLUP_TABLES = Object.keys(ROLLUPS) as RollupTable[];

/** The rollups' keys of an event, where they are not its columns. */
export const ROLLUP_KEY_SOURCE: Readonly<Record<string, string>> = {
  hour: `date_bin('15 minutes', received_at, TIMESTAMPTZ 'epoch')`,
  day: `(received_at AT TIME ZONE 'UTC')::date`,
  country: `COALESCE(country, '${UNKNOWN_COUNTRY}')`,
};
