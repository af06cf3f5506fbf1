import { useQuery } from '@tanstack/react-query';
import { advertiser, publisher } from '../../../../queries/operator/party.ts';
import { PageLink } from '../-shown/page-link.tsx';

/** An account that a record names by its number: called as it calls itself, once that is known. */
export function PartyLink({ side, id }: { side: 'advertiser' | 'publisher'; id: number }) {
  const buys = useQuery({ ...advertiser(id), enabled: side === 'advertiser' }).data;
  const sells = useQuery({ ...publisher(id), enabled: side === 'publisher' }).data;
  const who = buys ?? sells;
  return (
    <PageLink to={`/operator/${side}s/${id}`} size="sm">
      {who?.company_name ?? who?.username ?? id}
    </PageLink>
  );
}
