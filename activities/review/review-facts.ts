import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { flag, json, ref } from '../../db/schema/column.ts';
import { columnsOf, readRow, select } from '../../db/schema/selection.ts';
import { sqlNames } from '../../db/schema/table.ts';
import { loadSettings } from '../../db/settings.ts';
import { adRevisions } from '../../db/tables/ad-revision.ts';
import { AD_COPY } from '../../db/tables/ad.ts';
import { campaigns } from '../../db/tables/campaign.ts';
import { creativeRevisions } from '../../db/tables/creative-revision.ts';
import { creatives } from '../../db/tables/creative.ts';
import { media } from '../../db/tables/media.ts';
import { landingHost, type ReviewFacts } from '../../domain/review-findings.ts';
import { notFound } from '../../domain/errors.ts';
import { namesIn } from '../../domain/settings.ts';
import type { ReviewInput } from '../../workflows/contracts/review.ts';
import type { ActivityDeps } from '../deps.ts';
import { holderAbove } from '../publisher/domain-claims.ts';
import { siteOf } from '../publisher/site-domain.ts';

/** What the automatic findings of a review look at, as it stands now. */
export async function loadReviewFacts(
  deps: ActivityDeps,
  tx: Transaction,
  input: ReviewInput,
): Promise<ReviewFacts> {
  switch (input.subjectType) {
    case 'creative':
      return await creativeFacts(deps, tx, input);
    case 'ad':
      return await adFacts(deps, tx, input);
    case 'campaign':
      return await campaignFacts(deps, tx, input.subjectId);
    case 'site':
      return await siteFacts(deps, tx, input.subjectId);
    case 'adgroup':
    case 'zone':
      return { type: input.subjectType };
  }
}

const CREATIVE = select({
  ...columnsOf(creatives, 'c', ['creativeType']),
  ...columnsOf(creativeRevisions, 'r', [
    'imageMediaId',
    'videoMediaId',
    'htmlCode',
    'vastXml',
    'vastUrl',
  ]),
  html5Findings: media.columns.findings.orNull().of('m.findings'),
});

/** The revision of this round: a later edit has a round of its own. */
async function creativeFacts(
  deps: ActivityDeps,
  tx: Transaction,
  input: ReviewInput,
): Promise<ReviewFacts> {
  const creative = await readRow(
    runner(deps.db, tx),
    CREATIVE,
    `SELECT ${CREATIVE.list} FROM reviews v JOIN creatives c ON c.id = v.subject_id
     JOIN creative_revisions r ON r.creative_id = c.id AND r.revision = COALESCE(v.revision, c.latest_revision)
     LEFT JOIN media m ON m.id = r.html5_media_id
     WHERE v.subject_type = 'creative' AND v.subject_id = $1 AND v.round = $2`,
    [input.subjectId, input.round],
  );
  if (creative === undefined) throw notFound();
  return { type: 'creative', ...creative };
}

/** An ad leads to its own landing page or else to its campaign's. */
const AD = select({
  ...columnsOf(campaigns, 'c', ['advertiserId']),
  landingUrl: campaigns.columns.landingUrl.of(`COALESCE(NULLIF(r.landing_url, ''), c.landing_url)`),
  ...columnsOf(adRevisions, 'r', AD_COPY),
  copyIsNew: flag().of(`NOT EXISTS (SELECT 1 FROM ad_revisions p JOIN ads o ON o.id = p.ad_id
    WHERE o.advertiser_id = c.advertiser_id AND p.audit_status = 'APPROVED'
      AND (${sqlNames(adRevisions, AD_COPY, 'p')}) IS NOT DISTINCT FROM (${sqlNames(adRevisions, AD_COPY, 'r')}))`),
});

/** The revision of this round: a later edit has a round of its own. */
async function readAd(deps: ActivityDeps, tx: Transaction, { subjectId, round }: Round) {
  const found = await readRow(
    runner(deps.db, tx),
    AD,
    `SELECT ${AD.list} FROM reviews v JOIN ads a ON a.id = v.subject_id JOIN campaigns c ON c.id = a.campaign_id
     JOIN ad_revisions r ON r.ad_id = a.id AND r.revision = COALESCE(v.revision, a.latest_revision)
     WHERE v.subject_type = 'ad' AND v.subject_id = $1 AND v.round = $2`,
    [subjectId, round],
  );
  if (found === undefined) throw notFound();
  return found;
}

type Round = Pick<ReviewInput, 'subjectId' | 'round'>;

async function adFacts(deps: ActivityDeps, tx: Transaction, round: Round): Promise<ReviewFacts> {
  const { advertiserId, ...ad } = await readAd(deps, tx, round);
  const settings = await loadSettings(runner(deps.db, tx));
  const hosts = await approvedHostsOf(deps, tx, advertiserId, ad.landingUrl);
  const brands = namesIn(settings['review.brands']);
  const sites = { displaySite: siteOf(ad.displayUrl), landingSite: siteOf(ad.landingUrl) };
  return { type: 'ad', ...ad, ...sites, approvedHosts: hosts, brands };
}

