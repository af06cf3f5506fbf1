import { useMarks, useTexts, wordOf } from '../../../../parts/texts.ts';
import type { Approval, ApprovalPage } from '../../../../queries/operator/approval.ts';
import { approval } from '../../../../texts/approval.ts';
import { operator } from '../../../../texts/operator.ts';
import { setting } from '../../../../texts/setting.ts';
import { PageLink } from './page-link.tsx';
import { SubjectTasks } from './subject-tasks.tsx';

const FOLDERS: Readonly<Record<string, string>> = {
  withdrawal: 'withdrawals',
  payout_failed: 'withdrawals',
  withdrawal_return: 'withdrawals',
  reversal: 'reversals',
  balance_refund: 'refunds',
};

/** What an approval is of, in words: a number alone would be taken for its own, and a setting goes by what it says. */
export function ApprovedThing({
  of: { kind, subject, asks },
}: {
  of: Pick<Approval, 'kind' | 'subject' | 'asks'>;
}) {
  const t = useTexts(approval);
  const { keys } = useTexts(setting);
  const { roles } = useTexts(operator);
  const { colon, open, close } = useMarks();
  const role = (name: string) => wordOf(roles, asked(name));
  const asked = (name: string) => asks.find((each) => each.name === name)?.value;
  if (kind === 'operator' || kind === 'operator_restore' || kind === 'operator_role') {
    const now = kind === 'operator_role' ? `${role('role')} → ${role('new_role')}` : role('role');
    return `${t.kinds[kind]} ${asked('username') ?? subject}${open}${now}${close}`;
  }
  return `${t.kinds[kind]}${kind === 'setting' ? `${colon}${wordOf(keys, subject)}` : ` ${subject}`}`;
}

/** The tasks in which a flow asks for it: there it is decided. */
export function AskedInTasks({ of: { kind, subject, content } }: { of: ApprovalPage }) {
  const deposit = content.find(({ name }) => name === 'deposit_id')?.value;
  const type = FOLDERS[kind] === 'reversals' ? 'reversal' : 'withdrawal';
  const of = deposit === undefined ? ([type, subject] as const) : (['deposit', deposit] as const);
  return <SubjectTasks type={of[0]} id={Number(of[1])} />;
}

/** What an approval is of: money has a page of its own, on which its flow asks. */
export function ApprovalSubject({ of }: { of: ApprovalPage }) {
  const { kind, subject, content } = of;
  const t = useTexts(approval);
  const deposit = content.find(({ name }) => name === 'deposit_id')?.value;
  const statement = content.find(({ name }) => name === 'statement_id')?.value;
  const folder = FOLDERS[kind] ?? (deposit === undefined ? null : 'deposits');
  const text = <ApprovedThing of={of} />;
  if (kind === 'money_term') return <PageLink to="/operator/terms">{t.terms}</PageLink>;
  if (kind === 'factor_recovery') return <PageLink to="/operator/recoveries">{text}</PageLink>;
  if (kind === 'bank_explanation')
    return <PageLink to={`/operator/statements/${statement}`}>{text}</PageLink>;
  if (kind === 'payout_file_take_back') {
    const first = content.find(({ name }) => name === 'withdrawal_id')?.value;
    return <PageLink to={`/operator/withdrawals/${first}`}>{text}</PageLink>;
  }
  if (folder === null) return text;
  return <PageLink to={`/operator/${folder}/${deposit ?? subject}`}>{text}</PageLink>;
}
