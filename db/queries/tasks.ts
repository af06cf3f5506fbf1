import type { ReviewFinding, ReviewReason } from '../tables/json.ts';
import type { TaskRow as StoredTaskRow } from '../tables/task.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { totalOf } from './page-total.ts';

export interface TaskRow {
  id: number;
  kind: StoredTaskRow['kind'];
  status: 'open' | 'decided' | 'void';
  subjectType: string;
  subjectId: number;
  accountId: number | null;
  summary: string;
  findings: ReviewFinding[];
  decisions: string[];
  payload: Record<string, unknown>;
  requiredRole: StoredTaskRow['requiredRole'];
  makerId: number | null;
  assigneeId: number | null;
  assigneeName: string | null;
  workflowId: string;
  openedAt: Date;
  dueAt: Date | null;
  decidedAt: Date | null;
  decision: TaskDecisionRow | null;
}

/** The decision that took effect. */
export interface TaskDecisionRow {
  id: number;
  decision: string;
  reasons: ReviewReason[];
  note: string | null;
  evidence_media_id: number | null;
  operator_id: number;
  operator: string;
  created_at: string;
}

export interface TaskFilter {
  id?: number | undefined;
  kind?: string | undefined;
  status?: string | undefined;
  assigneeId?: number | undefined;
  unassigned?: boolean | undefined;
  limit: number;
  offset: number;
}

type StoredTask = Omit<TaskRow, 'id' | 'subjectId' | 'accountId' | 'makerId' | 'assigneeId'> &
  Record<'id' | 'subjectId', string> &
  Record<'accountId' | 'makerId' | 'assigneeId', string | null>;

const FILTER = `($1::bigint IS NULL OR t.id = $1) AND ($2::text IS NULL OR t.kind = $2)
  AND ($3::text IS NULL OR t.status = $3) AND ($4::bigint IS NULL OR t.assignee_id = $4)
  AND (NOT $5::boolean OR t.assignee_id IS NULL)`;

/** Oldest first: what waits longest is at the head of the queue. */
export async function listTasks(
  sql: SqlRunner,
  filter: TaskFilter,
): Promise<{ items: TaskRow[]; total: number }> {
  const bound = [
    filter.id ?? null,
    filter.kind ?? null,
    filter.status ?? null,
    filter.assigneeId ?? null,
    filter.unassigned ?? false,
  ];
  const { rows } = await sql.query<StoredTask>(
    `SELECT t.id, t.kind, t.status, t.subject_type AS "subjectType", t.subject_id AS "subjectId",
       t.account_id AS "accountId", t.summary, t.findings, t.decisions, t.payload,
       t.required_role AS "requiredRole", t.maker_id AS "makerId", t.assignee_id AS "assigneeId",
       o.username AS "assigneeName", t.workflow_id AS "workflowId", t.opened_at AS "openedAt",
       t.due_at AS "dueAt", t.decided_at AS "decidedAt",
       (SELECT jsonb_build_object('id', d.id, 'decision', d.decision, 'reasons', d.reasons,
          'note', d.note, 'evidence_media_id', d.evidence_media_id, 'operator_id', d.operator_id, 'operator', w.username,
          'created_at', d.created_at)
        FROM task_decisions d JOIN operators w ON w.id = d.operator_id
        WHERE d.id = t.decision_id) AS decision
     FROM (SELECT * FROM tasks t WHERE ${FILTER} ORDER BY t.id LIMIT $6 OFFSET $7) t
     LEFT JOIN operators o ON o.id = t.assignee_id ORDER BY t.id`,
    [...bound, filter.limit, filter.offset],
  );
  const items = rows.map((row) => ({
    ...row,
    id: Number(row.id),
    subjectId: Number(row.subjectId),
    accountId: row.accountId === null ? null : Number(row.accountId),
    makerId: row.makerId === null ? null : Number(row.makerId),
    assigneeId: row.assigneeId === null ? null : Number(row.assigneeId),
  }));
  const total = await totalOf(
    sql,
    { ...filter, rows: rows.length },
    { text: `SELECT count(*) AS total FROM tasks t WHERE ${FILTER}`, values: bound },
  );
  return { items, total };
}

export interface DecisionState {
  status: 'PENDING' | 'APPLIED' | 'REFUSED';
  refusal: string | null;
}

export async function readDecision(
  sql: SqlRunner,
  decisionId: number,
): Promise<DecisionState | null> {
  const { rows } = await sql.query<DecisionState & { id: string }>(
    'SELECT status, refusal FROM task_decisions WHERE id = $1',
    [decisionId],
  );
  return rows[0] ?? null;
}

