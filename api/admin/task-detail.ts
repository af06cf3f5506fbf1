import { runner } from '../../db/postgres.ts';
import { listDeposits, listReceipts, readAdvertiserBalance } from '../../db/queries/deposits.ts';
import { listKycApplications } from '../../db/queries/kyc.ts';
import { readMediaByIds } from '../../db/queries/reviews.ts';
import type { TaskScreen } from '../../db/queries/tasks.ts';
import { listWithdrawals, readPublisherBalance } from '../../db/queries/withdrawals.ts';
import { mayDecide } from '../../domain/task-rules.ts';
import type { ConsoleDeps } from '../deps.ts';
import { presentAdvertiserBalance, presentDeposit, presentReceipt } from '../present/deposit.ts';
import { presentMedia } from '../present/media.ts';
import { presentPublisherBalance } from '../present/publisher-money.ts';
import { NO_DETAIL, presentDestination, type TaskDetail } from '../present/task-detail.ts';
import { presentWithdrawal, presentWithdrawalForOperator } from '../present/withdrawal.ts';
import { addressesOf, type Detail, INVENTORY_DETAIL } from './inventory-detail.ts';
import { wayBackOf } from './way-back-detail.ts';
import { readKycRound } from './kyc.ts';
import { removalDetail } from './removal-detail.ts';
import { showReversal } from './reversals.ts';

/** Whose eyes it is for. */
export interface Viewer {
  /** operators.id */
  id: number;
  role: string;
  requestId: string;
}

/** `accountId` owns the subject. */
type OwnedTask = TaskScreen & { accountId: number };
type ReadDetail = (deps: ConsoleDeps, task: OwnedTask, viewer: Viewer) => Promise<Detail>;

/** By the task's subject type. A new kind of decision adds its line here (interface 5.2). */
const DETAIL_OF: Readonly<Record<string, ReadDetail>> = {
  ...INVENTORY_DETAIL,
  deposit: depositDetail,
  withdrawal: withdrawalDetail,
  removal_appeal: removalDetail,
  kyc: async (deps, task) => ({ kyc: (await readKycRound(deps, task.subjectId)) ?? null }),
};

/** What an operator needs to see before deciding; of a subject of no known kind nothing. */
export async function taskDetail(
  deps: ConsoleDeps,
  task: TaskScreen,
  viewer: Viewer,
): Promise<TaskDetail> {
  const { accountId } = task;
  // Of many accounts, hence of none.
  if (task.subjectType === 'reversal') {
    return { ...NO_DETAIL, reversal: await showReversal(deps, task.subjectId) };
  }
  if (accountId === null) return NO_DETAIL;
  const detail = await DETAIL_OF[task.subjectType]?.(deps, { ...task, accountId }, viewer);
  return { ...NO_DETAIL, ...detail };
}

/** The order, everything that arrived for it with its evidence, and what its advertiser has. */
async function depositDetail(deps: ConsoleDeps, task: OwnedTask, viewer: Viewer): Promise<Detail> {
  const sql = runner(deps.db);
  const addressOf = addressesOf(deps);
  const { items } = await listDeposits(sql, {
    id: task.subjectId,
    advertiserId: task.accountId,
    limit: 1,
    offset: 0,
  });
  const [deposit] = items;
  if (deposit === undefined) return {};
  const receipts = await listReceipts(sql, { depositId: deposit.id });
  const ids = receipts.map(({ evidenceMediaId }) => evidenceMediaId).filter((id) => id !== null);
  const evidence = new Map((await readMediaByIds(sql, ids)).map((file) => [file.id, file]));
  const { receipt_id: asked } = task.payload;
  return {
    deposit: presentDeposit(deposit, null),
    receipts: receipts.map((receipt) => {
      const file = evidence.get(receipt.evidenceMediaId ?? 0);
      return {
        ...presentReceipt(receipt),
        evidence: file === undefined ? null : presentMedia(file, addressOf),
      };
    }),
    receipt_id: typeof asked === 'number' ? asked : null,
    way_back: await wayBackOf(deps, task, viewer),
    advertiser_balance: presentAdvertiserBalance(
      await readAdvertiserBalance(sql, task.accountId, deps.clock()),
      deposit.currency,
    ),
  };
}

/** The request with its findings and payout, where it goes, what its publisher has, and the requests before it. */
async function withdrawalDetail(
  deps: ConsoleDeps,
  task: OwnedTask,
  viewer: Viewer,
): Promise<Detail> {
  const sql = runner(deps.db);
  const publisherId = task.accountId;
  const one = { id: task.subjectId, publisherId, limit: 1, offset: 0 };
  const { items } = await listWithdrawals(sql, one);
  const [withdrawal] = items;
  if (withdrawal === undefined) return {};
  const earlier = await listWithdrawals(sql, { publisherId, limit: 20, offset: 0 });
  const { currency } = withdrawal;
  return {
    withdrawal: presentWithdrawalForOperator(withdrawal),
    destination: mayDecide(viewer.role, task.requiredRole)
      ? await destinationOf(deps, withdrawal)
      : null,
    balance: presentPublisherBalance(await readPublisherBalance(sql, publisherId), currency),
    earlier_withdrawals: earlier.items
      .filter(({ id }) => id !== withdrawal.id)
      .map(presentWithdrawal),
  };
}

async function destinationOf(
  deps: ConsoleDeps,
  withdrawal: Parameters<typeof presentDestination>[0],
): Promise<TaskDetail['destination']> {
  const { id, publisherId: accountId } = withdrawal;
  const shown = await deps.activities.readWithdrawalDestination({ id });
  const rounds = await listKycApplications(runner(deps.db), { accountId });
  const identity = rounds.find(({ status }) => status === 'APPROVED');
  return presentDestination(withdrawal, shown, identity);
}
