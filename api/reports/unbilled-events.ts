import type { RequestHandler } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import {
  latestUnbilled,
  sumUnbilled,
  type UnbilledDimension,
  type UnbilledFilter,
  type UnbilledLine,
} from '../../db/queries/unbilled-events.ts';
import { invalid } from '../../domain/errors.ts';
import { readRange } from '../../domain/report.ts';
import { REASONS } from '../../domain/tracking/facts.ts';
import type { ConsoleDeps } from '../deps.ts';
import { day, id, text } from '../http/fields.ts';
import {
  date,
  dateOrNull,
  flag,
  idOrNullOf,
  listOf,
  record,
  time,
  whole,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { route } from '../http/route.ts';

/** Counted from the events themselves, so not over a whole year. */
const DAYS_MAX = 31;
const LINES_MAX = 1_000;
const LATEST_MAX = 50;
const DAY_MS = 86_400_000;

const rangeFields = { start_date: day(), end_date: day(), reason: yup.string().oneOf(REASONS) };
const adminFields = { ...rangeFields, publisher_id: id(), advertiser_id: id() };
const latestQuery = yup.object(adminFields);
const groupBy = { group_by: text(100).meta({ kind: 'word' }) };
const adminQuery = yup.object({ ...adminFields, ...groupBy });
const ownQuery = yup.object({ ...rangeFields, ...groupBy, site_id: id(), zone_id: id() });

const countFields = {
  impressions: whole().min(0),
  clicks: whole().min(0),
  conversions: whole().min(0),
  events: whole().min(0),
};
const sumsOf = <Fields extends yup.ObjectShape>(fields: Fields, name: string) =>
  record(
    {
      start_date: date(),
      end_date: date(),
      items: listOf(record({ ...fields, ...countFields })),
      /** There are more lines than are shown: choose fewer days or dimensions. */
      more: flag(),
    },
    name,
  );
const unbilledShape = sumsOf(
  {
    date: dateOrNull(),
    reason: wordsOrNull(),
    publisher_id: idOrNullOf(),
    publisher_name: wordsOrNull(),
    advertiser_id: idOrNullOf(),
    advertiser_name: wordsOrNull(),
  },
  'UnbilledEvents',
);
const removedShape = sumsOf(
  {
    date: dateOrNull(),
    reason: wordsOrNull(),
    zone_id: idOrNullOf(),
    zone_name: wordsOrNull(),
  },
  'RemovedEvents',
);
const latestShape = record(
  {
    items: listOf(
      record({
        received_at: time(),
        kind: words(),
        reason: wordsOrNull(),
        reasons: listOf(words()),
        request_id: wordsOrNull(),
        click_id: wordsOrNull(),
        publisher_id: idOrNullOf(),
        publisher_name: wordsOrNull(),
        advertiser_id: idOrNullOf(),
        advertiser_name: wordsOrNull(),
        campaign_id: idOrNullOf(),
        site_id: idOrNullOf(),
        zone_id: idOrNullOf(),
      }),
    ),
  },
  'LatestUnbilledEvents',
);

/** What lines can be of; a publisher is not told whose ads they were. */
const ALL_BY = ['date', 'reason', 'publisher', 'advertiser'] as const;
const OWN_BY = ['date', 'reason', 'zone'] as const;

const roles = ['SUPPORT', 'FINANCE'] as const;

/** interface 5.13: what was counted and not billed, of everybody. */
export const unbilledRoute = (deps: ConsoleDeps): RequestHandler =>
  route(
    {
      summary: 'Count what was not billed, by day, reason, publisher or advertiser',
      rule: 'interface 5.13',
      roles,
      query: adminQuery,
      answer: unbilledShape,
    },
    async ({ query }) => {
      const by = readDimensions(query.group_by ?? 'date,reason', ALL_BY);
      const filter = filterOf(deps, query);
      const { items, more } = await sum(deps, filter, by);
      return {
        ...daysOf(filter),
        items: items.map((line) => ({
          date: line.date,
          reason: line.reason,
          publisher_id: line.publisherId,
          publisher_name: line.publisherName,
          advertiser_id: line.advertiserId,
          advertiser_name: line.advertiserName,
          ...countsOf(line),
        })),
        more,
      };
    },
  );

/** interface 5.13: single ones, from which the trace of an event leads on. */
export const latestUnbilledRoute = (deps: ConsoleDeps): RequestHandler =>
  route(
    {
      summary: 'List the latest events that were not billed',
      rule: 'interface 5.13',
      roles,
      query: latestQuery,
      answer: latestShape,
    },
    async ({ query }) => {
      const found = await latestUnbilled(runner(deps.db), filterOf(deps, query), LATEST_MAX);
      return {
        items: found.map((event) => ({
          received_at: event.receivedAt.toISOString(),
          kind: event.kind,
          reason: event.reason,
          reasons: event.reasons,
          request_id: event.requestId,
          click_id: event.clickId,
          publisher_id: event.publisherId,
          publisher_name: event.publisherName,
          advertiser_id: event.advertiserId,
          advertiser_name: event.advertiserName,
          campaign_id: event.campaignId,
          site_id: event.siteId,
          zone_id: event.zoneId,
        })),
      };
    },
  );

/** interface 4.11: why events of a publisher's own zones were removed. */
export const removedRoute = (deps: ConsoleDeps): RequestHandler =>
  route(
    {
      summary: 'Count your removed events by day, reason or zone',
      rule: 'interface 4.11',
      query: ownQuery,
      answer: removedShape,
    },
    async ({ query, caller }) => {
      const filter = {
        ...filterOf(deps, query),
        publisherId: caller.id,
        siteId: query.site_id,
        zoneId: query.zone_id,
        isReported: true,
      };
      const by = readDimensions(query.group_by ?? 'date,reason', OWN_BY);
      const { items, more } = await sum(deps, filter, by);
      return {
        ...daysOf(filter),
        items: items.map((line) => ({
          date: line.date,
          reason: line.reason,
          zone_id: line.zoneId,
          zone_name: line.zoneName,
          ...countsOf(line),
        })),
        more,
      };
    },
  );

const countsOf = ({ impressions, clicks, conversions, events }: UnbilledLine) => ({
  impressions,
  clicks,
  conversions,
  events,
});

async function sum(deps: ConsoleDeps, filter: UnbilledFilter, by: readonly UnbilledDimension[]) {
  const lines = await sumUnbilled(runner(deps.db), filter, { by, limit: LINES_MAX + 1 });
  return { items: lines.slice(0, LINES_MAX), more: lines.length > LINES_MAX };
}

const daysOf = ({ startDate, endDate }: UnbilledFilter) => ({
  start_date: startDate,
  end_date: endDate,
});

function filterOf(
  deps: ConsoleDeps,
  query: yup.InferType<typeof latestQuery> | yup.InferType<typeof ownQuery>,
): UnbilledFilter {
  const { start_date: from, end_date: to, reason } = query;
  const { startDate, endDate } = readRange({ startDate: from, endDate: to }, deps.clock());
  if (Date.parse(endDate) - Date.parse(startDate) >= DAYS_MAX * DAY_MS) {
    throw invalid({ field: 'start_date', code: 'range', message: `at most ${DAYS_MAX} days` });
  }
  const days = { startDate, endDate, reason };
  if (!('publisher_id' in query || 'advertiser_id' in query)) return days;
  return { ...days, publisherId: query.publisher_id, advertiserId: query.advertiser_id };
}

function readDimensions(text_: string, taken: readonly UnbilledDimension[]): UnbilledDimension[] {
  const named = [...new Set(text_.split(',').map((each) => each.trim()))];
  const known = named.flatMap((each) => taken.filter((one) => one === each));
  if (known.length === named.length) return known;
  const message = `takes ${taken.join(', ')}`;
  throw invalid({ field: 'group_by', code: 'unknown', message });
}
