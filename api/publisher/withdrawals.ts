import { Router } from 'express';
import * as yup from 'yup';
import {
  bankAccountFaults,
  readBankAccount,
} from '../../activities/withdrawals/payout-accounts.ts';
import type { BankChoice } from '../../activities/withdrawals/payout-destination.ts';
import { runner } from '../../db/postgres.ts';
import { listWithdrawals } from '../../db/queries/withdrawals.ts';
import { type FieldError, notFound } from '../../domain/errors.ts';
import {
  PAYOUT_CHANNELS,
  type PayoutChannel,
  WITHDRAWAL_STATUSES,
} from '../../domain/lifecycle/withdrawal.ts';
import { parseAmount } from '../../domain/money.ts';
import { ORDER_SORTS, sortWords } from '../../db/queries/sorting.ts';
import type { ConsoleDeps } from '../deps.ts';
import { pageOfItems } from '../http/response-shapes.ts';
import { amount, day, id, objectRules, text } from '../http/fields.ts';
import { requireKyc } from '../accounts/profile-gates.ts';
import { pageFields, pageOf, presentPage, sortField } from '../http/pagination.ts';
import { requestIdOf } from '../http/request-id.ts';
import { route } from '../http/route.ts';
import { presentWithdrawal, withdrawalShape } from '../present/withdrawal.ts';
import { bankAccountFields } from './bank-account-fields.ts';
import { bankCardRoutes } from './bank-cards.ts';
import { addPublisherMoney } from './withdrawal-money.ts';

const channel = () => yup.string().oneOf(PAYOUT_CHANNELS);

/** interface 2.10; `payment_method` and `channel` are two names of one thing. */
const createBody = yup
  .object({
    amount: amount().required().moreThan(0),
    payment_method: channel(),
    channel: channel(),
    account_info: text(254).nullable(),
    bank_info: yup
      .object({ bank_card_id: id().nullable(), ...bankAccountFields })
      .noUnknown(true)
      .default(undefined)
      .nullable()
      .meta({ kind: 'part' }),
  })
  .test(
    'destination',
    objectRules((body) => [...channelFaults(body), ...bankFaults(body.bank_info)]),
  );
type CreateBody = yup.InferType<typeof createBody>;

const listQuery = yup.object({
  ...pageFields,
  ...sortField(sortWords(ORDER_SORTS)),
  status: yup.string().oneOf(WITHDRAWAL_STATUSES),
  payment_method: channel(),
  start_date: day(),
  end_date: day(),
});

const rule = 'interface 4.12';

/** interface 4.12. Mounted at /api/publisher/withdrawals. */
export function withdrawalRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  addPublisherMoney(router, deps);
  router.use('/bank-cards', bankCardRoutes(deps));
  addReads(router, deps);
  addRequests(router, deps);
  return router;
}

function addReads(router: Router, deps: ConsoleDeps): void {
  router.get(
    '/',
    route(
      {
        summary: 'List withdrawals, newest first',
        rule,
        query: listQuery,
        answer: pageOfItems(withdrawalShape),
      },
      async ({ query, caller }) => {
        const page = pageOf(query);
        const { items, total } = await listWithdrawals(runner(deps.db), {
          publisherId: caller.id,
          status: query.status,
          channel: query.payment_method,
          startDate: query.start_date,
          endDate: query.end_date,
          sort: query.sort,
          limit: page.limit,
          offset: page.offset,
        });
        return presentPage(items.map(presentWithdrawal), total, page);
      },
    ),
  );

  router.get(
    '/:id',
    route(
      { summary: 'Show a withdrawal', rule, answer: withdrawalShape },
      async ({ id: withdrawalId, caller }) =>
        await show(deps, { id: withdrawalId, publisherId: caller.id }),
    ),
  );
}

function addRequests(router: Router, deps: ConsoleDeps): void {
  router.post(
    '/',
    route(
      {
        summary: 'Request a withdrawal; the amount is held at once',
        rule: 'interface 4.12, 2.10, 7',
        roles: ['FINANCE'],
        body: createBody,
        answer: withdrawalShape,
        statuses: [201],
        gate: requireKyc(deps),
        refusals: ['kyc_required', 'profile_incomplete'],
      },
      async ({ body, caller, req }) => {
        const { withdrawalId } = await deps.activities.requestWithdrawal({
          publisherId: caller.id,
          memberId: caller.memberId,
          amountNanos: parseAmount(body.amount) ?? 0n,
          channel: channelOf(body),
          accountInfo: body.account_info ?? null,
          bank: bankChoiceOf(body.bank_info),
          kycUrl: `${deps.config.urls.base}/api/publisher/kyc`,
          requestId: requestIdOf(req),
        });
        return await show(deps, { id: withdrawalId, publisherId: caller.id });
      },
    ),
  );

  router.post(
    '/:id/cancel',
    route(
      {
        summary: 'Cancel a withdrawal whose payout has not begun',
        rule,
        roles: ['FINANCE'],
        answer: withdrawalShape,
        refusals: ['state_conflict'],
      },
      async ({ id: withdrawalId, caller, req }) => {
        await deps.activities.cancelWithdrawal({
          publisherId: caller.id,
          memberId: caller.memberId,
          withdrawalId,
          requestId: requestIdOf(req),
        });
        return await show(deps, { id: withdrawalId, publisherId: caller.id });
      },
    ),
  );
}

interface Channels {
  payment_method?: unknown;
  channel?: unknown;
}

function channelFaults({ payment_method: method, channel: other }: Channels): FieldError[] {
  const fault = (code: string, message: string): FieldError[] => [
    { field: 'payment_method', code, message },
  ];
  if (method === undefined && other === undefined) {
    return fault('required', 'payment_method is a required field');
  }
  if (method === undefined || other === undefined || method === other) return [];
  return fault('differs', 'payment_method and channel name two channels');
}

function channelOf({ payment_method: method, channel: other }: CreateBody): PayoutChannel {
  const chosen = method ?? other;
  if (chosen === undefined) throw new Error('the schema lets no request without a channel pass');
  return chosen;
}

/** Either a kept card or an account, never a mixture; of a body that nobody has checked. */
function bankFaults(bankInfo: unknown): FieldError[] {
  if (typeof bankInfo !== 'object' || bankInfo === null || Array.isArray(bankInfo)) return [];
  const { bank_card_id: cardId = null, ...fields } = bankInfo as Record<string, unknown>;
  if (cardId === null) return bankAccountFaults(fields, 'bank_info.');
  return Object.keys(fields)
    .filter((name) => Object.hasOwn(bankAccountFields, name))
    .map((name) => ({
      field: `bank_info.${name}`,
      code: 'exclusive',
      message: 'name a bank card or give an account, not both',
    }));
}

function bankChoiceOf(bankInfo: CreateBody['bank_info']): BankChoice | null {
  if (bankInfo === undefined || bankInfo === null) return null;
  const { bank_card_id: bankCardId, ...fields } = bankInfo;
  if (bankCardId !== undefined && bankCardId !== null) return { bankCardId };
  return { account: readBankAccount(fields, 'bank_info.') };
}

async function show(deps: ConsoleDeps, key: { id: number; publisherId: number }) {
  const { items } = await listWithdrawals(runner(deps.db), { ...key, limit: 1, offset: 0 });
  const [withdrawal] = items;
  if (withdrawal === undefined) throw notFound();
  return presentWithdrawal(withdrawal);
}
