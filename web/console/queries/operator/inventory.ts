import type { Answer, Ask } from '../../../client/client.ts';
import { read, write } from '../../api.ts';

/** What accounts run, as operators look at it, and what they take back into review. */
type Query = NonNullable<Ask<'GET /api/admin/advertisers/{id}/inventory'>['query']>;
export type InventoryItem = Answer<'GET /api/admin/advertisers/{id}/inventory'>['items'][number];
export type InventoryPage = Answer<'GET /api/admin/inventory/item'>;
export type InventoryType = InventoryItem['type'];

/** Of advertisers, and of publishers. */
export const ADVERTISED = ['campaign', 'adgroup', 'ad', 'creative'] as const;
export const PLACED = ['site', 'zone'] as const;
export const INVENTORY_TYPES = [...ADVERTISED, ...PLACED];

type Filters = Omit<Query, 'subject_type'>;
export const ofAdvertiser = (id: number, type: (typeof ADVERTISED)[number], filters: Filters) =>
  read('GET /api/admin/advertisers/{id}/inventory', {
    path: { id },
    query: { page_size: 20, ...filters, subject_type: type },
  });
export const ofPublisher = (id: number, type: (typeof PLACED)[number], filters: Filters) =>
  read('GET /api/admin/publishers/{id}/inventory', {
    path: { id },
    query: { page_size: 20, ...filters, subject_type: type },
  });
export const item = (type: InventoryType, id: number) =>
  read('GET /api/admin/inventory/item', { query: { subject_type: type, subject_id: id } });

const SHOWN_IN = [
  'GET /api/admin/publishers/{id}/inventory',
  'GET /api/admin/inventory/item',
] as const;
export const suspendSite = write('POST /api/admin/inventory/sites/{id}/suspend', SHOWN_IN);
export const restoreSite = write('POST /api/admin/inventory/sites/{id}/restore', SHOWN_IN);
export const recall = write('POST /api/admin/inventory/recall', [
  'GET /api/admin/advertisers/{id}/inventory',
  'GET /api/admin/publishers/{id}/inventory',
  'GET /api/admin/inventory/item',
  'GET /api/admin/tasks',
  'GET /api/admin/tasks/counts',
]);
