import { type Request, Router } from 'express';
import * as yup from 'yup';
import type { InventoryKey, InventoryType } from '../../activities/owned.ts';
import { runner } from '../../db/postgres.ts';
import {
  findInventory,
  type InventoryFilter,
  type InventorySelect,
  listInventory,
} from '../../db/queries/inventory.ts';
import { notFound } from '../../domain/errors.ts';
import { type DeliveryMoment, deliveryMoment } from '../../domain/lifecycle/delivery.ts';
import type { ConsoleDeps } from '../deps.ts';
import { identityOf } from '../http/auth.ts';
import { ok } from '../http/envelope.ts';
import { day, text } from '../http/fields.ts';
import { likePattern, pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { readBody, readId } from '../http/read.ts';

/** One kind of inventory: how it is read and how it is shown. */
export interface InventoryKind<Row extends object> {
  type: InventoryType;
  select: InventorySelect;
  present(row: Row, moment: DeliveryMoment): object;
}

export const ownedKey = (req: Request, type: InventoryType): InventoryKey => ({
  type,
  id: readId(req),
  advertiserId: identityOf(req).id,
});

/** Filters of every list: interface 4.2, and audit_status (interface 4.4). */
export const listFields = {
  ...pageFields,
  keyword: text(),
  status: yup.string().oneOf(['ACTIVE', 'PAUSED', 'ARCHIVED']),
  audit_status: yup.string().oneOf(['DRAFT', 'PENDING', 'APPROVED', 'REJECTED']),
  start_date: day(),
  end_date: day(),
};

const listSchema = yup.object(listFields);
type ListQuery = yup.InferType<typeof listSchema>;

/** Create bodies carry it; a draft waits for submit-audit (decisions 1). */
export const draftField = { save_as_draft: yup.boolean() };

const emptyBody = yup.object({});

/** Whole record of one kind; also what create and update answer. 404 when it is not the caller's. */
export async function readRecord<Row extends object>(
  deps: ConsoleDeps,
  kind: InventoryKind<Row>,
  key: { id: number; advertiserId: number },
): Promise<object> {
  const moment = deliveryMoment(deps.clock());
  const { id, advertiserId } = key;
  const row = await findInventory<Row>(runner(deps.db), kind.select, {
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

export async function readList<Row extends object>(
  deps: ConsoleDeps,
  kind: InventoryKind<Row>,
  { advertiserId, query, equals }: ListOptions,
): Promise<object> {
  const moment = deliveryMoment(deps.clock());
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
  const reading = { filter, slice: page, day: moment.day };
  const { rows, total } = await listInventory<Row>(sql, kind.select, reading);
  const items = rows.map((row) => kind.present(row, moment));
  return presentPage(items, total, page);
}

/** Show, delete, toggle and submit-audit are the same for every kind. */
export function ownedRoutes<Row extends object>(
  deps: ConsoleDeps,
  kind: InventoryKind<Row>,
): Router {
  const router = Router();
  const { activities } = deps;

  router.get('/:id', async (req, res) => {
    ok(res, await readRecord(deps, kind, ownedKey(req, kind.type)));
  });

  router.delete('/:id', async (req, res) => {
    const key = ownedKey(req, kind.type);
    await activities.archiveInventory(key);
    ok(res, { id: key.id, status: 'ARCHIVED' });
  });

  for (const [path, act] of [
    ['/:id/toggle', activities.toggleInventory],
    ['/:id/submit-audit', activities.submitInventory],
  ] as const) {
    router.post(path, async (req, res) => {
      const key = ownedKey(req, kind.type);
      readBody(req, emptyBody);
      await act(key);
      ok(res, await readRecord(deps, kind, key));
    });
  }

  return router;
}
