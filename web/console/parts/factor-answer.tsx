import { Button, Group, Stack, Text } from '@mantine/core';
import { startAuthentication } from '@simplewebauthn/browser';
import { useState } from 'react';
import { ApiError } from '../../client/client.ts';
import { common } from '../texts/common.ts';
import { security } from '../texts/security.ts';
import { Failed } from './failed.tsx';
import type { FactorQuestion } from './factor-question.ts';
import { TextField } from './fields.tsx';
import { Form } from './form.tsx';
import { passkeyFits } from './passkeys.ts';
import { RefusableButton } from './permission.tsx';
import { usePreferences } from './preferences.tsx';
import { useTexts } from './texts.ts';
import { formatTime } from './time.tsx';

type Method = FactorQuestion['methods'][number];

interface Shown {
  ticket: string;
  code?: string;
  recovery_code?: string;
  passkey?: Record<string, unknown>;
}

/** One of the ways to show a second factor; the others are a press away. */
export function FactorAnswer(props: {
  question: FactorQuestion;
  submit: string;
  send: (shown: Shown) => Promise<void>;
  /** The ticket is used up or too old: begins anew. */
  again: () => void;
  /** Where none of them can be shown any more; absent in a session that goes on. */
  lost?: ((ticket: string) => Promise<string>) | undefined;
}) {
  const { question, submit, send, again, lost } = props;
  const { ticket, methods } = question;
  const t = useTexts(security);
  const place = question.passkey?.rpId;
  const fits = passkeyFits(place);
  // What cannot be shown at this address is not what somebody is asked for first.
  const first = methods.find((each) => each !== 'passkey' || fits);
  const [method, choose] = useState<Method>(first ?? 'recovery_code');
  const isElsewhere = methods.includes('passkey') && !fits;
  const elsewhere = isElsewhere ? t.passkeyElsewhere(place ?? '') : null;
  const [error, setError] = useState<Error>();
  const [isWaiting, setWaiting] = useState(false);
  const [isLost, setLost] = useState(false);
  const tried = async <Answer,>(asked: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await asked();
    } catch (raised) {
      if (raised instanceof ApiError && raised.errors.some(({ field }) => field === 'ticket'))
        again();
      throw raised;
    }
  };
  const showPasskey = async (): Promise<void> => {
    if (question.passkey === null) return;
    setWaiting(true);
    setError(undefined);
    try {
      const passkey = await startAuthentication({ optionsJSON: question.passkey });
      await tried(async () => await send({ ticket, passkey: { ...passkey } }));
    } catch (raised) {
      setError(raised as Error);
    } finally {
      setWaiting(false);
    }
  };
  if (isLost && lost !== undefined) {
    return (
      <Lost
        ask={async () => await tried(async () => await lost(ticket))}
        back={() => setLost(false)}
      />
    );
  }
  return (
    <Stack>
      <Text size="sm">{t.leads[method]}</Text>
      {elsewhere !== null && <Text size="sm">{elsewhere}</Text>}
      {method === 'passkey' ? (
        <>
          {error !== undefined && <Failed error={error} />}
          <Group justify="flex-end">
            <Button data-autofocus loading={isWaiting} onClick={() => void showPasskey()}>
              {t.usePasskey}
            </Button>
          </Group>
        </>
      ) : (
        <CodeForm
          key={method}
          method={method}
          submit={submit}
          send={async (shown) => await tried(async () => await send(shown))}
          ticket={ticket}
        />
      )}
      <Group gap="xs">
        {methods
          .filter((each) => each !== method)
          .map((each) => (
            <RefusableButton
              key={each}
              size="compact-sm"
              variant="subtle"
              refusal={each === 'passkey' ? elsewhere : null}
              onClick={() => choose(each)}
            >
              {t.instead[each]}
            </RefusableButton>
          ))}
        {lost !== undefined && (
          <Button size="compact-sm" variant="subtle" onClick={() => setLost(true)}>
            {t.lost}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** Everything is lost: says what will happen, and asks for it. */
function Lost({ ask, back }: { ask: () => Promise<string>; back: () => void }) {
  const t = useTexts(security);
  const c = useTexts(common);
  const { language, timeZone } = usePreferences();
  const [notBefore, setNotBefore] = useState<string>();
  if (notBefore !== undefined) {
    return <Text role="status">{t.lostAsked(formatTime(notBefore, language, timeZone))}</Text>;
  }
  return (
    <Form
      values={{}}
      guarded={false}
      submit={t.lostSubmit}
      cancel={
        <Button variant="default" onClick={back}>
          {c.back}
        </Button>
      }
      send={async () => setNotBefore(await ask())}
    >
      <Text size="sm">{t.lostLead}</Text>
    </Form>
  );
}

function CodeForm(props: {
  method: 'totp' | 'recovery_code';
  ticket: string;
  submit: string;
  send: (shown: Shown) => Promise<void>;
}) {
  const { method, ticket, submit, send } = props;
  const t = useTexts(security);
  const name = method === 'totp' ? 'code' : 'recovery_code';
  return (
    <Form<Record<string, string>>
      values={{ [name]: '' }}
      guarded={false}
      submit={submit}
      focusOn={name}
      send={async (values) => await send({ ticket, [name]: (values[name] ?? '').trim() })}
    >
      <TextField
        name={name}
        label={method === 'totp' ? t.code : t.recoveryCode}
        autoComplete="one-time-code"
        {...(method === 'totp' ? { inputMode: 'numeric' } : {})}
        required
      />
    </Form>
  );
}
