import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { common } from '../texts/common.ts';
import { confirmation } from '../texts/confirmation.ts';
import type { Action } from './action.tsx';
import { Dialog } from './dialog.tsx';
import { Failed } from './failed.tsx';
import { useTexts } from './texts.ts';

/** What will happen, asked before it does; and why it did not. */
export function Confirmation(props: {
  action: Action;
  error: Error | null;
  pending: boolean;
  run: () => void;
  close: () => void;
}) {
  const { action, error, pending, run, close } = props;
  const t = useTexts(common);
  const { typeIt } = useTexts(confirmation);
  const [typed, setTyped] = useState('');
  const wanted = action.confirm?.typed;
  return (
    <Dialog onClose={close} title={action.confirm?.title ?? action.label} centered>
      <Stack>
        {action.confirm?.body !== undefined && (
          <Text size="sm" component="div">
            {action.confirm.body}
          </Text>
        )}
        {wanted !== undefined && (
          <TextInput
            label={typeIt(wanted)}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            data-autofocus
          />
        )}
        {error !== null && <Failed error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {action.confirm?.keep ?? t.cancel}
          </Button>
          <Button
            {...(action.danger === true ? { color: 'red.8' } : {})}
            loading={pending}
            disabled={
              (wanted !== undefined && typed !== wanted) || action.confirm?.isReady === false
            }
            onClick={run}
          >
            {action.label}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
