import { Alert, Button, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Webhook } from '../../client/routes.ts';
import { queryClient, useWrite } from '../api.ts';
import { webhookTexts } from '../texts/webhook.ts';
import { ActionMenu } from './action-menu.tsx';
import type { Action } from './action.tsx';
import { EditForm, ifMatch } from './edit-form.tsx';
import { TextField } from './fields.tsx';
import type { Owner } from './identity.ts';
import { Loaded } from './loaded.tsx';
import { Page } from './page.tsx';
import { Section } from './section.tsx';
import { State } from './state.tsx';
import { useTexts } from './texts.ts';
import { When } from './time.tsx';
import { told } from './toast.ts';
import { KindsField } from './webhook-kinds.tsx';
import { WebhookLog } from './webhook-log.tsx';
import { NewSecret } from './webhook-secret.tsx';
import { type DeliverySearch, valuesOf, webhooksOf } from './webhooks.ts';

interface Props {
  realm: Owner;
  id: number;
  search: DeliverySearch;
  onChange: (change: DeliverySearch) => void;
}

/** One server: whether it answers, what it is told of, and what it was told. */
export function WebhookPage(props: Props) {
  return (
    <Loaded query={webhooksOf(props.realm).one(props.id)} height={300} isPage>
      {(row) => <Shown {...props} row={row} />}
    </Loaded>
  );
}

function Shown({ realm, row, search, onChange }: Props & { row: Webhook }) {
  const t = useTexts(webhookTexts);
  const [secret, setSecret] = useState<string | null>(null);
  const { main, more } = useActions(realm, row, setSecret);
  return (
    <Page
      title={new URL(row.url).host}
      beside={<State state={row.status} />}
      crumbs={[{ text: t.title, to: `/${realm}/webhooks` }]}
      actions={main}
      main={<ActionMenu of={row.url} actions={more} />}
    >
      {secret !== null && (
        <NewSecret secret={secret}>
          <Button onClick={() => setSecret(null)}>{t.gotSecret}</Button>
        </NewSecret>
      )}
      <Health row={row} />
      <Section title={t.settings}>
        <Settings realm={realm} row={row} />
      </Section>
      <WebhookLog realm={realm} id={row.id} search={search} onChange={onChange} />
    </Page>
  );
}

function Health({ row }: { row: Webhook }) {
  const t = useTexts(webhookTexts);
  const { status, failing_since: since, old_secret_until: until } = row;
  const isOverlapping = until !== null && Date.parse(until) > Date.now();
  return (
    <>
      {status === 'DISABLED' && (
        <Alert color="red" variant="light" title={t.disabledTitle}>
          {t.disabledHelp}
        </Alert>
      )}
      {status !== 'DISABLED' && since !== null && (
        <Alert color="yellow" variant="light" title={t.failingTitle}>
          {t.failingHelp} <When at={since} />
        </Alert>
      )}
      {isOverlapping && (
        <Text size="sm" c="dimmed">
          {t.oldUntil} <When at={until} />
        </Text>
      )}
    </>
  );
}

function useActions(
  realm: Owner,
  row: Webhook,
  show: (secret: string) => void,
): { main: Action[]; more: Action[] } {
  const t = useTexts(webhookTexts);
  const navigate = useNavigate();
  const routes = webhooksOf(realm);
  const testing = useWrite(routes.test);
  const saving = useWrite(routes.save);
  const rotating = useWrite(routes.rotate);
  const removing = useWrite(routes.remove);
  const path = { id: row.id };
  const headers = ifMatch(row.version);
  const isActive = row.status === 'ACTIVE';
  const status = isActive ? 'PAUSED' : 'ACTIVE';
  return {
    main: [
      {
        label: t.test,
        route: routes.test.route,
        run: async () => await testing.mutateAsync({ path }),
        done: t.tested,
      },
      {
        label: isActive ? t.pause : t.resume,
        route: routes.save.route,
        run: async () => await saving.mutateAsync({ path, headers, body: { status } }),
        done: isActive ? t.paused : t.resumed,
      },
    ],
    more: [
      {
        label: t.rotate,
        route: routes.rotate.route,
        confirm: { title: t.rotateTitle, body: t.rotateBody },
        run: async () => show((await rotating.mutateAsync({ path })).secret),
      },
      {
        label: t.remove,
        route: routes.remove.route,
        confirm: { title: t.removeTitle, body: t.removeBody },
        run: async () => {
          await removing.mutateAsync({ path, headers });
          await navigate({ href: `/${realm}/webhooks` });
        },
        done: t.removed,
        danger: true,
      },
    ],
  };
}

function Settings({ realm, row }: { realm: Owner; row: Webhook }) {
  const t = useTexts(webhookTexts);
  const routes = webhooksOf(realm);
  const { mutateAsync } = useWrite(routes.save);
  return (
    <EditForm
      route={`PUT /api/${realm}/webhooks/{id}`}
      row={row}
      valuesOf={valuesOf}
      names={{ url: t.url, kinds: t.kinds }}
      reread={async () => await queryClient.fetchQuery({ ...routes.one(row.id), staleTime: 0 })}
      save={async (body, version) => {
        await mutateAsync({ path: { id: row.id }, headers: ifMatch(version), body });
        told(t.saved);
      }}
    >
      <TextField name="url" label={t.url} help={t.urlHelp} type="url" maxLength={2_000} required />
      <KindsField realm={realm} />
    </EditForm>
  );
}
