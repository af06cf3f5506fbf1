import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Words } from '../../../../../parts/appeal.tsx';
import { Facts } from '../../../../../parts/facts.tsx';
import { type Column, Rows } from '../../../../../parts/list-page.tsx';
import { Money } from '../../../../../parts/money.tsx';
import { type Same, useMarks, useTexts, wordOf } from '../../../../../parts/texts.ts';
import { formatDay, When } from '../../../../../parts/time.tsx';
import { usePreferences } from '../../../../../parts/preferences.tsx';
import { NONE } from '../../../../../parts/none.tsx';
import type { TaskPage } from '../../../../../queries/operator/task.ts';
import { removal } from '../../../../../texts/removal.ts';
import { subject } from '../../../../../texts/subject.ts';
import { unbilled } from '../../../../../texts/unbilled.ts';
import { PageLink } from '../../-shown/page-link.tsx';

type Appeal = NonNullable<TaskPage['detail']['removal_appeal']>;
type Sample = Appeal['samples'][number] & { id: number };
type T = Same<(typeof removal)['en']>;

const COLUMNS: readonly Column<Sample, T>[] = [
  { key: 'at', title: (t) => t.at, cell: (row) => <When at={row.received_at} /> },
  { key: 'kind', title: (t) => t.kind, cell: ({ kind }) => <Kind kind={kind} /> },
  { key: 'reasons', title: (t) => t.reasons, cell: (row) => <Every reasons={row.reasons} /> },
  { key: 'trace', title: (t) => t.trace, cell: (row, t) => <Trace row={row} t={t} /> },
];

const Kind = ({ kind }: { kind: string }) => wordOf(useTexts(unbilled).kinds, kind);

function Every({ reasons }: { reasons: readonly string[] }) {
  const words = useTexts(unbilled).reasons;
  const { comma } = useMarks();
  return reasons.map((reason) => wordOf(words, reason)).join(comma);
}

function Trace({ row: { request_id: request, click_id: click }, t }: { row: Sample; t: T }) {
  if (request === null && click === null) return NONE;
  const search = click === null ? { request_id: request } : { click_id: click };
  return (
    <Anchor component={Link} to="/operator/events" search={search as never}>
      {t.trace}
    </Anchor>
  );
}

/** What a publisher says was removed wrongly, and what was seen of it. */
export function RemovalView({ detail }: { detail: TaskPage['detail'] }) {
  const t = useTexts(removal);
  const s = useTexts(subject);
  const { reasons } = useTexts(unbilled);
  const { comma, open, close } = useMarks();
  const { language } = usePreferences();
  const { removal_appeal: appeal } = detail;
  if (appeal === null) return <Text c="dimmed">{s.gone}</Text>;
  const { billed, samples } = appeal;
  return (
    <Stack gap="md">
      <Title order={2}>{t.words}</Title>
      <Words text={appeal.text} />
      <Facts
        rows={[
          [
            t.zone,
            <PageLink key="zone" to={`/operator/inventory/zone/${appeal.zone_id}`}>
              {`${appeal.zone_name}${open}${appeal.zone_id}${close}`}
            </PageLink>,
          ],
          [t.day, formatDay(appeal.date, language)],
          [t.reason, wordOf(reasons, appeal.reason)],
          [t.removed, countsOf(appeal, t, comma)],
          [t.billed, countsOf(billed, t, comma)],
          [t.earned, <Money key="earned" amount={billed.earned} />],
        ]}
      />
      <Text size="sm" c="dimmed">
        {t.moneyHelp}
      </Text>
      <Title order={2}>{t.samples}</Title>
      <Text size="sm" c="dimmed">
        {samples.length === 0 ? t.noSamples : t.samplesHelp}
      </Text>
      {samples.length > 0 && (
        <Rows
          label={t.samples}
          rows={samples.map((each, index) => ({ ...each, id: index }))}
          columns={COLUMNS}
          texts={t}
          rowKey={({ id }) => id}
        />
      )}
    </Stack>
  );
}

const countsOf = (
  of: Pick<Appeal, 'impressions' | 'clicks' | 'conversions'>,
  t: T,
  comma: string,
): string =>
  (['impressions', 'clicks', 'conversions'] as const)
    .map((each) => `${of[each].toLocaleString('en')} ${t[each].toLowerCase()}`)
    .join(comma);
