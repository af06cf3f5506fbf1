import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { readAccountPerson } from '../../db/queries/account-admin.ts';
import { findOwner, listMembers } from '../../db/queries/members.ts';
import { notFound } from '../../domain/errors.ts';
import { MEMBER_STATUSES } from '../../domain/lifecycle/member.ts';
import type { ConsoleDeps } from '../deps.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { route } from '../http/route.ts';
import { membersShape, presentMember, presentOwner } from '../present/member.ts';

const READERS = ['SUPPORT', 'FINANCE'] as const;

const listQuery = yup.object({ ...pageFields, status: yup.string().oneOf(MEMBER_STATUSES) });

/** interface 5.2: who works in an account, as its team sees it. Operators change nobody there. */
export function accountMemberRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  addList(router, deps, 'advertiser');
  addList(router, deps, 'publisher');
  return router;
}

function addList(router: Router, deps: ConsoleDeps, noun: 'advertiser' | 'publisher'): void {
  const sql = runner(deps.db);
  router.get(
    `/${noun}s/:id/members`,
    route(
      {
        summary: `List who works in the account of ${noun === 'advertiser' ? 'an advertiser' : 'a publisher'}`,
        rule: 'interface 5.2',
        roles: READERS,
        query: listQuery,
        answer: membersShape,
      },
      async ({ id, query }) => {
        const account = await readAccountPerson(sql, id);
        const owner = account?.kind.toLowerCase() === noun ? await findOwner(sql, id) : undefined;
        if (owner === undefined) throw notFound();
        const page = pageOf(query);
        const { items, total } = await listMembers(sql, {
          accountId: id,
          status: query.status,
          limit: page.limit,
          offset: page.offset,
        });
        return {
          ...presentPage(items.map(presentMember), total, page),
          owner: presentOwner(owner),
        };
      },
    ),
  );
}
