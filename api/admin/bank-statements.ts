import { createHash } from 'node:crypto';
import { Router } from 'express';
import * as yup from 'yup';
import { PLATFORM_CURRENCY } from '../../activities/core/ledger.ts';
import { readCamtStatement } from '../../activities/providers/camt-statement.ts';
import { runner } from '../../db/postgres.ts';
import {
  countLines,
  LINE_STATES,
  listStatementLines,
  listStatements,
} from '../../db/queries/bank-statements.ts';
import { loadSettings } from '../../db/settings.ts';
import { DELIMITERS, type Delimiter } from '../../domain/bank-statement/csv.ts';
import { type Mapping, readCsvStatement, type Rules } from '../../domain/bank-statement/lines.ts';
import { DAY_FORMATS, DECIMALS } from '../../domain/bank-statement/values.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import type { ConsoleDeps } from '../deps.ts';
import { addBankMovements } from './bank-movements.ts';
import { bulkItemShape, presentBulkItems } from '../http/bulk.ts';
import { id, text } from '../http/fields.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { requestIdOf } from '../http/request-id.ts';
import { flag, listOf, pageOfItems, record, whole } from '../http/response-shapes.ts';
import { route } from '../http/route.ts';
import { uploadOf } from '../http/upload.ts';
import {
  presentStatement,
  presentStatementLine,
  statementLineShape,
  statementShape,
  uploadedStatementShape,
} from '../present/bank-statement.ts';

const rule = 'interface 5.2, 5.12';
const roles = ['FINANCE'] as const;
const about = { rule, roles } as const;
/** Five thousand lines of four hundred characters. */
const BYTES_MAX = 2 * 1024 * 1024;
const LINES_AT_ONCE_MAX = 100;

const column = () => text(100);
const mappingQuery = yup.object({
  account: text(64).required().min(1),
  date_column: column().required().min(1),
  amount_column: column().required().min(1),
  currency_column: column(),
  reference_column: column(),
  payer_column: column(),
  text_column: column(),
  delimiter: yup.string().oneOf(Object.keys(DELIMITERS) as Delimiter[]),
  decimal: yup.string().oneOf(DECIMALS),
  day_format: yup.string().oneOf(DAY_FORMATS),
});
const lineQuery = yup.object({ ...pageFields, state: yup.string().oneOf(LINE_STATES) });
const recordBody = yup.object({
  lines: yup
    .array()
    .of(yup.object({ id: id().required(), deposit_id: id() }))
    .min(1)
    .max(LINES_AT_ONCE_MAX)
    .required(),
  dry_run: yup.boolean(),
});
const recordedShape = record({
  dry_run: flag(),
  items: listOf(bulkItemShape),
  done: whole().min(0),
  failed: whole().min(0),
});

/** /api/admin/bank-statements: what the bank says has arrived, held against orders. */
export function bankStatementRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  addBankMovements(router, deps);
  addStatements(router, deps);
  addCamt(router, deps);
  addLines(router, deps);
  return router;
}

async function show({ db }: ConsoleDeps, statementId: number) {
  const sql = runner(db);
  const { items } = await listStatements(sql, { id: statementId, limit: 1, offset: 0 });
  const [statement] = items;
  if (statement === undefined) throw notFound();
  return presentStatement(statement, await countLines(sql, [statementId]));
}

