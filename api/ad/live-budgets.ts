import type { Spend } from '../../domain/auction/types.ts';
import type {
  AdvertiserInventory,
  AdvertiserRow,
  MoneyRows,
} from '../../db/serving/snapshot-rows.ts';
import type { BudgetNotice } from '../../db/serving/snapshot-store.ts';

interface Kept {
  /** The last count of who holds cells that found this one held, or that it was made in. */
  keptIn: number;
}

/** Balance and state of one advertiser; every candidate of theirs holds this very object. */
export interface AdvertiserCell extends Kept {
  readonly id: number;
  active: boolean;
  availableNanos: bigint;
  heldNanos: bigint;
  /** performance.now() of the last notice; a load that began before it is older news. */
  noticedAt: number;
}

export type SpendCell = { -readonly [Key in keyof Spend]: Spend[Key] } & Kept;

/** Whose money an ad spends. */
interface Holder {
  readonly campaign: { readonly spend: SpendCell };
  readonly adGroup: { readonly spend: SpendCell };
}

const DAY_MS = 86_400_000;

/**
 * The money that auctions read, in memory. Cells live as long as the process, so a notice works on
 * the next auction and survives a reload. Spend only grows within a day: the larger figure is newer.
 */
export class BudgetCells {
  readonly #advertisers = new Map<number, AdvertiserCell>();
  readonly #campaigns = new Map<number, SpendCell>();
  readonly #adGroups = new Map<number, SpendCell>();
  #count = 0;

  advertiser(id: number): AdvertiserCell {
    return cellOf(this.#advertisers, id, () => ({
      id,
      active: false,
      availableNanos: 0n,
      heldNanos: 0n,
      noticedAt: -Infinity,
      keptIn: this.#count,
    }));
  }

  campaign(id: number): SpendCell {
    return this.#spend(this.#campaigns, id);
  }

  adGroup(id: number): SpendCell {
    return this.#spend(this.#adGroups, id);
  }

  #spend(cells: Map<number, SpendCell>, id: number): SpendCell {
    return cellOf(cells, id, () => ({
      day: 0,
      todayNanos: 0n,
      totalNanos: 0n,
      heldNanos: 0n,
      keptIn: this.#count,
    }));
  }

  apply(notice: BudgetNotice): void {
    const day = Math.floor(Date.parse(notice.day) / DAY_MS);
    for (const [id, available] of Object.entries(notice.available)) {
      const cell = this.advertiser(Number(id));
      cell.availableNanos = BigInt(available);
      cell.noticedAt = performance.now();
    }
    for (const [id, spent] of Object.entries(notice.campaigns)) {
      raise(this.campaign(Number(id)), day, BigInt(spent.today), BigInt(spent.total));
    }
    for (const [id, today] of Object.entries(notice.adgroups)) {
      raise(this.adGroup(Number(id)), day, BigInt(today), 0n);
    }
  }

  /** What a load read: status and balance work at once, before anything is assembled. */
  *loading(inventory: AdvertiserInventory, loadedAt: number): Generator<void> {
    yield* this.#loadAdvertisers(inventory.advertisers, loadedAt);
    for (const row of inventory.campaigns) {
      raise(this.campaign(row.id), row.day, row.spentTodayNanos, row.spentTotalNanos);
      yield;
    }
    for (const row of inventory.adGroups) {
      raise(this.adGroup(row.id), row.day, row.spentTodayNanos, 0n);
      yield;
    }
  }

  /** The same without the rows that it is spent on. */
  *refreshing(money: MoneyRows, loadedAt: number): Generator<void> {
    const { day } = money;
    yield* this.#loadAdvertisers(money.advertisers, loadedAt);
    for (const row of money.campaignsToday) {
      raise(this.campaign(row.id), day, row.spentNanos, 0n);
      yield;
    }
    for (const row of money.adGroupsToday) {
      raise(this.adGroup(row.id), day, row.spentNanos, 0n);
      yield;
    }
    for (const row of money.campaignsInAll) {
      raise(this.campaign(row.id), 0, 0n, row.spentNanos);
      yield;
    }
  }

  /**
   * Forgets what nobody holds any more; a cell that comes back later begins with what its load says. Each cell
   * says itself that it is held: a set of a hundred thousand grows in jumps that hold everybody up.
   */
  *retaining(
    advertisers: readonly { id: number }[],
    adsByTenant: readonly (readonly Holder[])[],
  ): Generator<void> {
    const count = (this.#count += 1);
    for (const { id } of advertisers) {
      this.advertiser(id).keptIn = count;
      yield;
    }
    for (const ads of adsByTenant) {
      for (const { campaign, adGroup } of ads) {
        campaign.spend.keptIn = count;
        adGroup.spend.keptIn = count;
        yield;
      }
    }
    yield* pruning(this.#advertisers, count);
    yield* pruning(this.#campaigns, count);
    yield* pruning(this.#adGroups, count);
  }

  *#loadAdvertisers(rows: readonly AdvertiserRow[], loadedAt: number): Generator<void> {
    for (const row of rows) {
      const cell = this.advertiser(row.id);
      cell.active = row.status === 'ACTIVE';
      if (cell.noticedAt < loadedAt) cell.availableNanos = row.availableNanos;
      yield;
    }
  }
}

function raise(cell: SpendCell, day: number, todayNanos: bigint, totalNanos: bigint): void {
  if (day > cell.day) {
    cell.day = day;
    cell.todayNanos = todayNanos;
  } else if (day === cell.day && todayNanos > cell.todayNanos) {
    cell.todayNanos = todayNanos;
  }
  if (totalNanos > cell.totalNanos) cell.totalNanos = totalNanos;
}

function cellOf<Cell>(cells: Map<number, Cell>, id: number, make: () => Cell): Cell {
  const known = cells.get(id);
  if (known !== undefined) return known;
  const cell = make();
  cells.set(id, cell);
  return cell;
}

function* pruning(cells: Map<number, Kept>, count: number): Generator<void> {
  for (const [id, { keptIn }] of cells) {
    if (keptIn !== count) cells.delete(id);
    yield;
  }
}
