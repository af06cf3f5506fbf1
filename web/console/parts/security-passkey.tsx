import {
  type PublicKeyCredentialCreationOptionsJSON,
  startRegistration,
} from '@simplewebauthn/browser';
import { useWrite } from '../api.ts';
import type { Realm } from '../session.ts';
import { security } from '../texts/security.ts';
import { Dialog } from './dialog.tsx';
import { PasswordField, TextField } from './fields.tsx';
import { Form } from './form.tsx';
import { passkeyFits } from './passkeys.ts';
import { securityOf } from './security.ts';
import { useTexts } from './texts.ts';

/** A passkey: the password and a name, then the browser asks. */
export function NewPasskey(props: {
  realm: Realm;
  added: (codes: readonly string[] | null) => void;
  close: () => void;
}) {
  const { realm, added, close } = props;
  const t = useTexts(security);
  const { beginPasskey, confirmPasskey } = securityOf(realm);
  const begin = useWrite(beginPasskey);
  const confirm = useWrite(confirmPasskey);
  return (
    <Dialog onClose={close} title={t.addPasskey} centered>
      <Form<{ password: string; name: string }>
        route={beginPasskey.route}
        values={{ password: '', name: '' }}
        guarded={false}
        submit={t.goOn}
        send={async ({ password, name }) => {
          const { ticket, options } = await begin.mutateAsync({ body: { password } });
          const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
          const { id: place } = optionsJSON.rp;
          // The browser's own words for it are a programmer's.
          if (!passkeyFits(place)) throw new Error(t.passkeyElsewhere(place ?? ''));
          const response = await startRegistration({ optionsJSON });
          const { recovery_codes: codes } = await confirm.mutateAsync({
            body: { ticket, response: { ...response }, ...(name.trim() === '' ? {} : { name }) },
          });
          added(codes);
        }}
      >
        <PasswordField
          name="password"
          label={t.yourPassword}
          autoComplete="current-password"
          required
        />
        <TextField name="name" label={t.name} help={t.nameHelp} maxLength={60} />
      </Form>
    </Dialog>
  );
}
