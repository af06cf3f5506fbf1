import { Stack, Text } from '@mantine/core';
import { useWrite } from '../api.ts';
import type { Realm } from '../session.ts';
import { email } from '../texts/email.ts';
import { emailNeed } from '../texts/email-need.ts';
import { Dialog } from './dialog.tsx';
import { emailOf } from './email.ts';
import { PasswordField, TextField } from './fields.tsx';
import { Form } from './form.tsx';
import { useTexts } from './texts.ts';
import { told } from './toast.ts';

/** Another address for one's login: nothing changes before its link is opened. */
export function EmailChangeDialog({ realm, close }: { realm: Realm; close: () => void }) {
  const t = useTexts(email);
  const need = useTexts(emailNeed);
  const { mutateAsync } = useWrite(emailOf(realm).change);
  return (
    <Dialog onClose={close} title={need.change} centered>
      <Stack>
        <Text size="sm">{t.changeLead}</Text>
        <Form<{ email: string; password: string }>
          route={`POST /api/${realm}/auth/email-change`}
          values={{ email: '', password: '' }}
          guarded={false}
          submit={t.sendLink}
          send={async (body) => {
            await mutateAsync({ body });
            told(need.sent);
            close();
          }}
        >
          <TextField name="email" label={t.next} type="email" autoComplete="email" required />
          <PasswordField
            name="password"
            label={t.yourPassword}
            autoComplete="current-password"
            required
          />
        </Form>
      </Stack>
    </Dialog>
  );
}
