import { BudgetCells } from '../../../api/ad/live-budgets.ts';

/** Cells live as long as somebody holds them: a forgotten one would show a spent budget as a new one. */
const done = (work: Generator<void>): void => {
  while (work.next().done !== true);
};
const adOf = (cells: BudgetCells, id: number) => ({
  campaign: { spend: cells.campaign(id) },
  adGroup: { spend: cells.adGroup(id) },
});

test('a count of who holds cells · keeps what is held and forgets the rest', () => {
  const cells = new BudgetCells();
  const held = [{ ad: adOf(cells, 1), owner: cells.advertiser(1) }];
  const [left, owner] = [adOf(cells, 2), cells.advertiser(2)];
  for (let round = 0; round < 2; round += 1) {
    done(cells.retaining([{ id: 1 }], [held.map(({ ad }) => ad)]));
    expect(adOf(cells, 1).campaign.spend).toBe(held[0]?.ad.campaign.spend);
    expect(adOf(cells, 1).adGroup.spend).toBe(held[0]?.ad.adGroup.spend);
    expect(cells.advertiser(1)).toBe(held[0]?.owner);
  }
  expect(cells.campaign(2)).not.toBe(left.campaign.spend);
  expect(cells.adGroup(2)).not.toBe(left.adGroup.spend);
  expect(cells.advertiser(2)).not.toBe(owner);
});

test('a cell that is made while they are counted · is kept: who holds it was not asked', () => {
  const cells = new BudgetCells();
  const work = cells.retaining([{ id: 1 }], []);
  work.next();
  const late = cells.campaign(7);
  done(work);
  expect(cells.campaign(7)).toBe(late);
});
