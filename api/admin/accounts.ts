import { type RequestHandler, Router } from 'express';
import * as yup from 'yup';
import { PLATFORM_CURRENCY } from '../../activities/ledger.ts';
import { runner } from '../../db/postgres.ts';
import { type AccountOverview, listAccounts } from '../../db/queries/account-admin.ts';
import type { AccountKind } from '../../db/queries/accounts.ts';
import { notFound } from '../../domain/errors.ts';
import { presentAmount } from '../../domain/money.ts';
import type { ConsoleDeps } from '../deps.ts';
import { identityOf, requireRole } from '../http/auth.ts';
import { ok } from '../http/envelope.ts';
import { text } from '../http/fields.ts';
import { likePattern, pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { readBody, readId, readQuery } from '../http/read.ts';
import { requestIdOf } from '../http/request-id.ts';

const listSchema = yup.object({
  ...pageFields,
  keyword: text(),
  status: yup.string().oneOf(['ACTIVE', 'SUSPENDED']),
});
const moveSchema = yup.object({ reason: text(500) });

/** /api/admin/advertisers and /publishers: SUPPORT and FINANCE read, ADMIN suspends and restores. */
export function adminAccountRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  mount(router, deps, { path: '/advertisers', kind: 'ADVERTISER' });
  mount(router, deps, { path: '/publishers', kind: 'PUBLISHER' });
  return router;
}

interface AccountResource {
  path: string;
  kind: AccountKind;
}

function mount(router: Router, deps: ConsoleDeps, { path, kind }: AccountResource): void {
  const readers = requireRole('SUPPORT', 'FINANCE');
  router.get(path, readers, async (req, res) => {
    const query = readQuery(req, listSchema);
    const page = pageOf(query);
    const { items, total } = await listAccounts(runner(deps.db), {
      kind,
      pattern: query.keyword === undefined ? undefined : likePattern(query.keyword),
      status: query.status,
      limit: page.limit,
      offset: page.offset,
    });
    ok(
      res,
      presentPage(
        items.map((item) => presentOverview(kind, item)),
        total,
        page,
      ),
    );
  });
  router.get(`${path}/:id`, readers, async (req, res) => {
    ok(res, await overview(deps, kind, readId(req)));
  });
  router.post(`${path}/:id/suspend`, requireRole('ADMIN'), move(deps, kind, 'suspendAccount'));
  router.post(`${path}/:id/restore`, requireRole('ADMIN'), move(deps, kind, 'restoreAccount'));
}

function move(
  deps: ConsoleDeps,
  kind: AccountKind,
  activity: 'suspendAccount' | 'restoreAccount',
): RequestHandler {
  return async (req, res) => {
    const id = readId(req);
    const { reason } = readBody(req, moveSchema);
    await deps.activities[activity]({
      kind,
      id,
      operatorId: identityOf(req).id,
      reason,
      requestId: requestIdOf(req),
    });
    ok(res, await overview(deps, kind, id));
  };
}

async function overview(deps: ConsoleDeps, kind: AccountKind, id: number) {
  const { items } = await listAccounts(runner(deps.db), { kind, id, limit: 1, offset: 0 });
  const [account] = items;
  if (account === undefined) throw notFound();
  return presentOverview(kind, account);
}

function presentOverview(kind: AccountKind, account: AccountOverview) {
  const { availableNanos, maturingNanos, withdrawableNanos, heldNanos } = account;
  const isAdvertiser = kind === 'ADVERTISER';
  return {
    id: account.id,
    username: account.username,
    email: account.email,
    nickname: account.nickname ?? account.username,
    company_name: account.companyName,
    contact_name: account.contactName,
    mobile: account.mobile,
    industry: account.industry,
    ...(isAdvertiser ? {} : { site_url: account.siteUrl }),
    status: account.status,
    kyc_status: account.kycStatus,
    balance: isAdvertiser
      ? {
          currency: PLATFORM_CURRENCY,
          balance: presentAmount(availableNanos + heldNanos),
          available: presentAmount(availableNanos),
          held: presentAmount(heldNanos),
        }
      : {
          currency: PLATFORM_CURRENCY,
          balance: presentAmount(maturingNanos + withdrawableNanos + heldNanos),
          withdrawable: presentAmount(withdrawableNanos),
          maturing: presentAmount(maturingNanos),
          held: presentAmount(heldNanos),
        },
    open: {
      tasks: account.openTasks,
      [isAdvertiser ? 'deposits' : 'withdrawals']: account.openMoneyOrders,
    },
    created_at: account.createdAt.toISOString(),
    updated_at: account.updatedAt.toISOString(),
  };
}
