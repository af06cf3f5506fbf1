import { Alert, Blockquote, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { RouteName } from '../../client/client.ts';
import { appealTexts } from '../texts/appeal.ts';
import { ActionButton } from './action.tsx';
import { TextDialog } from './text-dialog.tsx';
import { useTexts } from './texts.ts';
import { When } from './time.tsx';

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

const COLOURS = { open: 'blue', accepted: 'teal', refused: 'red', withdrawn: 'gray' } as const;

/** Beside a rejection: how to say that it is wrong; after that, how the appeal stands. */
export function Appeal({
  row,
  route,
  send,
}: {
  row: Appealable;
  /** Where it goes: its roles are asked. */
  route: RouteName;
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
        <ActionButton
          variant="default"
          action={{ label: t.appeal, route, opens: true, run: async () => open() }}
        />
      </Group>
      {opened && (
        <TextDialog
          route={route}
          title={t.formTitle}
          label={t.text}
          help={t.textHelp}
          submit={t.send}
          done={t.sent}
          send={send}
          close={close}
        />
      )}
    </Alert>
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
