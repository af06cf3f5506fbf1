import { type ReactNode, useId, useState } from 'react';
import { common } from '../texts/common.ts';
import classes from './phone-fold.module.css';
import { RowButton } from './row-button.tsx';
import { useTexts } from './texts.ts';

/**
 * What narrows a page's rows or figures, side by side. On a phone, where each line of it moves them out of sight, all
 * but the first wait behind a button; `isKept` while one of those says something, which is then never hidden.
 */
export function PhoneFold({
  first,
  isKept,
  children,
}: {
  first: ReactNode;
  isKept: boolean;
  children: ReactNode;
}) {
  const t = useTexts(common);
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const isFolded = !isKept && !isOpen;
  return (
    <div id={id} className={classes['fold']} role="search" data-folded={isFolded || undefined}>
      {first}
      {!isKept && (
        <span className={classes['more']}>
          <RowButton
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setIsOpen((before) => !before)}
          >
            {t.filters}
          </RowButton>
        </span>
      )}
      {children}
    </div>
  );
}
