import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { countStages, type StageCount } from '../../db/queries/payout-board.ts';
import { listPayoutEvidence } from '../../db/queries/payout-evidence.ts';
import {
  listFilesTakenBack,
  listOldFilesAtBank,
  type OldFileAtBank,
  readTakeableFile,
} from '../../db/queries/payout-file-take-backs.ts';
import { listWithdrawals } from '../../db/queries/withdrawals.ts';
import { notFound } from '../../domain/errors.ts';
import { PAYOUT_CHANNELS, WITHDRAWAL_STATUSES } from '../../domain/lifecycle/withdrawal.ts';
import { presentAmount } from '../../domain/money.ts';
import { PAYOUT_STAGES } from '../../domain/payout-stage.ts';
import type { ConsoleDeps } from '../deps.ts';
import {
  idOf,
  listOf,
  money,
  oneOf,
  pageOfItems,
  record,
  time,
  whole,
  words,
} from '../http/response-shapes.ts';
import { day, id, name } from '../http/fields.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { requestIdOf } from '../http/request-id.ts';
import { goesOn, route } from '../http/route.ts';
import { addPayoutFileTakeBack } from './payout-file-take-back.ts';
import { addPayoutFiles } from './payout-files.ts';
import {
  operatorWithdrawalShape,
  presentWithdrawalForOperator,
  presentWithdrawalPage,
  withdrawalPageShape,
} from '../present/withdrawal.ts';

const listQuery = yup.object({
  ...pageFields,
  publisher_id: id(),
  status: yup.string().oneOf(WITHDRAWAL_STATUSES),
  stage: yup.string().oneOf(PAYOUT_STAGES),
  payment_method: yup.string().oneOf(PAYOUT_CHANNELS),
  start_date: day(),
  end_date: day(),
});
/** The bank's own reference of the money that came back. */
const returnBody = yup.object({
  reference: name(140).required(),
  /** The caller's own upload (`receipt-evidence`). */
  evidence_id: id(),
});

const stagesShape = record(
  {
    items: listOf(
      record(
        {
          stage: oneOf(PAYOUT_STAGES),
          currency: words(),
          count: whole(),
          arrival_amount: money(),
          /** Of the one that has stood there longest. */
          since: time(),
        },
        'PayoutStage',
      ),
    ),
    /** Bank files that were taken back and that the bank has: their payouts may be paid twice. */
    old_files: listOf(
      record(
        { reference: words(), withdrawal_ids: listOf(idOf()), bank_has_it_at: time() },
        'OldFileAtBank',
      ),
    ),
  },
  'PayoutStages',
);

const presentStage = ({ stage, currency, count, arrivalNanos, since }: StageCount) => ({
  stage,
  currency,
  count,
  arrival_amount: presentAmount(arrivalNanos),
  since: since.toISOString(),
});

const presentOldFile = ({ reference, withdrawalIds, bankHasItAt }: OldFileAtBank) => ({
  reference,
  withdrawal_ids: withdrawalIds,
  bank_has_it_at: bankHasItAt.toISOString(),
});

const rule = 'interface 5.2, 4.12';
const roles = ['FINANCE'] as const;

/** interface 5.2: withdrawals, the file that an operator carries to the bank, and what came back. */
export function adminWithdrawalRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const sql = runner(deps.db);

  router.get(
    '/',
    route(
      {
        summary: 'List withdrawals of every publisher, newest first',
        rule,
        roles,
        query: listQuery,
        answer: pageOfItems(operatorWithdrawalShape),
      },
      async ({ query }) => {
        const page = pageOf(query);
        const { items, total } = await listWithdrawals(sql, {
          publisherId: query.publisher_id,
          status: query.status,
          stage: query.stage,
          channel: query.payment_method,
          startDate: query.start_date,
          endDate: query.end_date,
          limit: page.limit,
          offset: page.offset,
        });
        return presentPage(items.map(presentWithdrawalForOperator), total, page);
      },
    ),
  );

  router.get(
    '/stages',
    route(
      {
        summary: 'How many payouts wait where, how much would arrive, and since when',
        rule,
        roles,
        answer: stagesShape,
      },
      async () => {
        const [stages, files] = await Promise.all([
          countStages(sql),
          listOldFilesAtBank(sql, deps.clock()),
        ]);
        return { items: stages.map(presentStage), old_files: files.map(presentOldFile) };
      },
    ),
  );

  router.get(
    '/:id',
    route(
      {
        summary: 'Show a withdrawal; audited',
        rule,
        roles,
        answer: withdrawalPageShape,
      },
      async ({ id: withdrawalId, caller, req }) => {
        const withdrawal = await show(deps, withdrawalId);
        await deps.activities.recordLook({
          viewer: { id: caller.id, requestId: requestIdOf(req) },
          subject: { type: 'withdrawal', id: withdrawalId },
        });
        return withdrawal;
      },
    ),
  );

  addPayoutFiles(router, deps);
  addPayoutFileTakeBack(router, deps, async (id) => await show(deps, id));
  addReturn(router, deps);
  return router;
}

function addReturn(router: Router, deps: ConsoleDeps): void {
  router.post(
    '/:id/return',
    route(
      {
        summary:
          'Record that the bank sent a paid withdrawal back; 202 when a second person must agree',
        rule,
        roles: 'money',
        body: returnBody,
        answer: withdrawalPageShape,
        statuses: [200, 202],
      },
      async ({ id: withdrawalId, body, caller, req, res }) => {
        const { approvalId } = await deps.activities.returnWithdrawal({
          withdrawalId,
          reference: body.reference.trim(),
          evidenceId: body.evidence_id ?? null,
          operatorId: caller.id,
          requestId: requestIdOf(req),
        });
        if (approvalId !== null) goesOn(res, `/api/admin/approvals/${approvalId}`);
        return await show(deps, withdrawalId);
      },
    ),
  );
}

async function show(deps: ConsoleDeps, withdrawalId: number) {
  const key = { id: withdrawalId, limit: 1, offset: 0 };
  const { items } = await listWithdrawals(runner(deps.db), key);
  const [withdrawal] = items;
  if (withdrawal === undefined) throw notFound();
  const sql = runner(deps.db);
  const [evidence, file, back] = await Promise.all([
    listPayoutEvidence(sql, withdrawalId),
    readTakeableFile(sql, withdrawalId),
    listFilesTakenBack(sql, withdrawalId),
  ]);
  return presentWithdrawalPage(withdrawal, { evidence, file, back });
}
