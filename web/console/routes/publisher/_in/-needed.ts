import { list as listSites } from '../../../queries/publisher/site.ts';
import { list as listZones } from '../../../queries/publisher/zone.ts';

/** What is read to know what needs a publisher, begun before its page is there. */
export const SITES = listSites({ page_size: 100 });
export const ZONES = listZones({ page_size: 100 });
