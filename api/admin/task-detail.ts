import { mediaUrl } from '../../db/files/media-store.ts';
import { runner } from '../../db/postgres.ts';
import { listDeposits, listReceipts } from '../../db/queries/deposits.ts';
import {
  listReviewRounds,
  readReviewSubject,
  readRevisions,
  type TaskRow,
} from '../../db/queries/tasks.ts';
import { listWithdrawals, readPublisherBalance } from '../../db/queries/withdrawals.ts';
import type { ConsoleDeps } from '../deps.ts';
import { readKycRound } from './kyc.ts';
import { presentDeposit, presentReceipt } from '../present/deposit.ts';
import { presentPublisherBalance } from '../present/publisher-money.ts';
import { presentReviewRound, revisionDiff } from '../present/task.ts';
import { presentWithdrawal, presentWithdrawalForOperator } from '../present/withdrawal.ts';

/** What an operator needs to see before deciding; its fields differ by the kind of subject. */
export type TaskDetail = Record<string, unknown>;
type ReadDetail = (deps: ConsoleDeps, task: TaskRow) => Promise<TaskDetail>;

/** By the task's subject type. A new kind of decision adds its line here (interface 5.2). */
const DETAIL_OF: Readonly<Record<string, ReadDetail>> = {
  campaign: reviewDetail,
  adgroup: reviewDetail,
  ad: reviewDetail,
  creative: reviewDetail,
  site: reviewDetail,
  zone: reviewDetail,
  deposit: depositDetail,
  withdrawal: withdrawalDetail,
  kyc: async (deps, task) => ({ kyc: (await readKycRound(deps, task.subjectId)) ?? null }),
};

/**
 * A subject nobody has described is shown empty rather than failing the page: the operator still
 * sees the task itself.
 */
export async function taskDetail(deps: ConsoleDeps, task: TaskRow): Promise<TaskDetail> {
  return (await DETAIL_OF[task.subjectType]?.(deps, task)) ?? {};
}

/** The order, and everything that arrived for it. */
async function depositDetail(deps: ConsoleDeps, task: TaskRow): Promise<TaskDetail> {
  const sql = runner(deps.db);
  const { items } = await listDeposits(sql, { id: task.subjectId, limit: 1, offset: 0 });
  const receipts = await listReceipts(sql, { depositId: task.subjectId });
  const [deposit] = items;
  return {
    deposit: deposit === undefined ? null : presentDeposit(deposit),
    receipts: receipts.map(presentReceipt),
    receipt_id: task.payload['receipt_id'] ?? null,
  };
}

/** The request with its findings and payout, what its publisher has, and the requests before it. */
async function withdrawalDetail(deps: ConsoleDeps, task: TaskRow): Promise<TaskDetail> {
  const sql = runner(deps.db);
  const { items } = await listWithdrawals(sql, { id: task.subjectId, limit: 1, offset: 0 });
  const [withdrawal] = items;
  if (withdrawal === undefined) return {};
  const { publisherId } = withdrawal;
  const earlier = await listWithdrawals(sql, { publisherId, limit: 20, offset: 0 });
  return {
    withdrawal: presentWithdrawalForOperator(withdrawal),
    balance: presentPublisherBalance(
      await readPublisherBalance(sql, publisherId),
      withdrawal.currency,
    ),
    history: earlier.items.filter(({ id }) => id !== withdrawal.id).map(presentWithdrawal),
  };
}

/** The thing as it stands and its earlier rounds; of a creative also the revision and its diff. */
async function reviewDetail(deps: ConsoleDeps, task: TaskRow): Promise<TaskDetail> {
  const sql = runner(deps.db);
  const subject = { type: task.subjectType, id: task.subjectId };
  const creativeId = subject.type === 'creative' ? subject.id : null;
  const record = await readReviewSubject(sql, subject);
  const history = await listReviewRounds(sql, subject);
  const shownCreative = creativeId ?? creativeOf(record);
  return {
    record,
    history: history.map(presentReviewRound),
    ...(shownCreative === null
      ? {}
      : await revisionsOf(deps, shownCreative, creativeId === null ? null : revisionOf(task))),
  };
}

/** An ad is looked at together with the creative it shows. */
const creativeOf = (record: Record<string, unknown> | null): number | null =>
  record?.['creative_id'] === undefined ? null : Number(record['creative_id']);

const revisionOf = (task: TaskRow): number | null => {
  const { revision } = task.payload as { revision?: unknown };
  return typeof revision === 'number' ? revision : null;
};

/** What a reviewer opens to look at: each stored asset by its address. */
function withAssets(row: Record<string, unknown>, cdnUrl: string): Record<string, unknown> {
  const { role: _role, ...content } = row;
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => {
      const [, asset, second = ''] = /^(image|video|icon|html5)_path(_2)?$/.exec(name) ?? [];
      if (asset === undefined) return [name, value];
      return [`${asset}_url${second}`, typeof value === 'string' ? mediaUrl(cdnUrl, value) : null];
    }),
  );
}

async function revisionsOf(deps: ConsoleDeps, creativeId: number, revision: number | null) {
  const { proposed, approved } = await readRevisions(runner(deps.db), creativeId, revision);
  return {
    revision: proposed === null ? null : withAssets(proposed, deps.config.urls.cdn),
    approved_revision: approved === null ? null : withAssets(approved, deps.config.urls.cdn),
    diff: revisionDiff(approved, proposed),
  };
}
