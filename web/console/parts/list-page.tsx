import { keepPreviousData, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { type Dispatch, memo, type ReactNode, type SetStateAction } from 'react';
import { type Decimals, useDecimals } from './column-decimals.ts';
import { Loading } from './loading.tsx';
import { common } from '../texts/common.ts';
import { Failed } from './failed.tsx';
import classes from './list-page.module.css';
import { NONE } from './none.tsx';
import { Pager } from './pager.tsx';
import { RowButton } from './row-button.tsx';
import { SortChoice } from './sort-choice.tsx';
import { type Same, useTexts } from './texts.ts';
import { ChoiceBox, ChooseAll } from './choose-rows.tsx';
import { toggled } from './use-choice.ts';
import { WideFrame } from './wide-frame.tsx';

/** What every list of the API answers. */
export interface PageOf<Row> {
  items: Row[];
  total: number;
  page: number;
  page_size: number;
  total_pages: number;
}

export interface Column<Row, T> {
  key: string;
  title: (t: T) => string;
  /** `decimals` as the most exact of its `amount`s needs. */
  cell: (row: Row, t: T, decimals?: number) => ReactNode;
  /** Numbers stand right. */
  isNumber?: boolean;
  /** Money of one column has as many decimals in each row, so that points stand below each other. */
  amount?: (row: Row) => number | null;
  /** The API's name of this order; the head becomes a button. */
  sort?: string;
}

interface Empty {
  title: string;
  /** What to do about it. */
  next?: ReactNode;
}

interface ListProps<Row, T> {
  /** Says to a screen reader what is listed. */
  label: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- keys of queries are of many shapes
  query: UseQueryOptions<any, Error, PageOf<Row>, any>;
  columns: readonly Column<Row, T>[];
  texts: T;
  rowKey: (row: Row) => number | string;
  /** Nothing exists yet. */
  empty: Empty;
  /** Filters leave nothing; null when none is set. */
  searchEmpty: Empty | null;
  /** Null where a cursor leads on instead of pages. */
  onPage: ((page: number) => void) | null;
  sort?: { by: string | undefined; onSort: (by: string | undefined) => void } | undefined;
  /** Saves it as a file (`list-csv`), where it can be. */
  file?: ReactNode;
  /** Rows that are chosen, for actions on many (`useChoice`). */
  choice?:
    | {
        chosen: ReadonlySet<number>;
        onChoose: Dispatch<SetStateAction<ReadonlySet<number>>>;
        titleOf: (row: Row) => string;
        /** Why nothing can be done with a row; null where something can. */
        refusalOf?: ((row: Row) => string | null) | undefined;
      }
    | undefined;
}

/** For answers that hold more than a page, such as a cursor. */
export type ListQuery<Row> = ListProps<Row, unknown>['query'];

/** A list with its four states: rows, none yet, none that match, not read. Cards on a phone. */
export function List<Row extends { id: number }, T = Same<object>>(props: ListProps<Row, T>) {
  const { label, query, columns, texts, sort, empty, searchEmpty, onPage } = props;
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery<PageOf<Row>>({
    ...query,
    placeholderData: keepPreviousData,
  });
  if (error !== null && data === undefined)
    return <Failed error={error} again={() => void refetch()} />;
  if (isPending || data === undefined) return <Loading height={240} />;
  if (data.items.length === 0) {
    return data.total > 0 && onPage !== null ? (
      <PastEnd last={data.total_pages} onPage={onPage} />
    ) : (
      <Nothing {...(searchEmpty ?? empty)} />
    );
  }
  return (
    <div className={classes['page']} aria-busy={isPlaceholderData}>
      {error !== null && <Failed error={error} again={() => void refetch()} />}
      {sort !== undefined && (
        <div className={classes['order']}>
          <SortChoice columns={columns} texts={texts} {...sort} />
        </div>
      )}
      <Rows {...props} rows={data.items} label={label} />
      <ListFoot {...props} page={data} />
    </div>
  );
}

/** How many there are, all of them as a file, and the way to the others. */
export function ListFoot<Row extends { id: number }>({
  page: { page, total, total_pages: pages },
  file,
  onPage,
}: Pick<ListProps<Row, unknown>, 'file' | 'onPage'> & { page: PageOf<Row> }) {
  const t = useTexts(common);
  return (
    <div className={classes['foot']}>
      <span className={classes['total']} data-total={total}>
        {t.rows(total)}
      </span>
      {file}
      {onPage !== null && pages > 1 && <Pager page={page} total={pages} onPage={onPage} />}
    </div>
  );
}

type RowsProps<Row, T> = Pick<
  ListProps<Row, T>,
  'label' | 'columns' | 'texts' | 'rowKey' | 'sort' | 'choice'
> & { rows: readonly Row[] };

/** The table alone, for what is shown whole. */
export function Rows<Row extends { id: number }, T>(props: RowsProps<Row, T>) {
  const { rows, label, columns, texts, rowKey, sort, choice } = props;
  const t = useTexts(common);
  const decimals = useDecimals(rows, columns);
  return (
    <WideFrame label={label}>
      <table className={classes['list']} aria-label={label}>
        <thead>
          <tr>
            {choice !== undefined && <ChooseAll rows={rows} {...choice} label={t.all} />}
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={column.isNumber === true ? 'number' : undefined}
                aria-sort={orderOf(column.sort, sort?.by)}
              >
                {column.sort === undefined || sort === undefined ? (
                  column.title(texts)
                ) : (
                  <SortButton
                    by={column.sort}
                    isNumber={column.isNumber === true}
                    current={sort.by}
                    onSort={sort.onSort}
                    text={column.title(texts)}
                  />
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={rowKey(row)}
              row={row}
              columns={columns as readonly Column<{ id: number }, unknown>[]}
              texts={texts}
              decimals={decimals}
              isChosen={choice?.chosen.has(row.id)}
              onChoose={choice?.onChoose}
              choosing={choice === undefined ? '' : t.choose(choice.titleOf(row))}
              refusal={choice?.refusalOf?.(row) ?? null}
            />
          ))}
        </tbody>
      </table>
    </WideFrame>
  );
}