/** Ads that serve, or may have been clicked while they did, without a page of their own. */
const LED_BY = `FROM ads a JOIN ad_revisions w ON w.ad_id = a.id AND w.revision = a.approved_revision
  WHERE a.campaign_id = c.id AND COALESCE(w.landing_url, '') = ''`;
const CAMPAIGN = select({
  ...columnsOf(campaigns, 'c', ['advertiserId', 'landingUrl']),
  shownByApprovedAds: flag().of(`EXISTS (SELECT 1 ${LED_BY})`),
  displayUrls: json<string[]>().of(
    `(SELECT COALESCE(jsonb_agg(DISTINCT w.display_url), '[]') ${LED_BY} AND COALESCE(w.display_url, '') <> '')`,
  ),
});

async function readCampaign(deps: ActivityDeps, tx: Transaction, id: number) {
  const statement = `SELECT ${CAMPAIGN.list} FROM campaigns c WHERE c.id = $1`;
  const found = await readRow(runner(deps.db, tx), CAMPAIGN, statement, [id]);
  if (found === undefined) throw notFound();
  return found;
}

async function campaignFacts(
  deps: ActivityDeps,
  tx: Transaction,
  id: number,
): Promise<ReviewFacts> {
  const { advertiserId, displayUrls, ...campaign } = await readCampaign(deps, tx, id);
  const hosts = await approvedHostsOf(deps, tx, advertiserId, campaign.landingUrl);
  const sites = {
    displaySites: displayUrls.map(siteOf),
    landingSite: siteOf(campaign.landingUrl),
  };
  return { type: 'campaign', ...campaign, ...sites, approvedHosts: hosts };
}

/** The host of this page, when a person has accepted it for this advertiser before. */
async function approvedHostsOf(
  deps: ActivityDeps,
  tx: Transaction,
  advertiserId: number,
  landingUrl: string | null,
): Promise<string[]> {
  const approved = await deps.db.models.approvedHosts.findAll({
    where: { advertiserId, host: landingHost(landingUrl) ?? '' },
    transaction: tx,
  });
  return approved.map((each) => each.host);
}

async function siteFacts(deps: ActivityDeps, tx: Transaction, id: number): Promise<ReviewFacts> {
  const site = await deps.db.models.sites.findByPk(id, { transaction: tx });
  if (site === null) throw notFound();
  const { verifyStatus, domain, publisherId } = site;
  const isWeb = site.mediaType === 'WEB' && domain !== null;
  const sql = runner(deps.db, tx);
  const above = isWeb ? await holderAbove(sql, { domain, publisherId }) : undefined;
  return { type: 'site', verifyStatus, othersDomain: above?.domain ?? null };
}

/** A person accepted this landing page: its host is no longer news for this advertiser. */
export async function rememberLandingHost(
  deps: ActivityDeps,
  tx: Transaction,
  { subjectType, subjectId, round }: ReviewInput,
): Promise<void> {
  if (subjectType !== 'ad' && subjectType !== 'campaign') return;
  const { advertiserId, landingUrl } =
    subjectType === 'ad'
      ? await readAd(deps, tx, { subjectId, round })
      : await readCampaign(deps, tx, subjectId);
  const host = landingHost(landingUrl);
  if (host === null) return;
  await deps.db.models.approvedHosts.bulkCreate([{ advertiserId, host }], {
    ignoreDuplicates: true,
    transaction: tx,
  });
}

const MAKER = select({ id: ref().orNull().of('d.operator_id') });

/**
 * Who may not decide an appeal: whoever rejected the round before, as long as anybody else may decide
 * at all (four eyes).
 */
export async function appealedOperator(
  deps: ActivityDeps,
  tx: Transaction,
  { subjectType, subjectId, round }: ReviewInput,
): Promise<number | null> {
  const maker = await readRow(
    runner(deps.db, tx),
    MAKER,
    `SELECT ${MAKER.list} FROM reviews v
     JOIN tasks t ON t.workflow_id = v.workflow_id JOIN task_decisions d ON d.id = t.decision_id
     WHERE v.subject_type = $1 AND v.subject_id = $2 AND v.round < $3 AND v.status = 'REJECTED'
       AND EXISTS (SELECT 1 FROM operators o WHERE o.id <> d.operator_id AND o.status = 'ACTIVE'
                     AND o.role IN ('ADMIN', 'REVIEWER'))
     ORDER BY v.round DESC LIMIT 1`,
    [subjectType, subjectId, round],
  );
  return maker?.id ?? null;
}
