import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReportRun, ReportSchedule } from '../../client/routes.ts';
import { saveFile, useWrite } from '../api.ts';
import { FOLDERS, type Realm } from '../session.ts';
import { report } from '../texts/report.ts';
import { scheduleTexts } from '../texts/report-schedule.ts';
import type { Action } from './action.tsx';
import { ActionMenu } from './action-menu.tsx';
import { ifMatch } from './edit-form.tsx';
import { Failed } from './failed.tsx';
import { hourText } from './formats.ts';
import { type Column, List, type ListQuery } from './list-page.tsx';
import { Page } from './page.tsx';
import { usePreferences } from './preferences.tsx';
import { ChangedSchedule } from './report-schedule-dialog.tsx';
import { schedulesOf, weekdayText } from './report-schedules.ts';
import { RowButton } from './row-button.tsx';
import { RowLink } from './row-link.tsx';
import { type Same, useTexts } from './texts.ts';
import { formatDay, When } from './time.tsx';

type Words = Same<(typeof scheduleTexts)['en']>;

/** Until a run's file is there. */
const LIVE_MS = 2_000;

/** A person's own schedules, each with what became of its last run. */
export function ReportSchedules({ realm }: { realm: Realm }) {
  const t = useTexts(scheduleTexts);
  const words = useTexts(report);
  const [changed, change] = useState<ReportSchedule | null>(null);
  const { list } = schedulesOf(realm);
  const reports = `/${FOLDERS[realm]}/reports`;
  return (
    <Page title={t.all} lead={t.lead} crumbs={[{ text: words.title, to: reports }]}>
      <List
        label={t.all}
        query={
          {
            ...list,
            select: asPage,
            refetchInterval: ({ state }: Asked) =>
              state.data?.items.some(isUnderWay) === true ? LIVE_MS : false,
          } as unknown as ListQuery<ReportSchedule>
        }
        columns={columnsOf(realm, reports, change)}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.none, next: t.noneHelp }}
        searchEmpty={null}
        onPage={null}
      />
      {changed !== null && (
        <ChangedSchedule realm={realm} schedule={changed} close={() => change(null)} />
      )}
    </Page>
  );
}

interface Asked {
  state: { data?: { items: ReportSchedule[] } };
}
const isUnderWay = ({ last_run: run }: ReportSchedule): boolean => run?.state === 'WRITING';

const asPage = ({ items }: { items: ReportSchedule[] }) => ({
  items,
  total: items.length,
  page: 1,
  page_size: 100,
  total_pages: 1,
});

const columnsOf = (
  realm: Realm,
  reports: string,
  change: (schedule: ReportSchedule) => void,
): readonly Column<ReportSchedule, Words>[] => [
  {
    key: 'name',
    title: (t) => t.name,
    cell: (row) => <RowLink to={`${reports}?${searchOf(row)}`}>{row.name}</RowLink>,
  },
  { key: 'rhythm', title: (t) => t.rhythm, cell: (row) => <Rhythm schedule={row} /> },
  { key: 'period', title: (t) => t.period, cell: ({ period }, t) => t.periods[period] },
  {
    key: 'next',
    title: (t) => t.nextRun,
    cell: ({ next_run_at: at }, t) => (at === null ? t.paused : <When at={at} />),
  },
  {
    key: 'last',
    title: (t) => t.lastRun,
    cell: (row) => <LastRun realm={realm} reports={reports} schedule={row} />,
  },
  {
    key: 'actions',
    title: () => '',
    cell: (row) => <Actions realm={realm} schedule={row} change={change} />,
  },
];

/** The report as it is asked for, on some days or those of today. */
function searchOf(
  { group_by: by, timezone, figures, filter, period }: ReportSchedule,
  run: ReportRun | null = null,
): string {
  const search = new URLSearchParams({ by, zone_name: timezone });
  if (run === null) search.set('range', RANGE_OF[period]);
  else {
    search.set('range', 'own');
    search.set('from', run.start_date);
    search.set('to', run.end_date);
  }
  for (const [name, value] of Object.entries({ figures, ...filter })) {
    if (value !== null) search.set(name, String(value));
  }
  return search.toString();
}

