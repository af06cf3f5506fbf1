import { Anchor, Group } from '@mantine/core';
import { documentTexts } from '../texts/document.ts';
import { DayRangeFields } from './day-range.tsx';
import { DoorLink } from './door-link.tsx';
import { DocumentList } from './document-list.tsx';
import { DOCUMENT_KINDS, type DocumentSearch, documentsOf } from './documents.ts';
import { Filters } from './filters.tsx';
import type { Owner } from './identity.ts';
import { Page } from './page.tsx';
import { stated } from './search.ts';
import { useTexts } from './texts.ts';

/** Statements, invoices, credit notes and receipts of an account. */
export function DocumentsPage(props: {
  realm: Owner;
  search: DocumentSearch;
  onChange: (change: DocumentSearch) => void;
}) {
  const { realm, search, onChange } = props;
  const t = useTexts(documentTexts);
  const { page: _page, ...filters } = search;
  const change = (next: object): void => onChange({ page: undefined, ...next } as DocumentSearch);
  return (
    <Page
      title={t.title}
      lead={
        <>
          {t.lead}{' '}
          <Anchor
            size="sm"
            href="/document-keys.json"
            target="_blank"
            rel="noreferrer noopener"
            underline="always"
          >
            {t.keys} ↗
          </Anchor>{' '}
          ·{' '}
          <DoorLink inText to={`/${realm}/profile`}>
            {t.address}
          </DoorLink>
        </>
      }
    >
      <Group gap="sm" align="flex-end">
        <Filters
          values={stated({ kind: search.kind })}
          filters={[
            {
              kind: 'choice',
              name: 'kind',
              label: t.kind,
              options: DOCUMENT_KINDS.map((value) => ({ value, label: t.kinds[value] })),
            },
          ]}
          onChange={change}
        />
        <DayRangeFields from={t.from} to={t.to} value={search} onChange={change} />
      </Group>
      <DocumentList
        realm={realm}
        query={documentsOf(realm, search)}
        isFiltered={Object.keys(filters).length > 0}
        onPage={(page) => onChange({ page })}
      />
    </Page>
  );
}
