// Generated from docs/openapi.yaml; `npm run docs` writes it anew.

export type Ad = { id: number; campaign_id: number; adgroup_id: number; creative_id: number; name: string; landing_url: string | null; title: string | null; description: string | null; button_text: string | null; brand_name: string | null; display_url: string | null; weight: number; status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED'; audit_status: 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED' | 'SUSPENDED'; audit_reasons: (ReviewReason)[]; delivery_status: 'ELIGIBLE' | 'LIMITED' | 'NOT_ELIGIBLE' | 'PENDING' | 'PAUSED' | 'ENDED'; delivery_reasons: (string)[]; version: number; created_at: string; updated_at: string };

export type AdFormat = { id: number; code: string; name: string; ad_type: string; width: number | null; height: number | null };

export type AdGroup = { id: number; campaign_id: number; name: string; bid: number | null; daily_budget: number | null; start_date: string | null; end_date: string | null; target_countries: (string)[] | null; target_devices: (string)[] | null; target_os: (string)[] | null; target_browsers: (string)[] | null; target_hours: (number)[] | null; weekdays: (number)[] | null; bid_adjustments: { device?: Record<string, number>; geo?: Record<string, number>; os?: Record<string, number> } | null; frequency_cap: { impressions: number; window_seconds: number; per: 'campaign' | 'adgroup' | 'ad' } | null; status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED'; audit_status: 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED' | 'SUSPENDED'; audit_reasons: (ReviewReason)[]; delivery_status: 'ELIGIBLE' | 'LIMITED' | 'NOT_ELIGIBLE' | 'PENDING' | 'PAUSED' | 'ENDED'; delivery_reasons: (string)[]; version: number; created_at: string; updated_at: string };

export type AnyonesOperation = { id: number; kind: string; subject: { type: string; id: number } | null; status: 'queued' | 'running' | 'waiting_human' | 'succeeded' | 'failed' | 'cancelled'; phase: string | null; progress: unknown; result: unknown; error: unknown; timeline: ({ at: string; phase: string; note: string | null })[]; version: number; created_at: string; updated_at: string; account_id: number | null; workflow_id: string };

export type Campaign = { id: number; name: string; ad_type: string; campaign_option_id: number | null; price: number | null; bid: number | null; pricing_model: string; type: string; objective: string; daily_budget: number | null; total_budget: number | null; landing_url: string | null; tracker_id: number | null; rotation_mode: string; start_date: string | null; end_date: string | null; target_countries: (string)[] | null; target_devices: (string)[] | null; target_os: (string)[] | null; target_browsers: (string)[] | null; target_hours: (number)[] | null; weekdays: (number)[] | null; bid_adjustments: { device?: Record<string, number>; geo?: Record<string, number>; os?: Record<string, number> } | null; frequency_cap: { impressions: number; window_seconds: number; per: 'campaign' | 'adgroup' | 'ad' } | null; status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED'; audit_status: 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED' | 'SUSPENDED'; audit_reasons: (ReviewReason)[]; delivery_status: 'ELIGIBLE' | 'LIMITED' | 'NOT_ELIGIBLE' | 'PENDING' | 'PAUSED' | 'ENDED'; delivery_reasons: (string)[]; version: number; created_at: string; updated_at: string };

export type Creative = { id: number; name: string; creative_type: string; type: string; size_id: number | null; width: number | null; height: number | null; image_media_id: number | null; image_media_id_2: number | null; video_media_id: number | null; icon_media_id: number | null; image_url: string | null; image_url_2: string | null; video_url: string | null; icon_url: string | null; html_code: string | null; vast_xml: string | null; vast_url: string | null; click_url: string | null; revision: number; approved_revision: number | null; status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED'; audit_status: 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED' | 'SUSPENDED'; audit_reasons: (ReviewReason)[]; delivery_status: 'ELIGIBLE' | 'LIMITED' | 'NOT_ELIGIBLE' | 'PENDING' | 'PAUSED' | 'ENDED'; delivery_reasons: (string)[]; version: number; created_at: string; updated_at: string };

export type Operation = { id: number; kind: string; subject: { type: string; id: number } | null; status: 'queued' | 'running' | 'waiting_human' | 'succeeded' | 'failed' | 'cancelled'; phase: string | null; progress: unknown; result: unknown; error: unknown; timeline: ({ at: string; phase: string; note: string | null })[]; version: number; created_at: string; updated_at: string };

