import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { IDENTITY_PROOFS, type IdentityProof } from '../../../../../../domain/second-factor.ts';
import { useWrite } from '../../../../api.ts';
import { RowAction } from '../../../../parts/action.tsx';
import { Dialog } from '../../../../parts/dialog.tsx';
import { SelectField, TextAreaField } from '../../../../parts/fields.tsx';
import { Form } from '../../../../parts/form.tsx';
import { TextDialog } from '../../../../parts/text-dialog.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { told } from '../../../../parts/toast.ts';
import { type Recovery, refuse, vouch } from '../../../../queries/operator/recovery.ts';
import { common } from '../../../../texts/common.ts';
import { recovery } from '../../../../texts/recovery.ts';

/** Vouching and refusing; the second person decides under Approvals. */
export function RecoveryDecision({ row: { id, username, status } }: { row: Recovery }) {
  const t = useTexts(recovery);
  const [asks, ask] = useState<'vouch' | 'refuse'>();
  const refusing = useWrite(refuse);
  const opening = (what: 'vouch' | 'refuse') => ({
    label: t[what],
    route: `POST /api/admin/factor-recoveries/{id}/${what}`,
    refusal: status === 'WAITING' ? null : t.ended,
    opens: true,
    run: () => {
      ask(what);
      return Promise.resolve();
    },
  });
  const close = () => ask(undefined);
  return (
    <Group gap="xs" wrap="nowrap">
      <RowAction action={opening('vouch')} />
      <RowAction action={opening('refuse')} />
      {asks === 'vouch' && <Vouch id={id} name={username ?? String(id)} close={close} />}
      {asks === 'refuse' && (
        <TextDialog
          title={t.refuseTitle}
          label={t.note}
          help={t.refuseHelp}
          submit={t.refuse}
          done={t.refused}
          send={async (note) => await refusing.mutateAsync({ path: { id }, body: { note } })}
          close={close}
        />
      )}
    </Group>
  );
}

function Vouch({ id, name, close }: { id: number; name: string; close: () => void }) {
  const t = useTexts(recovery);
  const c = useTexts(common);
  const { mutateAsync } = useWrite(vouch);
  return (
    <Dialog onClose={close} title={t.vouchTitle(name)} size="lg">
      <Form<{ proof: IdentityProof; note: string }>
        route="POST /api/admin/factor-recoveries/{id}/vouch"
        values={{ proof: 'DOCUMENT', note: '' }}
        submit={t.vouch}
        send={async (body) => {
          await mutateAsync({ path: { id }, body });
          told(t.vouched);
          close();
        }}
        cancel={
          <Button variant="default" onClick={close}>
            {c.cancel}
          </Button>
        }
      >
        <Text size="sm">{t.vouchHelp}</Text>
        <SelectField
          name="proof"
          label={t.proof}
          options={IDENTITY_PROOFS.map((value) => ({ value, label: t.proofs[value] }))}
          required
        />
        <TextAreaField name="note" label={t.note} help={t.noteHelp} rows={3} required />
      </Form>
    </Dialog>
  );
}
