import { useQuery } from '@tanstack/react-query';
import { mayOpen } from '../../../../may/operator.ts';
import { profile } from '../../../../queries/operator/account.ts';
import { approvals } from '../../../../queries/operator/approval.ts';
import { recoveries } from '../../../../queries/operator/recovery.ts';
import { REFRESH_MS } from '../../../../parts/refresh.ts';

/** So many stand on the desk; the rest is on the pages of their own. */
export const SHOWN_MAX = 5;
const FIRST = { sort: 'created_at', page_size: SHOWN_MAX } as const;
const FOR_SECOND = approvals({ state: 'PROPOSED', decided_here: true, ...FIRST });
const UNVOUCHED = recoveries({ status: 'WAITING', vouched: false, ...FIRST });

/**
 * What waits for this role and is no task, the longest first: approvals for a second person, and lost factors that
 * nobody has vouched for. The desk and the number beside it in the menu have it from here, so they agree.
 */
export function useWaitingBeside() {
  const { data: me } = useQuery(profile);
  const every = (page: 'approvals' | 'recoveries') => ({
    refetchInterval: REFRESH_MS,
    enabled: me !== undefined && mayOpen(me.role, page),
  });
  const { data: asked } = useQuery({ ...FOR_SECOND, ...every('approvals') });
  const { data: lost } = useQuery({ ...UNVOUCHED, ...every('recoveries') });
  return { me, asked, lost, total: (asked?.total ?? 0) + (lost?.total ?? 0) };
}
