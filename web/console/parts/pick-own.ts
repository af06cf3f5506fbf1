import type { PickSource } from './pick.tsx';

interface Named {
  id: number;
  name: string;
}

/** Among what an account has itself: the first ones at once, the rest by name. */
export const ownPick = <Row extends Named>(
  key: string,
  find: (asked: { keyword?: string }) => Promise<{ items: readonly Row[] }>,
  one: (id: number) => Promise<Named>,
  labelOf: (row: Named) => string = ({ name }) => name,
): PickSource => ({
  key,
  isListed: true,
  find: async (text) =>
    (await find(text === '' ? {} : { keyword: text })).items.map((row) => ({
      value: String(row.id),
      label: labelOf(row),
    })),
  nameOf: async (value) => labelOf(await one(Number(value))),
});
