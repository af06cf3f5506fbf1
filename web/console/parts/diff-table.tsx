import { Table } from '@mantine/core';
import { common } from '../texts/common.ts';
import type { Change } from './diff.tsx';
import { useValueWords } from './diff-words.ts';
import { useTexts } from './texts.ts';

/** Field, before, after; or what both sides are called, where neither came first. */
export function DiffTable({
  changes,
  names = {},
  heads,
}: {
  changes: readonly Change[];
  names?: Record<string, string>;
  heads?: readonly [string, string];
}) {
  const t = useTexts(common);
  const [one, other] = heads ?? [t.before, t.after];
  const said = useValueWords();
  return (
    // An address is one long word: it breaks rather than push a phone's page sideways.
    <Table withRowBorders verticalSpacing={4} style={{ overflowWrap: 'anywhere' }}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t.field}</Table.Th>
          <Table.Th>{one}</Table.Th>
          <Table.Th>{other}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changes.map(({ field, before, after }) => (
          <Table.Tr key={field}>
            <Table.Td>{names[field] ?? field}</Table.Td>
            <Table.Td>
              <del>{said(field, before)}</del>
            </Table.Td>
            <Table.Td>
              <ins>{said(field, after)}</ins>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
