import { createFileRoute } from '@tanstack/react-router';
import { documentSearch, documentsOf } from '../../../parts/documents.ts';
import { DocumentsPage } from '../../../parts/documents-page.tsx';
import { stated } from '../../../parts/search.ts';
import { titles } from '../../../texts/titles.ts';

export const Route = createFileRoute('/advertiser/_in/documents')({
  validateSearch: documentSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(documentsOf('advertiser', deps));
  },
  staticData: { title: (language) => titles[language].documents },
  component: Documents,
});

function Documents() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <DocumentsPage
      realm="advertiser"
      search={search}
      onChange={(change) => void navigate({ search: (was) => stated({ ...was, ...change }) })}
    />
  );
}
