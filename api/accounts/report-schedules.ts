import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { listReportSchedules, type ScheduleOwner } from '../../db/queries/report-schedules.ts';
import { notFound } from '../../domain/errors.ts';
import { PLATFORM_REPORT_READERS } from '../../domain/platform-report.ts';
import { FREQUENCIES, PERIODS } from '../../domain/report-schedule.ts';
import { EXPORT_FORMATS } from '../../domain/report-text.ts';
import type { ConsoleDeps } from '../deps.ts';
import { type Identity, personOf, type Realm } from '../http/auth.ts';
import { id, name, text } from '../http/fields.ts';
import { exportRateLimit } from '../http/rate-limit.ts';
import { listOf, nothing, record } from '../http/response-shapes.ts';
import type { MayCall } from '../http/roles.ts';
import { type Ask, route } from '../http/route.ts';
import { presentReportSchedule, reportScheduleShape } from '../present/report-schedule.ts';

/** What each realm narrows its report by. */
const FILTERS = {
  advertiser: { campaign_id: id(), adgroup_id: id(), ad_id: id() },
  publisher: { site_id: id(), zone_id: id() },
  admin: { advertiser_id: id(), publisher_id: id() },
} as const;

const filterOf = (realm: Realm): yup.ObjectSchema<Record<string, number | undefined>> =>
  yup.object(FILTERS[realm] as Record<string, yup.NumberSchema>).noUnknown(true);

const fields = {
  name: name(),
  group_by: text(100).meta({ kind: 'word' }),
  period: yup.string().oneOf(PERIODS),
  timezone: text(64).meta({ kind: 'word' }),
  figures: yup
    .string()
    .matches(/^[a-z_]{1,40}(,[a-z_]{1,40}){0,29}$/, 'must be names of figures, separated by commas')
    .nullable()
    .meta({ kind: 'word' }),
  format: yup.string().oneOf(EXPORT_FORMATS),
  frequency: yup.string().oneOf(FREQUENCIES),
  weekday: yup.number().integer().min(1).max(7).nullable(),
  month_day: yup.number().integer().min(1).max(31).nullable(),
  hour: yup.number().integer().min(0).max(23),
  is_paused: yup.boolean(),
};

const updateBodyOf = (realm: Realm) =>
  yup.object({ ...fields, filter: filterOf(realm).default(undefined) });
const createBodyOf = (realm: Realm) =>
  updateBodyOf(realm).shape({
    name: fields.name.required(),
    group_by: fields.group_by.required(),
    period: fields.period.required(),
    timezone: fields.timezone.required(),
    frequency: fields.frequency.required(),
    hour: fields.hour.required(),
  });

const ownerOf = (caller: Identity): ScheduleOwner => ({
  ...personOf(caller),
  accountId: caller.realm === 'admin' ? null : caller.id,
});

const givenOf = ({
  name: called,
  group_by: groupBy,
  month_day: monthDay,
  is_paused: isPaused,
  ...same
}: yup.InferType<ReturnType<typeof updateBodyOf>>) => ({
  ...same,
  name: called?.trim(),
  groupBy,
  monthDay,
  isPaused,
});

/** Everybody of an account reads its reports; of the operators those who read the platform's. */
const rolesOf = (realm: Realm): MayCall =>
  realm === 'admin' ? PLATFORM_REPORT_READERS : 'everyone';

type Asked = Pick<Ask<unknown, unknown>, 'id' | 'caller'>;

/** interface 5.24. `/report-schedules` of every realm: one's own. */
export function reportScheduleRoutes(deps: ConsoleDeps, realm: Realm): Router {
  const router = Router();
  addRecords(router, deps, realm);
  addChanges(router, deps, realm);
  return router;
}

const aboutOf = (realm: Realm) =>
  ({ rule: 'interface 5.24', roles: rolesOf(realm), stepUp: false }) as const;

const finder =
  ({ db }: ConsoleDeps) =>
  async ({ id: of, caller }: Asked) => {
    const [found] = await listReportSchedules(runner(db), ownerOf(caller), { id: of });
    return found === undefined ? undefined : presentReportSchedule(found);
  };

const shower = (deps: ConsoleDeps) => {
  const find = finder(deps);
  return async (asked: Asked) => {
    const found = await find(asked);
    if (found === undefined) throw notFound();
    return found;
  };
};

function addRecords(router: Router, deps: ConsoleDeps, realm: Realm): void {
  const about = aboutOf(realm);
  const show = shower(deps);

  router.get(
    '/',
    route(
      {
        ...about,
        summary: 'List your scheduled reports, each with its last run',
        answer: record({ items: listOf(reportScheduleShape) }),
      },
      async ({ caller }) => {
        const schedules = await listReportSchedules(runner(deps.db), ownerOf(caller));
        return { items: schedules.map(presentReportSchedule) };
      },
    ),
  );

  router.post(
    '/',
    route(
      {
        ...about,
        summary: 'Have a report sent to you again and again',
        body: createBodyOf(realm),
        answer: reportScheduleShape,
        statuses: [201],
        refusals: ['not_found', 'state_conflict'],
      },
      async ({ body, caller }) => {
        const { id: made } = await deps.activities.addReportSchedule({
          owner: ownerOf(caller),
          fields: {
            name: body.name.trim(),
            groupBy: body.group_by,
            filter: body.filter ?? {},
            period: body.period,
            timezone: body.timezone,
            figures: body.figures ?? null,
            format: body.format ?? 'csv',
            frequency: body.frequency,
            weekday: body.weekday ?? null,
            monthDay: body.month_day ?? null,
            hour: body.hour,
            isPaused: body.is_paused ?? false,
          },
        });
        return await show({ id: made, caller });
      },
    ),
  );
}

function addChanges(router: Router, deps: ConsoleDeps, realm: Realm): void {
  const about = aboutOf(realm);
  const show = shower(deps);
  router.put(
    '/:id',
    route(
      {
        ...about,
        summary: 'Update a scheduled report, pause it or have it go on',
        body: updateBodyOf(realm),
        answer: reportScheduleShape,
        updates: true,
        // What is not one's own is refused by the handler, after the body.
        current: finder(deps),
      },
      async ({ id: of, body, caller, ifMatch }) => {
        const key = { ...ownerOf(caller), id: of };
        await deps.activities.updateReportSchedule({ ...key, ifMatch }, givenOf(body));
        return await show({ id: of, caller });
      },
    ),
  );

  router.delete(
    '/:id',
    route(
      { ...about, summary: 'Delete a scheduled report', answer: nothing(), updates: true },
      async ({ id: of, caller, ifMatch }) => {
        await deps.activities.deleteReportSchedule({ ...ownerOf(caller), id: of, ifMatch });
        return {};
      },
    ),
  );

  router.post(
    '/:id/run',
    exportRateLimit(deps),
    route(
      {
        ...about,
        summary: 'Send a scheduled report now, beside its rhythm',
        answer: reportScheduleShape,
        statuses: [202],
        refusals: ['state_conflict', 'precondition_failed'],
      },
      async ({ id: of, caller }) => {
        await deps.activities.runReportSchedule({ ...ownerOf(caller), id: of });
        return await show({ id: of, caller });
      },
    ),
  );
}