function addStatements(router: Router, deps: ConsoleDeps): void {
  router.get(
    '/',
    route(
      {
        ...about,
        summary: 'List bank statements, newest first',
        query: yup.object(pageFields),
        answer: pageOfItems(statementShape),
      },
      async ({ query }) => {
        const sql = runner(deps.db);
        const page = pageOf(query);
        const { items, total } = await listStatements(sql, {
          limit: page.limit,
          offset: page.offset,
        });
        const counts = await countLines(
          sql,
          items.map(({ id: each }) => each),
        );
        return presentPage(
          items.map((row) => presentStatement(row, counts)),
          total,
          page,
        );
      },
    ),
  );

  router.post(
    '/',
    route(
      {
        ...about,
        // A booked debit of a payout pays it.
        roles: 'money',
        summary: 'Upload a bank statement as CSV; each payment is kept once',
        query: mappingQuery,
        upload: { bytesMax: BYTES_MAX },
        answer: uploadedStatementShape,
        statuses: [200, 201],
      },
      async ({ query, caller, req, res }) => {
        const { bytes, name } = uploadOf(req);
        const statement = readCsvStatement(bytes, mappingOf(query), rulesOf(deps));
        if ('faults' in statement) throw invalid(...statement.faults);
        const { statementId, repeated } = await deps.activities.importStatement({
          account: query.account,
          fileName: name,
          format: 'CSV',
          sha256: createHash('sha256').update(bytes).digest('hex'),
          statement,
          operatorId: caller.id,
          requestId: requestIdOf(req),
        });
        if (!repeated) res.status(201);
        return { ...(await show(deps, statementId)), repeated };
      },
    ),
  );

  router.get(
    '/:id',
    route(
      { ...about, summary: 'Show a bank statement', answer: statementShape },
      async ({ id: statementId }) => await show(deps, statementId),
    ),
  );
}

function addCamt(router: Router, deps: ConsoleDeps): void {
  router.post(
    '/camt053',
    route(
      {
        ...about,
        // A debit that it has booked pays the withdrawal that it names.
        roles: 'money',
        summary: 'Upload a bank statement as camt.053; the account is the one that it names',
        upload: { bytesMax: BYTES_MAX },
        answer: uploadedStatementShape,
        statuses: [200, 201],
      },
      async ({ caller, req, res }) => {
        const { bytes, name } = uploadOf(req);
        const statement = readCamtStatement(bytes, rulesOf(deps));
        if ('faults' in statement) throw invalid(...statement.faults);
        const { statementId, repeated } = await deps.activities.importStatement({
          account: statement.account,
          fileName: name,
          format: 'CAMT053',
          sha256: createHash('sha256').update(bytes).digest('hex'),
          statement,
          operatorId: caller.id,
          requestId: requestIdOf(req),
        });
        if (!repeated) res.status(201);
        return { ...(await show(deps, statementId)), repeated };
      },
    ),
  );
}

const rulesOf = ({ clock }: ConsoleDeps): Rules => ({
  currency: PLATFORM_CURRENCY,
  today: clock().toISOString().slice(0, 10),
});

const mappingOf = (query: yup.InferType<typeof mappingQuery>): Mapping => ({
  date: query.date_column,
  amount: query.amount_column,
  currency: query.currency_column,
  reference: query.reference_column,
  payer: query.payer_column,
  remittance: query.text_column,
  delimiter: query.delimiter,
  decimal: query.decimal,
  dayFormat: query.day_format ?? 'YYYY-MM-DD',
});

function addLines(router: Router, deps: ConsoleDeps): void {
  router.get(
    '/:id/lines',
    route(
      {
        ...about,
        summary: 'List the payments of a bank statement, each with the order that it fits; audited',
        query: lineQuery,
        answer: pageOfItems(statementLineShape),
      },
      async ({ id: statementId, query, caller, req }) => {
        await show(deps, statementId);
        await deps.activities.recordLook({
          viewer: { id: caller.id, requestId: requestIdOf(req) },
          subject: { type: 'bank_statement', id: statementId },
        });
        const sql = runner(deps.db);
        const page = pageOf(query);
        const settings = await loadSettings(sql);
        const { items, total } = await listStatementLines(sql, {
          statementId,
          state: query.state,
          limit: page.limit,
          offset: page.offset,
        });
        return presentPage(
          items.map((line) => presentStatementLine(line, settings)),
          total,
          page,
        );
      },
    ),
  );

  router.post(
    '/:id/record',
    route(
      {
        ...about,
        roles: 'money',
        summary: 'Record payments of a statement as receipts, or try it with dry_run',
        body: recordBody,
        answer: recordedShape,
      },
      async ({ id: statementId, body, caller, req }) => {
        await show(deps, statementId);
        const outcomes = await deps.activities.recordStatementLines({
          statementId,
          lines: body.lines.map((line) => ({ id: line.id, depositId: line.deposit_id ?? null })),
          isRehearsal: body.dry_run ?? false,
          operatorId: caller.id,
          requestId: requestIdOf(req),
        });
        return { dry_run: body.dry_run ?? false, ...presentBulkItems(outcomes) };
      },
    ),
  );
}
