import { useState } from 'react';
import type { Document } from '../../../../../client/routes.ts';
import { DocumentList } from '../../../../parts/document-list.tsx';
import type { ListQuery } from '../../../../parts/list-page.tsx';
import { Section } from '../../../../parts/section.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { documentTexts } from '../../../../texts/document.ts';

/** What it was issued; who loads a file of it stands in its history. */
export function PartyDocuments({ queryOf }: { queryOf: (page: number) => ListQuery<Document> }) {
  const t = useTexts(documentTexts);
  const [page, setPage] = useState(1);
  return (
    <Section title={t.title}>
      <DocumentList realm="admin" query={queryOf(page)} onPage={setPage} />
    </Section>
  );
}
