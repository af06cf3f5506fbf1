import { Alert, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Tracker, TrackerTest as Test } from '../../../../client/routes.ts';
import { useWrite } from '../../../api.ts';
import { ActionButton } from '../../../parts/action.tsx';
import { CopyCode } from '../../../parts/copy-code.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { Failed } from '../../../parts/failed.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { Money } from '../../../parts/money.tsx';
import { Section } from '../../../parts/section.tsx';
import { ServerAnswer } from '../../../parts/server-answer.tsx';
import { useSaid } from '../../../parts/said.ts';
import { useMarks, useTexts, wordOf } from '../../../parts/texts.ts';
import { When } from '../../../parts/time.tsx';
import { beginTest, testOf, tests } from '../../../queries/advertiser/tracker.ts';
import { trackerTest } from '../../../texts/advertiser/tracker-test.ts';
import { trackerTexts } from '../../../texts/advertiser/tracker.ts';
import { EarlierTests } from './tracker-tests-list.tsx';

const LIVE_MS = 3_000;

/** Tries a tracker: gives a click id out, and shows what becomes of it as it comes. */
export function TrackerTest({ row }: { row: Tracker }) {
  const t = useTexts(trackerTest);
  const { mutateAsync } = useWrite(beginTest);
  const [shown, show] = useState<number | null>(null);
  const begin = async (callNow: boolean): Promise<void> => {
    const { id } = await mutateAsync({ path: { id: row.id }, body: { call_now: callNow } });
    show(id);
  };
  const refusal = row.status === 'ACTIVE' ? null : t.paused;
  const noAddress = row.postback_url === null ? t.noAddress : null;
  return (
    <Stack>
      <Text size="sm" maw="75ch">
        {t.lead}
      </Text>
      <Group gap="xs">
        <ActionButton
          action={{
            label: shown === null ? t.begin : t.again,
            route: beginTest.route,
            refusal,
            run: async () => await begin(false),
          }}
        />
        <ActionButton
          variant="default"
          action={{
            label: t.call,
            route: beginTest.route,
            refusal: refusal ?? noAddress,
            run: async () => await begin(true),
          }}
        />
      </Group>
      {shown !== null && <Live tracker={row} id={shown} />}
      <Loaded query={tests(row.id)} height={80}>
        {({ items }) => (
          <EarlierTests tests={items.filter(({ id }) => id !== shown)} onShow={show} />
        )}
      </Loaded>
    </Stack>
  );
}

const isOver = ({ expires_at: until }: Test): boolean => Date.parse(until) < Date.now();
const isUnderWay = (test: Test): boolean => !isOver(test) || test.postback?.status === 'PENDING';

function Live({ tracker, id }: { tracker: Tracker; id: number }) {
  const { data, error } = useQuery({
    ...testOf(tracker.id, id),
    refetchInterval: ({ state }) =>
      state.data === undefined || isUnderWay(state.data) ? LIVE_MS : false,
  });
  if (data === undefined) return error === null ? <Loader size="sm" /> : <Failed error={error} />;
  return (
    <>
      <Addresses test={data} />
      <Report test={data} />
      <Called test={data} hasAddress={tracker.postback_url !== null} />
    </>
  );
}

function Addresses({ test }: { test: Test }) {
  const t = useTexts(trackerTest);
  const { gap, stop } = useMarks();
  if (isOver(test)) return <Text size="sm">{t.over}</Text>;
  return (
    <Stack gap="sm">
      <CopyCode label={t.clickId} code={test.click_id} />
      <Text size="sm" c="dimmed">
        {t.clickIdHelp}
        {gap}
        {t.until} <When at={test.expires_at} />
        {stop}
      </Text>
      <CopyCode label={t.server} code={test.conversion_url} />
      <CopyCode label={t.pixel} code={test.pixel_url} />
    </Stack>
  );
}

function Report({ test }: { test: Test }) {
  const t = useTexts(trackerTest);
  const words = useTexts(trackerTexts);
  const said = useSaid();
  const { outcome, message, understood } = test;
  const isAccepted = outcome === 'ACCEPTED';
  return (
    <Section title={t.report}>
      {outcome === null ? (
        <Group gap="xs" role="status">
          {!isOver(test) && <Loader size="xs" />}
          <Text size="sm">{isOver(test) ? t.notCame : t.waiting}</Text>
        </Group>
      ) : (
        <Alert
          role="status"
          color={isAccepted ? 'teal' : 'red'}
          variant="light"
          title={isAccepted ? t.accepted : t.refused}
        >
          {isAccepted ? t.acceptedHelp : said(message ?? '')}
        </Alert>
      )}
      {outcome !== null && (
        <Facts
          rows={[
            [t.reports(test.reports), wordOf(t.sources, test.source)],
            [t.at, <When key="at" at={test.reported_at} />],
            ...(understood === null
              ? []
              : ([
                  [t.event, wordOf(words.events, understood.event)],
                  [
                    t.value,
                    <Money key="m" amount={understood.value} currency={understood.currency} />,
                  ],
                  [t.transaction, understood.transaction_id ?? t.none],
                  [t.code, understood.has_code ? t.codes.yes : t.codes.no],
                  [t.signature, understood.is_signed ? t.signatures.yes : t.signatures.no],
                ] as const)),
          ]}
        />
      )}
    </Section>
  );
}

function Called({ test: { postback }, hasAddress }: { test: Test; hasAddress: boolean }) {
  const t = useTexts(trackerTest);
  if (postback === null) {
    return (
      <Section title={t.postback}>
        <Text size="sm">{hasAddress ? t.postbackLater : t.postbackNot}</Text>
      </Section>
    );
  }
  const isTaken = postback.status === 'DELIVERED';
  return (
    <Section title={t.postback}>
      {postback.status === 'PENDING' ? (
        <Group gap="xs" role="status">
          <Loader size="xs" />
          <Text size="sm">{t.calling}</Text>
        </Group>
      ) : (
        <Alert
          role="status"
          color={isTaken ? 'teal' : 'red'}
          variant="light"
          title={isTaken ? t.taken : t.notTaken}
        >
          {isTaken ? null : t.notTakenHelp}
        </Alert>
      )}
      <Facts
        rows={[
          [
            t.outcome,
            postback.last_outcome === null ? null : (
              <ServerAnswer key="o" outcome={postback.last_outcome} />
            ),
          ],
          [t.took, postback.took_ms === null ? null : t.millis(postback.took_ms)],
        ]}
      />
      <CopyCode label={t.address} code={postback.url} />
      {postback.status !== 'PENDING' && (
        <CopyCode label={t.answer} code={postback.answer ?? t.noAnswer} />
      )}
    </Section>
  );
}
