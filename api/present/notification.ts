import type * as yup from 'yup';
import type {
  ShownNotification,
  StoredNotificationSettings,
} from '../../db/queries/notifications.ts';
import { presentAmount } from '../../domain/money.ts';
import {
  BALANCE_LOW_NANOS,
  kindsOf,
  NOTIFICATION_KINDS,
  type Tenant,
  waysOf,
} from '../../domain/notifications.ts';
import { notificationText } from '../../domain/notification-texts.ts';
import {
  flag,
  idOf,
  mapOf,
  money,
  moving,
  oneOf,
  record,
  time,
  timeOrNull,
  whole,
  words,
} from '../http/response-shapes.ts';

/** interface 5.9 */
export const notificationShape = record(
  {
    id: idOf(),
    kind: oneOf(NOTIFICATION_KINDS),
    subject: record({ type: words(), id: idOf() }).nullable(),
    params: mapOf(),
    /** The same in one line of English. */
    text: words(),
    created_at: time(),
    read_at: timeOrNull(),
  },
  'Notification',
);

export const presentNotification = (
  row: ShownNotification,
): yup.InferType<typeof notificationShape> => ({
  id: row.id,
  kind: row.kind,
  subject:
    row.subjectType === null || row.subjectId === null
      ? null
      : { type: row.subjectType, id: row.subjectId },
  params: row.params,
  text: notificationText(row.kind, row.params, 'en', row.subjectType),
  created_at: row.createdAt.toISOString(),
  read_at: row.readAt?.toISOString() ?? null,
});

const wayFields = () => record({ console: flag(), mail: flag() });
const lastFields = { version: moving(whole()), updated_at: moving(timeOrNull()) };

const waysShapeOf = (tenant: Tenant) =>
  record(Object.fromEntries(kindsOf(tenant).map((kind) => [kind, wayFields()])));

export const notificationSettingsShapes = {
  ADVERTISER: record(
    { kinds: waysShapeOf('ADVERTISER'), balance_low: money(), ...lastFields },
    'AdvertiserNotificationSettings',
  ),
  PUBLISHER: record(
    { kinds: waysShapeOf('PUBLISHER'), ...lastFields },
    'PublisherNotificationSettings',
  ),
} as const;

export function presentNotificationSettings(
  tenant: Tenant,
  row: StoredNotificationSettings | undefined,
) {
  const kinds = Object.fromEntries(
    kindsOf(tenant).map((kind) => [kind, waysOf(kind, row?.ways ?? {})]),
  );
  return {
    kinds,
    ...(tenant === 'ADVERTISER'
      ? { balance_low: presentAmount(row?.balanceLowNanos ?? BALANCE_LOW_NANOS) }
      : {}),
    version: row?.version ?? 1,
    updated_at: row?.updatedAt.toISOString() ?? null,
  };
}
