import { useTexts, wordOf } from '../../../../parts/texts.ts';
import { audit } from '../../../../texts/audit.ts';
import { history } from '../../../../texts/history.ts';
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

/** What an entry is about, in words, with its page where it has one. */
export function SubjectLink({
  subject: { type, id },
}: {
  subject: { type: string; id: number | string | null };
}) {
  const words = { ...useTexts(history).subjects, ...useTexts(audit).subjects };
  // A number does not leave its word.
  const name = id === null ? wordOf(words, type) : `${wordOf(words, type)}\u00a0${id}`;
  const page = PAGES[type];
  return (
    <span className="words">
      {page === undefined || id === null ? (
        name
      ) : (
        <PageLink to={`/operator/${page}/${id}`}>{name}</PageLink>
      )}
    </span>
  );
}
