import { DiffTable } from './diff-table.tsx';
import { useValueWords } from './diff-words.ts';
import type { Change } from './diff.tsx';
import { useMarks, wordOf } from './texts.ts';

/** What a row of a list can say by itself; more is behind its fields' names. */
const SAID_MOST = 2;
const SHORT_MOST = 24;

/** The changes of a row: `Bid: $0.30 → $0.50`, or by name with all of them below once opened. */
export function ChangesShown({
  changes,
  names,
}: {
  changes: readonly Change[];
  names: Readonly<Record<string, string>>;
}) {
  const said = useValueWords();
  const { colon, comma } = useMarks();
  const lines = changes.map(({ field, before, after }) => ({
    name: wordOf(names, field),
    values: [said(field, before), said(field, after)] as const,
  }));
  const areShort = lines.every(({ values }) => values.every((value) => value.length <= SHORT_MOST));
  if (lines.length > SAID_MOST || !areShort) {
    return (
      <details>
        <summary>{lines.map(({ name }) => name).join(comma)}</summary>
        <div className="change-table">
          <DiffTable changes={changes} names={names} />
        </div>
      </details>
    );
  }
  return lines.map(({ name, values: [before, after] }) => (
    <div key={name} className="words">
      {name}
      {colon}
      <del>{before}</del> → <ins>{after}</ins>
    </div>
  ));
}
