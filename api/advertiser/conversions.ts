import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { heldByTransaction, listOwnConversions } from '../../db/queries/held-conversions.ts';
import { CURSOR_SORTS, sortWords } from '../../db/queries/sorting.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { CONVERSION_STATUSES } from '../../domain/tracker.ts';
import { CONVERSION_FINDINGS } from '../../domain/tracking/conversion-findings.ts';
import {
  type DecisionLine,
  type HeldDecision,
  NOTE_CHARS_MAX,
  readDecisions,
} from '../../domain/tracking/held-decisions.ts';
import type { ConsoleDeps } from '../deps.ts';
import { bulkItemShape, presentBulkItems } from '../http/bulk.ts';
import { id, lines } from '../http/fields.ts';
import {
  cursorFields,
  cursorPageOf,
  pageOf,
  presentCursorPage,
  sortField,
  windowOf,
} from '../http/pagination.ts';
import {
  flag,
  idOrNullOf,
  listOf,
  record,
  whole,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { type Ask, route } from '../http/route.ts';
import { uploadOf } from '../http/upload.ts';
import { ownConversionShape, presentOwnConversion } from '../present/conversion.ts';

const rule = 'interface 4.7';
const IDS_MAX = 100;
/** A thousand lines with reasons. */
const BYTES_MAX = 1024 * 1024;

const listQuery = yup.object({
  ...cursorFields,
  ...sortField(sortWords(CURSOR_SORTS)),
  status: yup.string().oneOf(CONVERSION_STATUSES),
  tracker_id: id(),
  finding: yup.string().oneOf([...CONVERSION_FINDINGS, 'any', 'none'] as const),
});
const reason = () =>
  lines(NOTE_CHARS_MAX).matches(/\S/, { message: 'must not be empty', excludeEmptyString: false });
const rejectBody = yup.object({ reason: reason().required() });
const bulkBody = yup.object({
  action: yup
    .string()
    .oneOf(['approve', 'reject'] as const)
    .required(),
  ids: yup.array().of(id().required()).min(1).max(IDS_MAX).required(),
  reason: reason().when('action', ([action], field) =>
    action === 'reject' ? field.required() : field,
  ),
  dry_run: yup.boolean(),
});
const bulkShape = record({
  dry_run: flag(),
  items: listOf(bulkItemShape),
  done: whole().min(0),
  failed: whole().min(0),
});
const fileQuery = yup.object({ dry_run: yup.boolean() });
const fileShape = record({
  dry_run: flag(),
  items: listOf(
    record({
      line: whole(),
      id: idOrNullOf(),
      decision: wordsOrNull(),
      error: wordsOrNull(),
      message: wordsOrNull(),
      errors: listOf(record({ field: words(), code: words(), message: words() })),
    }),
  ),
  done: whole().min(0),
  failed: whole().min(0),
});

/** Conversions over all trackers, and what their advertiser says of held ones. Mounted at /api/advertiser/conversions. */
export function conversionListRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  addReads(router, deps);
  addDecisions(router, deps);
  addMany(router, deps);
  return router;
}

async function read(deps: ConsoleDeps, key: { id: number; advertiserId: number }) {
  const { id: publicId, advertiserId } = key;
  const only = { publicId, advertiserId, limit: 1, offset: 0 };
  const { items } = await listOwnConversions(runner(deps.db), only);
  const [conversion] = items;
  if (conversion === undefined) throw notFound();
  return presentOwnConversion(conversion);
}

function addReads(router: Router, deps: ConsoleDeps): void {
  router.get(
    '/',
    route(
      {
        summary: 'List conversions of all trackers',
        rule,
        query: listQuery,
        answer: cursorPageOf(ownConversionShape),
      },
      async ({ query, caller }) => {
        const page = pageOf(query);
        const { items, total } = await listOwnConversions(runner(deps.db), {
          advertiserId: caller.id,
          trackerId: query.tracker_id,
          status: query.status,
          finding: query.finding,
          sort: query.sort,
          cursor: query.cursor,
          ...windowOf(page, query.cursor),
        });
        return presentCursorPage(items.map(presentOwnConversion), total, page);
      },
    ),
  );

  router.get(
    '/:id',
    route(
      { summary: 'Show a conversion', rule, answer: ownConversionShape },
      async (ask) => await read(deps, { id: ask.id, advertiserId: ask.caller.id }),
    ),
  );
}

