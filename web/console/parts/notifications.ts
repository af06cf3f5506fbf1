import type { QueryKey, UseQueryOptions } from '@tanstack/react-query';
import type { Notification } from '../../client/routes.ts';
import { read, write } from '../api.ts';
import type { Owner } from './identity.ts';
import type { PageOf } from './list-page.tsx';

export interface NotificationSearch {
  page?: number;
  status?: 'read' | 'unread';
}

type Notifications = PageOf<Notification> & { unread: number };

/** Notifications have the same routes for advertisers and publishers. */
export const notificationsOf = (realm: Owner) => ({
  list: (query: NotificationSearch & { page_size?: number }) =>
    read(`GET /api/${realm}/notifications`, {
      query: { page_size: 30, ...query },
    }) as unknown as UseQueryOptions<Notifications> & { queryKey: QueryKey },
  markRead: write(`POST /api/${realm}/notifications/read`, [`GET /api/${realm}/notifications`]),
});
