import type { ZoneRow } from '../../db/serving/snapshot-rows.ts';
import { type Reserve, withReserve } from '../../domain/auction/reserve.ts';
import { assembleZone, type ServableZone } from './servable-ads.ts';

/** A zone as it was declared, and as auctions see it under a reserve of the platform's. */
interface KeptZone {
  readonly declared: ServableZone;
  shown: ServableZone;
  under: Reserve;
}

/**
 * Zones by what requests name them by. Changed in place, a publisher at a time: a request looks up one zone, once.
 * A zone that did not change stays the same object, by which others keep what they have made of it. Another
 * reserve is met by each zone when it is asked for next: there may be many, and they are not walked for it.
 */
export class ServableZones {
  readonly #byId = new Map<number, KeptZone>();
  readonly #byKey = new Map<string, KeptZone>();
  readonly #byPublisher = new Map<number, readonly KeptZone[]>();
  #reserve: Reserve;

  constructor(reserve: Reserve) {
    this.#reserve = reserve;
  }

  /** Their floors are the platform's reserve where their own are lower. */
  ofId(id: number): ServableZone | undefined {
    return this.#shown(this.#byId.get(id));
  }

  ofKey(key: string): ServableZone | undefined {
    return this.#shown(this.#byKey.get(key));
  }

  count(): number {
    return this.#byId.size;
  }

  useReserve(reserve: Reserve): void {
    const { cpcNanos, cpmNanos } = this.#reserve;
    if (reserve.cpcNanos === cpcNanos && reserve.cpmNanos === cpmNanos) return;
    this.#reserve = reserve;
  }

  /** Puts these in place of what the publishers had; `ids` null: of all. Yields where it may be put aside. */
  *replacing(ids: readonly number[] | null, rows: readonly ZoneRow[]): Generator<void> {
    const fresh = new Map<number, KeptZone[]>();
    for (const row of rows) {
      const zone = this.#keep(assembleZone(row));
      const zones = fresh.get(row.publisherId);
      if (zones === undefined) fresh.set(row.publisherId, [zone]);
      else zones.push(zone);
      yield;
    }
    for (const id of new Set([...(ids ?? this.#byPublisher.keys()), ...fresh.keys()])) {
      yield* this.#replace(id, fresh.get(id) ?? []);
      yield;
    }
  }

  *#replace(publisherId: number, zones: readonly KeptZone[]): Generator<void> {
    const before = this.#byPublisher.get(publisherId) ?? [];
    if (zones.length === 0) this.#byPublisher.delete(publisherId);
    else this.#byPublisher.set(publisherId, zones);
    for (const zone of zones) {
      this.#byId.set(zone.declared.id, zone);
      this.#byKey.set(zone.declared.zoneKey, zone);
      yield;
    }
    // What is still named by its id or key is another object now.
    for (const zone of before) {
      const { id, zoneKey } = zone.declared;
      if (this.#byId.get(id) === zone) this.#byId.delete(id);
      if (this.#byKey.get(zoneKey) === zone) this.#byKey.delete(zoneKey);
      yield;
    }
  }

  #keep(declared: ServableZone): KeptZone {
    return { declared, shown: withReserve(declared, this.#reserve), under: this.#reserve };
  }

  #shown(zone: KeptZone | undefined): ServableZone | undefined {
    if (zone === undefined) return undefined;
    if (zone.under !== this.#reserve) {
      zone.shown = withReserve(zone.declared, this.#reserve);
      zone.under = this.#reserve;
    }
    return zone.shown;
  }
}
