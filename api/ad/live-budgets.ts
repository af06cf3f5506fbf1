import type { Spend } from '../../domain/auction/types.ts';
import type {
  AdvertiserInventory,
  AdvertiserRow,
  MoneyRows,
} from '../../db/serving/snapshot-rows.ts';
import type { BudgetNotice } from '../../db/serving/snapshot-store.ts';

/** Balance and state of one advertiser; every candidate of theirs holds this very object. */
export interface AdvertiserCell {
  readonly id: number;
  active: boolean;
  availableNanos: bigint;
  /** performance.now() of the last notice; a load that began before it is older news. */
  noticedAt: number;
}

export type SpendCell = { -readonly [Key in keyof Spend]: Spend[Key] };

const DAY_MS = 86_400_000;

/**
 * The money that auctions read, in memory. Cells live as long as the process, so a notice works on
 * the next auction and survives a reload. Spend only grows within a day: the larger figure is newer.
 */
export class BudgetCells {
  readonly #advertisers = new Map<number, AdvertiserCell>();
  readonly #campaigns = new Map<number, SpendCell>();
  readonly #adGroups = new Map<number, SpendCell>();

  advertiser(id: number): AdvertiserCell {
    return cellOf(this.#advertisers, id, () => ({
      id,
      active: false,
      availableNanos: 0n,
      noticedAt: -Infinity,
    }));
  }

  campaign(id: number): SpendCell {
    return cellOf(this.#campaigns, id, emptySpend);
  }

  adGroup(id: number): SpendCell {
    return cellOf(this.#adGroups, id, emptySpend);
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
  load(inventory: AdvertiserInventory, loadedAt: number): void {
    this.#loadAdvertisers(inventory.advertisers, loadedAt);
    for (const row of inventory.campaigns) {
      raise(this.campaign(row.id), row.day, row.spentTodayNanos, row.spentTotalNanos);
    }
    for (const row of inventory.adGroups) {
      raise(this.adGroup(row.id), row.day, row.spentTodayNanos, 0n);
    }
  }

  /** The same without the rows that it is spent on. */
  refresh(money: MoneyRows, loadedAt: number): void {
    const { day } = money;
    this.#loadAdvertisers(money.advertisers, loadedAt);
    for (const row of money.campaignsToday) raise(this.campaign(row.id), day, row.spentNanos, 0n);
    for (const row of money.adGroupsToday) raise(this.adGroup(row.id), day, row.spentNanos, 0n);
    for (const row of money.campaignsInAll) raise(this.campaign(row.id), 0, 0n, row.spentNanos);
  }

  /** Forgets what nobody holds any more; a cell that comes back later begins with what its load says. */
  retain(held: {
    advertisers: Iterable<number>;
    campaigns: Iterable<number>;
    adGroups: Iterable<number>;
  }): void {
    prune(this.#advertisers, held.advertisers);
    prune(this.#campaigns, held.campaigns);
    prune(this.#adGroups, held.adGroups);
  }

  #loadAdvertisers(rows: readonly AdvertiserRow[], loadedAt: number): void {
    for (const row of rows) {
      const cell = this.advertiser(row.id);
      cell.active = row.status === 'ACTIVE';
      if (cell.noticedAt < loadedAt) cell.availableNanos = row.availableNanos;
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

const emptySpend = (): SpendCell => ({ day: 0, todayNanos: 0n, totalNanos: 0n });

function cellOf<Cell>(cells: Map<number, Cell>, id: number, make: () => Cell): Cell {
  const known = cells.get(id);
  if (known !== undefined) return known;
  const cell = make();
  cells.set(id, cell);
  return cell;
}

function prune(cells: Map<number, unknown>, ids: Iterable<number>): void {
  const known = new Set(ids);
  for (const id of cells.keys()) if (!known.has(id)) cells.delete(id);
}
