import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useWrite } from '../../../api.ts';
import { mayAppealRemoval } from '../../../may/removal.ts';
import { RowAction } from '../../../parts/action.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { TextAreaField } from '../../../parts/fields.tsx';
import { Form } from '../../../parts/form.tsx';
import { usePreferences } from '../../../parts/preferences.tsx';
import { todayIn } from '../../../parts/report-range.ts';
import { useTexts, wordOf } from '../../../parts/texts.ts';
import { formatDay } from '../../../parts/time.tsx';
import { told } from '../../../parts/toast.ts';
import type { UnbilledLine } from '../../../parts/unbilled-view.tsx';
import { open } from '../../../queries/publisher/removal-appeal.ts';
import { common } from '../../../texts/common.ts';
import { removal } from '../../../texts/removal.ts';
import { unbilled } from '../../../texts/unbilled.ts';

/** Of one zone, day and reason, which are appealed as one. */
export interface Line extends UnbilledLine {
  zone_id: number | null;
  zone_name: string | null;
}

/** Beside each line of removed events; disabled with the reason where nobody could take it back. */
export function AppealRemoval({ line }: { line: Line }) {
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
      {opened && <AppealDialog {...{ line, close }} />}
    </>
  );
}

function AppealDialog({ line, close }: { line: Line; close: () => void }) {
  const t = useTexts(removal);
  const c = useTexts(common);
  const { reasons } = useTexts(unbilled);
  const { mutateAsync } = useWrite(open);
  const { language } = usePreferences();
  const { date, reason, zone_id: zone, zone_name: name, events } = line;
  const day = date === null ? '' : formatDay(date, language);
  return (
    <Dialog onClose={close} title={t.appealOf(wordOf(reasons, reason), day)} size="lg">
      <Form<{ text: string }>
        route="POST /api/publisher/removal-appeals"
        values={{ text: '' }}
        submit={t.send}
        send={async ({ text }) => {
          await mutateAsync({
            body: {
              zone_id: zone ?? 0,
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
        <Text size="sm" fw={600}>
          {t.appealed(events, name ?? `#${zone}`)}
        </Text>
        <Text size="sm">{t.lead}</Text>
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