function addDecisions(router: Router, deps: ConsoleDeps): void {
  const decide = async (ask: Ask<unknown, unknown>, decision: HeldDecision) => {
    const key = { id: ask.id, advertiserId: ask.caller.id };
    const { id: publicId, advertiserId } = key;
    await deps.activities.decideHeldConversion({ publicId, advertiserId, decision });
    return await read(deps, key);
  };
  const refusals = ['state_conflict'] as const;

  router.post(
    '/:id/approve',
    route(
      {
        summary: 'Approve a held conversion; it is billed',
        rule,
        answer: ownConversionShape,
        refusals,
      },
      async (ask) => await decide(ask, { action: 'approve' }),
    ),
  );

  router.post(
    '/:id/reject',
    route(
      {
        summary: 'Reject a held conversion with a reason; it is never billed',
        rule,
        body: rejectBody,
        answer: ownConversionShape,
        refusals,
      },
      async (ask) => await decide(ask, { action: 'reject', note: ask.body.reason }),
    ),
  );
}

function addMany(router: Router, deps: ConsoleDeps): void {
  router.post(
    '/bulk',
    route(
      {
        summary: 'Approve or reject up to 100 held conversions',
        rule: `${rule}, 2.1`,
        body: bulkBody,
        answer: bulkShape,
      },
      async ({ body, caller }) => {
        const decision: HeldDecision =
          body.action === 'approve'
            ? { action: 'approve' }
            : { action: 'reject', note: body.reason ?? '' };
        const isRehearsal = body.dry_run ?? false;
        const outcomes = await deps.activities.decideHeldConversions({
          advertiserId: caller.id,
          decisions: new Map(body.ids.map((each) => [each, decision])),
          isRehearsal,
        });
        return { dry_run: isRehearsal, ...presentBulkItems(outcomes) };
      },
    ),
  );

  router.post(
    '/decisions',
    route(
      {
        summary: 'Approve and reject held conversions by a CSV of id or txid, decision, reason',
        rule: `${rule}, 2.1`,
        query: fileQuery,
        upload: { bytesMax: BYTES_MAX },
        answer: fileShape,
      },
      async ({ query, caller, req }) => {
        const decided = readDecisions(uploadOf(req).bytes);
        if ('faults' in decided) throw invalid(...decided.faults);
        return await decideLines(deps, caller.id, decided, query.dry_run ?? false);
      },
    ),
  );
}

/** Lines that are wrong refuse none of the others. */
async function decideLines(
  deps: ConsoleDeps,
  advertiserId: number,
  decided: readonly DecisionLine[],
  isRehearsal: boolean,
): Promise<yup.InferType<typeof fileShape>> {
  const byTransaction = await heldByTransaction(runner(deps.db), {
    advertiserId,
    transactionIds: decided.flatMap(({ transactionId }) => transactionId ?? []),
  });
  const named = decided.map((line) => ({
    ...line,
    id: line.id ?? byTransaction.get(line.transactionId ?? '') ?? null,
  }));
  const decisions = new Map<number, HeldDecision>();
  for (const { id: of, decision } of named) {
    if (of !== null && decision !== null && !decisions.has(of)) decisions.set(of, decision);
  }
  const outcomes = await deps.activities.decideHeldConversions({
    advertiserId,
    decisions,
    isRehearsal,
  });
  const found = new Map(presentBulkItems(outcomes).items.map((item) => [item.id, item]));
  const items = named.map(({ line, id: of, decision, faults }) => {
    const outcome = of === null || decision === null ? undefined : found.get(of);
    const error =
      faults.length > 0 ? 'validation_failed' : outcome === undefined ? 'not_found' : outcome.error;
    return {
      line,
      id: of,
      decision: decision?.action ?? null,
      error,
      message: outcome?.message ?? faults[0]?.message ?? null,
      errors: faults,
    };
  });
  const failed = items.filter(({ error }) => error !== null).length;
  return { dry_run: isRehearsal, items, done: items.length - failed, failed };
}
