import { Group, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useWrite } from '../../../../api.ts';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { Facts } from '../../../../parts/facts.tsx';
import { FailedPage } from '../../../../parts/failed-page.tsx';
import { Money } from '../../../../parts/money.tsx';
import { Page } from '../../../../parts/page.tsx';
import { State } from '../../../../parts/state.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { profile } from '../../../../queries/operator/account.ts';
import {
  type Publisher,
  publisher,
  publisherHistory,
  publisherMembers,
  publisherRelated,
  restorePublisher,
  suspendPublisher,
} from '../../../../queries/operator/party.ts';
import { operator } from '../../../../texts/operator.ts';
import { titles } from '../../../../texts/titles.ts';
import { party } from '../../../../texts/party.ts';
import { AccountHistory, Related } from '../-party/party-history.tsx';
import { Members } from '../-party/party-members.tsx';
import { usePartyAction } from '../-party/party-actions.tsx';

export const Route = createFileRoute('/operator/_in/publishers/$id')({
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
  return data === undefined ? <Skeleton height={320} /> : <Shown account={data} />;
}

function Shown({ account }: { account: Publisher }) {
  const t = useTexts(party);
  const { data: me } = useQuery(profile);
  const { mutateAsync: suspend } = useWrite(suspendPublisher);
  const { mutateAsync: restore } = useWrite(restorePublisher);
  const { id, balance, open, status } = account;
  const name = account.company_name ?? account.nickname;
  const action = usePartyAction({ id, name, status }, me?.role, { suspend, restore });
  const money = (amount: number) => <Money amount={amount} currency={balance.currency} />;
  return (
    <Page
      title={name}
      beside={<State state={status} />}
      crumbs={[{ text: useTexts(operator).publishers, to: '/operator/publishers' }]}
      actions={[action]}
    >
      <Facts
        rows={[
          [t.contact, account.contact_name],
          [t.email, account.email],
          [t.username, account.username],
          [t.mobile, account.mobile],
          [t.industry, account.industry],
          [t.identity, <State key="k" state={account.kyc_status} />],
          [t.balance, money(balance.balance)],
          [t.withdrawable, money(balance.withdrawable)],
          [t.maturing, money(balance.maturing)],
          [t.held, money(balance.held)],
          [t.openTasks, open.tasks],
          [t.openWithdrawals, open.withdrawals],
          [t.site, account.site_url],
          [t.registered, <When key="w" at={account.created_at} />],
        ]}
      />
      <Group gap="xs" component="nav" aria-label={t.seeAlso}>
        <See to="/operator/withdrawals" search={{ publisher_id: id }} text={t.withdrawals} />
        <See to="/operator/operations" search={{ account_id: id }} text={t.operations} />
        <See
          to="/operator/ledger"
          search={{ owner_type: 'PUBLISHER', owner_id: id }}
          text={t.ledger}
        />
      </Group>
      <Members query={publisherMembers(id)} />
      <Related query={publisherRelated(id)} />
      <AccountHistory query={publisherHistory(id)} />
    </Page>
  );
}

const See = ({ to, search, text }: { to: string; search: object; text: string }) => (
  <ButtonLink to={to} search={search as never} variant="default" size="sm">
    {text}
  </ButtonLink>
);
