import { type ReactNode, useId, useRef, useState } from 'react';
import { Drop } from './drop.tsx';
import { RowButton } from './row-button.tsx';

interface Props {
  /** What its button shows. */
  button: ReactNode;
  label?: string;
  /** Why what lies there may not be used. */
  refusal?: string | null;
  width: number;
  align: 'start' | 'end';
  children: (close: () => void) => ReactNode;
}

/** What lies behind a button of a row: made when it is asked for, because a list has one in each. */
export function AskedPopover({ button, label, refusal = null, width, align, children }: Props) {
  const [opened, setOpened] = useState(false);
  const target = useRef<HTMLButtonElement>(null);
  const id = useId();
  const leave = (): void => {
    setOpened(false);
    target.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <RowButton
        look="quiet"
        ref={target}
        id={id}
        aria-label={label}
        refusal={refusal}
        aria-haspopup="dialog"
        aria-expanded={opened}
        onClick={() => setOpened((was) => !was)}
      >
        {button}
      </RowButton>
      {opened && (
        <Drop
          target={target}
          align={align}
          width={width}
          padding={16}
          role="dialog"
          aria-labelledby={id}
          close={() => setOpened(false)}
        >
          {children(leave)}
        </Drop>
      )}
    </>
  );
}
