import type * as yup from 'yup';
import type { ZoneReach } from '../../domain/zone-reach.ts';
import { listOf, record, whole, wholeOrNull } from '../http/response-shapes.ts';

const count = () => whole().min(0);

export const zoneReachShape = record(
  {
    /** Of all publishers. Each number is of what the one before it left, in the auction's order. */
    open: count(),
    of_kind: count(),
    of_size: count(),
    of_pricing: count(),
    /** Those whose floor price is not above the campaign's highest bid; null where an impression's price is learned. */
    at_price: wholeOrNull(),
    /** Sizes that no creative of it has, of zones that would take it else, the most first. */
    missing_sizes: listOf(record({ width: count(), height: count(), zones: count() })),
  },
  'ZoneReach',
);

export const presentZoneReach = (reach: ZoneReach): yup.InferType<typeof zoneReachShape> => ({
  open: reach.open,
  of_kind: reach.ofKind,
  of_size: reach.ofSize,
  of_pricing: reach.ofPricing,
  at_price: reach.atPrice,
  missing_sizes: reach.missingSizes,
});
