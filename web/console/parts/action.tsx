import { Button, type ButtonProps, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { common } from '../texts/common.ts';
import { Failed } from './failed.tsx';
import { RefusableButton, useForbidden } from './permission.tsx';
import { useTexts } from './texts.ts';
import { told } from './toast.ts';

/** Something that a person may do: drawn alike as a button, in a row's menu and in the palette. */
export interface Action {
  label: string;
  /** Why it cannot be done now; it is shown disabled with these words, never hidden. */
  refusal?: string | null | undefined;
  /** What it calls, where that is not what its page changes: roles are asked for it. */
  route?: string;
  /** Asked first: what will happen, and the words that must be typed where it cannot be undone. */
  confirm?: { title: string; body?: ReactNode; typed?: string } | undefined;
  run: () => Promise<unknown>;
  /** Said when it is done. */
  done?: string;
  danger?: boolean;
}

export function ActionButton({
  action,
  ...look
}: { action: Action } & Pick<ButtonProps, 'size' | 'variant' | 'leftSection' | 'fullWidth'>) {
  const { start, dialog, pending, refusal } = useAction(action);
  return (
    <>
      <RefusableButton
        {...look}
        {...(action.danger === true ? { color: 'red.8' } : {})}
        loading={pending}
        refusal={refusal}
        onClick={(event) => {
          event.stopPropagation();
          start();
        }}
      >
        {action.label}
      </RefusableButton>
      {dialog}
    </>
  );
}

/** What every drawing of an action shares: asking first, one run at a time, its refusal in words. */
export function useAction(action: Action): {
  start: () => void;
  dialog: ReactNode;
  pending: boolean;
  /** Its own, or that of the person's role. */
  refusal: string | null;
} {
  const [opened, { open, close }] = useDisclosure();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const forbidden = useForbidden(action.route);
  const run = (): void => {
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
      })
      .finally(() => setPending(false));
  };
  const start = (): void => {
    setError(null);
    if (action.confirm === undefined) run();
    else open();
  };
  const dialog = opened ? <Confirmation {...{ action, error, pending, run, close }} /> : null;
  return { start, dialog, pending, refusal: forbidden ?? action.refusal ?? null };
}

function Confirmation(props: {
  action: Action;
  error: Error | null;
  pending: boolean;
  run: () => void;
  close: () => void;
}) {
  const { action, error, pending, run, close } = props;
  const t = useTexts(common);
  const [typed, setTyped] = useState('');
  const wanted = action.confirm?.typed;
  return (
    <Modal
      opened
      onClose={close}
      title={action.confirm?.title ?? action.label}
      closeButtonProps={{ 'aria-label': t.close }}
      centered
    >
      <Stack>
        {action.confirm?.body !== undefined && (
          <Text size="sm" component="div">
            {action.confirm.body}
          </Text>
        )}
        {wanted !== undefined && (
          <TextInput
            label={wanted}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            data-autofocus
          />
        )}
        {error !== null && <Failed error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t.cancel}
          </Button>
          <Button
            {...(action.danger === true ? { color: 'red.8' } : {})}
            loading={pending}
            disabled={wanted !== undefined && typed !== wanted}
            onClick={run}
          >
            {action.label}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
