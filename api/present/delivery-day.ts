import type * as yup from 'yup';
import type { DeliveryDayRow } from '../../db/queries/delivery-days.ts';
import type { DeliveryReason } from '../../domain/lifecycle/delivery.ts';
import { presentAmount } from '../../domain/money.ts';
import {
  date,
  listOf,
  money,
  moneyOrNull,
  record,
  timeOrNull,
  whole,
  words,
} from '../http/response-shapes.ts';

const dayShape = record(
  {
    date: date(),
    impressions: whole().min(0),
    spend: money(),
    /** The cap that the day's last charge was held to; null of none, and where nothing was charged. */
    daily_budget: moneyOrNull(),
    /** When settlement found the day's budget spent; null where it was not. */
    budget_spent_at: timeOrNull(),
    /** Why it could not serve on any moment of the day: delivery_reasons that held from its begin to its end. */
    reasons: listOf(words()),
  },
  'DeliveryDay',
);

export const deliveryDaysShape = record(
  { items: listOf(dayShape), as_of: timeOrNull() },
  'DeliveryDays',
);

export const presentDeliveryDay = (
  row: DeliveryDayRow,
  reasons: DeliveryReason[],
): yup.InferType<typeof dayShape> => ({
  date: row.day,
  impressions: row.impressions,
  spend: presentAmount(row.spendNanos),
  daily_budget: row.capNanos === null ? null : presentAmount(row.capNanos),
  budget_spent_at: row.budgetSpentAt?.toISOString() ?? null,
  reasons,
});
