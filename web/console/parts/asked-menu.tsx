import { Menu } from '@mantine/core';
import { type ReactElement, type ReactNode, type Ref, useEffect, useRef, useState } from 'react';

interface ButtonProps {
  ref?: Ref<HTMLButtonElement>;
  'aria-haspopup'?: 'menu';
  onClick?: () => void;
}

interface Props {
  /** Draws the button that opens it; what it is given, it hands on. */
  button: (props: ButtonProps) => ReactElement;
  /** Entries: Mantine's `Menu.Item` and the like. */
  children: ReactNode;
}

/** A menu that is made when it is asked for: a page has many, and few of them are opened. */
export function AskedMenu(props: Props) {
  const [isAsked, ask] = useState(false);
  if (isAsked) return <OpenedMenu {...props} />;
  return props.button({ 'aria-haspopup': 'menu', onClick: () => ask(true) });
}

function OpenedMenu({ button, children }: Props) {
  const [opened, setOpened] = useState(false);
  const target = useRef<HTMLButtonElement>(null);
  // Takes the focus from the button that it replaces, before it opens: there it is given back.
  useEffect(() => {
    target.current?.focus();
    setOpened(true);
  }, []);
  return (
    <Menu position="bottom-end" withinPortal opened={opened} onChange={setOpened}>
      <Menu.Target>{button({ ref: target })}</Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
