import { Badge, Group, Text } from '@mantine/core';
import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { useWrite } from '../api.ts';
import type { Realm } from '../session.ts';
import { common } from '../texts/common.ts';
import { notification } from '../texts/notification.ts';
import { RowAction } from './action.tsx';
import { Filters } from './filters.tsx';
import { type Column, List, type PageOf } from './list-page.tsx';
import { approvedOf, countsOf, type Line, together } from './notices-together.ts';
import { type News, type NotificationSearch, notificationsOf } from './notifications.ts';
import { Page } from './page.tsx';
import { useForbidden } from './permission.tsx';
import { RowLink } from './row-link.tsx';
import { SubPages } from './sub-pages.tsx';
import { type Same, useTexts } from './texts.ts';
import { When } from './time.tsx';

type Words = Same<(typeof notification)['en']>;
type AddressOf = (subject: NonNullable<News['subject']>) => string | null;

/** News of money that is of no one thing: the list of transactions has what many events moved. */
const OF_MONEY: Readonly<Record<string, string>> = {
  balance_low: '/advertiser/money',
  spend_credited: '/advertiser/money?tab=transactions',
  spend_restored: '/advertiser/money?tab=transactions',
  earnings_reversed: '/publisher/payouts/transactions',
  earnings_restored: '/publisher/payouts/transactions',
  share_agreed: '/publisher/payouts',
};

/** The pages of notifications, below the realm's folder. */
export function NotificationPages({ folder }: { folder: string }) {
  const t = useTexts(notification);
  return (
    <SubPages
      label={t.pages}
      pages={[
        { to: `/${folder}/notifications`, text: t.news },
        { to: `/${folder}/notifications/settings`, text: t.settings },
      ]}
    />
  );
}

/** What has happened, newest first; what was not read yet is marked. */
export function NotificationsPage(props: {
  realm: Realm;
  search: NotificationSearch;
  addressOf: AddressOf;
  onChange: (change: NotificationSearch) => void;
}) {
  const { realm, search, addressOf, onChange } = props;
  const t = useTexts(notification);
  const { notifications, unread } = useTexts(common);
  const { list, markRead } = notificationsOf(realm);
  const { data } = useQuery(list(search));
  const { mutateAsync } = useWrite(markRead);
  const newest = data?.items[0]?.id;
  return (
    <Page
      title={notifications}
      beside={data === undefined ? null : unread(data.unread)}
      actions={[
        {
          label: t.readAll,
          route: markRead.route,
          refusal: (data?.unread ?? 0) === 0 ? t.nothingUnread : null,
          run: async () =>
            await mutateAsync({ body: newest === undefined ? {} : { until: newest } }),
        },
      ]}
    >
      {realm !== 'admin' && <NotificationPages folder={realm} />}
      <Filters
        values={search as Record<string, string | undefined>}
        filters={[
          {
            kind: 'choice',
            name: 'status',
            label: t.state,
            options: (['unread', 'read'] as const).map((value) => ({
              value,
              label: t.states[value],
            })),
          },
        ]}
        onChange={(change) => onChange({ page: undefined, ...change } as NotificationSearch)}
      />
      <List
        label={notifications}
        query={{ ...list(search), select: asLines } as unknown as UseQueryOptions<PageOf<Notice>>}
        columns={columnsOf(realm, addressOf)}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.none }}
        searchEmpty={search.status === undefined ? null : { title: t.noneFound }}
        onPage={(page) => onChange({ page })}
      />
    </Page>
  );
}

type Notice = Line<News>;

const asLines = (page: PageOf<News>): PageOf<Notice> => ({ ...page, items: together(page.items) });
const idsOf = ({ id, parts }: Notice): number[] => parts?.map((part) => part.id) ?? [id];

/** What happened, leading to what it is about: then it was read. */
function What({ realm, row, addressOf }: { realm: Realm; row: Notice; addressOf: AddressOf }) {
  const t = useTexts(notification);
  const { markRead } = notificationsOf(realm);
  const { mutate } = useWrite(markRead);
  const forbidden = useForbidden(markRead.route);
  const isUnread = row.read_at === null;
  const { subject, text } = useLine(row);
  const address = subject === null ? (OF_MONEY[row.kind] ?? null) : addressOf(subject);
  return (
    <Group gap="xs">
      {address === null ? (
        <Text size="sm">{text}</Text>
      ) : (
        <RowLink
          to={address}
          onClick={() => {
            if (isUnread && forbidden === null) mutate({ body: { ids: idsOf(row) } });
          }}
        >
          {text}
        </RowLink>
      )}
      {isUnread && (
        <Badge size="sm" color="blue.8" variant="filled">
          {t.new}
        </Badge>
      )}
    </Group>
  );
}

/** What a line says and what it is about: of a launch its campaign. */
function useLine(row: Notice): { subject: News['subject']; text: string } {
  const t = useTexts(notification);
  const campaign = row.parts === undefined ? undefined : approvedOf(row);
  if (campaign === undefined) return { subject: row.subject, text: t.line(row) };
  return {
    subject: { type: 'campaign', id: campaign.id },
    text: t.approved(campaign.name, countsOf(row.parts ?? [])),
  };
}

function MarkRead({ realm, row }: { realm: Realm; row: Notice }) {
  const t = useTexts(notification);
  const { markRead } = notificationsOf(realm);
  const { mutateAsync } = useWrite(markRead);
  if (row.read_at !== null) return null;
  return (
    <RowAction
      action={{
        label: t.readOne,
        route: markRead.route,
        run: async () => await mutateAsync({ body: { ids: idsOf(row) } }),
      }}
    />
  );
}

const columnsOf = (realm: Realm, addressOf: AddressOf): readonly Column<Notice, Words>[] => [
  {
    key: 'what',
    title: (t) => t.what,
    cell: (row) => <What {...{ realm, row, addressOf }} />,
  },
  { key: 'when', title: (t) => t.when, cell: (row) => <When at={row.created_at} /> },
  { key: 'read', title: () => '', cell: (row) => <MarkRead realm={realm} row={row} /> },
];
