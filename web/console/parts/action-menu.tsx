import { ActionIcon, Menu } from '@mantine/core';
import { common } from '../texts/common.ts';
import { type Action, useAction } from './action.tsx';
import { useTexts } from './texts.ts';

/**
 * The rarer actions of a row, behind one button. Closed, it is hidden and not put to sleep: the window
 * in which an action asks first belongs to its entry.
 */
export function ActionMenu({ actions, of }: { actions: readonly Action[]; of: string }) {
  const t = useTexts(common);
  return (
    <Menu position="bottom-end" withinPortal keepMounted keepMountedMode="display-none">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`${t.actions}: ${of}`}>
          <span aria-hidden>⋯</span>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Item key={action.label} action={action} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Item({ action }: { action: Action }) {
  const { start, dialog } = useAction(action);
  const isRefused = action.refusal !== undefined && action.refusal !== null;
  return (
    <>
      <Menu.Item
        {...(action.danger === true ? { color: 'red' } : {})}
        data-disabled={isRefused || undefined}
        aria-disabled={isRefused}
        title={action.refusal ?? undefined}
        onClick={() => {
          if (!isRefused) start();
        }}
      >
        {action.label}
      </Menu.Item>
      {dialog}
    </>
  );
}
