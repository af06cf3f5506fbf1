import { runner } from '../../db/postgres.ts';
import { AD_REVISIONS } from '../../db/queries/ad-revisions.ts';
import { CREATIVE_REVISIONS } from '../../db/queries/creative-revisions.ts';
import { listDeposits, listReceipts, readAdvertiserBalance } from '../../db/queries/deposits.ts';
import { readTransfer } from '../../db/queries/domain-transfers.ts';
import { findInventory } from '../../db/queries/inventory.ts';
import { AD_GROUPS, ADS, CAMPAIGNS, CREATIVES } from '../../db/queries/inventory-screens.ts';
import { listKycApplications } from '../../db/queries/kyc.ts';
import { findSite, findZone } from '../../db/queries/publisher.ts';
import { readReviewedRevisions } from '../../db/queries/revisions.ts';
import { listReviewRounds, readMediaByIds } from '../../db/queries/reviews.ts';
import type { TaskScreen } from '../../db/queries/tasks.ts';
import { listWithdrawals, readPublisherBalance } from '../../db/queries/withdrawals.ts';
import { mayDecide } from '../../domain/task-rules.ts';
import { readDeliveryMoment } from '../delivery-moment.ts';
import type { ConsoleDeps } from '../deps.ts';
import { signedAddresses } from '../media-addresses.ts';
import { presentAdGroup } from '../present/ad-group.ts';
import { presentAd, presentAdRevision } from '../present/ad.ts';
import { presentCampaign } from '../present/campaign.ts';
import { presentCreative, presentCreativeRevision } from '../present/creative.ts';
import { presentAdvertiserBalance, presentDeposit, presentReceipt } from '../present/deposit.ts';
import { presentTransfer } from '../present/domain-transfer.ts';
import { type AddressOf, presentMedia } from '../present/media.ts';
import { presentPublisherBalance } from '../present/publisher-money.ts';
import { presentSite } from '../present/site.ts';
import {
  NO_DETAIL,
  presentAdChanges,
  presentChanges,
  presentDestination,
  presentReviewRound,
  type TaskDetail,
} from '../present/task-detail.ts';
import { presentWithdrawal, presentWithdrawalForOperator } from '../present/withdrawal.ts';
import { presentZone } from '../present/zone.ts';
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

type Detail = Partial<TaskDetail>;
/** `accountId` owns the subject. */
type OwnedTask = TaskScreen & { accountId: number };
type ReadDetail = (deps: ConsoleDeps, task: OwnedTask, viewer: Viewer) => Promise<Detail>;

