import { Menu } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';
import { common } from '../texts/common.ts';
import { type Action, useActions, useRefusal } from './action.tsx';
import { AskedMenu } from './asked-menu.tsx';
import { RowButton } from './row-button.tsx';
import { useTexts } from './texts.ts';

/** The rarer actions of a row, behind one button. */
export function ActionMenu({ actions, of }: { actions: readonly Action[]; of: string }) {
  const { start, dialog } = useActions(actions);
  return (
    <>
      <AskedMenu button={(props) => <Dots of={of} {...props} />}>
        {actions.map((action) => (
          <Item key={action.label} action={action} start={start} />
        ))}
      </AskedMenu>
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
