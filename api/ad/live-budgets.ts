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
  heldNanos: bigint;
  /** performance.now() of the last notice; a load that began before it is older news. */
  noticedAt: number;
}

export type SpendCell = { -readonly [Key in keyof Spend]: Spend[Key] };

/** Whose money an ad spends. */
interface Holder {
  readonly campaign: { readonly id: number };
  readonly adGroup: { readonly id: number };
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

  advertiser(id: number): AdvertiserCell {
    return cellOf(this.#advertisers, id, () => ({
      id,
      active: false,
      availableNanos: 0n,
      heldNanos: 0n,
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

  /** Forgets what nobody holds any more; a cell that comes back later begins with what its load says. */
  *retaining(
    advertisers: readonly { id: number }[],
    adsByTenant: readonly (readonly Holder[])[],
  ): Generator<void> {
    const owners = new Set<number>();
    const campaigns = new Set<number>();
    const adGroups = new Set<number>();
    for (const { id } of advertisers) {
      owners.add(id);
      yield;
    }
    for (const ads of adsByTenant) {
      for (const { campaign, adGroup } of ads) {
        campaigns.add(campaign.id);
        adGroups.add(adGroup.id);
        yield;
      }
    }
    yield* pruning(this.#advertisers, owners);
    yield* pruning(this.#campaigns, campaigns);
    yield* pruning(this.#adGroups, adGroups);
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

const emptySpend = (): SpendCell => ({
  day: 0,
  todayNanos: 0n,
  totalNanos: 0n,
  heldNanos: 0n,
});

function cellOf<Cell>(cells: Map<number, Cell>, id: number, make: () => Cell): Cell {
  const known = cells.get(id);
  if (known !== undefined) return known;
  const cell = make();
  cells.set(id, cell);
  return cell;
}

function* pruning(cells: Map<number, unknown>, known: ReadonlySet<number>): Generator<void> {
  for (const id of cells.keys()) {
    if (!known.has(id)) cells.delete(id);
    yield;
  }
}
