import { Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { Loading } from '../../../parts/loading.tsx';
import { useWrite } from '../../../api.ts';
import { Facts } from '../../../parts/facts.tsx';
import { FailedPage } from '../../../parts/failed-page.tsx';
import { PasswordField, SwitchField, TextField } from '../../../parts/fields.tsx';
import { Form } from '../../../parts/form.tsx';
import { OwnEmail } from '../../../parts/own-email.tsx';
import { Page } from '../../../parts/page.tsx';
import { useTexts, wordOf } from '../../../parts/texts.ts';
import { told } from '../../../parts/toast.ts';
import { changePassword, profile, saveProfile } from '../../../queries/operator/account.ts';
import { session } from '../../../session.ts';
import { email } from '../../../texts/email.ts';
import { common } from '../../../texts/common.ts';
import { operator } from '../../../texts/operator.ts';
import { operators } from '../../../texts/operators.ts';
import { titles } from '../../../texts/titles.ts';
import { platform } from '../../../texts/platform.ts';

export const Route = createFileRoute('/operator/_in/profile')({
  staticData: { title: (language) => titles[language].operatorProfile },
  component: Profile,
});

function Profile() {
  const t = useTexts(platform);
  const c = useTexts(common);
  const e = useTexts(email);
  const n = useTexts(operators);
  const { roles } = useTexts(operator);
  const { data, error, refetch } = useQuery(profile);
  const { mutateAsync: save } = useWrite(saveProfile);
  if (error !== null) return <FailedPage error={error} again={() => void refetch()} />;
  if (data === undefined) return <Loading height={320} />;
  return (
    <Page title={t.yourProfile}>
      <Facts
        rows={[
          [t.username, data.username],
          [e.title, <OwnEmail key="email" realm="admin" row={data} />],
          [t.role, wordOf(roles, data.role)],
        ]}
      />
      <Form
        route="PUT /api/admin/auth/profile"
        key={data.version}
        values={{ nickname: data.nickname, task_letters: data.task_letters }}
        send={async (body: { nickname: string; task_letters: boolean }) => {
          await save({ headers: { 'If-Match': `"${data.version}"` }, body });
          told(c.saved);
        }}
      >
        <TextField name="nickname" label={t.nickname} required />
        <SwitchField name="task_letters" label={n.taskLetters} help={n.taskLettersHelp} />
      </Form>
      <Password />
    </Page>
  );
}

interface Passwords {
  old_password: string;
  new_password: string;
  confirm_password: string;
}

function Password() {
  const t = useTexts(platform);
  const { mutateAsync } = useWrite(changePassword);
  const [times, setTimes] = useState(0);
  return (
    <Stack gap="xs">
      <Title order={2}>{t.password}</Title>
      <Form<Passwords>
        route="POST /api/admin/auth/password"
        key={times}
        values={{ old_password: '', new_password: '', confirm_password: '' }}
        submit={t.changePassword}
        guarded={false}
        send={async (body) => {
          const { token } = await mutateAsync({ body });
          session.begin('admin', token);
          setTimes(times + 1);
          told(t.passwordChanged);
        }}
      >
        <PasswordField
          name="old_password"
          label={t.oldPassword}
          autoComplete="current-password"
          required
        />
        <PasswordField
          name="new_password"
          label={t.newPassword}
          autoComplete="new-password"
          required
        />
        <PasswordField
          name="confirm_password"
          label={t.repeatPassword}
          autoComplete="new-password"
          required
        />
      </Form>
    </Stack>
  );
}
