import { type AccountCode, chart } from './chart.ts';
import type { Posting } from './postings.ts';

const OWN = /^pub:(\d+):(?:withdrawable|debt)$/;

/** Publishers whose debt a batch may make, or whose withdrawable balance may pay one. */
function debtorsOf(postings: readonly Posting[]): number[] {
  const ids = postings
    .flatMap(({ debit, credit }) => [OWN.exec(debit)?.[1], OWN.exec(credit)?.[1]])
    .filter((id) => id !== undefined)
    .map(Number);
  return [...new Set(ids)];
}

/** The accounts that a batch must hold to pay debts with, beside those that it names. */
export const debtAccountsOf = (postings: readonly Posting[]): AccountCode[] =>
  debtorsOf(postings).flatMap((id) => [chart.publisherWithdrawable(id), chart.publisherDebt(id)]);

/**
 * What a publisher owes is paid by whatever may be withdrawn, at once and before anybody can ask for it:
 * the payments that follow a batch. `balanceOf` says what its postings leave.
 */
export function debtsPaid(
  postings: readonly Posting[],
  balanceOf: (account: AccountCode) => bigint,
): Posting[] {
  return debtorsOf(postings).flatMap((id) => {
    const [withdrawable, debt] = [chart.publisherWithdrawable(id), chart.publisherDebt(id)];
    const owed = -balanceOf(debt);
    const there = balanceOf(withdrawable);
    const amountNanos = owed < there ? owed : there;
    if (amountNanos <= 0n) return [];
    const subject = { type: 'publisher', id };
    return [{ debit: withdrawable, credit: debt, amountNanos, type: 'DEBT_PAID', subject }];
  });
}
