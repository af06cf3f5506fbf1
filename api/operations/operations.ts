import { type Request, type Response, Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { findOperation, listOperations, type ShownOperation } from '../../db/queries/operations.ts';
import { notFound } from '../../domain/errors.ts';
import { hasEnded, OPERATION_STATUSES } from '../../domain/lifecycle/operation.ts';
import type { ConsoleDeps } from '../deps.ts';
import {
  anyonesOperationShape,
  operationShape,
  presentAnyonesOperation,
  presentOperation,
} from '../present/operation.ts';
import { pageOfItems } from '../http/response-shapes.ts';
import type { Realm } from '../http/auth.ts';
import { id, text } from '../http/fields.ts';
import { createOperationWatch, type OperationWatch } from './operation-watch.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { type Ask, goesOn, route, SENT } from '../http/route.ts';

const RULE = 'interface 5.3';
const WAIT_SECONDS_MAX = 20;
const KIND_LENGTH_MAX = 50;

const listFields = {
  ...pageFields,
  kind: text(KIND_LENGTH_MAX),
  status: yup.string().oneOf(OPERATION_STATUSES),
};
const ownList = yup.object(listFields);
const everyonesList = yup.object({ ...listFields, account_id: id() });
/** Seconds to wait for news. */
const showQuery = yup.object({
  wait: yup.number().integer().min(0).max(WAIT_SECONDS_MAX).default(0),
});

/** `GET /operations` and `/operations/:id` of one realm; operators see everyone's. */
export function operationRoutes(deps: ConsoleDeps, realm: Realm): Router {
  const router = Router();
  const watch = createOperationWatch(runner(deps.db));
  if (realm === 'admin') addEveryones(router, deps, watch);
  else addOwn(router, deps, watch);
  return router;
}

function addOwn(router: Router, deps: ConsoleDeps, watch: OperationWatch): void {
  const sql = runner(deps.db);
  router.get(
    '/',
    route(
      {
        summary: 'List the flows that you started',
        rule: RULE,
        query: ownList,
        answer: pageOfItems(operationShape),
      },
      async ({ query, caller }) => {
        const page = pageOf(query);
        const filter = { accountId: caller.id, kind: query.kind, status: query.status };
        const { rows, total } = await listOperations(sql, filter, page);
        return presentPage(rows.map(presentOperation), total, page);
      },
    ),
  );
  router.get(
    '/:id',
    route(
      {
        summary: 'Show how a flow stands, or wait for it to move',
        rule: RULE,
        query: showQuery,
        answer: operationShape,
        conditional: true,
      },
      async (ask) => {
        const key = { id: ask.id, accountId: ask.caller.id };
        const operation = await newsOf(ask, watch, async () => await findOperation(sql, key));
        return operation === SENT ? SENT : presentOperation(operation);
      },
    ),
  );
}

function addEveryones(router: Router, deps: ConsoleDeps, watch: OperationWatch): void {
  const sql = runner(deps.db);
  const { temporal } = deps.config;
  const roles = ['REVIEWER', 'FINANCE', 'SUPPORT'] as const;
  router.get(
    '/',
    route(
      {
        summary: "List everyone's flows",
        rule: RULE,
        roles,
        query: everyonesList,
        answer: pageOfItems(anyonesOperationShape),
      },
      async ({ query }) => {
        const page = pageOf(query);
        const { kind, status, account_id: accountId = null } = query;
        const { rows, total } = await listOperations(sql, { accountId, kind, status }, page);
        return presentPage(
          rows.map((row) => presentAnyonesOperation(row, temporal)),
          total,
          page,
        );
      },
    ),
  );
  router.get(
    '/:id',
    route(
      {
        summary: "Show how anyone's flow stands, or wait for it to move",
        rule: RULE,
        roles,
        query: showQuery,
        answer: anyonesOperationShape,
        conditional: true,
      },
      async (ask) => {
        const key = { id: ask.id, accountId: null };
        const operation = await newsOf(ask, watch, async () => await findOperation(sql, key));
        return operation === SENT ? SENT : presentAnyonesOperation(operation, temporal);
      },
    ),
  );
}

type ShowAsk = Pick<Ask<unknown, yup.InferType<typeof showQuery>>, 'query' | 'req' | 'res'>;

/**
 * The operation, after waiting for it to move from what the caller has seen (`If-None-Match`), or,
 * when it does not say, from what it is now. Nothing is waited for once a flow has ended. When the
 * caller has seen all there is, 304 is sent.
 */
async function newsOf(
  { query, req, res }: ShowAsk,
  watch: OperationWatch,
  read: () => Promise<ShownOperation | undefined>,
): Promise<ShownOperation | typeof SENT> {
  let operation = await read();
  if (operation === undefined) throw notFound();
  const seen = readIfNoneMatch(req);
  const knows = (version: number): boolean => seen?.has(version) === true;
  if (
    query.wait > 0 &&
    !hasEnded(operation.status) &&
    (seen === undefined || knows(operation.version))
  ) {
    const signal = goneSignal(res);
    await watch.moved(operation, { waitMs: query.wait * 1_000, signal });
    if (signal.aborted) return SENT;
    operation = (await read()) ?? operation;
  }
  if (!knows(operation.version)) return operation;
  res.setHeader('ETag', `"${operation.version}"`);
  res.status(304).end();
  return SENT;
}

/** RFC 9110, 13.1.2: weak comparison; tags that are not ours fit nothing. */
function readIfNoneMatch(req: Request): ReadonlySet<number> | undefined {
  const header = req.get('If-None-Match');
  if (header === undefined) return undefined;
  const tags = header.split(',').map((tag) => /^(?:W\/)?"(\d{1,15})"$/.exec(tag.trim())?.[1]);
  return new Set(tags.filter((tag) => tag !== undefined).map(Number));
}

/** Aborts when the caller has hung up. */
function goneSignal(res: Response): AbortSignal {
  const gone = new AbortController();
  res.once('close', () => {
    gone.abort();
  });
  return gone.signal;
}

/**
 * What an endpoint answers that has started a flow: 202, `Location`, and the operation as it stands.
 * The contract names `acceptedShape` and status 202.
 */
export async function acceptedOperation(
  deps: Pick<ConsoleDeps, 'db'>,
  { caller, res }: Pick<Ask<unknown, unknown>, 'caller' | 'res'>,
  operationId: number,
): Promise<{ operation: ReturnType<typeof presentOperation> }> {
  const operation = await findOperation(runner(deps.db), { id: operationId, accountId: caller.id });
  if (operation === undefined) throw new Error(`operation ${operationId} vanished`);
  goesOn(res, `/api/${caller.realm}/operations/${operationId}`);
  return { operation: presentOperation(operation) };
}
