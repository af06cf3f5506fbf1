import { Card, Stack, Text, Title } from '@mantine/core';
import { useWrite } from '../../../../../api.ts';
import { TextAreaField } from '../../../../../parts/fields.tsx';
import { Form } from '../../../../../parts/form.tsx';
import { useTexts } from '../../../../../parts/texts.ts';
import { When } from '../../../../../parts/time.tsx';
import { addNote, type TaskPage } from '../../../../../queries/operator/task.ts';
import { review } from '../../../../../texts/review.ts';

/** Of operators for operators. */
export function Notes({ task: { id, notes } }: { task: TaskPage }) {
  const t = useTexts(review);
  const { mutateAsync } = useWrite(addNote);
  return (
    <Card withBorder padding="sm" component="section">
      <Stack gap="xs">
        <Title order={2}>{t.notes}</Title>
        {notes.length === 0 && (
          <Text size="sm" c="dimmed">
            {t.noNotes}
          </Text>
        )}
        {notes.map((note) => (
          <div key={note.id}>
            <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {note.text}
            </Text>
            <Text size="xs" c="dimmed">
              {note.operator}, <When at={note.created_at} />
            </Text>
          </div>
        ))}
        <Form
          route="POST /api/admin/tasks/{id}/notes"
          // A new form for each note: the one before was sent.
          key={notes.length}
          values={{ text: '' }}
          submit={t.addNote}
          send={async (body: { text: string }) => await mutateAsync({ path: { id }, body })}
        >
          <TextAreaField name="text" label={t.addNote} help={t.notesHelp} rows={2} required />
        </Form>
      </Stack>
    </Card>
  );
}
