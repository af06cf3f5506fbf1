import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Loading } from '../../../../parts/loading.tsx';
import { useWrite } from '../../../../api.ts';
import { FailedPage } from '../../../../parts/failed-page.tsx';
import { Money } from '../../../../parts/money.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import {
  type Advertiser,
  advertiser,
  advertiserDocuments,
  advertiserHistory,
  advertiserMembers,
  advertiserRelated,
  endAdvertiserSessions,
  holdAdvertiserPapers,
  releaseAdvertiserPapers,
  restoreAdvertiser,
  suspendAdvertiser,
} from '../../../../queries/operator/party.ts';
import { operator } from '../../../../texts/operator.ts';
import { titles } from '../../../../texts/titles.ts';
import { party } from '../../../../texts/party.ts';
import { PartyDocuments } from '../-party/party-documents.tsx';
import { AccountHistory, Related } from '../-party/party-history.tsx';
import { Members } from '../-party/party-members.tsx';
import { PartyPage } from '../-party/party-page.tsx';
import { listsOfParty } from '../-party/party-search.ts';

export const Route = createFileRoute('/operator/_in/advertisers/$id')({
  validateSearch: listsOfParty,
  loader: ({ context: { queryClient }, params: { id } }) => {
    void queryClient.prefetchQuery(advertiser(Number(id)));
  },
  staticData: { title: (language) => titles[language].operatorAdvertisers },
  component: AdvertiserPage,
});

function AdvertiserPage() {
  const id = Number(Route.useParams().id);
  const { data, error, refetch } = useQuery(advertiser(id));
  if (error !== null) return <FailedPage error={error} again={() => void refetch()} />;
  return data === undefined ? <Loading height={320} /> : <Shown account={data} />;
}

function Shown({ account }: { account: Advertiser }) {
  const t = useTexts(party);
  const pages = Route.useSearch();
  const { mutateAsync: suspend } = useWrite(suspendAdvertiser);
  const { mutateAsync: endSessions } = useWrite(endAdvertiserSessions);
  const { mutateAsync: restore } = useWrite(restoreAdvertiser);
  const { mutateAsync: hold } = useWrite(holdAdvertiserPapers);
  const { mutateAsync: release } = useWrite(releaseAdvertiserPapers);
  const { id, balance, open } = account;
  const money = (amount: number) => <Money amount={amount} currency={balance.currency} />;
  return (
    <PartyPage
      account={account}
      crumb={{ text: useTexts(operator).advertisers, to: '/operator/advertisers' }}
      history={advertiserHistory(id)}
      moves={{ suspend, restore, endSessions, hold, release }}
      facts={[
        [t.balance, money(balance.balance)],
        [t.available, money(balance.available)],
        [t.held, money(balance.held)],
        [t.openDeposits, open.deposits],
      ]}
      lists={{
        [`/operator/inventory?subject_type=campaign&account_id=${id}`]: t.runs,
        [`/operator/reports?advertiser_id=${id}`]: t.figures,
        [`/operator/deposits?advertiser_id=${id}`]: t.deposits,
        [`/operator/refunds/new?advertiser_id=${id}`]: t.giveBack,
        [`/operator/operations?account_id=${id}`]: t.operations,
        [`/operator/ledger?owner_type=ADVERTISER&owner_id=${id}`]: t.ledger,
      }}
    >
      <Members query={advertiserMembers(id)} />
      <PartyDocuments queryOf={advertiserDocuments(id)} page={pages.documents} />
      <Related query={advertiserRelated(id)} />
      <AccountHistory query={advertiserHistory(id)} page={pages.history} />
    </PartyPage>
  );
}
