import type { QueryKey, UseQueryOptions } from '@tanstack/react-query';
import type { Webhook, WebhookDelivery } from '../../client/routes.ts';
import type { NotificationKind } from '../../../domain/notifications.ts';
import { read, write } from '../api.ts';
import type { Owner } from './identity.ts';
import type { PageOf } from './list-page.tsx';

type Read<Data> = UseQueryOptions<Data> & { queryKey: QueryKey };

export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'DEAD'] as const;
export interface DeliverySearch {
  status?: (typeof DELIVERY_STATUSES)[number];
  page?: number;
}

/** One form serves both realms, so its kinds are typed as those that both have. */
type Kind = Extract<NotificationKind, 'review_decided' | 'kyc_decided' | 'export_ready'>;
export interface WebhookValues {
  url: string;
  kinds: Kind[];
}
export const valuesOf = ({
  url,
  kinds,
}: {
  url: string;
  kinds: readonly string[];
}): WebhookValues => ({
  url,
  kinds: kinds as Kind[],
});

/** Webhooks have the same routes for advertisers and publishers. */
export const webhooksOf = (realm: Owner) => {
  const stale = [`GET /api/${realm}/webhooks`, `GET /api/${realm}/webhooks/{id}`] as const;
  const sent = [`GET /api/${realm}/webhooks/{id}/deliveries`] as const;
  return {
    list: read(`GET /api/${realm}/webhooks`) as unknown as Read<{ items: Webhook[] }>,
    one: (id: number) =>
      read(`GET /api/${realm}/webhooks/{id}`, { path: { id } }) as unknown as Read<Webhook>,
    deliveries: (id: number, query: DeliverySearch) =>
      read(`GET /api/${realm}/webhooks/{id}/deliveries`, {
        path: { id },
        query: { page_size: 20, ...query },
      }) as unknown as Read<PageOf<WebhookDelivery>>,
    add: write(`POST /api/${realm}/webhooks`, stale),
    save: write(`PUT /api/${realm}/webhooks/{id}`, stale),
    /** It cannot be shown any more: its own page is not read anew. */
    remove: write(`DELETE /api/${realm}/webhooks/{id}`, [`GET /api/${realm}/webhooks`]),
    rotate: write(`POST /api/${realm}/webhooks/{id}/rotate-secret`, stale),
    test: write(`POST /api/${realm}/webhooks/{id}/test`, sent),
    resend: write(`POST /api/${realm}/webhooks/{id}/deliveries/{delivery_id}/resend`, sent),
  };
};
