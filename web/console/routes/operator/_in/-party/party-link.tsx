import { PageLink } from '../-shown/page-link.tsx';

interface Props {
  side: 'advertiser' | 'publisher';
  id: number;
  /** As it calls itself. The record that names it brings it along: a list does not ask for twenty accounts. */
  name: string | null;
}

/** An account that a record names. */
export const PartyLink = ({ side, id, name }: Props) => (
  <PageLink to={`/operator/${side}s/${id}`}>{name ?? id}</PageLink>
);
