import { runner } from '../../db/postgres.ts';
import { AD_REVISIONS } from '../../db/queries/ad-revisions.ts';
import { CREATIVE_REVISIONS } from '../../db/queries/creative-revisions.ts';
import { readTransfer } from '../../db/queries/domain-transfers.ts';
import { findInventory } from '../../db/queries/inventory.ts';
import { AD_GROUPS, ADS, CAMPAIGNS, CREATIVES } from '../../db/queries/inventory-screens.ts';
import { findSite, findZone } from '../../db/queries/publisher.ts';
import { readReviewedRevisions } from '../../db/queries/revisions.ts';
import { listReviewRounds, readMediaByIds } from '../../db/queries/reviews.ts';
import type { ReviewSubjectType } from '../../workflows/contracts/review.ts';
import { readDeliveryMoment } from '../delivery-moment.ts';
import type { ConsoleDeps } from '../deps.ts';
import { signedAddresses } from '../media-addresses.ts';
import { presentAdGroup } from '../present/ad-group.ts';
import { presentAd, presentAdRevision } from '../present/ad.ts';
import { presentCampaign } from '../present/campaign.ts';
import { presentCreative, presentCreativeRevision } from '../present/creative.ts';
import { presentTransfer } from '../present/domain-transfer.ts';
import { type AddressOf, presentMedia } from '../present/media.ts';
import { presentSite } from '../present/site.ts';
import { presentAdChanges, presentChanges } from '../present/revision-changes.ts';
import { presentReviewRound, type TaskDetail } from '../present/task-detail.ts';
import { presentZone } from '../present/zone.ts';

export type Detail = Partial<TaskDetail>;

/** What is looked at, and whose it is; of which revision, where a task names one in its payload. */
export interface Looked {
  subjectType: string;
  subjectId: number;
  accountId: number;
  payload: Readonly<Record<string, unknown>>;
}
type Look = (deps: ConsoleDeps, of: Looked) => Promise<Detail>;

/** What is reviewed, as an operator sees it: before a decision, or whenever somebody asks about it. */
export const INVENTORY_DETAIL: Readonly<Record<ReviewSubjectType, Look>> = {
  campaign: async (deps, of) => {
    const { key, moment } = await keyOf(deps, of);
    const row = await findInventory(runner(deps.db), CAMPAIGNS, key);
    return await reviewed(deps, of, {
      campaign: row === undefined ? null : presentCampaign(row, moment),
    });
  },
  adgroup: async (deps, of) => {
    const { key, moment } = await keyOf(deps, of);
    const row = await findInventory(runner(deps.db), AD_GROUPS, key);
    return await reviewed(deps, of, {
      adgroup: row === undefined ? null : presentAdGroup(row, moment),
    });
  },
  ad: adDetail,
  creative: async (deps, of) => {
    const { key } = await keyOf(deps, of);
    const row = await findInventory(runner(deps.db), CREATIVES, key);
    return await reviewed(deps, of, {
      creative: row === undefined ? null : presentCreative(row, addressesOf(deps)),
      ...(await revisionsOf(deps, key, revisionOf(of))),
    });
  },
  site: async (deps, of) => {
    const key = { id: of.subjectId, publisherId: of.accountId };
    const row = await findSite(runner(deps.db), key);
    const { transfer_id: asked } = of.payload;
    const transfer =
      typeof asked === 'number' ? await readTransfer(runner(deps.db), asked) : undefined;
    return await reviewed(deps, of, {
      site: row === undefined ? null : presentSite(row),
      transfer: transfer === undefined ? null : presentTransfer(transfer),
    });
  },
  zone: zoneDetail,
};

export const addressesOf = (deps: ConsoleDeps): AddressOf =>
  signedAddresses(deps.config, deps.clock());

async function keyOf(deps: ConsoleDeps, of: Looked) {
  const moment = await readDeliveryMoment(deps);
  return {
    moment,
    key: { id: of.subjectId, advertiserId: of.accountId, day: moment.day },
  };
}

async function reviewed(deps: ConsoleDeps, of: Looked, record: Detail): Promise<Detail> {
  const subject = { type: of.subjectType, id: of.subjectId };
  const rounds = await listReviewRounds(runner(deps.db), subject);
  return { ...record, history: rounds.map(presentReviewRound) };
}

/** An ad is looked at together with the creative it shows, and the campaign whose page it may lead to. */
async function adDetail(deps: ConsoleDeps, of: Looked): Promise<Detail> {
  const sql = runner(deps.db);
  const addressOf = addressesOf(deps);
  const { key, moment } = await keyOf(deps, of);
  const ad = await findInventory(sql, ADS, key);
  if (ad === undefined) return await reviewed(deps, of, {});
  const adRevision = await adRevisionOf(deps, key, revisionOf(of));
  const creativeKey = { ...key, id: adRevision.ad_revision?.creative_id ?? ad.creativeId };
  const campaign = await findInventory(sql, CAMPAIGNS, { ...key, id: ad.campaignId });
  const creative = await findInventory(sql, CREATIVES, creativeKey);
  return await reviewed(deps, of, {
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
async function zoneDetail(deps: ConsoleDeps, of: Looked): Promise<Detail> {
  const sql = runner(deps.db);
  const publisherId = of.accountId;
  const zone = await findZone(sql, { id: of.subjectId, publisherId });
  if (zone === undefined) return await reviewed(deps, of, {});
  const site = await findSite(sql, { id: zone.siteId, publisherId });
  return await reviewed(deps, of, {
    // Where rewards are reported to is its owner's alone.
    zone: { ...presentZone(zone), reward_callback_url: null },
    site: site === undefined ? null : presentSite(site),
  });
}

const revisionOf = (of: Looked): number | null => {
  const { revision } = of.payload;
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
