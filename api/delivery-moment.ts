import { runner } from '../db/postgres.ts';
import { loadSettings } from '../db/settings.ts';
import { reserveOf } from '../domain/auction/reserve.ts';
import { type DeliveryMoment, deliveryMoment } from '../domain/lifecycle/delivery.ts';
import type { ConsoleDeps } from './deps.ts';

/** Now, and what auctions ask at the least now: what delivery is computed by when a record is read. */
export const readDeliveryMoment = async ({
  db,
  clock,
}: Pick<ConsoleDeps, 'db' | 'clock'>): Promise<DeliveryMoment> =>
  deliveryMoment(clock(), reserveOf(await loadSettings(runner(db))));