type Choice = NonNullable<ListProps<{ id: number }, unknown>['choice']>;

interface RowProps {
  row: { id: number };
  columns: readonly Column<{ id: number }, unknown>[];
  texts: unknown;
  decimals: Decimals;
  /** Undefined where rows are not chosen. */
  isChosen: boolean | undefined;
  /** Says to a screen reader which row is chosen. */
  choosing: string;
  /** Why it cannot be chosen. */
  refusal: string | null;
  onChoose: Choice['onChoose'] | undefined;
}

/** Drawn anew for other values alone: a page is drawn several times while one filter is answered. */
const Row = memo((props: RowProps) => {
  const { row, columns, texts, decimals, isChosen, choosing, refusal, onChoose } = props;
  return (
    <tr data-id={row.id}>
      {isChosen !== undefined && onChoose !== undefined && (
        <td>
          <ChoiceBox
            label={choosing}
            isChosen={isChosen}
            refusal={refusal}
            onChange={() => onChoose(toggled(row.id))}
          />
        </td>
      )}
      {columns.map((column) => {
        const cell = column.cell(row, texts, decimals[column.key]);
        return (
          <td
            key={column.key}
            data-label={column.title(texts)}
            className={column.isNumber === true ? 'number' : undefined}
          >
            {cell === '—' ? NONE : cell}
          </td>
        );
      })}
    </tr>
  );
});

function orderOf(column: string | undefined, by: string | undefined) {
  if (column === undefined || by === undefined) return undefined;
  if (by === column) return 'ascending' as const;
  return by === `-${column}` ? ('descending' as const) : undefined;
}

/** The first press brings names from A on and the largest number; the next one the other end. */
function SortButton(props: {
  by: string;
  isNumber: boolean;
  text: string;
  current: string | undefined;
  onSort: (by: string) => void;
}) {
  const { by, isNumber, text, current, onSort } = props;
  const [first, then] = isNumber ? [`-${by}`, by] : [by, `-${by}`];
  return (
    <button
      type="button"
      className={classes['sort']}
      onClick={() => onSort(current === first ? then : first)}
    >
      {text}
      <span aria-hidden>{current === by ? ' ↑' : current === `-${by}` ? ' ↓' : ''}</span>
    </button>
  );
}

/** By an old address, or when what stood on the last page is gone: there are others. */
function PastEnd({ last, onPage }: { last: number; onPage: (page: number) => void }) {
  const t = useTexts(common);
  return (
    <Nothing
      title={t.pastEnd}
      next={<RowButton onClick={() => onPage(last)}>{t.lastPage(last)}</RowButton>}
    />
  );
}

function Nothing({ title, next }: Empty) {
  return (
    <div className={classes['nothing']}>
      <strong>{title}</strong>
      {next}
    </div>
  );
}
