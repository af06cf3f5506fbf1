import { CopyButton } from '@mantine/core';
import { common } from '../texts/common.ts';
import { RowButton } from './row-button.tsx';
import { useMarks, useTexts } from './texts.ts';

/** In a list's row: takes all of what the row may show a part of. */
export function CopyRow({ value }: { value: string }) {
  const t = useTexts(common);
  const { colon } = useMarks();
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <RowButton look="quiet" aria-label={`${t.copy}${colon}${value}`} onClick={copy}>
          <span aria-live="polite">{copied ? t.copied : t.copy}</span>
        </RowButton>
      )}
    </CopyButton>
  );
}
