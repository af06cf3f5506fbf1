import { Alert, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  dayAt,
  daysOfPeriod,
  FREQUENCIES,
  nextRun,
  PERIODS,
  type Frequency,
  type Period,
} from '../../../domain/report-schedule.ts';
import type { ReportSchedule } from '../../client/routes.ts';
import { useWrite } from '../api.ts';
import type { Realm } from '../session.ts';
import { common } from '../texts/common.ts';
import { report } from '../texts/report.ts';
import { scheduleTexts } from '../texts/report-schedule.ts';
import { Dialog } from './dialog.tsx';
import { emailOf } from './email.ts';
import { SendAgain } from './email-need.tsx';
import { ifMatch } from './edit-form.tsx';
import { SelectField, TextField } from './fields.tsx';
import { Form } from './form.tsx';
import { dateFormat, hourText } from './formats.ts';
import { usePreferences } from './preferences.tsx';
import { type ScheduledAsk, schedulesOf, weekdayText } from './report-schedules.ts';
import { useTexts } from './texts.ts';
import { formatDay } from './time.tsx';
import { told } from './toast.ts';

interface Values {
  name: string;
  period: Period;
  frequency: Frequency;
  weekday: number | null;
  month_day: number | null;
  hour: number;
  format: ReportSchedule['format'];
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];
const MONTH_DAYS = Array.from({ length: 31 }, (_, at) => at + 1);
const FORMATS = [
  { value: 'csv', label: 'CSV' },
  { value: 'xlsx', label: 'Excel' },
  { value: 'jsonl', label: 'JSON Lines' },
];

/** What is shown now, to be sent from now on. */
export function NewSchedule(props: {
  realm: Realm;
  ask: ScheduledAsk;
  name: string;
  period: Period;
  close: () => void;
}) {
  const { realm, ask, name, period, close } = props;
  const t = useTexts(scheduleTexts);
  const { add } = schedulesOf(realm);
  const { mutateAsync } = useWrite(add);
  return (
    <ScheduleDialog
      realm={realm}
      title={t.newTitle}
      route={add.route}
      submit={t.create}
      help={realm === 'admin' ? t.keptOperator : t.kept}
      timezone={ask.timezone}
      hasFile={realm !== 'admin'}
      values={{
        name,
        period,
        frequency: 'DAILY',
        weekday: 1,
        month_day: 1,
        hour: 8,
        format: 'csv',
      }}
      close={close}
      send={async (values) => {
        await mutateAsync({ body: { ...ask, ...values } } as never);
        told(t.made);
      }}
    />
  );
}

export function ChangedSchedule(props: {
  realm: Realm;
  schedule: ReportSchedule;
  close: () => void;
}) {
  const { realm, schedule, close } = props;
  const t = useTexts(scheduleTexts);
  const { save } = schedulesOf(realm);
  const { mutateAsync } = useWrite(save);
  const { id, version, name, period, frequency, weekday, month_day, hour, format } = schedule;
  return (
    <ScheduleDialog
      realm={realm}
      title={t.changeTitle(name)}
      route={save.route}
      submit={t.save}
      timezone={schedule.timezone}
      hasFile={realm !== 'admin'}
      values={{
        name,
        period,
        frequency,
        weekday: weekday ?? 1,
        month_day: month_day ?? 1,
        hour,
        format,
      }}
      close={close}
      send={async (values) => {
        await mutateAsync({ path: { id }, headers: ifMatch(version), body: values } as never);
        told(t.saved);
      }}
    />
  );
}

function ScheduleDialog(props: {
  realm: Realm;
  title: string;
  route: ReturnType<typeof schedulesOf>['add' | 'save']['route'];
  submit: string;
  help?: string;
  timezone: string;
  hasFile: boolean;
  values: Values;
  send: (values: Values) => Promise<void>;
  close: () => void;
}) {
  const { realm, title, route, submit, help, timezone, hasFile, values, send, close } = props;
  const t = useTexts(scheduleTexts);
  const c = useTexts(common);
  const { language } = usePreferences();
  return (
    <Dialog onClose={close} title={title}>
      <Form<Values>
        route={route}
        values={values}
        submit={submit}
        send={async (given) => {
          await send(given);
          close();
        }}
        cancel={
          <Button variant="default" onClick={close}>
            {c.cancel}
          </Button>
        }
      >
        {(form) => (
          <>
            {help !== undefined && <Text size="sm">{help}</Text>}
            <TextField name="name" label={t.name} help={t.nameHelp} maxLength={255} required />
            <SelectField
              name="period"
              label={t.period}
              options={PERIODS.map((value) => ({ value, label: t.periods[value] }))}
              required
            />
            <Group grow align="flex-start">
              <SelectField
                name="frequency"
                label={t.frequency}
                options={FREQUENCIES.map((value) => ({ value, label: t.frequencies[value] }))}
                required
              />
              <DayField frequency={form.watch('frequency')} language={language} />
            </Group>
            <Group grow align="flex-start">
              <SelectField
                name="hour"
                label={t.hour}
                help={t.hourHelp(timezone)}
                options={HOURS.map((hour) => ({ value: String(hour), label: hourText(hour) }))}
                numeric
                required
              />
              {hasFile && <SelectField name="format" label={t.format} options={FORMATS} required />}
            </Group>
            <Outlook values={form.watch()} timezone={timezone} />
            <NoLetter realm={realm} />
          </>
        )}
      </Form>
    </Dialog>
  );
}

/** Reports go to a confirmed address alone: said before one is waited for. */
function NoLetter({ realm }: { realm: Realm }) {
  const t = useTexts(scheduleTexts);
  const { data: who } = useQuery(emailOf(realm).profile);
  if (who === undefined || who.email_confirmed_at !== null) return null;
  return (
    <Alert color="yellow" variant="light" role="note">
      {t.unconfirmed(who.email)} <SendAgain realm={realm} />
    </Alert>
  );
}

function DayField({ frequency, language }: { frequency: Frequency; language: string }) {
  const t = useTexts(scheduleTexts);
  if (frequency === 'WEEKLY') {
    return (
      <SelectField
        name="weekday"
        label={t.weekday}
        options={WEEKDAYS.map((day) => ({
          value: String(day),
          label: weekdayText(day, language),
        }))}
        numeric
        required
      />
    );
  }
  if (frequency !== 'MONTHLY') return null;
  return (
    <SelectField
      name="month_day"
      label={t.monthDay}
      help={t.monthDayHelp}
      options={MONTH_DAYS.map((day) => ({ value: String(day), label: String(day) }))}
      numeric
      required
    />
  );
}

/** When it comes first, and what it tells then, before anything is saved. */
function Outlook({ values, timezone }: { values: Values; timezone: string }) {
  const t = useTexts(scheduleTexts);
  const words = useTexts(report);
  const { language } = usePreferences();
  const { frequency, weekday, month_day: monthDay, hour, period } = values;
  const at = nextRun({ frequency, weekday, monthDay, hour, timezone }, new Date());
  const today = dayAt(timezone, at);
  const { startDate, endDate } = daysOfPeriod(period, today);
  const moment = dateFormat(language, {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: timezone,
  });
  return (
    <Alert color="gray" variant="light" role="note">
      <Text size="sm">{t.next(`${moment.format(at)} · ${timezone}`)}</Text>
      <Text size="sm">
        {t.days(words.days(formatDay(startDate, language), formatDay(endDate, language)))}
      </Text>
      {endDate >= today && <Text size="sm">{t.notFinal}</Text>}
    </Alert>
  );
}
