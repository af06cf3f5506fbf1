import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { type Finding, landingHost, type ReviewFacts } from '../../domain/review-findings.ts';
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
      return await landingFacts(deps, tx, input.subjectType, input.subjectId);
    case 'site':
      return await siteFacts(deps, tx, input.subjectId);
    case 'adgroup':
    case 'zone':
      return { type: input.subjectType };
  }
}

interface RevisionRow {
  creative_type: string;
  image_media_id: string | null;
  video_media_id: string | null;
  html_code: string | null;
  html5_findings: Finding[] | null;
  vast_xml: string | null;
  vast_url: string | null;
}

/** The revision of this round: a later edit has a round of its own. */
async function creativeFacts(
  deps: ActivityDeps,
  tx: Transaction,
  input: ReviewInput,
): Promise<ReviewFacts> {
  const { rows } = await runner(deps.db, tx).query<RevisionRow>(
    `SELECT c.creative_type, r.image_media_id, r.video_media_id, r.html_code, r.vast_xml, r.vast_url,
       m.findings AS html5_findings
     FROM reviews v JOIN creatives c ON c.id = v.subject_id
     JOIN creative_revisions r ON r.creative_id = c.id AND r.revision = COALESCE(v.revision, c.latest_revision)
     LEFT JOIN media m ON m.id = r.html5_media_id
     WHERE v.subject_type = 'creative' AND v.subject_id = $1 AND v.round = $2`,
    [input.subjectId, input.round],
  );
  const [row] = rows;
  if (row === undefined) throw notFound();
  return {
    type: 'creative',
    creativeType: row.creative_type,
    imageMediaId: row.image_media_id === null ? null : Number(row.image_media_id),
    videoMediaId: row.video_media_id === null ? null : Number(row.video_media_id),
    html5: row.html5_findings === null ? null : { findings: row.html5_findings },
    htmlCode: row.html_code,
    vastXml: row.vast_xml,
    vastUrl: row.vast_url,
  };
}

const LANDING_SQL = {
  ad: `SELECT COALESCE(NULLIF(a.landing_url, ''), c.landing_url) AS landing_url, a.advertiser_id,
         false AS shown_by_approved_ads
       FROM ads a JOIN campaigns c ON c.id = a.campaign_id WHERE a.id = $1`,
  campaign: `SELECT c.landing_url, c.advertiser_id, EXISTS (
         SELECT 1 FROM ads a WHERE a.campaign_id = c.id AND a.status <> 'ARCHIVED'
           AND a.audit_status = 'APPROVED' AND COALESCE(a.landing_url, '') = '') AS shown_by_approved_ads
       FROM campaigns c WHERE c.id = $1`,
} as const;

interface LandingRow {
  landing_url: string | null;
  advertiser_id: string;
  shown_by_approved_ads: boolean;
}

async function landingFacts(
  deps: ActivityDeps,
  tx: Transaction,
  type: 'ad' | 'campaign',
  id: number,
): Promise<ReviewFacts> {
  const sql = runner(deps.db, tx);
  const { rows } = await sql.query<LandingRow>(LANDING_SQL[type], [id]);
  const [row] = rows;
  if (row === undefined) throw notFound();
  const host = landingHost(row.landing_url);
  const approved = await sql.query<{ host: string }>(
    'SELECT host FROM approved_hosts WHERE advertiser_id = $1 AND host = $2',
    [row.advertiser_id, host],
  );
  return {
    type,
    landingUrl: row.landing_url,
    approvedHosts: approved.rows.map((item) => item.host),
    shownByApprovedAds: row.shown_by_approved_ads,
  };
}

async function siteFacts(deps: ActivityDeps, tx: Transaction, id: number): Promise<ReviewFacts> {
  const { rows } = await runner(deps.db, tx).query<{ verify_status: string }>(
    'SELECT verify_status FROM sites WHERE id = $1',
    [id],
  );
  const [row] = rows;
  if (row === undefined) throw notFound();
  return { type: 'site', verifyStatus: row.verify_status };
}

/** A person accepted this landing page: its host is no longer news for this advertiser. */
export async function rememberLandingHost(
  deps: ActivityDeps,
  tx: Transaction,
  subject: { type: ReviewSubjectType; id: number },
): Promise<void> {
  if (subject.type !== 'ad' && subject.type !== 'campaign') return;
  const sql = runner(deps.db, tx);
  const { rows } = await sql.query<LandingRow>(LANDING_SQL[subject.type], [subject.id]);
  const [row] = rows;
  const host = landingHost(row?.landing_url ?? null);
  if (row === undefined || host === null) return;
  await sql.query(
    `INSERT INTO approved_hosts (advertiser_id, host) VALUES ($1, $2)
     ON CONFLICT DO NOTHING RETURNING host`,
    [row.advertiser_id, host],
  );
}
