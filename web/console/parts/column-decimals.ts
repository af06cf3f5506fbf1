import { useMemo } from 'react';
import { decimalsOf } from './formats.ts';

/** How many decimals each column of money has, by its key. */
export type Decimals = Readonly<Record<string, number>>;

interface MoneyColumn<Row> {
  key: string;
  amount?: (row: Row) => number | null;
}

/** As many as the most exact amount of the column needs: points stand below each other. */
export const useDecimals = <Row>(
  rows: readonly Row[],
  columns: readonly MoneyColumn<Row>[],
): Decimals =>
  useMemo(
    () =>
      Object.fromEntries(
        columns.flatMap(({ key, amount }) =>
          amount === undefined ? [] : [[key, decimalsOf(rows.map((row) => amount(row) ?? 0))]],
        ),
      ),
    [rows, columns],
  );
