import { Router } from 'express';
import * as yup from 'yup';
import type {
  InventoryKey,
  InventoryType,
} from '../../activities/inventory/inventory-lifecycle.ts';
import { runner } from '../../db/postgres.ts';
import {
  findInventory,
  type InventoryFilter,
  type InventoryScreen,
  listInventory,
} from '../../db/queries/inventory.ts';
import { notFound } from '../../domain/errors.ts';
import type { DeliveryMoment } from '../../domain/lifecycle/delivery.ts';
import { auditLifecycle, OWNER_STATUSES } from '../../domain/lifecycle/review.ts';
import { readDeliveryMoment } from '../delivery-moment.ts';
import type { ConsoleDeps } from '../deps.ts';
import { archived } from '../http/response-shapes.ts';
import { appealBody, day, text } from '../http/fields.ts';
import { likePattern, pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { type Ask, route } from '../http/route.ts';
import { type FigureSortQuery, readListOrder } from '../reports/figure-order.ts';

/** One kind of inventory: how it is read and how it is shown. */
export interface InventoryKind<Row, Shape extends yup.AnyObjectSchema> {
  type: InventoryType;
  /** In a sentence: `a campaign`. */
  called: string;
  /** Of the interface: `interface 4.2`. */
  rule: string;
  screen: InventoryScreen<Row>;
  /** The whole record; create, show and update answer it, lists hold it. */
  shape: Shape;
  present(row: Row, moment: DeliveryMoment): yup.InferType<Shape>;
}

export const keyOf = (
  { id, caller, ifMatch }: Ask<unknown, unknown>,
  type: InventoryType,
): InventoryKey => ({ type, id, advertiserId: caller.id, ifMatch });

/** Filters of every list: interface 4.2, and audit_status (interface 4.4). */
export const listFields = {
  ...pageFields,
  keyword: text(),
  status: yup.string().oneOf(OWNER_STATUSES),
  audit_status: yup.string().oneOf(auditLifecycle.statuses),
  start_date: day(),
  end_date: day(),
};

const listSchema = yup.object(listFields);
type ListQuery = yup.InferType<typeof listSchema> & FigureSortQuery;

/** Create bodies carry it; a draft waits for submit-audit (interface 2.3). */
export const draftField = { save_as_draft: yup.boolean() };

/** Whole record of one kind; also what create and update answer. 404 when it is not the caller's. */
export async function readRecord<Row, Shape extends yup.AnyObjectSchema>(
  deps: ConsoleDeps,
  kind: InventoryKind<Row, Shape>,
  key: { id: number; advertiserId: number },
): Promise<yup.InferType<Shape>> {
  const moment = await readDeliveryMoment(deps);
  const { id, advertiserId } = key;
  const row = await findInventory(runner(deps.db), kind.screen, {
    id,
    advertiserId,
    day: moment.day,
  });
  if (row === undefined) throw notFound();
  return kind.present(row, moment);
}

interface ListOptions {
  advertiserId: number;
  query: ListQuery;
  equals?: InventoryFilter['equals'];
}

export async function readList<Row, Shape extends yup.AnyObjectSchema>(
  deps: ConsoleDeps,
  kind: InventoryKind<Row, Shape>,
  { advertiserId, query, equals }: ListOptions,
) {
  const moment = await readDeliveryMoment(deps);
  const page = pageOf(query);
  const { keyword } = query;
  const filter: InventoryFilter = {
    advertiserId,
    pattern: keyword === undefined || keyword === '' ? undefined : likePattern(keyword),
    status: query.status,
    auditStatus: query.audit_status,
    startDate: query.start_date,
    endDate: query.end_date,
    equals,
  };
  const sql = runner(deps.db);
  const owner = { side: 'advertiser', ownerId: advertiserId, by: kind.type } as const;
  const order = await readListOrder(deps, owner, query);
  const reading = { filter, slice: page, ...order, day: moment.day };
  const { rows, total } = await listInventory(sql, kind.screen, reading);
  const items = rows.map((row) => kind.present(row, moment));
  return presentPage(items, total, page);
}

/** Show, delete, toggle and submit-audit are the same for every kind. */
export function lifecycleRoutes<Row, Shape extends yup.AnyObjectSchema>(
  deps: ConsoleDeps,
  kind: InventoryKind<Row, Shape>,
): Router {
  const router = Router();
  const { activities } = deps;
  const { called, rule, shape: answer } = kind;

  router.get(
    '/:id',
    route(
      { summary: `Show ${called}`, rule, answer },
      async (ask) => await readRecord(deps, kind, keyOf(ask, kind.type)),
    ),
  );

  router.delete(
    '/:id',
    route(
      { summary: `Archive ${called}`, rule, answer: archived(), updates: true },
      async (ask) => {
        await activities.archiveInventory(keyOf(ask, kind.type));
        return { id: ask.id, status: 'ARCHIVED' as const };
      },
    ),
  );

  for (const { path, summary, act } of [
    { path: '/:id/toggle', summary: `Pause or resume ${called}`, act: activities.toggleInventory },
    {
      path: '/:id/submit-audit',
      summary: `Submit ${called} for review`,
      act: activities.submitInventory,
    },
  ]) {
    router.post(
      path,
      route({ summary, rule, answer, refusals: ['state_conflict'] }, async (ask) => {
        const key = keyOf(ask, kind.type);
        await act(key);
        return await readRecord(deps, kind, key);
      }),
    );
  }

  router.post(
    '/:id/appeal',
    route(
      {
        summary: `Appeal the rejection of ${called}, once`,
        rule: `${rule}, 3`,
        body: appealBody,
        answer,
        refusals: ['state_conflict'],
      },
      async (ask) => {
        const key = keyOf(ask, kind.type);
        const { id, advertiserId: accountId } = key;
        await activities.appealReview({ type: kind.type, id, accountId, text: ask.body.text });
        return await readRecord(deps, kind, key);
      },
    ),
  );

  return router;
}
