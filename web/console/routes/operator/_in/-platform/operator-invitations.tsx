import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWrite } from '../../../../api.ts';
import { ActionMenu } from '../../../../parts/action-menu.tsx';
import { Dialog } from '../../../../parts/dialog.tsx';
import { EmailShown } from '../../../../parts/email-shown.tsx';
import { SelectField, TextField } from '../../../../parts/fields.tsx';
import { Form } from '../../../../parts/form.tsx';
import { LetterLanguage } from '../../../../parts/letter-language.tsx';
import { type Column, List } from '../../../../parts/list-page.tsx';
import { type Language, usePreferences } from '../../../../parts/preferences.tsx';
import { Section } from '../../../../parts/section.tsx';
import { type Same, useTexts } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { told } from '../../../../parts/toast.ts';
import {
  inviteOperator,
  openInvitations,
  type OperatorInvitation,
  resendInvitation,
  takeBackInvitation,
} from '../../../../queries/operator/operator.ts';
import { operator } from '../../../../texts/operator.ts';
import { operators } from '../../../../texts/operators.ts';

type Words = Same<(typeof operators)['en']>;

const COLUMNS: readonly Column<OperatorInvitation, Words>[] = [
  { key: 'username', title: (t) => t.username, cell: ({ username }) => username },
  { key: 'role', title: (t) => t.role, cell: ({ role }) => <Role role={role} /> },
  { key: 'email', title: (t) => t.email, cell: ({ email }) => <EmailShown email={email} /> },
  {
    key: 'invited',
    title: (t) => t.invited,
    cell: ({ invited_at: at, invited_by: by }, t) => (
      <Stack gap={0}>
        <When at={at} />
        <Text size="xs" c="dimmed">
          {t.madeBy(by)}
        </Text>
      </Stack>
    ),
  },
  {
    key: 'until',
    title: (t) => t.until,
    cell: ({ expires_at: until }, t) =>
      new Date(until) < new Date() ? t.ranOut : <When at={until} />,
  },
  { key: 'actions', title: (t) => t.actions, cell: (row) => <InvitationActions of={row} /> },
];

function Role({ role }: Pick<OperatorInvitation, 'role'>) {
  return useTexts(operator).roles[role];
}

/** Who was asked and has not come; nothing where there is nobody. */
export function OpenInvitations() {
  const t = useTexts(operators);
  const [page, setPage] = useState(1);
  const query = openInvitations(page);
  const { data } = useQuery(query);
  if (data === undefined || data.total === 0) return null;
  return (
    <Section title={t.invitations} lead={t.invitationsLead}>
      <List
        label={t.invitations}
        query={query}
        columns={COLUMNS}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.none }}
        searchEmpty={null}
        onPage={setPage}
      />
    </Section>
  );
}

function InvitationActions({ of: { id, username } }: { of: OperatorInvitation }) {
  const t = useTexts(operators);
  const resend = useWrite(resendInvitation);
  const takeBack = useWrite(takeBackInvitation);
  return (
    <ActionMenu
      of={username}
      actions={[
        {
          label: t.resend,
          route: resendInvitation.route,
          run: async () => await resend.mutateAsync({ path: { id } }),
          done: t.resent,
        },
        {
          label: t.takeBack,
          route: takeBackInvitation.route,
          confirm: {
            title: t.takeBackTitle(username),
            body: <Text size="sm">{t.takeBackHelp}</Text>,
          },
          run: async () => await takeBack.mutateAsync({ path: { id } }),
          done: t.takenBack,
          danger: true,
        },
      ]}
    />
  );
}

/** They choose the password: whoever knew it could be two persons. */
export function InviteOperator({ close }: { close: () => void }) {
  const t = useTexts(operators);
  const { roles } = useTexts(operator);
  const { language } = usePreferences();
  const { mutateAsync } = useWrite(inviteOperator);
  const options = (Object.keys(roles) as OperatorInvitation['role'][]).map((value) => ({
    value,
    label: roles[value],
  }));
  return (
    <Dialog onClose={close} title={t.invite}>
      <Form<{
        username: string;
        email: string;
        role: OperatorInvitation['role'];
        language: Language;
      }>
        route={inviteOperator.route}
        // No role is anybody's by chance.
        values={{ username: '', email: '', role: '' as OperatorInvitation['role'], language }}
        submit={t.sendInvitation}
        send={async (body) => {
          await mutateAsync({ body });
          told(t.isInvited);
          close();
        }}
      >
        <Text size="sm">{t.inviteHelp}</Text>
        <TextField name="email" label={t.email} type="email" required />
        <TextField name="username" label={t.username} help={t.usernameHelp} required />
        <SelectField name="role" label={t.role} options={options} required />
        <LetterLanguage label={t.letterIn} />
      </Form>
    </Dialog>
  );
}
