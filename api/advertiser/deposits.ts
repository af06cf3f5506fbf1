import { Router } from 'express';
import * as yup from 'yup';
import { PLATFORM_CURRENCY } from '../../activities/core/ledger.ts';
import { composeRails, type DepositRails } from '../../activities/providers/deposit-rails.ts';
import { runner } from '../../db/postgres.ts';
import {
  listAdvertiserTransactions,
  listDeposits,
  readAdvertiserBalance,
} from '../../db/queries/deposits.ts';
import { loadSettings } from '../../db/settings.ts';
import { depositTerms, TOKEN_NETWORKS } from '../../domain/deposit-terms.ts';
import { notFound } from '../../domain/errors.ts';
import type { TransferType } from '../../domain/ledger/postings.ts';
import {
  DEPOSIT_METHODS,
  DEPOSIT_STATUSES,
  type DepositMethod,
} from '../../domain/lifecycle/deposit.ts';
import { CURSOR_SORTS, ORDER_SORTS, sortWords } from '../../db/queries/sorting.ts';
import type { ConsoleDeps } from '../deps.ts';
import { listOf, pageOfItems, record } from '../http/response-shapes.ts';
import { amount, day } from '../http/fields.ts';
import { requireBasicProfile } from '../accounts/profile-gates.ts';
import {
  cursorFields,
  cursorPageOf,
  pageFields,
  pageOf,
  presentCursorPage,
  presentPage,
  sortField,
  windowOf,
} from '../http/pagination.ts';
import { route } from '../http/route.ts';
import {
  advertiserBalanceShape,
  depositShape,
  presentAdvertiserBalance,
  presentDeposit,
} from '../present/deposit.ts';
import { depositMethodShape, presentMethod } from '../present/deposit-payment.ts';
import { presentTransaction, transactionShape } from '../present/transaction.ts';
import { nanosOf } from './targeting-fields.ts';

/** interface 2.6; the minimum per method is a setting. */
const createBody = yup.object({
  amount: amount().required().moreThan(0),
  payment_method: yup.string().oneOf(DEPOSIT_METHODS).required(),
  network: yup.string().oneOf(TOKEN_NETWORKS),
});
const listQuery = yup.object({
  ...pageFields,
  ...sortField(sortWords(ORDER_SORTS)),
  status: yup.string().oneOf(DEPOSIT_STATUSES),
  payment_method: yup.string().oneOf(DEPOSIT_METHODS),
  start_date: day(),
  end_date: day(),
});
/** What moves an advertiser's balance. */
const TYPES = [
  'DEPOSIT',
  'SPEND',
  'SPEND_REVERSED',
  'SPEND_RESTORED',
  'BALANCE_REFUND_HOLD',
  'BALANCE_REFUND_RELEASE',
  'RECEIPT_HOLD',
  'RECEIPT_RELEASE',
] as const satisfies readonly TransferType[];
const transactionQuery = yup.object({
  ...cursorFields,
  ...sortField(sortWords(CURSOR_SORTS)),
  type: yup.string().oneOf(TYPES),
});

const rule = 'interface 4.6';

/** interface 4.6. Mounted at /api/advertiser/deposits. */
export function depositRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  addBalance(router, deps);
  addMethods(router, deps);
  addOrders(router, deps);
  return router;
}

function addBalance(router: Router, deps: ConsoleDeps): void {
  const sql = runner(deps.db);

  router.get(
    '/balance',
    route(
      { summary: 'Show the balance', rule, answer: advertiserBalanceShape },
      async ({ caller }) => {
        const balance = await readAdvertiserBalance(sql, caller.id, deps.clock());
        return presentAdvertiserBalance(balance, PLATFORM_CURRENCY);
      },
    ),
  );

  router.get(
    '/transactions',
    route(
      {
        summary: 'List what moved the balance',
        rule,
        query: transactionQuery,
        answer: cursorPageOf(transactionShape),
      },
      async ({ query, caller }) => {
        const page = pageOf(query);
        const { items, total } = await listAdvertiserTransactions(sql, {
          advertiserId: caller.id,
          type: query.type,
          sort: query.sort,
          cursor: query.cursor,
          ...windowOf(page, query.cursor),
        });
        return presentCursorPage(items.map(presentTransaction), total, page);
      },
    ),
  );
}

