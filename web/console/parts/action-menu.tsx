import { ActionIcon, Menu } from '@mantine/core';
import { common } from '../texts/common.ts';
import { type Action, useActions } from './action.tsx';
import { useTexts } from './texts.ts';

/** The rarer actions of a row, behind one button. */
export function ActionMenu({ actions, of }: { actions: readonly Action[]; of: string }) {
  const t = useTexts(common);
  const { start, dialog } = useActions(actions);
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`${t.actions}: ${of}`}>
            <span aria-hidden>⋯</span>
          </ActionIcon>
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

function Item({ action, start }: { action: Action; start: (action: Action) => void }) {
  const isRefused = action.refusal !== undefined && action.refusal !== null;
  return (
    <Menu.Item
      {...(action.danger === true ? { className: 'danger' } : {})}
      data-disabled={isRefused || undefined}
      aria-disabled={isRefused}
      aria-haspopup={action.confirm === undefined ? undefined : 'dialog'}
      title={action.refusal ?? undefined}
      onClick={() => {
        if (!isRefused) start(action);
      }}
    >
      {action.label}
    </Menu.Item>
  );
}
