import { useContext } from 'react';
import { TASK_KINDS } from '../../../../../../domain/lifecycle/task.ts';
import { mayRead } from '../../../../../../domain/task-rules.ts';
import { useTexts, wordOf } from '../../../../parts/texts.ts';
import { INVENTORY_TYPES } from '../../../../queries/operator/inventory.ts';
import { audit } from '../../../../texts/audit.ts';
import { history } from '../../../../texts/history.ts';
import { MyRole } from './my-role.ts';
import { PageLink } from './page-link.tsx';

/** Where a thing of the audit log or the ledger is looked at. */
const PAGES: Readonly<Record<string, string>> = {
  task: 'tasks',
  deposit: 'deposits',
  withdrawal: 'withdrawals',
  approval: 'approvals',
  reversal: 'reversals',
  balance_refund: 'refunds',
  bank_statement: 'statements',
  advertiser: 'advertisers',
  publisher: 'publishers',
};

/** Of what has no page here, reviews are on the desk, for whoever reads them. */
function reviewsOf(type: string, id: number | string, role: string | undefined): string | null {
  const kind = TASK_KINDS.find((each) => each === `${type}_review`);
  const may = kind !== undefined && role !== undefined && mayRead(role, kind);
  return may ? `/operator?subject_type=${type}&subject_id=${id}` : null;
}

/** What an entry is about, in words, with its page where it has one; `to`: another one. */
export function SubjectLink({
  subject: { type, id },
  to,
}: {
  subject: { type: string; id: number | string | null };
  to?: string | null;
}) {
  const role = useContext(MyRole);
  const words = { ...useTexts(history).subjects, ...useTexts(audit).subjects };
  // A number does not leave its word.
  const name = id === null ? wordOf(words, type) : `${wordOf(words, type)}\u00a0${id}`;
  if (id === null) return <span className="words">{name}</span>;
  const page = PAGES[type];
  const isRun = INVENTORY_TYPES.some((each) => each === type);
  const at = isRun ? `inventory/${type}` : page;
  const own = at === undefined ? reviewsOf(type, id, role) : `/operator/${at}/${id}`;
  const address = to ?? own;
  return (
    <span className="words">
      {address === null ? name : <PageLink to={address}>{name}</PageLink>}
    </span>
  );
}
