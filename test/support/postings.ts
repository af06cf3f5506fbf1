import type { PostingBatch } from '../../domain/ledger/postings.ts';

/** What a batch leaves on each account it touches: a debit loses, a credit gains. */
export function netsOf({ postings }: PostingBatch): Record<string, bigint> {
  const nets: Record<string, bigint> = {};
  for (const { debit, credit, amountNanos } of postings) {
    nets[debit] = (nets[debit] ?? 0n) - amountNanos;
    nets[credit] = (nets[credit] ?? 0n) + amountNanos;
  }
  return nets;
}

/** What a batch leaves on the accounts whose code begins so. */
export function netOf(batch: PostingBatch, prefix: string): bigint {
  return Object.entries(netsOf(batch))
    .filter(([code]) => code.startsWith(prefix))
    .reduce((sum, [, net]) => sum + net, 0n);
}
