import { text, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

/** Events of one viewer in one minute as one shard has counted them, of those near a limit. */
export const viewerRates = table(
  'viewer_rates',
  {
    minute: time(),
    /** `<kind>:<viewer key>` (domain/tracking/rates.ts). */
    viewer: text(),
    shard: whole(),
    events: whole(),
  },
  { key: ['minute', 'viewer', 'shard'] },
);
export type ViewerRateRow = Row<typeof viewerRates>;
