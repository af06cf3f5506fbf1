import { common } from '../texts/common.ts';
import classes from './pager.module.css';
import { useTexts } from './texts.ts';

interface Props {
  page: number;
  total: number;
  onPage: (page: number) => void;
}

/** Which page of a list is shown, and the way to its neighbours, its first and its last. */
export function Pager({ page, total, onPage }: Props) {
  const t = useTexts(common);
  const step = (to: number, label: string, sign: string) => (
    <button
      type="button"
      className={classes['page']}
      aria-label={label}
      disabled={to < 1 || to > total}
      onClick={() => onPage(to)}
    >
      {sign}
    </button>
  );
  return (
    <div className={classes['pager']}>
      {step(page - 1, t.previousPage, '‹')}
      {pagesShown(page, total).map((each) =>
        each < 0 ? (
          <span key={each} className={classes['gap']} aria-hidden>
            …
          </span>
        ) : (
          <button
            key={each}
            type="button"
            className={classes['page']}
            aria-label={t.page(each, total)}
            aria-current={each === page ? 'page' : undefined}
            onClick={() => onPage(each)}
          >
            {each}
          </button>
        ),
      )}
      {step(page + 1, t.nextPage, '›')}
    </div>
  );
}

const run = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Seven at most: the first, the last, this one with its neighbours; below zero is a gap. */
function pagesShown(page: number, total: number): number[] {
  if (total <= 7) return run(1, total);
  if (page <= 4) return [...run(1, 5), -1, total];
  if (page >= total - 3) return [1, -1, ...run(total - 4, total)];
  return [1, -1, ...run(page - 1, page + 1), -2, total];
}
