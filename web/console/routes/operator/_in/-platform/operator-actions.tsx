import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWrite } from '../../../../api.ts';
import type { Action } from '../../../../parts/action.tsx';
import { ActionMenu } from '../../../../parts/action-menu.tsx';
import { Dialog } from '../../../../parts/dialog.tsx';
import { SelectField, TextAreaField } from '../../../../parts/fields.tsx';
import { Form } from '../../../../parts/form.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { told } from '../../../../parts/toast.ts';
import { profile } from '../../../../queries/operator/account.ts';
import {
  changeRole,
  endOperatorSessions,
  type Operator,
  restoreOperator,
  suspendOperator,
} from '../../../../queries/operator/operator.ts';
import { common } from '../../../../texts/common.ts';
import { operator } from '../../../../texts/operator.ts';
import { operators } from '../../../../texts/operators.ts';

type Asking = 'suspend' | 'restore' | 'role';
type Role = Operator['role'];

/** What an administrator does about a colleague: one word puts out, two let in or give a role over money and people. */
export function OperatorActions({ of }: { of: Operator }) {
  const { id, username, status, waiting } = of;
  const t = useTexts(operators);
  const { data: me } = useQuery(profile);
  const { mutateAsync: endSessions } = useWrite(endOperatorSessions);
  const [asks, ask] = useState<Asking>();
  const isOut = status === 'SUSPENDED';
  const own = me?.id === id ? t.notOneself : null;
  const isAsked = waiting.some(({ kind }) => kind === 'operator_restore');
  const opening = (what: Asking) => ({
    opens: true,
    run: () => {
      ask(what);
      return Promise.resolve();
    },
  });
  const actions: Action[] = [
    {
      label: t.endSessions,
      route: endOperatorSessions.route,
      refusal: isOut ? t.isSuspended : null,
      confirm: {
        title: t.endSessionsTitle(username),
        body: <Text size="sm">{t.endSessionsHelp}</Text>,
      },
      run: async () => await endSessions({ path: { id } }),
      done: t.sessionsEnded,
    },
    {
      label: t.changeRole,
      route: changeRole.route,
      refusal: own ?? (isOut ? t.isSuspended : null),
      ...opening('role'),
    },
    isOut
      ? {
          label: t.restore,
          route: restoreOperator.route,
          refusal: isAsked ? t.isWaiting : null,
          ...opening('restore'),
        }
      : {
          label: t.suspend,
          route: suspendOperator.route,
          refusal: own,
          danger: true,
          ...opening('suspend'),
        },
  ];
  const close = () => ask(undefined);
  return (
    <>
      <ActionMenu of={username} actions={actions} />
      {asks === 'suspend' && <Suspend of={of} close={close} />}
      {asks === 'restore' && <Restore of={of} close={close} />}
      {asks === 'role' && <ChangeRole of={of} close={close} />}
    </>
  );
}

interface Asked {
  of: Operator;
  close: () => void;
}

function Suspend({ of: { id, username }, close }: Asked) {
  const t = useTexts(operators);
  const { mutateAsync } = useWrite(suspendOperator);
  return (
    <Dialog onClose={close} title={t.suspendTitle(username)} size="lg">
      <Form<{ reason: string }>
        route={suspendOperator.route}
        values={{ reason: '' }}
        submit={t.suspendNow}
        send={async (body) => {
          await mutateAsync({ path: { id }, body });
          told(t.suspended);
          close();
        }}
        cancel={<Cancel close={close} />}
      >
        <Help lines={t.suspendHelp} />
        <TextAreaField name="reason" label={t.why} rows={2} required />
      </Form>
    </Dialog>
  );
}

function Restore({ of: { id, username }, close }: Asked) {
  const t = useTexts(operators);
  const { mutateAsync } = useWrite(restoreOperator);
  return (
    <Dialog onClose={close} title={t.restoreTitle(username)} size="lg">
      <Form<{ reason: string }>
        route={restoreOperator.route}
        values={{ reason: '' }}
        submit={t.restoreNow}
        send={async (body) => {
          await mutateAsync({ path: { id }, body });
          told(t.asked);
          close();
        }}
        cancel={<Cancel close={close} />}
      >
        <Help lines={t.restoreHelp} />
        <TextAreaField name="reason" label={t.why} rows={2} required />
      </Form>
    </Dialog>
  );
}

function ChangeRole({ of: { id, username, role: now }, close }: Asked) {
  const t = useTexts(operators);
  const { roles } = useTexts(operator);
  const { mutateAsync } = useWrite(changeRole);
  const others = (Object.keys(roles) as Role[]).filter((role) => role !== now);
  return (
    <Dialog onClose={close} title={t.changeRoleTitle(username)} size="lg">
      <Form<{ role: Role; reason: string }>
        route={changeRole.route}
        // No role is anybody's by chance.
        values={{ role: '' as Role, reason: '' }}
        submit={t.changeRoleNow}
        send={async (body) => {
          const after = await mutateAsync({ path: { id }, body });
          told(after.role === body.role ? t.roleChanged : t.asked);
          close();
        }}
        cancel={<Cancel close={close} />}
      >
        <Help lines={t.changeRoleHelp} />
        <SelectField
          name="role"
          label={t.role}
          options={others.map((value) => ({ value, label: roles[value] }))}
          required
        />
        <TextAreaField name="reason" label={t.why} rows={2} required />
      </Form>
    </Dialog>
  );
}

const Help = ({ lines }: { lines: Readonly<Record<string, string>> }) => (
  <Stack gap="xs">
    {Object.values(lines).map((line) => (
      <Text key={line} size="sm">
        {line}
      </Text>
    ))}
  </Stack>
);

function Cancel({ close }: { close: () => void }) {
  const t = useTexts(common);
  return (
    <Button variant="default" onClick={close}>
      {t.cancel}
    </Button>
  );
}
