import { Group } from '@mantine/core';
import type { Document } from '../../client/routes.ts';
import { type ReadName, saveFile } from '../api.ts';
import { documentTexts } from '../texts/document.ts';
import { type Column, List, type ListQuery } from './list-page.tsx';
import { Money } from './money.tsx';
import { RowButton } from './row-button.tsx';
import { type Same, useTexts } from './texts.ts';
import { Month, When } from './time.tsx';
import { refused } from './toast.ts';

type Words = Same<(typeof documentTexts)['en']>;
/** Where a file is read; operators have a route of their own, which writes down who read. */
type FileRoute = Extract<ReadName, `GET /api/${string}/documents/{id}/file`>;

const columnsOf = (route: FileRoute): readonly Column<Document, Words>[] => [
  { key: 'number', title: (t) => t.number, cell: ({ number }) => number },
  { key: 'kind', title: (t) => t.kind, cell: ({ kind }, t) => t.kinds[kind] },
  { key: 'month', title: (t) => t.month, cell: ({ month }) => <Month of={month} /> },
  {
    key: 'total',
    title: (t) => t.total,
    isNumber: true,
    cell: ({ total, currency }) => <Money amount={total} currency={currency} />,
  },
  {
    key: 'closing',
    title: (t) => t.closing,
    isNumber: true,
    cell: ({ closing, currency }) =>
      closing === null ? '—' : <Money amount={closing} currency={currency} />,
  },
  { key: 'issued', title: (t) => t.issued, cell: (row) => <When at={row.issued_at} /> },
  {
    key: 'files',
    title: (t) => t.files,
    cell: ({ id, number, formats }, t) => (
      <Group gap="sm">
        {formats.map((format) => (
          <RowButton
            key={format}
            look="quiet"
            aria-label={t.save(number, t.formats[format])}
            onClick={() => void saveFile(route, { path: { id }, query: { format } }).catch(refused)}
          >
            {t.formats[format]}
          </RowButton>
        ))}
      </Group>
    ),
  },
];
const COLUMNS = {
  advertiser: columnsOf('GET /api/advertiser/documents/{id}/file'),
  publisher: columnsOf('GET /api/publisher/documents/{id}/file'),
  admin: columnsOf('GET /api/admin/documents/{id}/file'),
};

/** What an account was issued, with its files. */
export function DocumentList(props: {
  realm: keyof typeof COLUMNS;
  query: ListQuery<Document>;
  isFiltered?: boolean;
  onPage: ((page: number) => void) | null;
}) {
  const { realm, query, isFiltered = false, onPage } = props;
  const t = useTexts(documentTexts);
  return (
    <List
      label={t.title}
      query={query}
      columns={COLUMNS[realm]}
      texts={t}
      rowKey={({ id }) => id}
      empty={{ title: t.none, next: t.noneHelp[realm] }}
      searchEmpty={isFiltered ? { title: t.noneFound } : null}
      onPage={onPage}
    />
  );
}
