import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import type { Realm } from '../session.ts';
import { FOLDERS } from '../session.ts';
import { report } from '../texts/report.ts';
import { scheduleTexts } from '../texts/report-schedule.ts';
import { ButtonLink } from './button-link.tsx';
import { linkTo } from './link-to.ts';
import type { Dimension } from './report-controls.tsx';
import type { ReportSearch } from './report-search.ts';
import { PERIOD_OF } from './report-schedules.ts';
import { useMarks, useTexts } from './texts.ts';

/** With all that forms are made of: not before somebody asks. */
const NewSchedule = lazy(async () => {
  const { NewSchedule: dialog } = await import('./report-schedule-dialog.tsx');
  return { default: dialog };
});

/** Beside a report's export: the same, sent again and again, and the list of those that are. */
export function ScheduleReport(props: {
  realm: Realm;
  search: ReportSearch;
  narrowed: Readonly<Record<string, number>>;
  by: readonly Dimension[];
  timeZone: string;
}) {
  const { realm, search, narrowed, by, timeZone } = props;
  const t = useTexts(scheduleTexts);
  const words = useTexts(report);
  const marks = useMarks();
  const [isOpen, { open, close }] = useDisclosure();
  const dimensions = by.map((each) => words.dimensions[each]).join(marks.comma);
  return (
    <>
      <ButtonLink {...linkTo(`/${FOLDERS[realm]}/reports?schedules=yes`)} variant="default">
        {t.all}
      </ButtonLink>
      <Button variant="default" aria-haspopup="dialog" onClick={open}>
        {t.open}
      </Button>
      <Suspense>
        {isOpen && (
          <NewSchedule
            realm={realm}
            ask={{
              group_by: by.join(','),
              timezone: timeZone,
              filter: narrowed,
              figures: search.figures ?? null,
            }}
            name={`${words.title}${marks.colon}${dimensions}`}
            period={PERIOD_OF[search.range ?? 'week']}
            close={close}
          />
        )}
      </Suspense>
    </>
  );
}
