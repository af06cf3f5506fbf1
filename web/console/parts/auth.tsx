import { Alert, Container, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { api } from '../api.ts';
import { type Ending, FOLDERS, type Realm, session } from '../session.ts';
import { auth } from '../texts/auth.ts';
import { PasswordField, TextField } from './fields.tsx';
import { Form } from './form.tsx';
import { useFocusKept } from './focus.ts';
import { type FactorQuestion, questionIn } from './factor-question.ts';
import { PreferencesMenu } from './preferences-menu.tsx';
import { useTexts } from './texts.ts';

/** Where a login leads: back to where it was asked for, when that is one of our own pages. */
const nextOf = (realm: Realm, next: string | undefined): string => {
  const own = next?.replace(/^\/console/, '');
  return own?.startsWith(`/${FOLDERS[realm]}`) === true ? own : `/${FOLDERS[realm]}`;
};

/** The frame of the pages before a login. */
export function Door({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}) {
  useFocusKept();
  return (
    <Container size={440} py="xl" component="main" id="content" tabIndex={-1}>
      <Group justify="flex-end">
        <PreferencesMenu />
      </Group>
      <Stack gap="md" mt="md">
        <Title order={1}>{title}</Title>
        {lead !== undefined && <Text c="dimmed">{lead}</Text>}
        <Paper withBorder p="md">
          {children}
        </Paper>
      </Stack>
    </Container>
  );
}

/** `extra` are links below, such as the one to signing up. */
export function LoginForm({
  realm,
  next,
  ended,
  extra,
  onDone,
}: {
  realm: Realm;
  next?: string | undefined;
  /** Why the session before is over. */
  ended?: Ending | undefined;
  extra?: ReactNode;
  /** Instead of leading to `next`. */
  onDone?: ((isNew: boolean) => void) | undefined;
}) {
  const t = useTexts(auth);
  const navigate = useNavigate();
  const route = `POST /api/${realm}/auth/login` as const;
  const [question, ask] = useState<FactorQuestion>();
  const [isStepEnded, setStepEnded] = useState(false);
  const enter = async (token: string): Promise<void> => {
    const isNew = session.begin(realm, token);
    if (onDone === undefined) await navigate({ href: nextOf(realm, next) });
    else onDone(isNew);
  };
  const again = (): void => {
    ask(undefined);
    setStepEnded(true);
  };
  if (question !== undefined) {
    return <SecondStep realm={realm} question={question} enter={enter} again={again} />;
  }
  return (
    <Stack>
      {isStepEnded ? (
        <Alert color="yellow" role="alert">
          {t.stepEnded}
        </Alert>
      ) : (
        ended !== undefined && (
          <Suspense>
            <SessionEnded why={ended} />
          </Suspense>
        )
      )}
      <Form
        values={{ username: '', password: '' }}
        guarded={false}
        submit={t.logIn}
        send={async (body: { username: string; password: string }) => {
          try {
            const { token } = await api(route).call(route, { body });
            await enter(token);
          } catch (error) {
            const asked = questionIn(error);
            if (asked === undefined) throw error;
            setStepEnded(false);
            ask(asked);
          }
        }}
      >
        <TextField name="username" label={t.usernameOrEmail} autoComplete="username" required />
        <PasswordField
          name="password"
          label={t.password}
          autoComplete="current-password"
          required
        />
      </Form>
      {extra}
    </Stack>
  );
}

/** Who comes by themselves needs no reason. */
const SessionEnded = lazy(async () => {
  const { SessionEnded: shown } = await import('./session-ended.tsx');
  return { default: shown };
});

/** Most people have none: what shows factors comes when it is needed. */
const FactorAnswer = lazy(async () => {
  const { FactorAnswer: shown } = await import('./factor-answer.tsx');
  return { default: shown };
});

function SecondStep(props: {
  realm: Realm;
  question: FactorQuestion;
  enter: (token: string) => Promise<void>;
  again: () => void;
}) {
  const { realm, question, enter, again } = props;
  const t = useTexts(auth);
  const route = `POST /api/${realm}/auth/login/second-factor` as const;
  return (
    <Suspense>
      <FactorAnswer
        question={question}
        submit={t.logIn}
        send={async (proof) => {
          const { token } = await api(route).call(route, { body: proof });
          await enter(token);
        }}
        again={again}
        lost={async (ticket) => {
          const lost = `POST /api/${realm}/auth/login/lost-factor` as const;
          return (await api(lost).call(lost, { body: { ticket } })).not_before;
        }}
      />
    </Suspense>
  );
}
