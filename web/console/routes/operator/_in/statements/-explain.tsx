import { Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useWrite } from '../../../../api.ts';
import { ActionButton } from '../../../../parts/action.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { explainLine, type StatementLine } from '../../../../queries/operator/statement.ts';
import { statement } from '../../../../texts/statement.ts';

/** What is nothing of the platform's is said once, and no longer a difference. */
export function Explain({ statementId, row }: { statementId: number; row: StatementLine }) {
  const t = useTexts(statement);
  const { mutateAsync } = useWrite(explainLine);
  const [note, setNote] = useState('');
  if (row.state === 'RECORDED' || row.state === 'EXPLAINED') return null;
  return (
    <ActionButton
      size="compact-sm"
      variant="subtle"
      action={{
        label: t.explain,
        confirm: {
          title: t.explainTitle(`${row.amount} ${row.currency}`),
          body: (
            <Stack gap="xs">
              <Text size="sm">{t.explainHelp}</Text>
              <Textarea
                label={t.explainNote}
                value={note}
                onChange={(event) => setNote(event.currentTarget.value)}
                minLength={3}
                maxLength={500}
                data-autofocus
              />
            </Stack>
          ),
        },
        run: async () =>
          await mutateAsync({ path: { id: statementId }, body: { line_id: row.id, note } }),
        done: t.explained,
      }}
    />
  );
}
