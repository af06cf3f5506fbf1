import { useQuery } from '@tanstack/react-query';
import { advertiser, publisher } from '../../../../queries/operator/party.ts';
import { PageLink } from '../-shown/page-link.tsx';

interface Props {
  side: 'advertiser' | 'publisher';
  id: number;
}

/** An account that a record names by its number: called as it calls itself, once that is known. */
export const PartyLink = ({ side, id }: Props) =>
  side === 'advertiser' ? <Buyer id={id} /> : <Seller id={id} />;

function Buyer({ id }: { id: number }) {
  const { data } = useQuery(advertiser(id));
  return (
    <PageLink to={`/operator/advertisers/${id}`}>
      {data?.company_name ?? data?.username ?? id}
    </PageLink>
  );
}

function Seller({ id }: { id: number }) {
  const { data } = useQuery(publisher(id));
  return (
    <PageLink to={`/operator/publishers/${id}`}>
      {data?.company_name ?? data?.username ?? id}
    </PageLink>
  );
}
