import { RowLink } from '../../../../parts/row-link.tsx';

/** How many lines of a statement are in one state, and these lines a press away. */
export function Count({
  of: { id },
  state,
  count,
  label,
}: {
  of: { id: number };
  state: string;
  count: number;
  label: string;
}) {
  if (count === 0) return <>0</>;
  return (
    <RowLink to={`/operator/statements/${id}?state=${state}`} aria-label={`${label} ${count}`}>
      {count}
    </RowLink>
  );
}
