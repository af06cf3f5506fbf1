import { Text } from '@mantine/core';
import { useTexts } from '../../../../parts/texts.ts';
import { ledgerTexts } from '../../../../texts/ledger.ts';

/** An account of the books: in words, with its code, which transfers and exports name. */
export function LedgerAccountName({ code }: { code: string }) {
  const words = useTexts(ledgerTexts).account(code);
  if (words === code) return <code>{code}</code>;
  return (
    <>
      <span className="words">{words}</span>
      <Text size="xs" c="dimmed">
        <code>{code}</code>
      </Text>
    </>
  );
}