export type ReviewReason = { code: string; field?: string; note?: string };

export interface Routes {
  'GET /api/advertiser/campaigns': {
    query?: { page?: number; page_size?: number; keyword?: string; status?: 'ACTIVE' | 'PAUSED' | 'ARCHIVED'; audit_status?: 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED'; start_date?: string; end_date?: string; pricing_model?: 'CPC' | 'CPM' | 'CPA' | 'CPV' | 'CPS' };
    answer: { items: (Campaign)[]; total: number; page: number; page_size: number; total_pages: number };
  };
  'POST /api/advertiser/campaigns': {
    headers?: { 'Idempotency-Key'?: string };
    body: { name: string; ad_type?: 'BANNER' | 'NATIVE' | 'VIDEO' | 'POPUP' | 'REWARDED' | 'RESPONSIVE' | 'TEXT' | 'FLOAT' | 'INTERSTITIAL' | 'COUPLET' | 'EXIT_INTENT'; campaign_option_id?: number | null; price?: number; bid?: number; pricing_model?: 'CPC' | 'CPM' | 'CPA' | 'CPV' | 'CPS'; type?: string; objective?: string; daily_budget?: number | null; total_budget?: number | null; landing_url?: string | null; tracker_id?: number | null; rotation_mode?: 'EVEN' | 'ASAP'; start_date?: string | null; end_date?: string | null; target_countries?: (string)[] | null; target_devices?: (string)[] | null; target_os?: (string)[] | null; target_browsers?: (string)[] | null; target_hours?: (number)[] | null; weekdays?: (number)[] | null; bid_adjustments?: unknown; frequency_cap?: { impressions: number; window_seconds: number; per?: 'campaign' | 'adgroup' | 'ad' } | null; save_as_draft?: boolean };
    answer: Campaign;
  };
  'GET /api/advertiser/campaigns/options': {
    answer: { items: (AdFormat)[] };
  };
  'PUT /api/advertiser/campaigns/{id}': {
    path: { id: number };
    headers?: { 'If-Match'?: string };
    body?: { name?: string; ad_type?: 'BANNER' | 'NATIVE' | 'VIDEO' | 'POPUP' | 'REWARDED' | 'RESPONSIVE' | 'TEXT' | 'FLOAT' | 'INTERSTITIAL' | 'COUPLET' | 'EXIT_INTENT'; campaign_option_id?: number | null; price?: number; bid?: number; pricing_model?: 'CPC' | 'CPM' | 'CPA' | 'CPV' | 'CPS'; type?: string; objective?: string; daily_budget?: number | null; total_budget?: number | null; landing_url?: string | null; tracker_id?: number | null; rotation_mode?: 'EVEN' | 'ASAP'; start_date?: string | null; end_date?: string | null; target_countries?: (string)[] | null; target_devices?: (string)[] | null; target_os?: (string)[] | null; target_browsers?: (string)[] | null; target_hours?: (number)[] | null; weekdays?: (number)[] | null; bid_adjustments?: unknown; frequency_cap?: { impressions: number; window_seconds: number; per?: 'campaign' | 'adgroup' | 'ad' } | null };
    answer: Campaign;
  };
  'GET /api/advertiser/campaigns/{id}': {
    path: { id: number };
    answer: Campaign;
  };
  'DELETE /api/advertiser/campaigns/{id}': {
    path: { id: number };
    headers?: { 'If-Match'?: string };
    answer: { id: number; status: 'ARCHIVED' };
  };
  'POST /api/advertiser/campaigns/batch-submit-audit': {
    headers?: { 'Idempotency-Key'?: string };
    body: { ids: (number)[] };
    answer: { items: ({ id: number; audit_status: 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED' | 'SUSPENDED' | null; error: 'not_found' | 'state_conflict' | null })[]; submitted: number; refused: number };
  };
  'POST /api/advertiser/campaigns/{id}/copy': {
    path: { id: number };
    headers?: { 'Idempotency-Key'?: string };
    answer: Campaign;
  };
  'POST /api/advertiser/campaigns/{id}/toggle': {
    path: { id: number };
    headers?: { 'Idempotency-Key'?: string };
    answer: Campaign;
  };
  'POST /api/advertiser/campaigns/{id}/submit-audit': {
    path: { id: number };
    headers?: { 'Idempotency-Key'?: string };
    answer: Campaign;
  };
  'GET /api/advertiser/adgroups': {
    query?: { page?: number; page_size?: number; keyword?: string; status?: 'ACTIVE' | 'PAUSED' | 'ARCHIVED'; audit_status?: 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED'; start_date?: string; end_date?: string; campaign_id?: number };
    answer: { items: (AdGroup)[]; total: number; page: number; page_size: number; total_pages: number };
  };
  'POST /api/advertiser/adgroups': {
    headers?: { 'Idempotency-Key'?: string };
    body: { campaign_id: number; name: string; bid?: number | null; daily_budget?: number | null; start_date?: string | null; end_date?: string | null; target_countries?: (string)[] | null; target_devices?: (string)[] | null; target_os?: (string)[] | null; target_browsers?: (string)[] | null; target_hours?: (number)[] | null; weekdays?: (number)[] | null; bid_adjustments?: unknown; frequency_cap?: { impressions: number; window_seconds: number; per?: 'campaign' | 'adgroup' | 'ad' } | null; save_as_draft?: boolean };
    answer: AdGroup;
  };
  'PUT /api/advertiser/adgroups/{id}': {
    path: { id: number };
    headers?: { 'If-Match'?: string };
    body?: { campaign_id?: number; name?: string; bid?: number | null; daily_budget?: number | null; start_date?: string | null; end_date?: string | null; target_countries?: (string)[] | null; target_devices?: (string)[] | null; target_os?: (string)[] | null; target_browsers?: (string)[] | null; target_hours?: (number)[] | null; weekdays?: (number)[] | null; bid_adjustments?: unknown; frequency_cap?: { impressions: number; window_seconds: number; per?: 'campaign' | 'adgroup' | 'ad' } | null };
    answer: AdGroup;
  };
  'GET /api/advertiser/adgroups/{id}': {
    path: { id: number };
    answer: AdGroup;
  };
  'DELETE /api/advertiser/adgroups/{id}': {
    path: { id: number };
    headers?: { 'If-Match'?: string };
    answer: { id: number; status: 'ARCHIVED' };
  };
  'POST /api/advertiser/adgroups/{id}/toggle': {
    path: { id: number };
    headers?: { 'Idempotency-Key'?: string };
    answer: AdGroup;
  };
  'POST /api/advertiser/adgroups/{id}/submit-audit': {
    path: { id: number };
    headers?: { 'Idempotency-Key'?: string };
    answer: AdGroup;
  };
  'GET /api/advertiser/ads': {
    query?: { page?: number; page_size?: number; keyword?: string; status?: 'ACTIVE' | 'PAUSED' | 'ARCHIVED'; audit_status?: 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED'; start_date?: string; end_date?: string; campaign_id?: number; adgroup_id?: number; creative_id?: number };
    answer: { items: (Ad)[]; total: number; page: number; page_size: number; total_pages: number };
  };
  'POST /api/advertiser/ads': {
    headers?: { 'Idempotency-Key'?: string };
    body: { adgroup_id: number; creative_id: number; name: string; landing_url?: string | null; title?: string | null; description?: string | null; button_text?: string | null; brand_name?: string | null; display_url?: string | null; weight?: number; save_as_draft?: boolean };
    answer: Ad;
  };
  'PUT /api/advertiser/ads/{id}': {
    path: { id: number };
    headers?: { 'If-Match'?: string };
    body?: { adgroup_id?: number; creative_id?: number; name?: string; landing_url?: string | null; title?: string | null; description?: string | null; button_text?: string | null; brand_name?: string | null; display_url?: string | null; weight?: number };
    answer: Ad;
  };
  'GET /api/advertiser/ads/{id}': {
    path: { id: number };
    answer: Ad;
  };
  'DELETE /api/advertiser/ads/{id}': {
    path: { id: number };
    headers?: { 'If-Match'?: string };
    answer: { id: number; status: 'ARCHIVED' };
  };
  'POST /api/advertiser/ads/{id}/toggle': {
    path: { id: number };
    headers?: { 'Idempotency-Key'?: string };
    answer: Ad;
  };
  'POST /api/advertiser/ads/{id}/submit-audit': {
    path: { id: number };
    headers?: { 'Idempotency-Key'?: string };
    answer: Ad;
  };
  'GET /api/advertiser/creatives': {
    query?: { page?: number; page_size?: number; keyword?: string; status?: 'ACTIVE' | 'PAUSED' | 'ARCHIVED'; audit_status?: 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED'; start_date?: string; end_date?: string; type?: 'IMAGE' | 'NATIVE' | 'TEXT' | 'HTML' | 'RICH_MEDIA' | 'VIDEO'; creative_type?: 'image' | 'native' | 'text' | 'html' | 'html5' | 'rich_media' | 'video' | 'vast' };
    answer: { items: (Creative)[]; total: number; page: number; page_size: number; total_pages: number };
  };
  'POST /api/advertiser/creatives': {
    headers?: { 'Idempotency-Key'?: string };
    body: { name: string; size_id?: number | null; width?: number | null; height?: number | null; image_media_id?: number | null; image_media_id_2?: number | null; video_media_id?: number | null; icon_media_id?: number | null; html_code?: string | null; vast_xml?: string | null; vast_url?: string | null; click_url?: string | null; creative_type?: 'image' | 'native' | 'text' | 'html' | 'html5' | 'rich_media' | 'video' | 'vast'; type?: 'IMAGE' | 'NATIVE' | 'TEXT' | 'HTML' | 'RICH_MEDIA' | 'VIDEO'; save_as_draft?: boolean };
    answer: Creative;
  };
  'PUT /api/advertiser/creatives/{id}': {
    path: { id: number };
    headers?: { 'If-Match'?: string };
    body?: { name?: string; size_id?: number | null; width?: number | null; height?: number | null; image_media_id?: number | null; image_media_id_2?: number | null; video_media_id?: number | null; icon_media_id?: number | null; html_code?: string | null; vast_xml?: string | null; vast_url?: string | null; click_url?: string | null };
    answer: Creative;
  };
  'GET /api/advertiser/creatives/{id}': {
    path: { id: number };
    answer: Creative;
  };
  'DELETE /api/advertiser/creatives/{id}': {
    path: { id: number };
    headers?: { 'If-Match'?: string };
    answer: { id: number; status: 'ARCHIVED' };
  };
  'POST /api/advertiser/creatives/{id}/toggle': {
    path: { id: number };
    headers?: { 'Idempotency-Key'?: string };
    answer: Creative;
  };
  'POST /api/advertiser/creatives/{id}/submit-audit': {
    path: { id: number };
    headers?: { 'Idempotency-Key'?: string };
    answer: Creative;
  };
  'GET /api/advertiser/operations': {
    query?: { page?: number; page_size?: number; kind?: string; status?: 'queued' | 'running' | 'waiting_human' | 'succeeded' | 'failed' | 'cancelled' };
    answer: { items: (Operation)[]; total: number; page: number; page_size: number; total_pages: number };
  };
  'GET /api/advertiser/operations/{id}': {
    path: { id: number };
    query?: { wait?: number };
    headers?: { 'If-None-Match'?: string };
    answer: Operation;
  };
  'GET /api/publisher/operations': {
    query?: { page?: number; page_size?: number; kind?: string; status?: 'queued' | 'running' | 'waiting_human' | 'succeeded' | 'failed' | 'cancelled' };
    answer: { items: (Operation)[]; total: number; page: number; page_size: number; total_pages: number };
  };
  'GET /api/publisher/operations/{id}': {
    path: { id: number };
    query?: { wait?: number };
    headers?: { 'If-None-Match'?: string };
    answer: Operation;
  };
  'GET /api/admin/operations': {
    query?: { page?: number; page_size?: number; kind?: string; status?: 'queued' | 'running' | 'waiting_human' | 'succeeded' | 'failed' | 'cancelled'; account_id?: number };
    answer: { items: (AnyonesOperation)[]; total: number; page: number; page_size: number; total_pages: number };
  };
  'GET /api/admin/operations/{id}': {
    path: { id: number };
    query?: { wait?: number };
    headers?: { 'If-None-Match'?: string };
    answer: AnyonesOperation;
  };
}
