import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useWrite } from '../../../api.ts';
import { mayAppealRemoval } from '../../../may/removal.ts';
import { RowAction } from '../../../parts/action.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { SelectField, TextAreaField } from '../../../parts/fields.tsx';
import { Form } from '../../../parts/form.tsx';
import { todayIn } from '../../../parts/report-range.ts';
import { useTexts, wordOf } from '../../../parts/texts.ts';
import { told } from '../../../parts/toast.ts';
import type { UnbilledLine } from '../../../parts/unbilled-view.tsx';
import { open } from '../../../queries/publisher/removal-appeal.ts';
import { list as listZones } from '../../../queries/publisher/zone.ts';
import { common } from '../../../texts/common.ts';
import { removal } from '../../../texts/removal.ts';
import { unbilled } from '../../../texts/unbilled.ts';

interface Props {
  line: UnbilledLine;
  /** The one that the page is narrowed to. */
  zone: number | undefined;
}

/** Beside each line of removed events; disabled with the reason where nobody could take it back. */
export function AppealRemoval({ line, zone }: Props) {
  const t = useTexts(removal);
  const [opened, { open: show, close }] = useDisclosure();
  const refusal = mayAppealRemoval(line, todayIn('UTC'));
  return (
    <>
      <RowAction
        action={{
          label: t.appeal,
          refusal: refusal === null ? null : t.refusals[refusal],
          opens: true,
          run: async () => {
            show();
            await Promise.resolve();
          },
        }}
      />
      {opened && <AppealDialog {...{ line, zone, close }} />}
    </>
  );
}

function AppealDialog({ line, zone, close }: Props & { close: () => void }) {
  const t = useTexts(removal);
  const c = useTexts(common);
  const { reasons } = useTexts(unbilled);
  const { mutateAsync } = useWrite(open);
  const { data: zones } = useQuery(listZones({ page_size: 100 }));
  const { date, reason } = line;
  return (
    <Dialog onClose={close} title={t.appealOf(wordOf(reasons, reason), date ?? '')} size="lg">
      <Form<{ zone_id: number | null; text: string }>
        route="POST /api/publisher/removal-appeals"
        values={{ zone_id: zone ?? null, text: '' }}
        submit={t.send}
        send={async ({ zone_id: zoneId, text }) => {
          await mutateAsync({
            body: {
              zone_id: zoneId ?? 0,
              date: date ?? '',
              reason: reason ?? '',
              text,
            } as never,
          });
          told(t.sent);
          close();
        }}
        cancel={
          <Button variant="default" onClick={close}>
            {c.cancel}
          </Button>
        }
      >
        <Text size="sm">{t.lead}</Text>
        <SelectField
          name="zone_id"
          label={t.zone}
          help={t.zoneHelp}
          numeric
          options={(zones?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          required
        />
        <TextAreaField
          name="text"
          label={t.text}
          help={t.textHelp}
          rows={5}
          maxLength={2_000}
          required
        />
      </Form>
    </Dialog>
  );
}
