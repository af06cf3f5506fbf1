import { Button, Code, CopyButton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useWrite } from '../api.ts';
import type { Realm } from '../session.ts';
import { common } from '../texts/common.ts';
import { security } from '../texts/security.ts';
import { Dialog } from './dialog.tsx';
import { PasswordField, TextField } from './fields.tsx';
import { Form } from './form.tsx';
import { QrCode } from './qr-code.tsx';
import { securityOf } from './security.ts';
import { useTexts } from './texts.ts';

interface Begun {
  id: number;
  secret: string;
  uri: string;
}

/** A code generator: the password, then its code to scan, then the first number. */
export function NewTotp(props: {
  realm: Realm;
  added: (codes: readonly string[] | null) => void;
  close: () => void;
}) {
  const { realm, added, close } = props;
  const t = useTexts(security);
  const c = useTexts(common);
  const { beginTotp, confirmTotp } = securityOf(realm);
  const begin = useWrite(beginTotp);
  const confirm = useWrite(confirmTotp);
  const [begun, setBegun] = useState<Begun>();
  return (
    <Dialog onClose={close} title={t.addTotp} centered>
      {begun === undefined ? (
        <Form<{ password: string }>
          route={beginTotp.route}
          values={{ password: '' }}
          guarded={false}
          submit={t.goOn}
          send={async (body) => setBegun(await begin.mutateAsync({ body }))}
        >
          <PasswordField
            name="password"
            label={t.yourPassword}
            autoComplete="current-password"
            required
          />
        </Form>
      ) : (
        <Stack>
          <Text size="sm">{t.scan}</Text>
          <QrCode text={begun.uri} label={t.qr} />
          <Text size="sm">
            {t.orType} <Code>{begun.secret.match(/.{1,4}/g)?.join(' ')}</Code>{' '}
            {/* On the telephone that has the app nobody scans its own screen. */}
            <CopyButton value={begun.secret}>
              {({ copied, copy }) => (
                <Button size="compact-sm" variant={copied ? 'filled' : 'default'} onClick={copy}>
                  <span aria-live="polite">{copied ? c.copied : c.copy}</span>
                </Button>
              )}
            </CopyButton>
          </Text>
          <Form<{ code: string; name: string }>
            route={confirmTotp.route}
            values={{ code: '', name: '' }}
            guarded={false}
            submit={t.confirm}
            focusOn="code"
            send={async ({ code, name }) => {
              const { recovery_codes: codes } = await confirm.mutateAsync({
                path: { id: begun.id },
                body: name.trim() === '' ? { code } : { code, name },
              });
              added(codes);
            }}
          >
            <TextField
              name="code"
              label={t.code}
              autoComplete="one-time-code"
              inputMode="numeric"
              required
            />
            <TextField name="name" label={t.name} help={t.nameHelp} maxLength={60} />
          </Form>
        </Stack>
      )}
    </Dialog>
  );
}
