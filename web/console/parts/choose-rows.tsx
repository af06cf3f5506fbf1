import type { Dispatch, SetStateAction } from 'react';

/** One that cannot be chosen keeps its place and says why. */
export function ChoiceBox(props: {
  label: string;
  isChosen: boolean;
  refusal: string | null;
  onChange: () => void;
}) {
  const { label, isChosen, refusal, onChange } = props;
  const isRefused = refusal !== null && !isChosen;
  return (
    <input
      type="checkbox"
      aria-label={label}
      checked={isChosen}
      aria-disabled={isRefused || undefined}
      aria-description={isRefused ? refusal : undefined}
      title={isRefused ? refusal : undefined}
      onChange={() => {
        if (!isRefused) onChange();
      }}
    />
  );
}

/** Of a page, those that something can be done with. */
export function ChooseAll<Row extends { id: number }>({
  rows,
  chosen,
  onChoose,
  refusalOf,
  label,
}: {
  chosen: ReadonlySet<number>;
  onChoose: Dispatch<SetStateAction<ReadonlySet<number>>>;
  refusalOf?: ((row: Row) => string | null) | undefined;
  rows: readonly Row[];
  label: string;
}) {
  const open = rows.filter((row) => (refusalOf?.(row) ?? null) === null);
  const [first] = rows;
  const isAll = open.length > 0 && open.every(({ id }) => chosen.has(id));
  const none = open.length > 0 || first === undefined ? null : (refusalOf?.(first) ?? null);
  return (
    <th scope="col" data-label={label}>
      <ChoiceBox
        label={label}
        isChosen={isAll}
        refusal={none}
        onChange={() => onChoose(new Set(isAll ? [] : open.map(({ id }) => id)))}
      />
    </th>
  );
}
