import { Router } from 'express';
import * as yup from 'yup';
import {
  bankAccountFaults,
  readBankAccount,
} from '../../activities/withdrawals/payout-accounts.ts';
import { runner } from '../../db/postgres.ts';
import { listBankCards } from '../../db/queries/bank-cards.ts';
import { type FieldError, notFound } from '../../domain/errors.ts';
import type { ConsoleDeps } from '../deps.ts';
import { archived, listOf, record } from '../http/response-shapes.ts';
import { objectRules } from '../http/fields.ts';
import { requestIdOf } from '../http/request-id.ts';
import { route } from '../http/route.ts';
import { bankCardShape, presentBankCard } from '../present/bank-card.ts';
import { bankAccountFields } from './bank-account-fields.ts';

const REQUIRED: ReadonlySet<string> = new Set(['account_holder', 'country', 'currency']);
const createBody = yup
  .object({
    ...bankAccountFields,
    account_holder: bankAccountFields.account_holder.required(),
    country: bankAccountFields.country.required(),
    currency: bankAccountFields.currency.required(),
    is_default: yup.boolean(),
  })
  .test('account', objectRules(accountFaults));
/** An account is never altered: it would be another one, which waits anew. */
const updateBody = yup.object({ is_default: yup.boolean() });
/** At most 20, so there are no pages. */
const cardsShape = record({ items: listOf(bankCardShape) });

const rule = 'interface 4.12';

/** What is not there at all has been named by its own field. */
function accountFaults(body: Readonly<Record<string, unknown>>): FieldError[] {
  const { is_default: _default, ...fields } = body;
  const isNamed = (field: string): boolean => REQUIRED.has(field) && !(field in fields);
  return bankAccountFaults(fields).filter(({ field }) => !isNamed(field));
}

/** interface 4.12: accounts that money may be sent to. Mounted at /api/publisher/withdrawals/bank-cards. */
export function bankCardRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const sql = runner(deps.db);

  router.get(
    '/',
    route(
      { summary: 'List bank cards, the default one first', rule, answer: cardsShape },
      async ({ caller }) => {
        const rows = await listBankCards(sql, { publisherId: caller.id });
        return { items: rows.map((row) => presentBankCard(row, deps.clock())) };
      },
    ),
  );

  router.post(
    '/',
    route(
      {
        summary: 'Keep a bank account; money may be sent to it a day later',
        rule,
        roles: ['FINANCE'],
        body: createBody,
        answer: bankCardShape,
        statuses: [201],
        refusals: ['already_claimed'],
      },
      async ({ body, caller, req }) => {
        const { is_default: isDefault, ...fields } = body;
        const { bankCardId } = await deps.activities.addBankCard({
          publisherId: caller.id,
          memberId: caller.memberId,
          account: readBankAccount(fields),
          isDefault: isDefault ?? false,
          requestId: requestIdOf(req),
        });
        return await show(deps, caller.id, bankCardId);
      },
    ),
  );

  addChanges(router, deps);
  return router;
}

async function find(deps: ConsoleDeps, publisherId: number, id: number) {
  const [row] = await listBankCards(runner(deps.db), { publisherId, id });
  return row === undefined ? undefined : presentBankCard(row, deps.clock());
}

async function show(deps: ConsoleDeps, publisherId: number, id: number) {
  const card = await find(deps, publisherId, id);
  if (card === undefined) throw notFound();
  return card;
}

function addChanges(router: Router, deps: ConsoleDeps): void {
  router.put(
    '/:id',
    route(
      {
        summary: 'Make a kept bank account the default one',
        rule,
        roles: ['FINANCE'],
        body: updateBody,
        answer: bankCardShape,
        updates: true,
        // What is not there is refused by the handler, after the body.
        current: async ({ id, caller }) => await find(deps, caller.id, id),
        refusals: ['state_conflict'],
      },
      async ({ id, body, caller, ifMatch, req }) => {
        await deps.activities.updateBankCard(
          {
            publisherId: caller.id,
            memberId: caller.memberId,
            bankCardId: id,
            ifMatch,
            requestId: requestIdOf(req),
          },
          { isDefault: body.is_default },
        );
        return await show(deps, caller.id, id);
      },
    ),
  );

  router.delete(
    '/:id',
    route(
      {
        summary: 'Delete a bank card',
        rule,
        roles: ['FINANCE'],
        answer: archived(),
        updates: true,
      },
      async ({ id, caller, ifMatch, req }) => {
        await deps.activities.deleteBankCard({
          publisherId: caller.id,
          memberId: caller.memberId,
          bankCardId: id,
          ifMatch,
          requestId: requestIdOf(req),
        });
        return { id, status: 'ARCHIVED' as const };
      },
    ),
  );
}
