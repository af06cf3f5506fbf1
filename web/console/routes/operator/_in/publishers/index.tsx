import { createFileRoute } from '@tanstack/react-router';
import { stated } from '../../../../parts/search.ts';
import { useTexts } from '../../../../parts/texts.ts';
import { publishers } from '../../../../queries/operator/party.ts';
import { operator } from '../../../../texts/operator.ts';
import { titles } from '../../../../texts/titles.ts';
import { PartyList } from '../-party/party-list.tsx';
import { partySearch } from '../-party/party-search.ts';

export const Route = createFileRoute('/operator/_in/publishers/')({
  validateSearch: partySearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(publishers(deps));
  },
  staticData: { title: (language) => titles[language].operatorPublishers, views: 'publishers' },
  component: Publishers,
});

function Publishers() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <PartyList
      title={useTexts(operator).publishers}
      folder="publishers"
      search={search}
      query={publishers(search)}
      onSearch={(change) =>
        void navigate({ search: (was) => stated({ ...was, ...change }) as never })
      }
    />
  );
}
