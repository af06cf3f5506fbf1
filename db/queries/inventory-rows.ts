import type { BidAdjustments, FrequencyCap, ReviewReason } from '../tables/json.ts';
import {
  CREATIVE_CONTENT_COLUMNS,
  CREATIVE_CONTENT_JOINS,
  type CreativeContentColumns,
} from './creative-revisions.ts';
import {
  AD_FACT_COLUMNS,
  type AdFactColumns,
  adFacts,
  ADGROUP_FACT_COLUMNS,
  ADGROUP_FACT_JOINS,
  type AdGroupFactColumns,
  CAMPAIGN_FACT_COLUMNS,
  CAMPAIGN_FACT_JOINS,
  type CampaignFactColumns,
  type InventorySelect,
} from './inventory.ts';

/** One record of each kind as its screen reads it, with the facts that its delivery depends on. */
export interface ReviewedRow {
  id: string;
  name: string;
  status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED';
  audit_status: 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED';
  audit_reasons: ReviewReason[] | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

export interface TargetingRow {
  start_date: string | null;
  end_date: string | null;
  target_countries: string[] | null;
  target_devices: string[] | null;
  target_os: string[] | null;
  target_browsers: string[] | null;
  target_hours: number[] | null;
  weekdays: number[] | null;
  bid_adjustments: BidAdjustments | null;
  frequency_cap: FrequencyCap | null;
}

export interface CampaignRow extends ReviewedRow, TargetingRow, CampaignFactColumns, AdFactColumns {
  ad_type: string;
  campaign_option_id: string | null;
  bid_nanos: string;
  pricing_model: string;
  type: string;
  objective: string;
  daily_budget_nanos: string | null;
  total_budget_nanos: string | null;
  landing_url: string | null;
  tracker_id: string | null;
  rotation_mode: string;
}

export interface AdGroupRow
  extends ReviewedRow, TargetingRow, CampaignFactColumns, AdGroupFactColumns, AdFactColumns {
  campaign_id: string;
  bid_nanos: string | null;
  daily_budget_nanos: string | null;
}

export interface AdRow extends ReviewedRow, CampaignFactColumns, AdGroupFactColumns {
  campaign_id: string;
  adgroup_id: string;
  creative_id: string;
  landing_url: string | null;
  title: string | null;
  description: string | null;
  button_text: string | null;
  brand_name: string | null;
  display_url: string | null;
  weight: number;
  creative_status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED';
  creative_audit_status: 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED';
  creative_approved: boolean;
}

export interface CreativeRow extends ReviewedRow, CreativeContentColumns {
  creative_type: string;
  type: string;
  latest_revision: number;
  approved_revision: number | null;
}

export interface MediaRow {
  id: string;
  type: 'IMAGE' | 'VIDEO' | 'HTML5';
  name: string | null;
  mime: string;
  width: number | null;
  height: number | null;
  duration_s: string | null;
  bytes: string;
  sha256: string;
  path: string;
  source: 'UPLOAD' | 'AI';
  created_at: Date;
}

const REVIEWED =
  't.id, t.name, t.status, t.audit_status, t.audit_reasons, t.version, t.created_at, t.updated_at';
const TARGETING = `t.start_date::text, t.end_date::text, t.target_countries, t.target_devices, t.target_os,
  t.target_browsers, t.target_hours, t.weekdays, t.bid_adjustments, t.frequency_cap`;

export const CAMPAIGNS: InventorySelect = {
  table: 'campaigns',
  columns: `${REVIEWED}, ${TARGETING}, t.ad_type, t.campaign_option_id, t.bid_nanos, t.pricing_model, t.type,
    t.objective, t.daily_budget_nanos, t.total_budget_nanos, t.landing_url, t.tracker_id, t.rotation_mode,
    ${CAMPAIGN_FACT_COLUMNS}, ${AD_FACT_COLUMNS}`,
  joins: `JOIN campaigns c ON c.id = t.id ${CAMPAIGN_FACT_JOINS} ${adFacts('x.campaign_id = t.id')}`,
};

export const AD_GROUPS: InventorySelect = {
  table: 'ad_groups',
  columns: `${REVIEWED}, ${TARGETING}, t.campaign_id, t.bid_nanos, t.daily_budget_nanos,
    ${CAMPAIGN_FACT_COLUMNS}, ${ADGROUP_FACT_COLUMNS}, ${AD_FACT_COLUMNS}`,
  joins: `JOIN ad_groups g ON g.id = t.id JOIN campaigns c ON c.id = t.campaign_id
    ${CAMPAIGN_FACT_JOINS} ${ADGROUP_FACT_JOINS} ${adFacts('x.id = t.id')}`,
};

export const ADS: InventorySelect = {
  table: 'ads',
  columns: `${REVIEWED}, t.campaign_id, t.adgroup_id, t.creative_id, t.landing_url, t.title, t.description,
    t.button_text, t.brand_name, t.display_url, t.weight, k.status AS creative_status,
    k.audit_status AS creative_audit_status, k.approved_revision IS NOT NULL AS creative_approved,
    ${CAMPAIGN_FACT_COLUMNS}, ${ADGROUP_FACT_COLUMNS}`,
  joins: `JOIN ad_groups g ON g.id = t.adgroup_id JOIN campaigns c ON c.id = t.campaign_id
    JOIN creatives k ON k.id = t.creative_id ${CAMPAIGN_FACT_JOINS} ${ADGROUP_FACT_JOINS}`,
};

/** The owner sees the latest revision; `approved_revision` tells which one serves. */
export const CREATIVES: InventorySelect = {
  table: 'creatives',
  columns: `${REVIEWED}, t.creative_type, t.type, t.latest_revision, t.approved_revision,
    ${CREATIVE_CONTENT_COLUMNS}`,
  joins: `JOIN creative_revisions r ON r.creative_id = t.id AND r.revision = t.latest_revision
    ${CREATIVE_CONTENT_JOINS}`,
};

export const MEDIA: InventorySelect = {
  table: 'media',
  columns: `t.id, t.type, t.name, t.mime, t.width, t.height, t.duration_s, t.bytes, t.sha256, t.path,
    t.source, t.created_at`,
  joins: '',
};

export interface AdFormatRow {
  id: string;
  code: string;
  name: string;
  ad_type: string;
  width: number | null;
  height: number | null;
}

export const AD_FORMATS_SQL =
  'SELECT id, code, name, ad_type, width, height FROM ad_formats ORDER BY id';
