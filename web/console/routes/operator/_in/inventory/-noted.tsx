import { Stack, Text, Textarea } from '@mantine/core';
import { useContext, useState } from 'react';
import type { RouteName } from '../../../../../client/client.ts';
import { hasRole } from '../../../../may/operator.ts';
import { useTexts } from '../../../../parts/texts.ts';
import { operatorInventory } from '../../../../texts/operator-inventory.ts';
import { MyRole } from '../-shown/my-role.ts';

/** What reviewers do with what somebody runs, after they have said why. */
export function useNoted({
  title,
  help,
  refusal,
  send,
  ...rest
}: {
  label: string;
  danger?: boolean;
  route: RouteName;
  /** Null, or why it cannot be done now. */
  refusal: string | null;
  title: string;
  help: string;
  send: (note: string) => Promise<unknown>;
  done: string;
}) {
  const t = useTexts(operatorInventory);
  const role = useContext(MyRole);
  const mayAsk = role !== undefined && hasRole(role, 'REVIEWER');
  const [note, setNote] = useState('');
  return {
    ...rest,
    refusal: mayAsk ? refusal : t.reviewersOnly,
    confirm: {
      title,
      isReady: note.trim() !== '',
      body: (
        <Stack gap="xs">
          <Text size="sm">{help}</Text>
          <Textarea
            label={t.note}
            required
            value={note}
            autosize
            minRows={2}
            maxLength={500}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
        </Stack>
      ),
    },
    run: async () => {
      await send(note.trim());
      setNote('');
    },
  };
}
