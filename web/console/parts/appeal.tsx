import { Alert, Blockquote, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { appealTexts } from '../texts/appeal.ts';
import { common } from '../texts/common.ts';
import { TextAreaField } from './fields.tsx';
import { Form } from './form.tsx';
import { useTexts } from './texts.ts';
import { When } from './time.tsx';
import { told } from './toast.ts';

interface Appealable {
  status: string;
  audit_status: string;
  appeal: {
    text: string;
    status: 'open' | 'accepted' | 'refused' | 'withdrawn';
    created_at: string;
    decided_at: string | null;
  } | null;
}

const TEXT_MAX = 2_000;
const COLOURS = { open: 'blue', accepted: 'teal', refused: 'red', withdrawn: 'gray' } as const;

/** Beside a rejection: how to say that it is wrong; after that, how the appeal stands. */
export function Appeal({
  row,
  send,
}: {
  row: Appealable;
  send: (text: string) => Promise<unknown>;
}) {
  const t = useTexts(appealTexts);
  const [opened, { open, close }] = useDisclosure();
  if (row.appeal !== null) return <Sent appeal={row.appeal} />;
  if (row.audit_status !== 'REJECTED' || row.status === 'ARCHIVED') return null;
  return (
    <Alert color="gray" variant="light" title={t.offerTitle}>
      <Group justify="space-between" align="flex-end">
        <Text size="sm" maw="70ch">
          {t.offer}
        </Text>
        <Button variant="default" onClick={open}>
          {t.appeal}
        </Button>
      </Group>
      {opened && <Dialog send={send} close={close} />}
    </Alert>
  );
}

function Dialog({ send, close }: { send: (text: string) => Promise<unknown>; close: () => void }) {
  const t = useTexts(appealTexts);
  const c = useTexts(common);
  return (
    <Modal
      opened
      onClose={close}
      title={t.formTitle}
      closeButtonProps={{ 'aria-label': c.close }}
      size="lg"
    >
      <Form<{ text: string }>
        values={{ text: '' }}
        submit={t.send}
        send={async ({ text }) => {
          await send(text);
          told(t.sent);
          close();
        }}
        cancel={
          <Button variant="default" onClick={close}>
            {c.cancel}
          </Button>
        }
      >
        <TextAreaField
          name="text"
          label={t.text}
          help={t.textHelp}
          rows={5}
          maxLength={TEXT_MAX}
          required
        />
      </Form>
    </Modal>
  );
}

function Sent({ appeal }: { appeal: NonNullable<Appealable['appeal']> }) {
  const t = useTexts(appealTexts);
  const { status, text, created_at: sentAt, decided_at: decidedAt } = appeal;
  return (
    <Alert color={COLOURS[status]} variant="light" title={t.states[status]}>
      <Stack gap="xs">
        <Text size="sm">{t.next[status]}</Text>
        <Words text={text} />
        <Text size="xs" c="dimmed">
          {t.sentAt} <When at={sentAt} />
          {decidedAt !== null && (
            <>
              {' '}
              · {t.decidedAt} <When at={decidedAt} />
            </>
          )}
        </Text>
      </Stack>
    </Alert>
  );
}

/** A stranger's own words, as they wrote them. */
export function Words({ text }: { text: string }) {
  return (
    <Blockquote
      p="xs"
      style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', fontSize: 'inherit' }}
    >
      {text}
    </Blockquote>
  );
}
