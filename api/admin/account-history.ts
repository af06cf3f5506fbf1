import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { readAccountPerson } from '../../db/queries/account-admin.ts';
import { listAudit } from '../../db/queries/audit-log.ts';
import {
  listRelatedAccounts,
  type RelatedAccount,
  RELATIONS,
} from '../../db/queries/related-accounts.ts';
import { notFound } from '../../domain/errors.ts';
import { accountLifecycle } from '../../domain/lifecycle/account.ts';
import type { ConsoleDeps } from '../deps.ts';
import {
  cursorFields,
  cursorPageOf,
  pageOf,
  presentCursorPage,
  windowOf,
} from '../http/pagination.ts';
import { idOf, listOf, oneOf, record, words, wordsOrNull } from '../http/response-shapes.ts';
import { route } from '../http/route.ts';
import { auditEntryShape, presentAuditEntry } from '../present/audit-entry.ts';

const RULE = 'interface 5.2';
const READERS = ['SUPPORT', 'FINANCE'] as const;

const historyQuery = yup.object(cursorFields);

const relatedShape = record(
  {
    items: listOf(
      record(
        {
          by: oneOf(RELATIONS),
          /** The host or domain; a payout account is not told. */
          value: wordsOrNull(),
          account: record({
            id: idOf(),
            kind: oneOf(['ADVERTISER', 'PUBLISHER']),
            username: words(),
            company_name: wordsOrNull(),
            email: words(),
            nickname: words(),
            status: oneOf(accountLifecycle.statuses),
          }),
        },
        'RelatedAccount',
      ),
    ),
  },
  'RelatedAccounts',
);

/** interface 5.2: what an operator looks up about an account that behaves oddly. */
export function accountHistoryRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  addSide(router, deps, 'advertiser');
  addSide(router, deps, 'publisher');
  return router;
}

function addSide(router: Router, deps: ConsoleDeps, noun: 'advertiser' | 'publisher'): void {
  const sql = runner(deps.db);
  const called = noun === 'advertiser' ? 'an advertiser' : 'a publisher';
  const expectAccount = async (id: number): Promise<void> => {
    const account = await readAccountPerson(sql, id);
    if (account?.kind.toLowerCase() !== noun) throw notFound();
  };

  router.get(
    `/${noun}s/:id/history`,
    route(
      {
        summary: `List what ${called} did and what was done about them, newest first`,
        rule: RULE,
        roles: READERS,
        query: historyQuery,
        answer: cursorPageOf(auditEntryShape),
      },
      async ({ id, query }) => {
        await expectAccount(id);
        const page = pageOf(query);
        const { items, total } = await listAudit(sql, {
          ofAccount: { id, noun },
          before: query.cursor,
          ...windowOf(page, query.cursor),
        });
        return presentCursorPage(items.map(presentAuditEntry), total, page);
      },
    ),
  );

  router.get(
    `/${noun}s/:id/related`,
    route(
      {
        summary: `List accounts that may belong to the same people as ${called}`,
        rule: RULE,
        roles: READERS,
        answer: relatedShape,
      },
      async ({ id }) => {
        await expectAccount(id);
        return { items: (await listRelatedAccounts(sql, id)).map(presentRelated) };
      },
    ),
  );
}

const presentRelated = ({
  by,
  value,
  ...account
}: RelatedAccount): yup.InferType<typeof relatedShape>['items'][number] => ({
  by,
  value,
  account: {
    id: account.id,
    kind: account.kind,
    username: account.username,
    company_name: account.companyName,
    email: account.email,
    nickname: account.nickname ?? account.username,
    status: account.status,
  },
});
