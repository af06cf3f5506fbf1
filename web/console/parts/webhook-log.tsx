import { Stack } from '@mantine/core';
import { useState } from 'react';
import type { WebhookDelivery } from '../../client/routes.ts';
import { useWrite } from '../api.ts';
import { notification } from '../texts/notification.ts';
import { states } from '../texts/states.ts';
import { webhookTexts } from '../texts/webhook.ts';
import { ActionMenu } from './action-menu.tsx';
import { CopyCode } from './copy-code.tsx';
import { Dialog } from './dialog.tsx';
import { Facts } from './facts.tsx';
import { Filters } from './filters.tsx';
import type { Owner } from './identity.ts';
import { type Column, List, type ListQuery } from './list-page.tsx';
import { oneOf } from './search.ts';
import { Section } from './section.tsx';
import { CallState, callStateOf, ServerAnswer } from './server-answer.tsx';
import { type Same, useTexts, wordOf } from './texts.ts';
import { Since, When } from './time.tsx';
import { DELIVERY_STATUSES, type DeliverySearch, webhooksOf } from './webhooks.ts';

type Words = Same<(typeof webhookTexts)['en']>;

const LIVE_MS = 3_000;
const CALM_MS = 30_000;

interface Asked {
  state: { data?: { items: WebhookDelivery[] } | undefined };
}

/** Its next call is due now, not in hours. */
const isUnderWay = ({ next_attempt_at: at }: WebhookDelivery): boolean =>
  at !== null && Date.parse(at) < Date.now() + CALM_MS;

interface Props {
  realm: Owner;
  id: number;
  search: DeliverySearch;
  onChange: (change: DeliverySearch) => void;
}

/** What a server was told, and how it answered; what is under way is looked at again. */
export function WebhookLog({ realm, id, search, onChange }: Props) {
  const t = useTexts(webhookTexts);
  const s = useTexts(states);
  const [shown, show] = useState<WebhookDelivery | null>(null);
  return (
    <Section title={t.log} lead={t.logLead}>
      <Filters
        values={{ status: search.status }}
        filters={[
          {
            kind: 'choice',
            name: 'status',
            label: t.state,
            options: DELIVERY_STATUSES.map((value) => ({ value, label: s[callStateOf(value)] })),
          },
        ]}
        onChange={({ status }) => {
          const word = oneOf(DELIVERY_STATUSES, status);
          onChange(word === undefined ? {} : { status: word });
        }}
      />
      <List
        label={t.log}
        query={
          {
            ...webhooksOf(realm).deliveries(id, search),
            refetchInterval: ({ state }: Asked) =>
              state.data?.items.some(isUnderWay) === true ? LIVE_MS : CALM_MS,
          } as unknown as ListQuery<WebhookDelivery>
        }
        columns={columnsOf(realm, id, show)}
        texts={t}
        rowKey={(row) => row.id}
        empty={{ title: t.noneSent, next: t.noneSentHelp }}
        searchEmpty={search.status === undefined ? null : { title: t.noneFound }}
        onPage={(page) => onChange({ ...search, page })}
      />
      {shown !== null && <Details delivery={shown} close={() => show(null)} />}
    </Section>
  );
}

const columnsOf = (
  realm: Owner,
  id: number,
  show: (row: WebhookDelivery) => void,
): readonly Column<WebhookDelivery, Words>[] => [
  { key: 'when', title: (t) => t.when, cell: (row) => <When at={row.created_at} /> },
  { key: 'kind', title: (t) => t.kind, cell: (row) => <Kind kind={row.kind} /> },
  { key: 'status', title: (t) => t.state, cell: ({ status }) => <CallState status={status} /> },
  {
    key: 'outcome',
    title: (t) => t.outcome,
    cell: ({ last_outcome: last }) => (last === null ? '—' : <ServerAnswer outcome={last} />),
  },
  {
    key: 'took',
    title: (t) => t.took,
    isNumber: true,
    cell: (row, t) => (row.took_ms === null ? '—' : t.millis(row.took_ms)),
  },
  { key: 'attempts', title: (t) => t.attempts, isNumber: true, cell: (row) => row.attempts },
  { key: 'next', title: (t) => t.next, cell: (row) => <Since at={row.next_attempt_at} /> },
  {
    key: 'more',
    title: () => '',
    cell: (row) => <More realm={realm} webhook={id} row={row} show={show} />,
  },
];

function Kind({ kind }: { kind: string }) {
  const t = useTexts(webhookTexts);
  const n = useTexts(notification);
  return kind === 'test' ? t.testKind : wordOf(n.kinds, kind);
}

function More(props: {
  realm: Owner;
  webhook: number;
  row: WebhookDelivery;
  show: (row: WebhookDelivery) => void;
}) {
  const { realm, webhook, row, show } = props;
  const t = useTexts(webhookTexts);
  const { resend } = webhooksOf(realm);
  const { mutateAsync } = useWrite(resend);
  const look = async (): Promise<void> => {
    show(row);
    await Promise.resolve();
  };
  return (
    <ActionMenu
      of={row.event_id}
      actions={[
        { label: t.details, route: `GET /api/${realm}/webhooks/{id}/deliveries`, run: look },
        {
          label: t.resend,
          route: resend.route,
          refusal: row.status === 'PENDING' ? t.waits : null,
          run: async () =>
            await mutateAsync({ path: { id: webhook, delivery_id: String(row.id) } }),
          done: t.resent,
        },
      ]}
    />
  );
}

function Details({ delivery, close }: { delivery: WebhookDelivery; close: () => void }) {
  const t = useTexts(webhookTexts);
  return (
    <Dialog onClose={close} title={t.details} size="lg">
      <Stack gap="sm">
        <Facts
          rows={[
            [t.kind, <Kind key="k" kind={delivery.kind} />],
            [t.state, <CallState key="s" status={delivery.status} />],
            [
              t.outcome,
              delivery.last_outcome === null ? null : (
                <ServerAnswer key="o" outcome={delivery.last_outcome} />
              ),
            ],
            [t.attempts, delivery.attempts],
          ]}
        />
        <CopyCode label={t.messageId} code={delivery.event_id} />
        <CopyCode label={t.body} code={JSON.stringify(JSON.parse(delivery.body), null, 2)} />
        <CopyCode label={t.answer} code={delivery.answer ?? t.noAnswer} />
      </Stack>
    </Dialog>
  );
}
