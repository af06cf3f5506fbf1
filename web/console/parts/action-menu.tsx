import { ActionIcon, Menu } from '@mantine/core';
import { common } from '../texts/common.ts';
import { type Action, useAction } from './action.tsx';
import { useTexts } from './texts.ts';

/** The rarer actions of a row, behind one button. */
export function ActionMenu({ actions, of }: { actions: readonly Action[]; of: string }) {
  const t = useTexts(common);
  return (
    <Menu position="bottom-end" withinPortal keepMounted>
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
  const { start, dialog, refusal } = useAction(action);
  const isRefused = refusal !== null;
  return (
    <>
      <Menu.Item
        {...(action.danger === true ? { color: 'red' } : {})}
        data-disabled={isRefused || undefined}
        aria-disabled={isRefused}
        title={refusal ?? undefined}
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
