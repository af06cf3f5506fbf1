import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Webhook } from '../../client/routes.ts';
import { useWrite } from '../api.ts';
import { webhookTexts } from '../texts/webhook.ts';
import { ButtonLink } from './button-link.tsx';
import { TextField } from './fields.tsx';
import { Form } from './form.tsx';
import { CopyRow } from './copy-row.tsx';
import type { Owner } from './identity.ts';
import { linkTo } from './link-to.ts';
import { type Column, List, type ListQuery } from './list-page.tsx';
import { Page } from './page.tsx';
import { Section } from './section.tsx';
import { State } from './state.tsx';
import { type Same, useTexts } from './texts.ts';
import { When } from './time.tsx';
import { KindsField } from './webhook-kinds.tsx';
import { NewSecret } from './webhook-secret.tsx';
import { kindsOfRealm } from './notification-kinds.ts';
import { valuesOf, type WebhookValues, webhooksOf } from './webhooks.ts';

type Words = Same<(typeof webhookTexts)['en']>;

const columnsOf = (realm: Owner): readonly Column<Webhook, Words>[] => [
  {
    key: 'url',
    title: (t) => t.url,
    cell: ({ id, url }) => (
      <>
        <Anchor
          title={url}
          renderRoot={(props) => <Link to={`/${realm}/webhooks/${id}`} {...props} />}
          style={{ overflowWrap: 'anywhere' }}
        >
          {shortOf(url)}
        </Anchor>{' '}
        <CopyRow value={url} />
      </>
    ),
  },
  {
    key: 'kinds',
    title: (t) => t.kinds,
    cell: ({ kinds }, t) => {
      const all = kindsOfRealm(realm).length;
      return kinds.length === all ? t.all : t.some(kinds.length, all);
    },
  },
  { key: 'state', title: (t) => t.state, cell: ({ status }) => <State state={status} /> },
  {
    key: 'health',
    title: (t) => t.health,
    cell: ({ failing_since: since }, t) =>
      since === null ? (
        t.well
      ) : (
        <>
          {t.failing} <When at={since} />
        </>
      ),
  },
  { key: 'created', title: (t) => t.created, cell: (row) => <When at={row.created_at} /> },
];

/** As much of an address as tells it from others; all of it is what the button beside it takes. */
const SHOWN_MAX = 64;

function shortOf(url: string): string {
  if (url.length <= SHOWN_MAX) return url;
  const { origin } = new URL(url);
  const start = url.slice(0, Math.min(Math.max(origin.length + 1, SHOWN_MAX / 2), SHOWN_MAX));
  return `${start}…${url.slice(-SHOWN_MAX / 4)}`;
}

const COLUMNS = { advertiser: columnsOf('advertiser'), publisher: columnsOf('publisher') };

/** The servers that are told what happens to an account. */
export function WebhooksPage({ realm }: { realm: Owner }) {
  const t = useTexts(webhookTexts);
  const { list } = webhooksOf(realm);
  return (
    <Page
      title={t.title}
      lead={
        <>
          {t.lead}{' '}
          <Anchor
            size="sm"
            href="/docs/webhooks"
            target="_blank"
            rel="noreferrer noopener"
            underline="always"
          >
            {t.guide} ↗
          </Anchor>
        </>
      }
    >
      <List
        label={t.title}
        query={{ ...list, select: asPage } as unknown as ListQuery<Webhook>}
        columns={COLUMNS[realm]}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.none, next: t.noneHelp }}
        searchEmpty={null}
        onPage={null}
      />
      <NewWebhook realm={realm} />
    </Page>
  );
}

const asPage = ({ items }: { items: Webhook[] }) => ({
  items,
  total: items.length,
  page: 1,
  page_size: 100,
  total_pages: 1,
});

function NewWebhook({ realm }: { realm: Owner }) {
  const t = useTexts(webhookTexts);
  return (
    <Section title={t.newTitle}>
      <NewForm realm={realm} />
    </Section>
  );
}

function NewForm({ realm }: { realm: Owner }) {
  const t = useTexts(webhookTexts);
  const { mutateAsync } = useWrite(webhooksOf(realm).add);
  const [made, setMade] = useState<{ id: number; secret: string } | null>(null);
  if (made !== null) {
    return (
      <NewSecret secret={made.secret}>
        <ButtonLink {...linkTo(`/${realm}/webhooks/${made.id}`)}>{t.toWebhook}</ButtonLink>
      </NewSecret>
    );
  }
  return (
    <Form<WebhookValues>
      route={`POST /api/${realm}/webhooks`}
      values={valuesOf({ url: '', kinds: kindsOfRealm(realm) })}
      submit={t.create}
      send={async (body) => setMade(await mutateAsync({ body }))}
    >
      <TextField name="url" label={t.url} help={t.urlHelp} type="url" maxLength={2_000} required />
      <KindsField realm={realm} />
    </Form>
  );
}
