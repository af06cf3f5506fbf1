import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import {
  countUnread,
  findNotificationSettings,
  listNotifications,
} from '../../db/queries/notifications.ts';
import { type FieldError, invalid } from '../../domain/errors.ts';
import { parseAmount } from '../../domain/money.ts';
import {
  isAlwaysWritten,
  kindsOf,
  NOTIFICATION_KINDS,
  type NotificationKind,
  type StoredWays,
  type Tenant,
} from '../../domain/notifications.ts';
import type { ConsoleDeps } from '../deps.ts';
import type { Identity } from '../http/auth.ts';
import { amount, id } from '../http/fields.ts';
import {
  cursorFields,
  cursorPageOf,
  pageOf,
  presentCursorPage,
  windowOf,
} from '../http/pagination.ts';
import { record, whole } from '../http/response-shapes.ts';
import { route } from '../http/route.ts';
import {
  notificationSettingsShapes,
  notificationShape,
  presentNotification,
  presentNotificationSettings,
} from '../present/notification.ts';

const READ_MAX = 100;
const rule = 'interface 5.9';

const listQuery = yup.object({
  ...cursorFields,
  kind: yup.string().oneOf(NOTIFICATION_KINDS),
  status: yup.string().oneOf(['read', 'unread'] as const),
  since: id(),
});

/** Of operators as well (api/admin/notifications.ts). */
export const readBody = yup
  .object({
    ids: yup.array().of(id().required()).min(1).max(READ_MAX),
    until: id(),
  })
  .test('which', 'Name ids, or until.', (body, context) =>
    body.ids === undefined && body.until === undefined
      ? context.createError({ path: 'ids', type: 'required', message: 'Name ids, or until.' })
      : true,
  );

const part = <Fields extends yup.ObjectShape>(fields: Fields) =>
  yup.object(fields).noUnknown(true).default(undefined);

const kindsField = (tenant: Tenant) =>
  part(
    Object.fromEntries(
      kindsOf(tenant).map((kind) => [kind, part({ console: yup.boolean(), mail: yup.boolean() })]),
    ),
  );
const settingsBodies = {
  ADVERTISER: yup.object({ kinds: kindsField('ADVERTISER'), balance_low: amount().nullable() }),
  PUBLISHER: yup.object({ kinds: kindsField('PUBLISHER') }),
} as const;

/** interface 5.9. Mounted in both tenants' realms. */
export function notificationRoutes(deps: ConsoleDeps, tenant: Tenant): Router {
  const router = Router();
  addList(router, deps);
  addSettings(router, deps, tenant);
  return router;
}

const whoAsks = ({ id: accountId, memberId }: Pick<Identity, 'id' | 'memberId'>) => ({
  accountId,
  memberId,
});

function addList(router: Router, deps: ConsoleDeps): void {
  const sql = runner(deps.db);

  router.get(
    '/notifications',
    route(
      {
        summary: 'List what you were told of, newest first, with how much of it is unread',
        rule,
        query: listQuery,
        answer: cursorPageOf(notificationShape).shape({ unread: whole().min(0) }),
      },
      async ({ query, caller }) => {
        const page = pageOf(query);
        const { items, total } = await listNotifications(sql, {
          ...whoAsks(caller),
          kind: query.kind,
          status: query.status,
          since: query.since,
          cursor: query.cursor,
          ...windowOf(page, query.cursor),
        });
        const shown = presentCursorPage(items.map(presentNotification), total, page);
        return { ...shown, unread: await countUnread(sql, whoAsks(caller)) };
      },
    ),
  );

  router.post(
    '/notifications/read',
    route(
      {
        summary: 'Mark notifications as read: the named ones, or all up to one',
        rule,
        body: readBody,
        answer: record({ read: whole().min(0), unread: whole().min(0) }),
      },
      async ({ body, caller }) => {
        const { ids, until } = body;
        const read = await deps.activities.readNotifications({ accountId: caller.id, ids, until });
        return { read, unread: await countUnread(sql, whoAsks(caller)) };
      },
    ),
  );
}

function addSettings(router: Router, deps: ConsoleDeps, tenant: Tenant): void {
  const show = async (accountId: number) =>
    presentNotificationSettings(tenant, await findNotificationSettings(runner(deps.db), accountId));
  // The two differ; what either lets through is a SettingsBody.
  const body = settingsBodies[tenant] as yup.AnyObjectSchema;
  const answer = notificationSettingsShapes[tenant] as yup.AnyObjectSchema;

  router.get(
    '/notification-settings',
    route(
      { summary: 'Show by which ways you are told of what', rule, answer },
      async ({ caller }) => await show(caller.id),
    ),
  );

  router.put(
    '/notification-settings',
    route(
      {
        summary: 'Say by which ways you want to be told of what',
        rule,
        body,
        answer,
        updates: true,
        current: async ({ caller }) => await show(caller.id),
      },
      async ({ body: said, caller, ifMatch }) => {
        const { kinds, balance_low: low } = said as SettingsBody;
        await deps.activities.putNotificationSettings({
          accountId: caller.id,
          ways: waysIn(kinds ?? {}),
          balanceLowNanos: typeof low === 'number' ? parseAmount(low) : low,
          ifMatch,
        });
        return await show(caller.id);
      },
    ),
  );
}

interface SettingsBody {
  kinds?: { [Kind in NotificationKind]?: { console?: boolean; mail?: boolean } };
  balance_low?: number | null;
}

/** Letters about money that leaves, identity and domains are always written. */
function waysIn(kinds: NonNullable<SettingsBody['kinds']>): StoredWays {
  const faults = Object.entries(kinds).flatMap(([kind, ways]): FieldError[] =>
    ways?.mail === false && isAlwaysWritten(kind as NotificationKind)
      ? [
          {
            field: `kinds.${kind}.mail`,
            code: 'immutable',
            message: 'This letter is always written.',
          },
        ]
      : [],
  );
  if (faults.length > 0) throw invalid(...faults);
  return Object.fromEntries(Object.entries(kinds).filter(([, ways]) => ways !== undefined));
}
