import type { Router } from 'express';
import * as yup from 'yup';
import { PLATFORM_CURRENCY } from '../../activities/core/ledger.ts';
import { composePayouts } from '../../activities/providers/payout.ts';
import { runner } from '../../db/postgres.ts';
import { loadSettings } from '../../db/settings.ts';
import { listSharesOf, readTaxTerm } from '../../db/queries/money-terms.ts';
import { listPublisherTransactions, readPublisherBalance } from '../../db/queries/withdrawals.ts';
import { PAYOUT_CHANNELS } from '../../domain/lifecycle/withdrawal.ts';
import { payoutTerms } from '../../domain/payout-terms.ts';
import { CURSOR_SORTS, sortWords } from '../../db/queries/sorting.ts';
import type { ConsoleDeps } from '../deps.ts';
import { listOf, record } from '../http/response-shapes.ts';
import {
  cursorFields,
  cursorPageOf,
  pageOf,
  presentCursorPage,
  sortField,
  windowOf,
} from '../http/pagination.ts';
import { route } from '../http/route.ts';
import {
  paymentMethodShape,
  presentPaymentMethod,
  presentPublisherBalance,
  publisherBalanceShape,
} from '../present/publisher-money.ts';
import { presentRevenueShare, revenueShareShape } from '../present/money-term.ts';
import { presentTransaction, transactionShape } from '../present/transaction.ts';

const transactionsQuery = yup.object({
  ...cursorFields,
  ...sortField(sortWords(CURSOR_SORTS)),
});
const rule = 'interface 4.12';

/** interface 4.12: what a publisher has, what moved it, and the ways it can be paid. */
export function addPublisherMoney(router: Router, deps: ConsoleDeps): void {
  const sql = runner(deps.db);
  const payouts = composePayouts(deps.config.payouts);

  router.get(
    '/balance',
    route(
      { summary: 'Show the balance', rule, answer: publisherBalanceShape },
      async ({ caller }) =>
        presentPublisherBalance(await readPublisherBalance(sql, caller.id), PLATFORM_CURRENCY),
    ),
  );

  router.get(
    '/transactions',
    route(
      {
        summary: 'List what moved the balance',
        rule,
        query: transactionsQuery,
        answer: cursorPageOf(transactionShape),
      },
      async ({ query, caller }) => {
        const page = pageOf(query);
        const { items, total } = await listPublisherTransactions(sql, {
          publisherId: caller.id,
          sort: query.sort,
          cursor: query.cursor,
          ...windowOf(page, query.cursor),
        });
        return presentCursorPage(items.map(presentTransaction), total, page);
      },
    ),
  );

  router.get(
    '/revenue-share',
    route(
      {
        summary: 'Show the share of prices that is earned, and what is agreed to follow',
        rule: 'interface 5.21',
        answer: revenueShareShape,
      },
      async ({ caller }) => presentRevenueShare(await listSharesOf(sql, caller.id)),
    ),
  );

  router.get(
    '/payment-methods',
    route(
      {
        summary: 'List the payout channels with what they take',
        rule,
        answer: record({ items: listOf(paymentMethodShape) }),
      },
      async ({ caller }) => {
        const settings = await loadSettings(sql);
        const tax = await readTaxTerm(sql, caller.id, deps.clock());
        return {
          items: PAYOUT_CHANNELS.map((channel) =>
            presentPaymentMethod(payoutTerms(settings, channel, tax), {
              payouts,
              currency: PLATFORM_CURRENCY,
              tax,
            }),
          ),
        };
      },
    ),
  );
}
