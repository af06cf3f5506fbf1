import { Menu } from '@mantine/core';
import { type ComponentPropsWithRef, useEffect, useRef, useState } from 'react';
import { common } from '../texts/common.ts';
import { type Action, useActions, useRefusal } from './action.tsx';
import { RowButton } from './row-button.tsx';
import { useTexts } from './texts.ts';

interface MenuProps {
  actions: readonly Action[];
  of: string;
}

/** The rarer actions of a row, behind one button; a list has many of them, so a menu is made when asked for. */
export function ActionMenu(props: MenuProps) {
  const [isAsked, setAsked] = useState(false);
  if (isAsked) return <OpenedMenu {...props} />;
  return <Dots of={props.of} aria-haspopup="menu" onClick={() => setAsked(true)} />;
}

function OpenedMenu({ actions, of }: MenuProps) {
  const { start, dialog } = useActions(actions);
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // Takes the focus from the button that it replaces, before it opens: there it is given back.
  useEffect(() => {
    button.current?.focus();
    setOpened(true);
  }, []);
  return (
    <>
      <Menu position="bottom-end" withinPortal opened={opened} onChange={setOpened}>
        <Menu.Target>
          <Dots of={of} ref={button} />
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map((action) => (
            <Item key={action.label} action={action} start={start} />
          ))}
        </Menu.Dropdown>
      </Menu>
      {dialog}
    </>
  );
}

function Dots({ of, ...rest }: { of: string } & ComponentPropsWithRef<'button'>) {
  const t = useTexts(common);
  const { style: _style, ...given } = rest;
  return (
    <RowButton look="icon" aria-label={`${t.actions}: ${of}`} {...given}>
      <span aria-hidden>⋯</span>
    </RowButton>
  );
}

function Item({ action, start }: { action: Action; start: (action: Action) => void }) {
  const refusal = useRefusal(action);
  const isRefused = refusal !== null;
  return (
    <Menu.Item
      {...(action.danger === true ? { className: 'danger' } : {})}
      data-disabled={isRefused || undefined}
      aria-disabled={isRefused}
      aria-haspopup={action.confirm === undefined ? undefined : 'dialog'}
      title={refusal ?? undefined}
      onClick={() => {
        if (!isRefused) start(action);
      }}
    >
      {action.label}
    </Menu.Item>
  );
}
