import type { StoredWays } from '../../domain/notifications.ts';
import { flag, json, nanos, ref, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const notificationSettings = table(
  'notification_settings',
  {
    accountId: ref(),
    ways: json<StoredWays>().byDefault(),
    balanceLowNanos: nanos().orNull(),
    lowTold: flag().byDefault(),
    version: whole().byDefault(),
    updatedAt: time().byDefault(),
  },
  { key: ['accountId'] },
);
export type NotificationSettingRow = Row<typeof notificationSettings>;
