import type { Answer } from '../../../client/client.ts';
import { read } from '../../api.ts';

const ROUTE = 'GET /api/advertiser/campaigns/{id}/zone-reach';
export type ZoneReach = Answer<typeof ROUTE>;

export const zoneReach = (id: number) => read(ROUTE, { path: { id } });