const RANGE_OF: Readonly<Record<ReportSchedule['period'], string>> = {
  TODAY: 'today',
  YESTERDAY: 'yesterday',
  LAST_7_DAYS: 'week',
  LAST_30_DAYS: 'month',
  THIS_MONTH: 'thisMonth',
  LAST_MONTH: 'lastMonth',
};

function Rhythm({ schedule }: { schedule: ReportSchedule }) {
  const t = useTexts(scheduleTexts);
  const { language } = usePreferences();
  const { frequency, weekday, month_day: day, timezone } = schedule;
  const hour = `${hourText(schedule.hour)} · ${timezone}`;
  if (frequency === 'WEEKLY') return t.weekly(weekdayText(weekday ?? 1, language), hour);
  return frequency === 'MONTHLY' ? t.monthly(day ?? 1, hour) : t.daily(hour);
}

function LastRun(props: { realm: Realm; reports: string; schedule: ReportSchedule }) {
  const { realm, reports, schedule } = props;
  const t = useTexts(scheduleTexts);
  const words = useTexts(report);
  const { language } = usePreferences();
  const run = schedule.last_run;
  if (run === null) return t.never;
  if (run.state === 'WRITING') return t.writing;
  if (run.state === 'FAILED') {
    return (
      <>
        {t.failed} · {t.why(run.failure)}
      </>
    );
  }
  const [start, end] = [formatDay(run.start_date, language), formatDay(run.end_date, language)];
  return (
    <>
      {t.sent} · <When at={run.sent_at} /> ·{' '}
      <RowLink to={`${reports}?${searchOf(schedule, run)}`} underline="always">
        {words.days(start, end)}
      </RowLink>
      {run.file_id !== null && <FileOf realm={realm} name={schedule.name} id={run.file_id} />}
    </>
  );
}

function FileOf({ realm, name, id }: { realm: Realm; name: string; id: number }) {
  const t = useTexts(scheduleTexts);
  const side = realm === 'publisher' ? 'publisher' : 'advertiser';
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () =>
      await saveFile(`GET /api/${side}/statistics/exports/{id}/file`, { path: { id } }),
  });
  return (
    <>
      {' '}
      <RowButton
        look="quiet"
        aria-label={t.fileOf(name)}
        isBusy={isPending}
        onClick={() => mutate()}
      >
        {t.file}
      </RowButton>
      {error !== null && <Failed error={error} />}
    </>
  );
}

function Actions(props: {
  realm: Realm;
  schedule: ReportSchedule;
  change: (schedule: ReportSchedule) => void;
}) {
  const { realm, schedule, change } = props;
  const t = useTexts(scheduleTexts);
  const { save, remove, run } = schedulesOf(realm);
  const saving = useWrite(save);
  const removing = useWrite(remove);
  const running = useWrite(run);
  const { id, name, version, is_paused: isPaused } = schedule;
  const of = { path: { id }, headers: ifMatch(version) };
  const actions: Action[] = [
    {
      label: t.change,
      route: save.route,
      opens: true,
      run: async () => {
        change(schedule);
        await Promise.resolve();
      },
    },
    {
      label: t.run,
      route: run.route,
      refusal: isUnderWay(schedule) ? t.isWriting : null,
      run: async () => await running.mutateAsync({ path: { id } }),
      done: t.ran,
    },
    {
      label: isPaused ? t.goOn : t.pause,
      route: save.route,
      run: async () => await saving.mutateAsync({ ...of, body: { is_paused: !isPaused } }),
      done: isPaused ? t.goesOn : t.pausedNow,
    },
    {
      label: t.remove,
      route: remove.route,
      danger: true,
      confirm: { title: t.removeTitle(name), body: t.removeBody },
      run: async () => await removing.mutateAsync(of),
      done: t.removed,
    },
  ];
  return <ActionMenu of={name} actions={actions} />;
}
