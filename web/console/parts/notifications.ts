import type { QueryKey, UseQueryOptions } from '@tanstack/react-query';
import type { Notification, OperatorNotice } from '../../client/routes.ts';
import { read, write } from '../api.ts';
import type { Realm } from '../session.ts';
import type { PageOf } from './list-page.tsx';

export interface NotificationSearch {
  page?: number;
  status?: 'read' | 'unread';
}

/** Accounts are told what happens to them, operators what needs them. */
export type News = Notification | OperatorNotice;
type Notifications = PageOf<News> & { unread: number };

/** Of which only how many were not read is shown. */
export const LATEST = { page_size: 1 };

/** Notifications have the same routes in every realm. */
export const notificationsOf = (realm: Realm) => ({
  list: (query: NotificationSearch & { page_size?: number }) =>
    read(`GET /api/${realm}/notifications`, {
      query: { page_size: 30, ...query },
    }) as unknown as UseQueryOptions<Notifications> & { queryKey: QueryKey },
  markRead: write(`POST /api/${realm}/notifications/read`, [`GET /api/${realm}/notifications`]),
});
