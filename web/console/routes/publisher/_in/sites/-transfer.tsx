import { Alert, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Site } from '../../../../../client/routes.ts';
import { useWrite } from '../../../../api.ts';
import { ActionButton } from '../../../../parts/action.tsx';
import { TextDialog } from '../../../../parts/text-dialog.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { Since } from '../../../../parts/time.tsx';
import { object, withdrawTransfer } from '../../../../queries/publisher/site.ts';
import { claim } from '../../../../texts/claim.ts';

/** Whose the domain of a site is, while that is open; and until when a claim must be proved. */
export function Transfer({ row }: { row: Site }) {
  const t = useTexts(claim);
  const { transfer, claim_lapses_at: lapsesAt } = row;
  if (transfer?.status === 'REFUSED') {
    return (
      <Alert color="red" variant="light" title={t.refused(transfer.domain)}>
        {t.refusedLead}
      </Alert>
    );
  }
  if (transfer !== null) return <Open row={row} transfer={transfer} />;
  if (lapsesAt === null) return null;
  return (
    <Text size="sm" c="dimmed">
      {t.lapses} <Since at={lapsesAt} />.
    </Text>
  );
}

type Shown = NonNullable<Site['transfer']>;

function Open({ row, transfer }: { row: Site; transfer: Shown }) {
  const t = useTexts(claim);
  const isHolder = transfer.role === 'HOLDER';
  const isDisputed = transfer.status === 'DISPUTED';
  return (
    <Alert
      color={isHolder ? 'red' : 'yellow'}
      variant="light"
      title={isHolder ? t.contested(transfer.domain) : t.held(transfer.domain)}
    >
      <Stack gap="xs">
        <Text size="sm" maw="70ch">
          {isHolder ? t.contestedLead : t.heldLead}
        </Text>
        <Text size="sm">
          {isDisputed ? (
            t.disputed
          ) : (
            <>
              {transfer.objected_at === null ? t.answerBy : t.objected}{' '}
              {transfer.objected_at === null && <Since at={transfer.due_at} />}
            </>
          )}
        </Text>
        {isHolder && !isDisputed && transfer.objected_at === null && <Objection row={row} />}
        {!isHolder && <Withdrawal row={row} />}
      </Stack>
    </Alert>
  );
}

function Withdrawal({ row }: { row: Site }) {
  const t = useTexts(claim);
  const { mutateAsync } = useWrite(withdrawTransfer);
  return (
    <Group>
      <ActionButton
        action={{
          label: t.withdraw,
          route: withdrawTransfer.route,
          run: async () => await mutateAsync({ path: { id: row.id } }),
          done: t.withdrawn,
        }}
      />
    </Group>
  );
}

function Objection({ row }: { row: Site }) {
  const t = useTexts(claim);
  const [opened, { open, close }] = useDisclosure();
  const { mutateAsync } = useWrite(object);
  return (
    <Group>
      <ActionButton
        variant="default"
        action={{ label: t.object, route: object.route, opens: true, run: async () => open() }}
      />
      {opened && (
        <TextDialog
          route={object.route}
          title={t.objectTitle}
          label={t.why}
          help={t.whyHelp}
          submit={t.object}
          done={t.objectionSent}
          send={async (text) => await mutateAsync({ path: { id: row.id }, body: { text } })}
          close={close}
        />
      )}
    </Group>
  );
}
