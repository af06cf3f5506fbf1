import { Button } from '@mantine/core';
import type { RouteName } from '../../client/client.ts';
import { common } from '../texts/common.ts';
import { Dialog } from './dialog.tsx';
import { TextAreaField } from './fields.tsx';
import { Form } from './form.tsx';
import { useTexts } from './texts.ts';
import { told } from './toast.ts';

const TEXT_MAX = 2_000;

/** Asks somebody for their own words, and sends them: an appeal, an objection. */
export function TextDialog(props: {
  title: string;
  label: string;
  help: string;
  submit: string;
  /** Said when they have arrived. */
  done: string;
  /** Where they go: its bounds are said before, and its roles asked. */
  route?: RouteName;
  send: (text: string) => Promise<unknown>;
  close: () => void;
}) {
  const { title, label, help, submit, done, route, send, close } = props;
  const t = useTexts(common);
  return (
    <Dialog onClose={close} title={title} size="lg">
      <Form<{ text: string }>
        {...(route === undefined ? {} : { route })}
        values={{ text: '' }}
        submit={submit}
        send={async ({ text }) => {
          await send(text);
          told(done);
          close();
        }}
        cancel={
          <Button variant="default" onClick={close}>
            {t.cancel}
          </Button>
        }
      >
        <TextAreaField
          name="text"
          label={label}
          help={help}
          rows={5}
          maxLength={TEXT_MAX}
          required
        />
      </Form>
    </Dialog>
  );
}
