import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { countUnreadNotices, listNotices } from '../../db/queries/operator-notices.ts';
import type { ConsoleDeps } from '../deps.ts';
import {
  cursorFields,
  cursorPageOf,
  pageOf,
  presentCursorPage,
  windowOf,
} from '../http/pagination.ts';
import { record, whole } from '../http/response-shapes.ts';
import { route } from '../http/route.ts';
import { readBody } from '../accounts/notifications.ts';
import { operatorNoticeShape, presentOperatorNotice } from '../present/operator-notice.ts';

const rule = 'interface 5.9';
const ROLES = ['REVIEWER', 'FINANCE', 'SUPPORT'] as const;
const listQuery = yup.object({
  ...cursorFields,
  status: yup.string().oneOf(['read', 'unread'] as const),
});

/** What operators are told of by their role; each reads for themself. */
export function operatorNoticeRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const sql = runner(deps.db);
  const unreadBy = async (caller: { id: number; role: string }): Promise<number> =>
    await countUnreadNotices(sql, caller);

  router.get(
    '/',
    route(
      {
        summary:
          'List what your role was told of, newest first, with how much of it you have not read',
        rule,
        roles: ROLES,
        query: listQuery,
        answer: cursorPageOf(operatorNoticeShape).shape({ unread: whole().min(0) }),
      },
      async ({ query, caller }) => {
        const page = pageOf(query);
        const { items, total } = await listNotices(sql, {
          operator: caller,
          status: query.status,
          cursor: query.cursor,
          ...windowOf(page, query.cursor),
        });
        const shown = presentCursorPage(items.map(presentOperatorNotice), total, page);
        return { ...shown, unread: await unreadBy(caller) };
      },
    ),
  );

  router.post(
    '/read',
    route(
      {
        summary: 'Mark what your role was told of as read by you: what you name, or all up to one',
        rule,
        roles: ROLES,
        body: readBody,
        answer: record({ read: whole().min(0), unread: whole().min(0) }),
      },
      async ({ body, caller }) => {
        const { ids, until } = body;
        const read = await deps.activities.readOperatorNotices({ operator: caller, ids, until });
        return { read, unread: await unreadBy(caller) };
      },
    ),
  );
  return router;
}
