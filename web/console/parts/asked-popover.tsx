import { Popover, type PopoverProps } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useEscape } from './escape.ts';
import { RowButton } from './row-button.tsx';

interface Props {
  /** What its button shows. */
  button: ReactNode;
  label?: string;
  width: number;
  position: NonNullable<PopoverProps['position']>;
  children: (close: () => void) => ReactNode;
}

/** What lies behind a button of a row: made when it is asked for, because a list has one in each. */
export function AskedPopover(props: Props) {
  const [isAsked, setAsked] = useState(false);
  if (isAsked) return <Opened {...props} />;
  return (
    <RowButton
      look="quiet"
      aria-label={props.label}
      aria-haspopup="dialog"
      aria-expanded={false}
      onClick={() => setAsked(true)}
    >
      {props.button}
    </RowButton>
  );
}

function Opened({ button, label, width, position, children }: Props) {
  const [opened, setOpened] = useState(false);
  useEscape(opened, () => setOpened(false));
  const target = useRef<HTMLButtonElement>(null);
  // Takes the focus from the button that it replaces, before it opens: there it is given back.
  useEffect(() => {
    target.current?.focus();
    setOpened(true);
  }, []);
  return (
    <Popover
      {...{ width, position, opened }}
      onChange={setOpened}
      withArrow
      withinPortal
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <RowButton
          look="quiet"
          ref={target}
          aria-label={label}
          onClick={() => setOpened((was) => !was)}
        >
          {button}
        </RowButton>
      </Popover.Target>
      <Popover.Dropdown>{children(() => setOpened(false))}</Popover.Dropdown>
    </Popover>
  );
}