/** A column list of each reviewable table that a reviewer needs; names as on the wire. */
const SUBJECT_SQL: Readonly<Record<string, string>> = {
  campaign: `SELECT id, name, ad_type, pricing_model, bid_nanos::text, landing_url, status, audit_status FROM campaigns WHERE id = $1`,
  adgroup: `SELECT id, name, campaign_id, bid_nanos::text, status, audit_status FROM ad_groups WHERE id = $1`,
  ad: `SELECT a.id, a.name, a.campaign_id, a.adgroup_id, a.creative_id, a.title, a.description, a.button_text,
         a.brand_name, a.display_url, COALESCE(NULLIF(a.landing_url, ''), c.landing_url) AS landing_url,
         a.status, a.audit_status
       FROM ads a JOIN campaigns c ON c.id = a.campaign_id WHERE a.id = $1`,
  creative: `SELECT id, name, creative_type, type, latest_revision, approved_revision, status, audit_status FROM creatives WHERE id = $1`,
  site: `SELECT id, name, media_type, domain, app_package, url, description, icp, verify_status, verify_method,
           status, audit_status FROM sites WHERE id = $1`,
  zone: `SELECT id, name, site_id, type, width, height, position, device, pricing_types, status, audit_status FROM zones WHERE id = $1`,
};

/** The thing under review as it stands, or null for a task about something else. */
export async function readReviewSubject(
  sql: SqlRunner,
  subject: { type: string; id: number },
): Promise<Record<string, unknown> | null> {
  const statement = SUBJECT_SQL[subject.type];
  if (statement === undefined) return null;
  const { rows } = await sql.query<Record<string, unknown>>(statement, [subject.id]);
  return rows[0] === undefined ? null : withNumericIds(rows[0]);
}

/** int8 arrives as text; ids are numbers on the wire. */
const withNumericIds = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([field, value]) =>
      typeof value === 'string' && /(^|_)id(_2)?$/.test(field)
        ? [field, Number(value)]
        : [field, value],
    ),
  );

/** The revision to decide on and the one that serves now, each as a whole. */
export async function readRevisions(
  sql: SqlRunner,
  creativeId: number,
  revision: number | null,
): Promise<{ proposed: Record<string, unknown> | null; approved: Record<string, unknown> | null }> {
  const { rows } = await sql.query<Record<string, unknown> & { role: string }>(
    `SELECT r.revision, r.width, r.height, r.image_media_id, r.image_media_id_2, r.video_media_id,
       r.icon_media_id, r.html5_media_id, r.html_code, r.vast_xml, r.vast_url, r.click_url, r.audit_status,
       i.path AS image_path, j.path AS image_path_2, v.path AS video_path, k.path AS icon_path,
       h.path AS html5_path,
       CASE WHEN r.revision = c.approved_revision THEN 'approved' ELSE 'proposed' END AS role
     FROM creatives c JOIN creative_revisions r ON r.creative_id = c.id
       AND r.revision IN (COALESCE($2::int, c.latest_revision), c.approved_revision)
     LEFT JOIN media i ON i.id = r.image_media_id LEFT JOIN media j ON j.id = r.image_media_id_2
     LEFT JOIN media v ON v.id = r.video_media_id LEFT JOIN media k ON k.id = r.icon_media_id
     LEFT JOIN media h ON h.id = r.html5_media_id
     WHERE c.id = $1`,
    [creativeId, revision],
  );
  const find = (role: string) => {
    const row = rows.find((candidate) => candidate.role === role);
    return row === undefined ? null : withNumericIds(row);
  };
  return { proposed: find('proposed') ?? find('approved'), approved: find('approved') };
}

export interface ReviewRoundRow {
  round: number;
  status: string;
  decidedBy: string | null;
  reasons: ReviewReason[] | null;
  createdAt: Date;
  decidedAt: Date | null;
}

/** Earlier rounds of the same thing, newest first. */
export async function listReviewRounds(
  sql: SqlRunner,
  subject: { type: string; id: number },
): Promise<ReviewRoundRow[]> {
  const { rows } = await sql.query<ReviewRoundRow>(
    `SELECT round, status, decided_by AS "decidedBy", reasons, created_at AS "createdAt",
       decided_at AS "decidedAt"
     FROM reviews WHERE subject_type = $1 AND subject_id = $2 ORDER BY round DESC LIMIT 20`,
    [subject.type, subject.id],
  );
  return rows;
}
