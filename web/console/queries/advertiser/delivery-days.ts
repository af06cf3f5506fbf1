import type { Answer } from '../../../client/client.ts';
import { read } from '../../api.ts';

const ROUTE = 'GET /api/advertiser/campaigns/{id}/delivery-days';
export type DeliveryDay = Answer<typeof ROUTE>['items'][number];

export const deliveryDays = (id: number) => read(ROUTE, { path: { id } });
