import { Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useWrite } from '../../../../api.ts';
import { ActionButton } from '../../../../parts/action.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { told } from '../../../../parts/toast.ts';
import { explainLine, type StatementLine } from '../../../../queries/operator/statement.ts';
import { statement } from '../../../../texts/statement.ts';
import { PageLink } from '../-shown/page-link.tsx';

/** What is nothing of the platform's is said once, above the limit by two, and no longer a difference. */
export function Explain({ statementId, row }: { statementId: number; row: StatementLine }) {
  const t = useTexts(statement);
  const { mutateAsync } = useWrite(explainLine);
  const [note, setNote] = useState('');
  const isKnown = row.state === 'RECORDED' || row.state === 'EXPLAINED' || row.refund_id !== null;
  if (isKnown) return null;
  if (row.approval_id !== null)
    return <PageLink to={`/operator/approvals/${row.approval_id}`}>{t.secondPerson}</PageLink>;
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
        run: async () => {
          const body = { line_id: row.id, note };
          const { approval_id: asked } = await mutateAsync({ path: { id: statementId }, body });
          told(asked === null ? t.explained : t.secondPerson);
        },
      }}
    />
  );
}
