import { Facts } from './facts.tsx';
import { shown } from './diff-words.ts';
import { NONE } from './none.tsx';
import { useSaid } from './said.ts';

/** What has no shape of its own, name by name, without braces and quotes. */
export function Plain({ value }: { value: unknown }) {
  const said = useSaid();
  if (value === null || value === undefined) return NONE;
  if (typeof value !== 'object') return <span>{said(shown(value))}</span>;
  const rows = Object.entries(value).filter(([, each]) => each !== null);
  if (rows.length === 0) return NONE;
  return (
    <Facts rows={rows.map(([name, each]) => [name.replaceAll('_', ' '), said(textOf(each))])} />
  );
}

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
        .map(([name, each]) => `${name.replaceAll('_', ' ')}: ${shown(each)}`)
        .join(', ')
    : shown(value);
