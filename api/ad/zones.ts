import type { ZoneRow } from '../../db/serving/snapshot-rows.ts';
import { type Reserve, withReserve } from '../../domain/auction/reserve.ts';
import { assembleZone, type ServableZone } from './servable-ads.ts';

/**
 * Zones by what requests name them by. Changed in place, a publisher at a time: a request looks up one zone, once.
 * A zone whose publisher did not change stays the same object, by which others keep what they have made of it.
 */
export class ServableZones {
  /** Their floors are the platform's reserve where their own are lower. */
  readonly byId = new Map<number, ServableZone>();
  readonly byKey = new Map<string, ServableZone>();
  /** With their own floors, by publisher. */
  readonly #declared = new Map<number, readonly ServableZone[]>();
  #reserve: Reserve;

  constructor(reserve: Reserve) {
    this.#reserve = reserve;
  }

  /** Puts these in place of what the publishers had; `ids` null: of all. Yields where it may be put aside. */
  *replacing(ids: readonly number[] | null, rows: readonly ZoneRow[]): Generator<void> {
    const fresh = new Map<number, ServableZone[]>();
    for (const row of rows) {
      const zones = fresh.get(row.publisherId);
      if (zones === undefined) fresh.set(row.publisherId, [assembleZone(row)]);
      else zones.push(assembleZone(row));
      yield;
    }
    for (const id of new Set([...(ids ?? this.#declared.keys()), ...fresh.keys()])) {
      this.#replace(id, fresh.get(id) ?? []);
      yield;
    }
  }

  *applyingReserve(reserve: Reserve): Generator<void> {
    const { cpcNanos, cpmNanos } = this.#reserve;
    if (reserve.cpcNanos === cpcNanos && reserve.cpmNanos === cpmNanos) return;
    this.#reserve = reserve;
    for (const zones of this.#declared.values()) {
      for (const zone of zones) this.#show(zone);
      yield;
    }
  }

  #replace(publisherId: number, zones: readonly ServableZone[]): void {
    const ids = new Set(zones.map(({ id }) => id));
    const keys = new Set(zones.map(({ zoneKey }) => zoneKey));
    for (const { id, zoneKey } of this.#declared.get(publisherId) ?? []) {
      if (!ids.has(id)) this.byId.delete(id);
      if (!keys.has(zoneKey)) this.byKey.delete(zoneKey);
    }
    for (const zone of zones) this.#show(zone);
    if (zones.length === 0) this.#declared.delete(publisherId);
    else this.#declared.set(publisherId, zones);
  }

  #show(zone: ServableZone): void {
    const shown = withReserve(zone, this.#reserve);
    this.byId.set(zone.id, shown);
    this.byKey.set(zone.zoneKey, shown);
  }
}
