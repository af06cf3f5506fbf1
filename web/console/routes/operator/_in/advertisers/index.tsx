import { createFileRoute } from '@tanstack/react-router';
import { stated } from '../../../../parts/search.ts';
import { useTexts } from '../../../../parts/texts.ts';
import { advertisers } from '../../../../queries/operator/party.ts';
import { operator } from '../../../../texts/operator.ts';
import { titles } from '../../../../texts/titles.ts';
import { PartyList } from '../-party/party-list.tsx';
import { partySearch } from '../-party/party-search.ts';

export const Route = createFileRoute('/operator/_in/advertisers/')({
  validateSearch: partySearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(advertisers(deps));
  },
  staticData: { title: (language) => titles[language].operatorAdvertisers, views: 'advertisers' },
  component: Advertisers,
});

function Advertisers() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <PartyList
      title={useTexts(operator).advertisers}
      folder="advertisers"
      search={search}
      query={advertisers(search)}
      onSearch={(change) =>
        void navigate({ search: (was) => stated({ ...was, ...change }) as never })
      }
    />
  );
}