/** By the task's subject type. A new kind of decision adds its line here (interface 5.2). */
const DETAIL_OF: Readonly<Record<string, ReadDetail>> = {
  campaign: async (deps, task) => {
    const { key, moment } = await keyOf(deps, task);
    const row = await findInventory(runner(deps.db), CAMPAIGNS, key);
    return await reviewed(deps, task, {
      campaign: row === undefined ? null : presentCampaign(row, moment),
    });
  },
  adgroup: async (deps, task) => {
    const { key, moment } = await keyOf(deps, task);
    const row = await findInventory(runner(deps.db), AD_GROUPS, key);
    return await reviewed(deps, task, {
      adgroup: row === undefined ? null : presentAdGroup(row, moment),
    });
  },
  ad: adDetail,
  creative: async (deps, task) => {
    const { key } = await keyOf(deps, task);
    const row = await findInventory(runner(deps.db), CREATIVES, key);
    return await reviewed(deps, task, {
      creative: row === undefined ? null : presentCreative(row, addressesOf(deps)),
      ...(await revisionsOf(deps, key, revisionOf(task))),
    });
  },
  site: async (deps, task) => {
    const key = { id: task.subjectId, publisherId: task.accountId };
    const row = await findSite(runner(deps.db), key);
    const { transfer_id: asked } = task.payload;
    const transfer =
      typeof asked === 'number' ? await readTransfer(runner(deps.db), asked) : undefined;
    return await reviewed(deps, task, {
      site: row === undefined ? null : presentSite(row),
      transfer: transfer === undefined ? null : presentTransfer(transfer),
    });
  },
  zone: zoneDetail,
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

const addressesOf = (deps: ConsoleDeps): AddressOf => signedAddresses(deps.config, deps.clock());

async function keyOf(deps: ConsoleDeps, task: OwnedTask) {
  const moment = await readDeliveryMoment(deps);
  return {
    moment,
    key: { id: task.subjectId, advertiserId: task.accountId, day: moment.day },
  };
}

async function reviewed(deps: ConsoleDeps, task: TaskScreen, record: Detail): Promise<Detail> {
  const subject = { type: task.subjectType, id: task.subjectId };
  const rounds = await listReviewRounds(runner(deps.db), subject);
  return { ...record, history: rounds.map(presentReviewRound) };
}

/** An ad is looked at together with the creative it shows, and the campaign whose page it may lead to. */
async function adDetail(deps: ConsoleDeps, task: OwnedTask): Promise<Detail> {
  const sql = runner(deps.db);
  const addressOf = addressesOf(deps);
  const { key, moment } = await keyOf(deps, task);
  const ad = await findInventory(sql, ADS, key);
  if (ad === undefined) return await reviewed(deps, task, {});
  const adRevision = await adRevisionOf(deps, key, revisionOf(task));
  const creativeKey = { ...key, id: adRevision.ad_revision?.creative_id ?? ad.creativeId };
  const campaign = await findInventory(sql, CAMPAIGNS, { ...key, id: ad.campaignId });
  const creative = await findInventory(sql, CREATIVES, creativeKey);
  return await reviewed(deps, task, {
    ad: presentAd(ad, moment),
    campaign: campaign === undefined ? null : presentCampaign(campaign, moment),
    creative: creative === undefined ? null : presentCreative(creative, addressOf),
    ...adRevision,
    ...(await revisionsOf(deps, creativeKey, null)),
  });
}

/** What the ad says in the round, beside what it says to viewers now. */
async function adRevisionOf(
  deps: ConsoleDeps,
  ad: { id: number; advertiserId: number },
  revision: number | null,
): Promise<Pick<TaskDetail, 'ad_revision' | 'ad_revision_before' | 'ad_changes'>> {
  const found = await readReviewedRevisions(runner(deps.db), AD_REVISIONS, ad, revision);
  const present = (row: typeof found.proposed) => (row === null ? null : presentAdRevision(row));
  const [proposed, before] = [present(found.proposed), present(found.before)];
  return {
    ad_revision: proposed,
    ad_revision_before: before,
    ad_changes: presentAdChanges(before, proposed),
  };
}

/** A zone is looked at on its site. */
async function zoneDetail(deps: ConsoleDeps, task: OwnedTask): Promise<Detail> {
  const sql = runner(deps.db);
  const publisherId = task.accountId;
  const zone = await findZone(sql, { id: task.subjectId, publisherId });
  if (zone === undefined) return await reviewed(deps, task, {});
  const site = await findSite(sql, { id: zone.siteId, publisherId });
  return await reviewed(deps, task, {
    // Where rewards are reported to is its owner's alone.
    zone: { ...presentZone(zone), reward_callback_url: null },
    site: site === undefined ? null : presentSite(site),
  });
}

const revisionOf = (task: TaskScreen): number | null => {
  const { revision } = task.payload;
  return typeof revision === 'number' ? revision : null;
};

async function revisionsOf(
  deps: ConsoleDeps,
  creative: { id: number; advertiserId: number },
  revision: number | null,
): Promise<Detail> {
  const addressOf = addressesOf(deps);
  const sql = runner(deps.db);
  const { proposed, approved, before } = await readReviewedRevisions(
    sql,
    CREATIVE_REVISIONS,
    creative,
    revision,
  );
  const shown = [proposed, approved, before].filter((each) => each !== null);
  const ids = shown.flatMap((each) =>
    [
      each.imageMediaId,
      each.imageMediaId2,
      each.videoMediaId,
      each.iconMediaId,
      each.html5MediaId,
    ].filter((id) => id !== null),
  );
  const files = await readMediaByIds(sql, [...new Set(ids)]);
  const present = (row: typeof proposed) =>
    row === null ? null : presentCreativeRevision(row, addressOf);
  return {
    revision: present(proposed),
    approved_revision: present(approved),
    revision_before: present(before),
    changes: presentChanges(before, proposed, addressOf),
    media: files.map((file) => presentMedia(file, addressOf)),
  };
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
