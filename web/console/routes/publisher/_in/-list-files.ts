import type { Site, Zone } from '../../../../client/routes.ts';
import type { ListFile } from '../../../parts/list-file.ts';
import { list as listSites } from '../../../queries/publisher/site.ts';

const STATE = ['status', 'audit_status', 'delivery_status', 'delivery_reasons'] as const;
const OF_SITE = { id: 'site_id', as: 'site_name', list: listSites({}) } as const;

/** What the files of this side's lists have of each row. */
export const LIST_FILES = {
  site: {
    name: 'sites',
    fields: ['id', 'name', 'domain', 'app_package', 'verify_status', ...STATE, 'created_at'],
  } satisfies ListFile<Site>,
  zone: {
    name: 'zones',
    fields: [
      'id',
      'name',
      'zone_key',
      'site_id',
      'type',
      'width',
      'height',
      'floor_price_cpm',
      'floor_price_cpc',
      ...STATE,
      'created_at',
    ],
    named: [OF_SITE],
  } satisfies ListFile<Zone>,
};
