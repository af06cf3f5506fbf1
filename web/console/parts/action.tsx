import type { ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useSaidWhenGone } from './gone.ts';
import { RefusableButton, useForbidden } from './permission.tsx';
import { RowButton } from './row-button.tsx';
import { told } from './toast.ts';

/** With all that dialogs are made of: not before somebody is asked. */
const Confirmation = lazy(async () => {
  const { Confirmation: dialog } = await import('./confirmation.tsx');
  return { default: dialog };
});

/** Something that a person may do: drawn alike as a button, in a row's menu and in the palette. */
export interface Action {
  label: string;
  /** Which of several it is: only read out, behind the label, where eyes see what it stands beside. */
  of?: string;
  /** Behind the label, such as the key that does the same. */
  hint?: ReactNode;
  /** Why it cannot be done now; it is shown disabled with these words, never hidden. */
  refusal?: string | null | undefined;
  /** What it calls, where that is not what its page changes: roles are asked for it. */
  route?: string;
  /** Asked first: what will happen, and the words that must be typed where it cannot be undone. */
  confirm?:
    | {
        title: string;
        body?: ReactNode;
        typed?: string;
        /** False while its body still asks for something. */
        isReady?: boolean;
        /** What the way back is called, where the action itself is a cancelling. */
        keep?: string;
      }
    | undefined;
  run: () => Promise<unknown>;
  /** Its run opens a dialog of its own. */
  opens?: boolean;
  /** Said when it is done. */
  done?: string;
  danger?: boolean;
}

export function ActionButton({
  action,
  ...look
}: { action: Action } & Pick<ButtonProps, 'size' | 'variant' | 'leftSection' | 'fullWidth'>) {
  const { start, dialog, pending } = useActions([action]);
  return (
    <>
      <RefusableButton
        {...look}
        {...(action.danger === true ? { color: 'red.8' } : {})}
        {...(action.confirm === undefined && action.opens !== true
          ? {}
          : { 'aria-haspopup': 'dialog' as const })}
        rightSection={action.hint}
        loading={pending}
        refusal={useRefusal(action)}
        onClick={(event) => {
          event.stopPropagation();
          start(action);
        }}
      >
        <Label {...action} />
      </RefusableButton>
      {dialog}
    </>
  );
}

/** The same in a row of a list. */
export function RowAction({ action }: { action: Action }) {
  const { start, dialog, pending } = useActions([action]);
  return (
    <>
      <RowButton
        {...(action.confirm === undefined && action.opens !== true
          ? {}
          : { 'aria-haspopup': 'dialog' as const })}
        isBusy={pending}
        refusal={useRefusal(action)}
        onClick={() => start(action)}
      >
        <Label {...action} />
      </RowButton>
      {dialog}
    </>
  );
}

const Label = ({ label, of }: Action): ReactNode =>
  of === undefined ? (
    label
  ) : (
    <span>
      {label} <span className="visually-hidden">{of}</span>
    </span>
  );

/** Its own, or that of the person's role. */
export const useRefusal = ({ route, refusal }: Action): string | null =>
  useForbidden(route) ?? refusal ?? null;

/** What every drawing of actions shares: asking first, and one run at a time. */
export function useActions(actions: readonly Action[]): {
  start: (action: Action) => void;
  /** Belongs beside what starts them: a menu that closes takes with it what is inside. */
  dialog: ReactNode;
  pending: boolean;
} {
  const [label, choose] = useState<string>();
  const [opened, { open, close }] = useDisclosure();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const sayWhenGone = useSaidWhenGone();
  const run = (action: Action): void => {
    setPending(true);
    setError(null);
    action
      .run()
      .then(() => {
        close();
        if (action.done !== undefined) told(action.done);
      })
      .catch((raised: unknown) => {
        setError(raised as Error);
        open();
        sayWhenGone(raised as Error);
      })
      .finally(() => setPending(false));
  };
  const start = (action: Action): void => {
    setError(null);
    choose(action.label);
    if (action.confirm === undefined) run(action);
    else open();
  };
  // As it is now: what it asks may hold a field.
  const action = actions.find((each) => each.label === label);
  const dialog =
    opened && action !== undefined ? (
      <Suspense>
        <Confirmation {...{ action, error, pending, close }} run={() => run(action)} />
      </Suspense>
    ) : null;
  return { start, dialog, pending };
}
