import type { Document } from '../../../../../client/routes.ts';
import { DocumentList } from '../../../../parts/document-list.tsx';
import type { ListQuery } from '../../../../parts/list-page.tsx';
import { useSearchChange } from '../../../../parts/search-change.ts';
import { Section } from '../../../../parts/section.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { documentTexts } from '../../../../texts/document.ts';

/** What it was issued; who loads a file of it stands in its history. */
export function PartyDocuments({
  queryOf,
  page = 1,
}: {
  queryOf: (page: number) => ListQuery<Document>;
  page: number | undefined;
}) {
  const t = useTexts(documentTexts);
  const change = useSearchChange();
  return (
    <Section title={t.title}>
      <DocumentList
        realm="admin"
        query={queryOf(page)}
        onPage={(next) => change({ documents: next })}
      />
    </Section>
  );
}
