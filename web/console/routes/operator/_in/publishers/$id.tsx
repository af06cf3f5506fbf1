import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Loading } from '../../../../parts/loading.tsx';
import { useWrite } from '../../../../api.ts';
import { FailedPage } from '../../../../parts/failed-page.tsx';
import { Money } from '../../../../parts/money.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import {
  type Publisher,
  publisher,
  publisherDocuments,
  publisherHistory,
  publisherMembers,
  publisherRelated,
  endPublisherSessions,
  holdPublisherPapers,
  releasePublisherPapers,
  restorePublisher,
  suspendPublisher,
} from '../../../../queries/operator/party.ts';
import { operator } from '../../../../texts/operator.ts';
import { titles } from '../../../../texts/titles.ts';
import { party } from '../../../../texts/party.ts';
import { PartyDocuments } from '../-party/party-documents.tsx';
import { AccountHistory, Related } from '../-party/party-history.tsx';
import { Members } from '../-party/party-members.tsx';
import { PartyPage } from '../-party/party-page.tsx';
import { listsOfParty } from '../-party/party-search.ts';

export const Route = createFileRoute('/operator/_in/publishers/$id')({
  validateSearch: listsOfParty,
  loader: ({ context: { queryClient }, params: { id } }) => {
    void queryClient.prefetchQuery(publisher(Number(id)));
  },
  staticData: { title: (language) => titles[language].operatorPublishers },
  component: PublisherPage,
});

function PublisherPage() {
  const id = Number(Route.useParams().id);
  const { data, error, refetch } = useQuery(publisher(id));
  if (error !== null) return <FailedPage error={error} again={() => void refetch()} />;
  return data === undefined ? <Loading height={320} /> : <Shown account={data} />;
}

function Shown({ account }: { account: Publisher }) {
  const t = useTexts(party);
  const pages = Route.useSearch();
  const { mutateAsync: suspend } = useWrite(suspendPublisher);
  const { mutateAsync: endSessions } = useWrite(endPublisherSessions);
  const { mutateAsync: restore } = useWrite(restorePublisher);
  const { mutateAsync: hold } = useWrite(holdPublisherPapers);
  const { mutateAsync: release } = useWrite(releasePublisherPapers);
  const { id, balance, open } = account;
  const money = (amount: number) => <Money amount={amount} currency={balance.currency} />;
  return (
    <PartyPage
      account={account}
      crumb={{ text: useTexts(operator).publishers, to: '/operator/publishers' }}
      history={publisherHistory(id)}
      moves={{ suspend, restore, endSessions, hold, release }}
      facts={[
        [t.balance, money(balance.balance)],
        [t.withdrawable, money(balance.withdrawable)],
        [t.maturing, money(balance.maturing)],
        [t.held, money(balance.held)],
        [t.openWithdrawals, open.withdrawals],
        [t.site, account.site_url],
      ]}
      lists={{
        [`/operator/inventory?subject_type=site&account_id=${id}`]: t.places,
        [`/operator/reports?publisher_id=${id}`]: t.figures,
        [`/operator/withdrawals?publisher_id=${id}`]: t.withdrawals,
        [`/operator/operations?account_id=${id}`]: t.operations,
        [`/operator/ledger?owner_type=PUBLISHER&owner_id=${id}`]: t.ledger,
      }}
    >
      <Members query={publisherMembers(id)} />
      <PartyDocuments queryOf={publisherDocuments(id)} page={pages.documents} />
      <Related query={publisherRelated(id)} />
      <AccountHistory query={publisherHistory(id)} page={pages.history} />
    </PartyPage>
  );
}