function addMethods(router: Router, deps: ConsoleDeps): void {
  const rails = composeRails(deps.config.payments, deps.config.urls.base);
  router.get(
    '/methods',
    route(
      {
        summary: 'List the ways to top up with what each takes, and why one cannot be used',
        rule,
        answer: record({ items: listOf(depositMethodShape) }),
      },
      async () => {
        const settings = await loadSettings(runner(deps.db));
        const prices = {
          currency: PLATFORM_CURRENCY,
          cnyPerUnit: settings['deposit.cny_per_unit'],
        };
        return {
          items: DEPOSIT_METHODS.map((method) =>
            presentMethod(depositTerms(settings, method, waysOf(rails, method)), prices),
          ),
        };
      },
    ),
  );
}

const waysOf = (rails: DepositRails, method: DepositMethod) => ({
  unusable: rails.unusable(method),
  networks: method === 'USDT' ? rails.networks : [],
});

function addOrders(router: Router, deps: ConsoleDeps): void {
  const { payee } = deps.config.payments;
  router.get(
    '/',
    route(
      {
        summary: 'List top-up orders',
        rule,
        query: listQuery,
        answer: pageOfItems(depositShape),
      },
      async ({ query, caller }) => {
        const page = pageOf(query);
        const { items, total } = await listDeposits(runner(deps.db), {
          advertiserId: caller.id,
          status: query.status,
          paymentMethod: query.payment_method,
          startDate: query.start_date,
          endDate: query.end_date,
          sort: query.sort,
          limit: page.limit,
          offset: page.offset,
        });
        return presentPage(
          items.map((each) => presentDeposit(each, payee)),
          total,
          page,
        );
      },
    ),
  );

  router.post(
    '/',
    route(
      {
        summary: 'Order a top-up',
        rule: 'interface 4.6, 2.6',
        roles: ['FINANCE'],
        // An order moves nothing yet, and what arrives for it is the advertiser's own.
        stepUp: false,
        body: createBody,
        answer: depositShape,
        statuses: [201],
        gate: requireBasicProfile(deps),
        refusals: ['profile_incomplete'],
      },
      async ({ body, caller }) => {
        const { amount: asked, payment_method: paymentMethod, network } = body;
        const order = { amountNanos: nanosOf<never>(asked), paymentMethod, network };
        const { id } = await deps.activities.openDeposit({ advertiserId: caller.id, ...order });
        return await show(deps, { id, advertiserId: caller.id });
      },
    ),
  );

  router.get(
    '/:id',
    route(
      { summary: 'Show a top-up order', rule, answer: depositShape },
      async ({ id, caller }) => await show(deps, { id, advertiserId: caller.id }),
    ),
  );

  router.post(
    '/:id/cancel',
    route(
      {
        summary: 'Cancel a top-up order for which no money has arrived',
        rule,
        roles: ['FINANCE'],
        stepUp: false,
        answer: depositShape,
        refusals: ['state_conflict'],
      },
      async ({ id, caller }) => {
        await deps.activities.cancelDeposit({ advertiserId: caller.id, depositId: id });
        return await show(deps, { id, advertiserId: caller.id });
      },
    ),
  );
}

async function show(deps: ConsoleDeps, key: { id: number; advertiserId: number }) {
  const { items } = await listDeposits(runner(deps.db), { ...key, limit: 1, offset: 0 });
  const [deposit] = items;
  if (deposit === undefined) throw notFound();
  return presentDeposit(deposit, deps.config.payments.payee);
}
