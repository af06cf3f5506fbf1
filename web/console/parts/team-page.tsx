import { NativeSelect, Text } from '@mantine/core';
import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { Member } from '../../client/routes.ts';
import { useWrite } from '../api.ts';
import { team } from '../texts/team.ts';
import { ActionMenu } from './action-menu.tsx';
import { type Action, useActions } from './action.tsx';
import { ifMatch } from './edit-form.tsx';
import { EmailShown } from './email-shown.tsx';
import { SelectField, TextField } from './fields.tsx';
import { Form } from './form.tsx';
import { LetterLanguage } from './letter-language.tsx';
import type { Owner } from './identity.ts';
import { type Column, List, type PageOf } from './list-page.tsx';
import { Page } from './page.tsx';
import { useForbidden, usePermission } from './permission.tsx';
import { type Language, usePreferences } from './preferences.tsx';
import { Section } from './section.tsx';
import { type MemberRole, ROLES, teamOf } from './team.ts';
import { type Same, useMarks, useTexts } from './texts.ts';
import { When } from './time.tsx';
import { told } from './toast.ts';

type Words = Same<(typeof team)['en']>;

const columnsOf = (realm: Owner): readonly Column<Member, Words>[] => [
  { key: 'email', title: (t) => t.email, cell: (row) => <EmailShown email={row.email} /> },
  { key: 'name', title: (t) => t.name, cell: (row) => row.name ?? '—' },
  { key: 'role', title: (t) => t.role, cell: (row) => <Role realm={realm} row={row} /> },
  { key: 'state', title: (t) => t.state, cell: (row, t) => t.states[row.status] },
  { key: 'joined', title: (t) => t.joined, cell: (row) => <When at={row.joined_at} /> },
  { key: 'login', title: (t) => t.lastLogin, cell: (row) => <When at={row.last_login_at} /> },
  {
    key: 'until',
    title: (t) => t.until,
    cell: (row) => <When at={row.status === 'INVITED' ? row.invitation_expires_at : null} />,
  },
  { key: 'more', title: () => '', cell: (row) => <More realm={realm} row={row} /> },
];

const COLUMNS = { advertiser: columnsOf('advertiser'), publisher: columnsOf('publisher') };

/** Who works in an account, and what each of them may do. */
export function TeamPage({
  realm,
  page,
  onPage,
}: {
  realm: Owner;
  page: number | undefined;
  onPage: (page: number) => void;
}) {
  const t = useTexts(team);
  const marks = useMarks();
  const { isKnown } = usePermission();
  const isRefused = useForbidden(teamOf(realm).invite.route) !== null;
  const query = {
    ...teamOf(realm).list(page === undefined ? {} : { page }),
    enabled: isKnown && !isRefused,
  };
  const { data } = useQuery(query);
  if (isRefused) return <Page title={t.title}>{t.lead}</Page>;
  return (
    <Page title={t.title} lead={t.lead}>
      {data !== undefined && (
        <Text size="sm">
          {t.ownerIs}
          {marks.colon}
          {data.owner.name} · <EmailShown email={data.owner.email} />
        </Text>
      )}
      <List
        label={t.title}
        query={query as unknown as UseQueryOptions<PageOf<Member>>}
        columns={COLUMNS[realm]}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.none }}
        searchEmpty={null}
        onPage={onPage}
      />
      <Invitation key={data?.total} realm={realm} />
    </Page>
  );
}

function Invitation({ realm }: { realm: Owner }) {
  const t = useTexts(team);
  const marks = useMarks();
  const { language } = usePreferences();
  const { mutateAsync } = useWrite(teamOf(realm).invite);
  return (
    <Section title={t.inviteTitle}>
      <Form<{ email: string; role: MemberRole; language: Language }>
        route={`POST /api/${realm}/members`}
        values={{ email: '', role: 'EDITOR', language }}
        submit={t.invite}
        guarded={false}
        send={async (body) => {
          await mutateAsync({ body });
          told(t.invited);
        }}
      >
        <TextField name="email" label={t.email} type="email" required />
        <SelectField
          name="role"
          label={t.role}
          options={ROLES.map((value) => ({
            value,
            label: `${t.roleNames[value]}${marks.colon}${t.roles[value]}`,
          }))}
          required
        />
        <LetterLanguage label={t.letterIn} />
      </Form>
    </Section>
  );
}

/** Counts from the member's next request on; asked first, as an arrow key alone changes a select. */
function Role({ realm, row }: { realm: Owner; row: Member }) {
  const t = useTexts(team);
  const marks = useMarks();
  const { change } = teamOf(realm);
  const { mutateAsync } = useWrite(change);
  const actions = ROLES.map((role): Action => {
    const name = t.roleNames[role];
    return {
      label: t.giveRole(name),
      route: change.route,
      confirm: { title: t.giveRoleTitle(row.email, name), body: t.roles[role] },
      run: async () =>
        await mutateAsync({ path: { id: row.id }, headers: ifMatch(row.version), body: { role } }),
      done: t.changed,
    };
  });
  const { start, dialog, pending } = useActions(actions);
  return (
    <>
      <NativeSelect
        aria-label={`${t.role}${marks.colon}${row.email}`}
        size="xs"
        value={row.role}
        disabled={pending}
        data={ROLES.map((value) => ({ value, label: t.roleNames[value] }))}
        onChange={({ currentTarget: { value } }) => {
          const action = actions[ROLES.indexOf(value as MemberRole)];
          if (action !== undefined) start(action);
        }}
      />
      {dialog}
    </>
  );
}

function More({ realm, row }: { realm: Owner; row: Member }) {
  const t = useTexts(team);
  const routes = teamOf(realm);
  const resend = useWrite(routes.resend);
  const remove = useWrite(routes.remove);
  const endSessions = useWrite(routes.endSessions);
  const suspend = useWrite(routes.suspend);
  const restore = useWrite(routes.restore);
  const notIn = row.status === 'ACTIVE' ? null : t.states[row.status];
  const path = { id: row.id };
  return (
    <ActionMenu
      of={row.email}
      actions={[
        {
          label: t.resend,
          route: routes.resend.route,
          refusal: row.status === 'INVITED' ? null : t.states[row.status],
          run: async () => await resend.mutateAsync({ path }),
          done: t.resent,
        },
        {
          label: t.endSessions,
          route: routes.endSessions.route,
          refusal: notIn,
          confirm: { title: t.endSessionsTitle(row.email), body: t.endSessionsBody },
          run: async () => await endSessions.mutateAsync({ path }),
          done: t.sessionsEnded,
        },
        row.status === 'SUSPENDED'
          ? {
              label: t.restore,
              route: routes.restore.route,
              run: async () => await restore.mutateAsync({ path }),
              done: t.restored,
            }
          : {
              label: t.suspend,
              route: routes.suspend.route,
              refusal: notIn,
              confirm: { title: t.suspendTitle(row.email), body: t.suspendBody },
              run: async () => await suspend.mutateAsync({ path }),
              done: t.suspended,
            },
        {
          label: t.remove,
          route: routes.remove.route,
          confirm: { title: t.removeTitle(row.email), body: t.removeBody },
          run: async () => await remove.mutateAsync({ path, headers: ifMatch(row.version) }),
          danger: true,
        },
      ]}
    />
  );
}
