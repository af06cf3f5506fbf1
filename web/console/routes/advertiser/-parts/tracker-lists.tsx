import { ConversionReason } from './conversion-reason.tsx';
import { conversionStateOf } from './conversion-state.ts';
import { POSTBACK_STATUSES } from './postback-statuses.ts';
import { Group, Stack, Text } from '@mantine/core';
import { CONVERSION_STATUSES } from '../../../../../domain/tracker.ts';
import type { Conversion, Postback } from '../../../../client/routes.ts';
import { useWrite } from '../../../api.ts';
import { ActionButton } from '../../../parts/action.tsx';
import { ButtonLink } from '../../../parts/button-link.tsx';
import { withinIn } from '../../../parts/duration.ts';
import { Filters } from '../../../parts/filters.tsx';
import { linkTo } from '../../../parts/link-to.ts';
import { type Column, List } from '../../../parts/list-page.tsx';
import { Money } from '../../../parts/money.tsx';
import { usePreferences } from '../../../parts/preferences.tsx';
import { oneOf } from '../../../parts/search.ts';
import { CallState, callStateOf, ServerAnswer } from '../../../parts/server-answer.tsx';
import { State } from '../../../parts/state.tsx';
import { type Same, useTexts, wordOf } from '../../../parts/texts.ts';
import { Since, When } from '../../../parts/time.tsx';
import { conversions, postbacks, retryPostback } from '../../../queries/advertiser/tracker.ts';
import { trackerTexts } from '../../../texts/advertiser/tracker.ts';
import { states } from '../../../texts/states.ts';

type Words = Same<(typeof trackerTexts)['en']>;

interface Props {
  id: number;
  search: { status?: string | undefined; page?: number | undefined };
  onChange: (change: Record<string, string | number | undefined>) => void;
}

const CONVERSION_COLUMNS: readonly Column<Conversion, Words>[] = [
  { key: 'when', title: (t) => t.when, cell: (row) => <When at={row.created_at} /> },
  {
    key: 'status',
    title: (t) => t.status,
    cell: ({ status }) => <State state={conversionStateOf(status)} />,
  },
  { key: 'event', title: (t) => t.event, cell: (row, t) => wordOf(t.events, row.event_type) },
  {
    key: 'amount',
    title: (t) => t.amount,
    isNumber: true,
    cell: (row) => <Money amount={row.value} currency={row.currency} />,
  },
  {
    key: 'after',
    title: (t) => t.after,
    cell: ({ latency_seconds: seconds }) => <AfterClick seconds={seconds} />,
  },
  { key: 'txid', title: (t) => t.txid, cell: (row) => row.txid ?? '—' },
  {
    key: 'reason',
    title: (t) => t.reason,
    cell: ({ reason }) => (reason === null ? '—' : <ConversionReason reason={reason} />),
  },
];

function AfterClick({ seconds }: { seconds: number | null }) {
  const { language } = usePreferences();
  return seconds === null ? '—' : withinIn(seconds, language);
}

export function Conversions({ id, search, onChange }: Props) {
  const t = useTexts(trackerTexts);
  const s = useTexts(states);
  const status = oneOf(CONVERSION_STATUSES, search.status);
  return (
    <Stack>
      <Group>
        <ButtonLink {...linkTo(`/advertiser/conversions?tracker_id=${id}&status=PENDING`)}>
          {t.decide}
        </ButtonLink>
      </Group>
      <Filters
        values={{ status }}
        onChange={onChange}
        filters={[
          {
            kind: 'choice',
            name: 'status',
            label: t.status,
            options: CONVERSION_STATUSES.map((value) => ({
              value,
              label: s[conversionStateOf(value)],
            })),
          },
        ]}
      />
      <List
        label={t.tabs.conversions}
        query={conversions(id, queryOf(status, search.page))}
        columns={CONVERSION_COLUMNS}
        texts={t}
        rowKey={(row) => row.id}
        empty={{ title: t.noConversions, next: <Text c="dimmed">{t.noConversionsHelp}</Text> }}
        searchEmpty={status === undefined ? null : { title: t.noConversionsFound }}
        onPage={(page) => onChange({ page })}
      />
    </Stack>
  );
}

const queryOf = <Status extends string>(status: Status | undefined, page: number | undefined) => ({
  ...(status === undefined ? {} : { status }),
  ...(page === undefined ? {} : { page }),
});

const postbackColumns = (tracker: number): readonly Column<Postback, Words>[] => [
  { key: 'when', title: (t) => t.when, cell: (row) => <When at={row.created_at} /> },
  {
    key: 'status',
    title: (t) => t.status,
    cell: (row, t) => (
      <>
        <CallState status={row.status} /> {row.test_id !== null && t.isTest}
      </>
    ),
  },
  { key: 'url', title: (t) => t.url, cell: ({ url }) => url },
  { key: 'attempts', title: (t) => t.attempts, isNumber: true, cell: (row) => row.attempts },
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
  { key: 'next', title: (t) => t.next, cell: (row) => <Since at={row.next_attempt_at} /> },
  { key: 'retry', title: () => '', cell: (row) => <Retry tracker={tracker} row={row} /> },
];

export function Postbacks({ id, search, onChange }: Props) {
  const t = useTexts(trackerTexts);
  const s = useTexts(states);
  const status = oneOf(POSTBACK_STATUSES, search.status);
  return (
    <Stack>
      <Filters
        values={{ status }}
        onChange={onChange}
        filters={[
          {
            kind: 'choice',
            name: 'status',
            label: t.status,
            options: POSTBACK_STATUSES.map((value) => ({ value, label: s[callStateOf(value)] })),
          },
        ]}
      />
      <List
        label={t.tabs.postbacks}
        query={postbacks(id, queryOf(status, search.page))}
        columns={postbackColumns(id)}
        texts={t}
        rowKey={(row) => row.id}
        empty={{ title: t.noPostbacks, next: <Text c="dimmed">{t.noPostbacksHelp}</Text> }}
        searchEmpty={status === undefined ? null : { title: t.noPostbacksFound }}
        onPage={(page) => onChange({ page })}
      />
    </Stack>
  );
}

function Retry({ tracker, row }: { tracker: number; row: Postback }) {
  const t = useTexts(trackerTexts);
  const { mutateAsync } = useWrite(retryPostback);
  const refusals = { PENDING: t.underWay, DELIVERED: t.notAgain, DEAD: null };
  return (
    <ActionButton
      size="compact-sm"
      variant="default"
      action={{
        label: t.retry,
        route: retryPostback.route,
        refusal: refusals[row.status],
        run: async () => await mutateAsync({ path: { id: tracker, postback_id: String(row.id) } }),
        done: t.retried,
      }}
    />
  );
}
