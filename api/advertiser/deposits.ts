import { type Request, type Response, Router } from 'express';
import * as yup from 'yup';
import { PLATFORM_CURRENCY } from '../../activities/ledger.ts';
import { runner } from '../../db/postgres.ts';
import {
  listAdvertiserTransactions,
  listDeposits,
  readAdvertiserBalance,
} from '../../db/queries/deposits.ts';
import { notFound } from '../../domain/errors.ts';
import { DEPOSIT_METHODS, DEPOSIT_STATUSES } from '../../domain/lifecycle/deposit.ts';
import { parseAmount } from '../../domain/money.ts';
import type { ConsoleDeps } from '../deps.ts';
import { identityOf } from '../http/auth.ts';
import { created, ok } from '../http/envelope.ts';
import { amount, day, id, text } from '../http/fields.ts';
import { requireBasicProfile } from '../http/gates.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { readBody, readId, readQuery } from '../http/read.ts';
import {
  presentAdvertiserBalance,
  presentAdvertiserTransaction,
  presentDeposit,
} from '../present/deposit.ts';

/** interface 2.6; the minimum per method is a setting. */
const createSchema = yup.object({
  amount: amount().required().moreThan(0),
  payment_method: yup.string().oneOf(DEPOSIT_METHODS).required(),
});
const listSchema = yup.object({
  ...pageFields,
  status: yup.string().oneOf(DEPOSIT_STATUSES),
  payment_method: yup.string().oneOf(DEPOSIT_METHODS),
  start_date: day(),
  end_date: day(),
});
const emptyBody = yup.object({});
/** `cursor` is the `next_cursor` of the page before: what came meanwhile does not shift it. */
const transactionSchema = yup.object({ ...pageFields, cursor: id(), type: text(32) });

/** interface 4.6. Mounted at /api/advertiser/deposits. */
export function depositRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const sql = runner(deps.db);

  router.get('/balance', async (req, res) => {
    const balance = await readAdvertiserBalance(sql, identityOf(req).id, deps.clock());
    ok(res, presentAdvertiserBalance(balance, PLATFORM_CURRENCY));
  });

  router.get('/', async (req, res) => {
    const query = readQuery(req, listSchema);
    const page = pageOf(query);
    const { items, total } = await listDeposits(sql, {
      advertiserId: identityOf(req).id,
      status: query.status,
      paymentMethod: query.payment_method,
      startDate: query.start_date,
      endDate: query.end_date,
      limit: page.limit,
      offset: page.offset,
    });
    ok(res, presentPage(items.map(presentDeposit), total, page));
  });

  router.post('/', requireBasicProfile(deps), async (req, res) => {
    const body = readBody(req, createSchema);
    const deposit = await deps.activities.openDeposit({
      advertiserId: identityOf(req).id,
      amountNanos: parseAmount(body.amount) ?? 0n,
      paymentMethod: body.payment_method,
    });
    created(res, await show(deps, req, deposit.id));
  });

  router.get('/transactions', async (req, res) => {
    await sendTransactions(deps, req, res);
  });

  router.get('/:id', async (req, res) => {
    ok(res, await show(deps, req, readId(req)));
  });

  router.post('/:id/cancel', async (req, res) => {
    const depositId = readId(req);
    readBody(req, emptyBody);
    await deps.activities.cancelDeposit({ advertiserId: identityOf(req).id, depositId });
    ok(res, await show(deps, req, depositId));
  });

  return router;
}

async function show(deps: ConsoleDeps, req: Request, depositId: number) {
  const { items } = await listDeposits(runner(deps.db), {
    id: depositId,
    advertiserId: identityOf(req).id,
    limit: 1,
    offset: 0,
  });
  const [deposit] = items;
  if (deposit === undefined) throw notFound();
  return presentDeposit(deposit);
}

async function sendTransactions(deps: ConsoleDeps, req: Request, res: Response): Promise<void> {
  const query = readQuery(req, transactionSchema);
  const page = pageOf(query);
  const { items, total } = await listAdvertiserTransactions(runner(deps.db), {
    advertiserId: identityOf(req).id,
    type: query.type,
    beforeId: query.cursor,
    limit: page.limit,
    offset: query.cursor === undefined ? page.offset : 0,
  });
  const last = items.at(-1);
  ok(res, {
    ...presentPage(items.map(presentAdvertiserTransaction), total, page),
    next_cursor: items.length < page.limit || last === undefined ? null : last.id,
  });
}
