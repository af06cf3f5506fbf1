import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { loadSettings } from '../../db/settings.ts';
import type { DepositRow } from '../../db/tables/deposit.ts';
import { effectOf, RECEIPT_EFFECTS } from '../../domain/bank-statement/match.ts';
import { notFound } from '../../domain/errors.ts';
import { type Nanos, parseAmount, presentAmount } from '../../domain/money.ts';
import { needsSecondPerson } from '../../domain/second-person.ts';
import type { Settings } from '../../domain/settings.ts';
import type { ConsoleDeps } from '../deps.ts';
import { amountText } from '../http/fields.ts';
import { money, oneOf, record, words } from '../http/response-shapes.ts';
import { route } from '../http/route.ts';

/** All that was ordered, where it is not said. */
const effectQuery = yup.object({ amount: amountText() });
const effectShape = record(
  {
    ordered: money(),
    /** For the order so far. */
    received: money(),
    amount: money(),
    /** What comes beyond the order; below zero: what is missing of it. */
    difference: money(),
    currency: words(),
    effect: oneOf(RECEIPT_EFFECTS),
  },
  'ReceiptEffect',
);

/** What a receipt would bring about, before anybody writes it. */
export const receiptEffectRoute = (deps: ConsoleDeps) =>
  route(
    {
      summary: 'Show what recording so much for an order would bring about, before anybody does',
      rule: 'interface 5.2, 4.6',
      roles: ['FINANCE'],
      query: effectQuery,
      answer: effectShape,
    },
    async ({ id: depositId, query }) => {
      const deposit = await deps.db.models.deposits.findByPk(depositId);
      if (deposit === null) throw notFound();
      return presentEffect(
        deposit,
        query.amount === undefined ? deposit.amountNanos : (parseAmount(query.amount) ?? 0n),
        await loadSettings(runner(deps.db)),
      );
    },
  );

function presentEffect(
  deposit: DepositRow,
  amountNanos: Nanos,
  settings: Settings,
): yup.InferType<typeof effectShape> {
  const { amountNanos: ordered, receivedNanos, currency } = deposit;
  return {
    ordered: presentAmount(ordered),
    received: presentAmount(receivedNanos),
    amount: presentAmount(amountNanos),
    difference: presentAmount(amountNanos - ordered),
    currency,
    effect: effectOf({ amountNanos }, deposit, needsSecondPerson(settings, 'deposit', amountNanos)),
  };
}
