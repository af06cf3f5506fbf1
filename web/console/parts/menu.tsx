import { createLink } from '@tanstack/react-router';
import {
  type AnchorHTMLAttributes,
  type ButtonHTMLAttributes,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  useId,
  useRef,
  useState,
} from 'react';
import { Drop } from './drop.tsx';
import classes from './menu.module.css';

interface TargetProps {
  ref: Ref<HTMLButtonElement>;
  id: string;
  'aria-haspopup': 'menu';
  'aria-expanded': boolean;
  onClick: () => void;
}

/** A menu below its button: made when it is asked for, because a list has one in each row. */
export function Menu({
  button,
  children,
}: {
  /** Draws the button that opens it; what it is given, it hands on. */
  button: (props: TargetProps) => ReactElement;
  /** `MenuItem` and `MenuLink`. */
  children: ReactNode;
}) {
  const [opened, setOpened] = useState(false);
  const target = useRef<HTMLButtonElement>(null);
  const id = useId();
  const leave = (): void => {
    setOpened(false);
    target.current?.focus({ preventScroll: true });
  };
  return (
    <>
      {button({
        ref: target,
        id,
        'aria-haspopup': 'menu',
        'aria-expanded': opened,
        onClick: () => setOpened((was) => !was),
      })}
      {opened && (
        <Drop
          target={target}
          align="end"
          role="menu"
          aria-labelledby={id}
          close={() => setOpened(false)}
          onKeyDown={(event) => onKey(event, leave)}
          onClick={(event) => {
            event.stopPropagation();
            if (isChosen(event)) leave();
          }}
        >
          {children}
        </Drop>
      )}
    </>
  );
}

const isChosen = ({ target }: MouseEvent): boolean =>
  target instanceof Element &&
  target.closest('[role="menuitem"]:not([aria-disabled="true"])') !== null;

/** Arrows lead around, Home and End to the ends; Tab leads out of it. */
function onKey(event: KeyboardEvent<HTMLElement>, leave: () => void): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (event.key === 'Tab' || event.key === 'Escape') leave();
  if (to === undefined) return;
  event.preventDefault();
  items.at(to % items.length)?.focus();
}

/** A dialog that a menu stands in does not close with it: it listens to the same key. */
const ITEM = { role: 'menuitem', tabIndex: -1, 'data-mantine-stop-propagation': 'true' } as const;

interface ItemProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style'> {
  isDanger?: boolean;
}

export const MenuItem = ({ isDanger = false, ...rest }: ItemProps) => (
  <button
    type="button"
    {...rest}
    {...ITEM}
    className={isDanger ? `${classes['entry']} ${classes['danger']}` : classes['entry']}
  />
);

export const MenuLink = createLink(
  (
    props: Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'style'> & {
      ref?: Ref<HTMLAnchorElement>;
    },
  ) => <a {...props} {...ITEM} className={classes['entry']} />,
);

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <div className={classes['label']}>{children}</div>
);

export const MenuDivider = () => <hr className={classes['divider']} />;
