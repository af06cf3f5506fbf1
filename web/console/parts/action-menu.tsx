import type { ComponentProps } from 'react';
import { common } from '../texts/common.ts';
import { type Action, useActions, useRefusal } from './action.tsx';
import { Menu, MenuItem } from './menu.tsx';
import { RowButton } from './row-button.tsx';
import { useMarks, useTexts } from './texts.ts';

/** The rarer actions of a row, behind one button. */
export function ActionMenu({ actions, of }: { actions: readonly Action[]; of: string }) {
  const { start, dialog } = useActions(actions);
  return (
    <>
      <Menu button={(props) => <Dots of={of} {...props} />}>
        {actions.map((action) => (
          <Item key={action.label} action={action} start={start} />
        ))}
      </Menu>
      {dialog}
    </>
  );
}

function Dots({ of, ...rest }: { of: string } & ComponentProps<typeof RowButton>) {
  const t = useTexts(common);
  const marks = useMarks();
  return (
    <RowButton look="icon" aria-label={`${t.actions}${marks.colon}${of}`} {...rest}>
      <span aria-hidden>⋯</span>
    </RowButton>
  );
}

function Item({ action, start }: { action: Action; start: (action: Action) => void }) {
  const refusal = useRefusal(action);
  const isRefused = refusal !== null;
  return (
    <MenuItem
      isDanger={action.danger === true}
      aria-disabled={isRefused}
      aria-haspopup={action.confirm === undefined && action.opens !== true ? undefined : 'dialog'}
      title={refusal ?? undefined}
      onClick={() => {
        if (!isRefused) start(action);
      }}
    >
      {action.label}
    </MenuItem>
  );
}
