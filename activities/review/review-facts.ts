import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { flag, ref } from '../../db/schema/column.ts';
import { columnsOf, readRow, select } from '../../db/schema/selection.ts';
import { campaigns } from '../../db/tables/campaign.ts';
import { creativeRevisions } from '../../db/tables/creative-revision.ts';
import { creatives } from '../../db/tables/creative.ts';
import { media } from '../../db/tables/media.ts';
import { landingHost, type ReviewFacts } from '../../domain/review-findings.ts';
import { notFound } from '../../domain/errors.ts';
import type { ReviewInput, ReviewSubjectType } from '../../workflows/contracts/review.ts';
import type { ActivityDeps } from '../deps.ts';

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
    case 'campaign':
      return await landingFacts(deps, tx, { type: input.subjectType, id: input.subjectId });
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

const landing = (url: string, isShownByApprovedAds: string) =>
  select({
    ...columnsOf(campaigns, 'c', ['advertiserId']),
    landingUrl: campaigns.columns.landingUrl.of(url),
    shownByApprovedAds: flag().of(isShownByApprovedAds),
  });

/** An ad shows its own landing page or else its campaign's. */
const LANDINGS = {
  ad: {
    selection: landing(`COALESCE(NULLIF(a.landing_url, ''), c.landing_url)`, 'false'),
    from: 'ads a JOIN campaigns c ON c.id = a.campaign_id WHERE a.id = $1',
  },
  campaign: {
    selection: landing(
      'c.landing_url',
      `EXISTS (SELECT 1 FROM ads a WHERE a.campaign_id = c.id AND a.status <> 'ARCHIVED'
         AND a.audit_status = 'APPROVED' AND COALESCE(a.landing_url, '') = '')`,
    ),
    from: 'campaigns c WHERE c.id = $1',
  },
};

async function loadLanding(
  deps: ActivityDeps,
  tx: Transaction,
  subject: { type: 'ad' | 'campaign'; id: number },
) {
  const { selection, from } = LANDINGS[subject.type];
  const statement = `SELECT ${selection.list} FROM ${from}`;
  const found = await readRow(runner(deps.db, tx), selection, statement, [subject.id]);
  if (found === undefined) throw notFound();
  return { ...found, host: landingHost(found.landingUrl) };
}

async function landingFacts(
  deps: ActivityDeps,
  tx: Transaction,
  subject: { type: 'ad' | 'campaign'; id: number },
): Promise<ReviewFacts> {
  const { advertiserId, host, ...facts } = await loadLanding(deps, tx, subject);
  const approved = await deps.db.models.approvedHosts.findAll({
    where: { advertiserId, host: host ?? '' },
    transaction: tx,
  });
  return { type: subject.type, ...facts, approvedHosts: approved.map((each) => each.host) };
}

async function siteFacts(deps: ActivityDeps, tx: Transaction, id: number): Promise<ReviewFacts> {
  const site = await deps.db.models.sites.findByPk(id, { transaction: tx });
  if (site === null) throw notFound();
  return { type: 'site', verifyStatus: site.verifyStatus };
}

/** A person accepted this landing page: its host is no longer news for this advertiser. */
export async function rememberLandingHost(
  deps: ActivityDeps,
  tx: Transaction,
  subject: { type: ReviewSubjectType; id: number },
): Promise<void> {
  const { type, id } = subject;
  if (type !== 'ad' && type !== 'campaign') return;
  const { advertiserId, host } = await loadLanding(deps, tx, { type, id });
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
