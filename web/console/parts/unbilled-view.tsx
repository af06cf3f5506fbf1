import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Cell } from '../../../domain/report-columns.ts';
import { unbilled } from '../texts/unbilled.ts';
import { Chart } from './chart.tsx';
import { type Column, Rows } from './list-page.tsx';
import { usePreferences } from './preferences.tsx';
import { eachDay } from './report-range.ts';
import { saveCsv } from './save-csv.ts';
import { Section } from './section.tsx';
import { type Same, useTexts, wordOf } from './texts.ts';
import { formatDay, formatShortDay } from './time.tsx';
import { type Advice, UnbilledReasons } from './unbilled-reasons.tsx';

type Words = Same<(typeof unbilled)['en']>;

export interface UnbilledLine {
  date: string | null;
  reason: string | null;
  impressions: number;
  clicks: number;
  conversions: number;
  events: number;
}

interface Sums<Line extends UnbilledLine> {
  start_date: string;
  end_date: string;
  items: readonly Line[];
  more: boolean;
}

const number = (key: 'impressions' | 'clicks' | 'conversions' | 'events') => ({
  key,
  title: (t: Words) => t[key],
  isNumber: true,
  cell: (row: UnbilledLine) => row[key].toLocaleString('en'),
});

const FIRST: readonly Column<UnbilledLine, Words>[] = [
  {
    key: 'date',
    title: (t) => t.date,
    cell: ({ date }) => (date === null ? '—' : <Day date={date} />),
  },
  {
    key: 'reason',
    title: (t) => t.reason,
    cell: (row, t) => wordOf({ ...t.reasons, ...t.laterReasons }, row.reason),
  },
];
const LAST = [number('impressions'), number('clicks'), number('conversions'), number('events')];

/** What stands below them is not a hundred lines away; all of them are one press, or the file. */
const FEW = 20;

function Day({ date }: { date: string }) {
  const { language } = usePreferences();
  return formatDay(date, language);
}

/** Why events were not billed: drawn, by reason with what it means, line by line, and as a file. */
export function UnbilledView<Line extends UnbilledLine>({
  sums,
  between = [],
  last = [],
  advice,
}: {
  sums: Sums<Line>;
  /** Columns beside day and reason. */
  between?: readonly Column<Line, Words>[];
  /** Columns behind the figures. */
  last?: readonly Column<Line, Words>[];
  /** What whoever reads this can do about each reason. */
  advice?: Advice;
}) {
  const t = useTexts(unbilled);
  const { language } = usePreferences();
  const { items, more } = sums;
  const columns = [...FIRST, ...between, ...LAST, ...last] as readonly Column<Line, Words>[];
  const [isAll, setAll] = useState(false);
  const rows = useMemo(() => items.map((line, index) => ({ ...line, id: index })), [items]);
  if (items.length === 0) return <Text fw={600}>{t.none}</Text>;
  return (
    <Stack>
      {more && (
        <Alert color="yellow" variant="light">
          {t.more}
        </Alert>
      )}
      {items.some(({ date }) => date !== null) && <Drawn sums={sums} />}
      <Section title={t.byReason}>
        <UnbilledReasons items={items} advice={advice} />
      </Section>
      <Section
        title={t.lines}
        lead={t.sum(
          items.reduce((sum, { events }) => sum + events, 0),
          formatDay(sums.start_date, language),
          formatDay(sums.end_date, language),
        )}
        beside={
          <Button size="compact-sm" variant="default" onClick={() => save(sums)}>
            {t.export}
          </Button>
        }
      >
        <Rows
          label={t.title}
          rows={isAll ? rows : rows.slice(0, FEW)}
          columns={columns as never}
          texts={t}
          rowKey={({ id }: { id: number }) => id}
        />
        {rows.length > FEW && (
          <Group>
            <Button
              size="compact-sm"
              variant="default"
              aria-expanded={isAll}
              onClick={() => setAll(!isAll)}
            >
              {isAll ? t.fewLines : t.allLines(rows.length)}
            </Button>
          </Group>
        )}
      </Section>
    </Stack>
  );
}

/** Whatever the lines have, under the API's names. */
function save({ start_date: from, end_date: to, items }: Sums<UnbilledLine>): void {
  const heads = Object.keys(items[0] ?? {});
  const rows = items.map((line) => Object.values(line) as Cell[]);
  saveCsv(`not-billed-${from}-${to}.csv`, [heads, ...rows]);
}

const REASONS_DRAWN = 5;

/** The reasons that there is most of, day by day. */
function Drawn({ sums }: { sums: Sums<UnbilledLine> }) {
  const t = useTexts(unbilled);
  const { language } = usePreferences();
  const drawn = useMemo(() => {
    const at = eachDay(sums);
    const total = new Map<string, number>();
    for (const { reason, events } of sums.items) {
      total.set(reason ?? '', (total.get(reason ?? '') ?? 0) + events);
    }
    const most = [...total].toSorted((one, other) => other[1] - one[1]).slice(0, REASONS_DRAWN);
    const sum = (day: string, reason: string): number =>
      sums.items
        .filter((line) => line.date === day && (line.reason ?? '') === reason)
        .reduce((all, { events }) => all + events, 0);
    const series = most.map(([reason]) => ({
      name: wordOf({ ...t.reasons, ...t.laterReasons }, reason),
      values: at.map((day) => sum(day, reason)),
    }));
    return { at: at.map((day) => formatShortDay(day, language)), series };
  }, [sums, t, language]);
  return <Chart label={t.chart} {...drawn} />;
}
