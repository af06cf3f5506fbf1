import { transactionTexts } from '../texts/transaction.ts';
import { useTexts } from './texts.ts';

/** What moved a balance, in words. */
export function Moved({ row }: { row: Parameters<typeof transactionTexts.en.moved>[0] }) {
  return <>{useTexts(transactionTexts).moved(row)}</>;
}
