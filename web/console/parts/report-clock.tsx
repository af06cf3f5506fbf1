import { Stack, Text } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import { type OddHour, oddHours } from '../../../domain/clock-change.ts';
import { report } from '../texts/report.ts';
import { hourText } from './formats.ts';
import { usePreferences } from './preferences.tsx';
import type { Line } from './report-cells.ts';
import type { Dimension } from './report-controls.tsx';
import type { Reported } from './report-view.tsx';
import { type Same, useMarks, useTexts } from './texts.ts';
import { formatDay } from './time.tsx';

type Words = Same<(typeof report)['en']>;

const NONE: readonly OddHour[] = [];
const TWICE = 120;

/** Of a report by hours: those that clocks leave out or that come twice. */
function useOddHours(reported: Reported | undefined, by: readonly Dimension[]): readonly OddHour[] {
  const { timezone, start_date: start, end_date: end } = reported ?? {};
  const isAsked = by.includes('hour');
  return useMemo(() => {
    if (!isAsked || timezone === undefined || start === undefined || end === undefined) return NONE;
    return oddHours(timezone, start, end);
  }, [isAsked, timezone, start, end]);
}

/** The hour of a line, with a mark where it is not one of 60 minutes; lines of many days have none. */
export function useHourWords(
  now: Reported,
  by: readonly Dimension[],
): (line: Line, hour: string) => string {
  const t = useTexts(report);
  const { open, close } = useMarks();
  const odd = useOddHours(now, by);
  const { start_date: start, end_date: end } = now;
  return useCallback(
    (line, hour) => {
      const day = line['date'] ?? (start === end ? start : undefined);
      const found = odd.find((each) => each.day === day && each.hour === Number(line['hour']));
      return found === undefined ? hour : `${hour}${open}${markOf(t, found)}${close}`;
    },
    [odd, start, end, t, open, close],
  );
}

const markOf = (t: Words, { minutes }: OddHour): string =>
  minutes === 0 ? t.hourNone : minutes === TWICE ? t.hourTwice : t.hourPart(minutes);

/** What the clocks did in the days of a report by hours: its lines say the hour alone. */
export function ClockNote(props: {
  now: Reported;
  before: Reported | undefined;
  by: readonly Dimension[];
}) {
  const { now, before, by } = props;
  const t = useTexts(report);
  const { language } = usePreferences();
  const odd = [...useOddHours(before, by), ...useOddHours(now, by)];
  if (odd.length === 0) return null;
  return (
    <Stack gap={0} role="note">
      {odd.map(({ day, hour, minutes }) => {
        const of = [formatDay(day, language), now.timezone, hourText(hour)] as const;
        return (
          <Text key={`${day} ${hour}`} size="sm">
            {minutes === 0
              ? t.clockForward(...of)
              : minutes === TWICE
                ? t.clockBack(...of)
                : t.clockPart(...of, minutes)}
          </Text>
        );
      })}
    </Stack>
  );
}
