import { Alert, Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Answer } from '../../client/client.ts';
import { ApiError } from '../../client/client.ts';
import { api, queryClient } from '../api.ts';
import { FOLDERS, type Realm, session } from '../session.ts';
import { email } from '../texts/email.ts';
import { Door } from './auth.tsx';
import { DoorLink } from './door-link.tsx';
import { PasswordField } from './fields.tsx';
import { Form } from './form.tsx';
import { useLetterToken } from './letter-token.ts';
import { useTexts } from './texts.ts';

type Confirmed = Answer<'POST /api/publisher/auth/confirm-email'>;
type Fault = keyof (typeof email)['en']['faults'];

/** Where the letter about an address leads. Nothing happens by opening it: programs open letters, too. */
export function ConfirmEmailPage({ realm }: { realm: Realm }) {
  const { token, forget } = useLetterToken();
  const { change = false } = useSearch({ strict: false });
  // As the letter said it, whatever the address is when the token was taken out of it.
  const [isChange] = useState(change);
  const t = useTexts(email);
  const [confirmed, setConfirmed] = useState<Confirmed>();
  const [fault, setFault] = useState<Fault>();
  const route = `POST /api/${realm}/auth/confirm-email` as const;
  const send = async (values: { password?: string }): Promise<void> => {
    try {
      setConfirmed(await api(route).call(route, { body: { token, ...values } }));
    } catch (error) {
      const known = faultIn(error);
      if (known === undefined) throw error;
      setFault(known);
      return;
    }
    if (isChange) session.end(realm);
    else void queryClient.invalidateQueries({ queryKey: [`GET /api/${realm}/auth/profile`] });
    forget();
  };
  return (
    <Door title={isChange ? t.changeTitle : t.confirmTitle}>
      {confirmed !== undefined ? (
        <Done realm={realm} confirmed={confirmed} />
      ) : fault !== undefined ? (
        <Alert color="yellow" role="alert" title={t.refused}>
          {t.faults[fault]}{' '}
          <DoorLink inText to={`/${FOLDERS[realm]}`}>
            {t.goOn}
          </DoorLink>
        </Alert>
      ) : (
        <Form<{ password?: string }>
          values={isChange ? { password: '' } : {}}
          guarded={false}
          submit={isChange ? t.changeSubmit : t.confirmSubmit}
          send={send}
        >
          <Text size="sm">{isChange ? t.changeConfirmLead : t.confirmLead}</Text>
          {isChange && (
            <PasswordField
              name="password"
              label={t.yourPassword}
              autoComplete="current-password"
              required
            />
          )}
        </Form>
      )}
    </Door>
  );
}

function Done({ realm, confirmed }: { realm: Realm; confirmed: Confirmed }) {
  const t = useTexts(email);
  const { email: address, is_change: isChange, was_done: wasDone } = confirmed;
  const isNews = isChange && !wasDone;
  return (
    <Alert color="teal" role="status">
      {(wasDone ? t.wasDone : isChange ? t.changed : t.done)(address)}{' '}
      <DoorLink inText to={isNews ? `/${FOLDERS[realm]}/login` : `/${FOLDERS[realm]}`}>
        {isNews ? t.logIn : t.goOn}
      </DoorLink>
    </Alert>
  );
}

const FAULTS: readonly Fault[] = ['expired', 'replaced', 'withdrawn', 'not_valid'];

/** Why the link confirms nothing; one without a token is not ours. */
function faultIn(error: unknown): Fault | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const about = error.errors.find(({ field }) => field === 'token');
  if (about === undefined) return undefined;
  return FAULTS.find((each) => each === about.code) ?? 'not_valid';
}
