// Generated from docs/openapi.yaml; `npm run docs` writes it anew.

export type Accepted = { operation: Operation };

export type Ad = { id: number; campaign_id: number; adgroup_id: number; creative_id: number; name: string; landing_url: string | null; title: string | null; description: string | null; button_text: string | null; brand_name: string | null; display_url: string | null; weight: number; status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED'; audit_status: 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED' | 'SUSPENDED'; audit_reasons: (ReviewReason)[]; delivery_status: 'ELIGIBLE' | 'LIMITED' | 'NOT_ELIGIBLE' | 'PENDING' | 'PAUSED' | 'ENDED'; delivery_reasons: (string)[]; version: number; created_at: string; updated_at: string };

export type AdAnswer = { code: number; message: string; data: { request_id: string; zone: ServedZone; ads: (AdItem)[]; qa_k: string; _rand: string; _ts: number; _v: number }; timestamp: number };

export type AdFormat = { id: number; code: string; name: string; ad_type: string; width: number | null; height: number | null };

export type AdGroup = { id: number; campaign_id: number; name: string; bid: number | null; daily_budget: number | null; start_date: string | null; end_date: string | null; target_countries: (string)[] | null; target_devices: (string)[] | null; target_os: (string)[] | null; target_browsers: (string)[] | null; target_hours: (number)[] | null; weekdays: (number)[] | null; bid_adjustments: { device?: Record<string, number>; geo?: Record<string, number>; os?: Record<string, number> } | null; frequency_cap: { impressions: number; window_seconds: number; per: 'campaign' | 'adgroup' | 'ad' } | null; status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED'; audit_status: 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED' | 'SUSPENDED'; audit_reasons: (ReviewReason)[]; delivery_status: 'ELIGIBLE' | 'LIMITED' | 'NOT_ELIGIBLE' | 'PENDING' | 'PAUSED' | 'ENDED'; delivery_reasons: (string)[]; version: number; created_at: string; updated_at: string };

export type AdItem = { id: string; type: string; title: string; description: string; button_text: string; brand_name: string; image_url: string | null; image_url_2: string | null; video_url: string | null; icon_url: string | null; display_url: string; landing_url: string; click_url: string; impression_url: string; width: number; height: number; pricing_model: string; html: string; html_content?: string };

export type AdvertiserBalance = { currency: string; balance: number; available: number; held: number; pending_deposits: number; spend_today: number };

export type AdvertiserOverview = { id: number; username: string; email: string; nickname: string; company_name: string | null; contact_name: string | null; mobile: string | null; industry: string | null; status: 'ACTIVE' | 'SUSPENDED'; kyc_status: 'none' | 'pending' | 'approved' | 'rejected' | 'expired'; version: number; created_at: string; updated_at: string; balance: { currency: string; balance: number; available: number; held: number }; open: { tasks: number; deposits: number } };

export type AdvertiserProfile = { id: number; username: string; nickname: string; email: string; advertisement_id: number | null; role: string; status: 'ACTIVE' | 'SUSPENDED'; version: number; created_at: string; updated_at: string; mobile: string | null; company_name: string | null; contact_name: string | null; industry: string | null; kyc_status: 'none' | 'pending' | 'approved' | 'rejected' | 'expired'; profile_completeness: 'none' | 'basic' | 'verified'; missing: ('contact_name' | 'company_name_or_mobile' | 'kyc' | 'payout_account')[] };

export type AnyonesOperation = { id: number; kind: string; subject: { type: string; id: number } | null; status: 'queued' | 'running' | 'waiting_human' | 'succeeded' | 'failed' | 'cancelled'; phase: string | null; progress: unknown; result: unknown; error: unknown; timeline: ({ at: string; phase: string; note: string | null })[]; version: number; created_at: string; updated_at: string; account_id: number | null; workflow_id: string };

export type AuditEntry = { id: number; actor: { type: 'OPERATOR' | 'ACCOUNT' | 'SYSTEM'; id: number | null; username: string | null }; action: string; subject: { type: string; id: number | null }; detail: Record<string, unknown>; request_id: string | null; created_at: string };

export type BankCard = { id: number; account_holder: string | null; account_type: 'PERSONAL' | 'BUSINESS' | null; country: string; currency: string; bank_name: string | null; branch_name: string | null; account: string; last4: string; swift_bic: string | null; is_default: boolean; usable_from: string; is_usable: boolean; version: number; created_at: string; updated_at: string };

export type Books = { ok: boolean; checks: ({ name: string; ok: boolean; figure: string; detail: string })[]; as_of: string };

export type Campaign = { id: number; name: string; ad_type: string; campaign_option_id: number | null; price: number | null; bid: number | null; pricing_model: string; type: string; objective: string; daily_budget: number | null; total_budget: number | null; landing_url: string | null; tracker_id: number | null; rotation_mode: string; start_date: string | null; end_date: string | null; target_countries: (string)[] | null; target_devices: (string)[] | null; target_os: (string)[] | null; target_browsers: (string)[] | null; target_hours: (number)[] | null; weekdays: (number)[] | null; bid_adjustments: { device?: Record<string, number>; geo?: Record<string, number>; os?: Record<string, number> } | null; frequency_cap: { impressions: number; window_seconds: number; per: 'campaign' | 'adgroup' | 'ad' } | null; status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED'; audit_status: 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED' | 'SUSPENDED'; audit_reasons: (ReviewReason)[]; delivery_status: 'ELIGIBLE' | 'LIMITED' | 'NOT_ELIGIBLE' | 'PENDING' | 'PAUSED' | 'ENDED'; delivery_reasons: (string)[]; version: number; created_at: string; updated_at: string };

export type ClickVerifyRefusal = { code: number; message: string; data: { error: string; errors?: ({ field: string; code: string; message: string })[]; request_id: string } };

export type Conversion = { id: number; click_id: string | null; txid: string | null; campaign_id: number | null; adgroup_id: number | null; ad_id: number | null; creative_id: number | null; zone_id: number | null; event_type: string; value: number; currency: string; status: 'ACCEPTED' | 'UNATTRIBUTED' | 'EXPIRED' | 'BILLED' | 'UNBILLED'; reason: string | null; latency_seconds: number | null; source: string; clicked_at: string | null; created_at: string };

export type ConversionAnswer = { code: number; msg: string; conversion_id: number };

export type Creative = { id: number; name: string; creative_type: string; type: string; size_id: number | null; width: number | null; height: number | null; image_media_id: number | null; image_media_id_2: number | null; video_media_id: number | null; icon_media_id: number | null; html5_media_id: number | null; image_url: string | null; image_url_2: string | null; video_url: string | null; icon_url: string | null; html5_url: string | null; html_code: string | null; vast_xml: string | null; vast_url: string | null; click_url: string | null; revision: number; approved_revision: number | null; status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED'; audit_status: 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED' | 'SUSPENDED'; audit_reasons: (ReviewReason)[]; delivery_status: 'ELIGIBLE' | 'LIMITED' | 'NOT_ELIGIBLE' | 'PENDING' | 'PAUSED' | 'ENDED'; delivery_reasons: (string)[]; version: number; created_at: string; updated_at: string };

export type CreativeRevision = { revision: number; audit_status: 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED' | 'SUSPENDED'; audit_reasons: (ReviewReason)[]; is_serving: boolean; size_id: number | null; width: number | null; height: number | null; image_media_id: number | null; image_media_id_2: number | null; video_media_id: number | null; icon_media_id: number | null; html5_media_id: number | null; image_url: string | null; image_url_2: string | null; video_url: string | null; icon_url: string | null; html5_url: string | null; html_code: string | null; vast_xml: string | null; vast_url: string | null; click_url: string | null; created_at: string; decided_by: 'AUTO' | 'OPERATOR' | null; decided_at: string | null };

export type Deposit = { id: number; amount: number; currency: string; payment_method: 'BANK' | 'USDT' | 'ALIPAY' | 'WECHAT' | 'OFFLINE'; reference: string; status: 'PENDING' | 'CONFIRMING' | 'REVIEW' | 'PAID' | 'CANCELLED' | 'EXPIRED' | 'REFUNDED' | 'FAILED'; received: number; expires_at: string; paid_at: string | null; created_at: string; updated_at: string };

export type DepositWithReceipts = { id: number; amount: number; currency: string; payment_method: 'BANK' | 'USDT' | 'ALIPAY' | 'WECHAT' | 'OFFLINE'; reference: string; status: 'PENDING' | 'CONFIRMING' | 'REVIEW' | 'PAID' | 'CANCELLED' | 'EXPIRED' | 'REFUNDED' | 'FAILED'; received: number; expires_at: string; paid_at: string | null; created_at: string; updated_at: string; advertiser_id: number; receipts: (Receipt)[] };

export type EventTrace = { track: { request_id: string; bid_id: string; advertiser_id: number; campaign_id: number; ad_id: number; creative_id: number; zone_id: number; issued_at: string; protocol: number; channel: string; pricing_model: string; price: number; country: string | null; device: string; os: string } | null; events: ({ id: string; kind: string; received_at: string; judged_at: string; status: string; billable: boolean; reason: string | null; reasons: (string)[]; request_id: string | null; bid_id: string | null; click_id: string | null; advertiser_id: number | null; campaign_id: number | null; adgroup_id: number | null; ad_id: number | null; creative_id: number | null; publisher_id: number | null; site_id: number | null; zone_id: number | null; country: string | null; device: string | null; os: string | null; browser: string | null; ip_prefix: string | null; pricing_model: string | null; price: number; publisher_share: number; ledger_batch_id: number | null })[]; clicks: ({ click_id: string; status: string; reason: string | null; clicked_at: string; verify_by: string; verified_at: string | null; request_id: string; bid_id: string; campaign_id: number; ad_id: number; creative_id: number; zone_id: number; price: number; pricing_model: string })[]; conversions: ({ id: number; tracker_id: number | null; click_id: string | null; event_type: string; value: number; currency: string; status: string; reason: string | null; latency_seconds: number | null; source: string; created_at: string })[] };

export type Kyc = { kyc_status: 'none' | 'pending' | 'approved' | 'rejected' | 'expired'; round: number | null; entity_type: 'PERSONAL' | 'BUSINESS' | null; legal_name: string | null; country: string | null; document_number: string | null; document_expires_on: string | null; documents: (KycDocument)[]; reasons: ({ code: string; field: string | null; note: string | null })[]; submitted_at: string | null; decided_at: string | null; expires_at: string | null };

export type KycDocument = { id: number; mime: string; bytes: number; sha256: string; created_at: string };

export type KycRound = { id: number; account_id: number; round: number; status: 'PENDING' | 'APPROVED' | 'REJECTED' | 'EXPIRED'; entity_type: 'PERSONAL' | 'BUSINESS'; legal_name: string; country: string; document_number: string; document_expires_on: string | null; reasons: ({ code: string; field: string | null; note: string | null })[]; submitted_at: string; decided_at: string | null; expires_at: string | null; documents: ({ id: number; mime: string; bytes: number; sha256: string; created_at: string; url: string })[]; history: ({ id: number; account_id: number; round: number; status: 'PENDING' | 'APPROVED' | 'REJECTED' | 'EXPIRED'; entity_type: 'PERSONAL' | 'BUSINESS'; legal_name: string; country: string; document_number: string; document_expires_on: string | null; reasons: ({ code: string; field: string | null; note: string | null })[]; submitted_at: string; decided_at: string | null; expires_at: string | null })[] };

export type LedgerAccount = { id: number; code: string; currency: string; owner: { type: string; id: number | null } | null; balance: number; balance_nanos: string; floor_nanos: string | null; created_at: string };

export type LedgerTransfer = { id: number; batch_id: number; batch_kind: string; debit: string; credit: string; amount: number; amount_nanos: string; currency: string; type: string; subject: { type: string; id: number | null } | null; event_count: number; created_at: string };

export type Media = { id: number; type: 'IMAGE' | 'VIDEO' | 'HTML5'; name: string | null; url: string; mime: string; width: number | null; height: number | null; duration_s: number | null; bytes: number; sha256: string; source: 'UPLOAD' | 'AI'; created_at: string };

export type Operation = { id: number; kind: string; subject: { type: string; id: number } | null; status: 'queued' | 'running' | 'waiting_human' | 'succeeded' | 'failed' | 'cancelled'; phase: string | null; progress: unknown; result: unknown; error: unknown; timeline: ({ at: string; phase: string; note: string | null })[]; version: number; created_at: string; updated_at: string };

export type OperatorDeposit = { id: number; amount: number; currency: string; payment_method: 'BANK' | 'USDT' | 'ALIPAY' | 'WECHAT' | 'OFFLINE'; reference: string; status: 'PENDING' | 'CONFIRMING' | 'REVIEW' | 'PAID' | 'CANCELLED' | 'EXPIRED' | 'REFUNDED' | 'FAILED'; received: number; expires_at: string; paid_at: string | null; created_at: string; updated_at: string; advertiser_id: number };

export type OperatorProfile = { id: number; username: string; nickname: string; email: string; advertisement_id: number | null; role: string; status: 'ACTIVE' | 'SUSPENDED'; version: number; created_at: string; updated_at: string };

export type OperatorWithdrawal = { id: number; amount: number; fee: number; tax: number; arrival_amount: number; currency: string; payment_method: 'BANK' | 'USDT' | 'PAYPAL' | 'PAXUM'; channel: 'BANK' | 'USDT' | 'PAYPAL' | 'PAXUM'; account: string | null; bank_card_id: number | null; status: 'PENDING' | 'RISK_HOLD' | 'APPROVED' | 'PROCESSING' | 'UNKNOWN' | 'PAID' | 'FAILED' | 'RETURNED' | 'REJECTED' | 'CANCELLED'; reasons: ({ code: string; field: string | null; note: string | null })[]; cancellable: boolean; not_before: string | null; reference: string | null; paid_at: string | null; version: number; created_at: string; updated_at: string; publisher_id: number; findings: ({ code: string; severity: string; note: string | null })[]; payout: { state: string; external_ref: string; tries: number; looks: number; last_outcome: string | null; file_name: string | null; file_sha256: string | null } | null };

export type PaymentMethod = { payment_method: 'BANK' | 'USDT' | 'PAYPAL' | 'PAXUM'; available: boolean; currency: string; minimum: number; fee: { fixed: number; percent: number }; tax_percent: number; step: number; fields: ({ name: string; required: boolean; description: string })[] };

export type Postback = { id: number; conversion_id: number; url: string; status: 'PENDING' | 'DELIVERED' | 'DEAD'; attempts: number; next_attempt_at: string | null; last_outcome: string | null; delivered_at: string | null; created_at: string; updated_at: string };

export type PostbackSecret = { algorithm: 'HMAC-SHA256'; secret: string; signed: string };

export type PublisherBalance = { currency: string; balance: number; withdrawable: number; maturing: number; held: number; paid_total: number };

export type PublisherOverview = { id: number; username: string; email: string; nickname: string; company_name: string | null; contact_name: string | null; mobile: string | null; industry: string | null; status: 'ACTIVE' | 'SUSPENDED'; kyc_status: 'none' | 'pending' | 'approved' | 'rejected' | 'expired'; version: number; created_at: string; updated_at: string; site_url: string | null; balance: { currency: string; balance: number; withdrawable: number; maturing: number; held: number }; open: { tasks: number; withdrawals: number } };

export type PublisherProfile = { id: number; username: string; nickname: string; email: string; advertisement_id: number | null; role: string; status: 'ACTIVE' | 'SUSPENDED'; version: number; created_at: string; updated_at: string; mobile: string | null; company_name: string | null; contact_name: string | null; industry: string | null; kyc_status: 'none' | 'pending' | 'approved' | 'rejected' | 'expired'; profile_completeness: 'none' | 'basic' | 'verified'; missing: ('contact_name' | 'company_name_or_mobile' | 'kyc' | 'payout_account')[]; site_url: string | null };

export type Readiness = { ready: boolean; parts: Record<string, { ok: boolean; detail?: string | number }> };

export type Receipt = { id: number; amount: number; currency: string; provider: string; reference: string; state: 'SUSPENSE' | 'CREDITED' | 'REFUNDED'; received_at: string; evidence_media_id: number | null; operator_id: number | null; created_at: string };

export type RevenueReport = { items: ({ date?: string; hour?: number; site_id?: number; site_name?: string | null; zone_id?: number; zone_name?: string | null; country?: string; device?: string; os?: string; browser?: string; requests: number | null; impressions: number; viewable: number; clicks: number; conversions: number; removed: number; ctr: number; cvr: number; ecpm: number; revenue: number })[]; totals: { requests: number | null; impressions: number; viewable: number; clicks: number; conversions: number; removed: number; ctr: number; cvr: number; ecpm: number; revenue: number }; start_date: string; end_date: string; group_by: (string)[]; timezone: string; as_of: string | null; is_final: boolean };

export type ReviewReason = { code: string; field?: string; note?: string };

export type RewardCallback = { verified: boolean; transaction_id: string; user_id: string; custom_data: string; reward_amount: number; reward_item: string; timestamp: string };

export type RewardGrant = { verified: boolean; transaction_id: string; user_id: string; custom_data: string; reward_amount: number; reward_item: string; timestamp: string; duplicate: boolean; payload: string; signature: string; key_id: number; callback: 'queued' | 'none' };

export type RewardKeys = { code: number; message: string; data: { keys: ({ keyId: number; pem: string; base64: string })[] }; timestamp: number; keys: ({ keyId: number; pem: string; base64: string })[] };

export type RewardToken = { token: string; expires_in: number; transaction_id: string; watch_seconds: number; reward_amount: number; reward_item: string };

export type Sellers = { version: '1.0'; sellers: ({ seller_id: string; seller_type: 'PUBLISHER'; is_confidential: number; name?: string; domain?: string })[] };

export type ServedZone = { id: number; code: string; width: number; height: number; type: 'BANNER' | 'NATIVE' | 'VIDEO' | 'POPUP' | 'REWARDED' | 'RESPONSIVE' | 'TEXT' | 'FLOAT' | 'INTERSTITIAL' | 'COUPLET' | 'EXIT_INTENT'; refresh: number; trigger?: { type: 'LOAD' | 'DELAY' | 'SCROLL' | 'CLICK'; delay_seconds: number; scroll_percent: number }; frequency?: { impressions: number; window_seconds: number }; popup?: { position: 'CENTER' | 'TOP' | 'BOTTOM' | 'LEFT' | 'RIGHT'; overlay: boolean; close_button: boolean; close_delay_seconds: number }; couplet?: { min_screen_width: number; offset_top: number; offset_side: number; close_button: boolean }; rewarded?: { watch_seconds: number; skippable_after_seconds: number; reward_amount: number; reward_type: string } };

export type Session = { token: string; token_type: 'Bearer'; expires_in: number; user: User };

export type Setting = { key: 'ad.impression_dedup_seconds' | 'ad.click_dedup_seconds' | 'ad.first_price' | 'ad.rate_impressions_per_minute' | 'ad.rate_clicks_per_minute' | 'review.campaign' | 'review.adgroup' | 'review.ad' | 'review.creative' | 'review.site' | 'review.zone' | 'deposit.minimum.BANK' | 'deposit.minimum.USDT' | 'deposit.minimum.ALIPAY' | 'deposit.minimum.WECHAT' | 'deposit.minimum.OFFLINE' | 'deposit.second_approval_above' | 'payout.maturity_days' | 'review.withdrawal' | 'payout.second_approval_above' | 'payout.cooling_off_seconds' | 'payout.minimum.BANK' | 'payout.minimum.USDT' | 'payout.minimum.PAYPAL' | 'payout.minimum.PAXUM' | 'payout.fee_cents.BANK' | 'payout.fee_cents.USDT' | 'payout.fee_cents.PAYPAL' | 'payout.fee_cents.PAXUM' | 'payout.fee_ppm.BANK' | 'payout.fee_ppm.USDT' | 'payout.fee_ppm.PAYPAL' | 'payout.fee_ppm.PAXUM' | 'payout.tax_ppm'; value: unknown; default: unknown; rule: string; version: number; updated_at: string | null; updated_by: number | null };

export type Site = { id: number; name: string; media_type: 'WEB' | 'APP' | 'MINI_PROGRAM'; domain: string | null; app_package: string | null; url: string | null; description: string | null; industry_id: number | null; icp: string | null; verify_status: 'UNVERIFIED' | 'VERIFIED' | 'LAPSED'; verify_method: 'META' | 'FILE' | 'DNS' | 'ADS_TXT' | null; verified_at: string | null; verify_misses: number; verify_lapses_at: string | null; verification: { method: 'META' | 'FILE' | 'DNS' | 'ADS_TXT'; status: 'RUNNING' | 'VERIFIED' | 'FAILED' | 'VOID'; attempts: number; last_outcome: string | null } | null; status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED'; audit_status: 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED' | 'SUSPENDED'; audit_reasons: (ReviewReason)[]; delivery_status: 'ELIGIBLE' | 'LIMITED' | 'NOT_ELIGIBLE' | 'PENDING' | 'PAUSED' | 'ENDED'; delivery_reasons: (string)[]; version: number; created_at: string; updated_at: string };

export type SiteAdsTxt = { seller_id: string; file: 'ads.txt' | 'app-ads.txt'; location: string | null; line: string; sellers_json_url: string };

export type SiteVerifyCode = { code: string; methods: ({ method: 'META' | 'FILE' | 'DNS' | 'ADS_TXT'; location: string; value: string; instruction: string })[]; verify_status: 'UNVERIFIED' | 'VERIFIED' | 'LAPSED' };

export type SpendReport = { items: ({ date?: string; hour?: number; site_id?: number; site_name?: string | null; zone_id?: number; zone_name?: string | null; country?: string; device?: string; os?: string; browser?: string; campaign_id?: number; campaign_name?: string | null; adgroup_id?: number; adgroup_name?: string | null; ad_id?: number; ad_name?: string | null; creative_id?: number; creative_name?: string | null; requests: number | null; impressions: number; viewable: number; clicks: number; conversions: number; removed: number; ctr: number; cvr: number; ecpm: number; spend: number })[]; totals: { requests: number | null; impressions: number; viewable: number; clicks: number; conversions: number; removed: number; ctr: number; cvr: number; ecpm: number; spend: number }; start_date: string; end_date: string; group_by: (string)[]; timezone: string; as_of: string | null; is_final: boolean };

export type Task = { id: number; kind: 'campaign_review' | 'adgroup_review' | 'ad_review' | 'creative_review' | 'site_review' | 'zone_review' | 'kyc_review' | 'deposit_review' | 'deposit_second_approval' | 'withdrawal_review' | 'withdrawal_second_approval' | 'payout_unknown' | 'suspense'; status: 'open' | 'decided' | 'void'; subject: { type: string; id: number }; account_id: number | null; summary: string; findings: ({ code: string; severity: 'info' | 'notice' | 'blocker'; field?: string; note?: string })[]; decisions: (string)[]; required_role: 'ADMIN' | 'REVIEWER' | 'FINANCE' | 'SUPPORT'; maker_id: number | null; opened_at: string; due_at: string | null; decided_at: string | null; decision: { id: number; decision: string; reasons: ({ code: string; field?: string; note?: string })[]; note: string | null; evidence_media_id: number | null; operator_id: number; operator: string; created_at: string } | null; assignee: { id: number; username: string | null } | null; workflow_id: string; temporal_url: string };

export type TaskPage = { id: number; kind: 'campaign_review' | 'adgroup_review' | 'ad_review' | 'creative_review' | 'site_review' | 'zone_review' | 'kyc_review' | 'deposit_review' | 'deposit_second_approval' | 'withdrawal_review' | 'withdrawal_second_approval' | 'payout_unknown' | 'suspense'; status: 'open' | 'decided' | 'void'; subject: { type: string; id: number }; account_id: number | null; summary: string; findings: ({ code: string; severity: 'info' | 'notice' | 'blocker'; field?: string; note?: string })[]; decisions: (string)[]; required_role: 'ADMIN' | 'REVIEWER' | 'FINANCE' | 'SUPPORT'; maker_id: number | null; opened_at: string; due_at: string | null; decided_at: string | null; decision: { id: number; decision: string; reasons: ({ code: string; field?: string; note?: string })[]; note: string | null; evidence_media_id: number | null; operator_id: number; operator: string; created_at: string } | null; assignee: { id: number; username: string | null } | null; workflow_id: string; temporal_url: string; detail: Record<string, unknown> };

export type Tracker = { id: number; version: number; name: string; type: 'PIXEL' | 'POSTBACK' | 'JS' | 'IMPORT'; event_type: string; count_mode: 'ONE' | 'EVERY'; require_sig: boolean; conversion_value: number; attribution_window: number; postback_url: string | null; pixel_code: string | null; tracking_code: string; status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED'; created_at: string; updated_at: string };

export type TrackerCode = { tracking_code: string; pixel: string; script: string; conversion_url: string; postback_url: string; gif_url: string };

export type TrackerStats = { items: (TrackerStatsRow)[]; totals: TrackerStatsCounts; currency: string; start_date: string; end_date: string; group_by: (string)[]; timezone: string; as_of: string | null; is_final: boolean };

export type TrackerStatsCounts = { conversions: number; attributed: number; unattributed: number; expired: number; billed: number; value: number; foreign_currency: number };

export type TrackerStatsRow = { date?: string; hour?: number; campaign_id?: number | null; campaign_name?: string | null; adgroup_id?: number | null; adgroup_name?: string | null; ad_id?: number | null; ad_name?: string | null; creative_id?: number | null; creative_name?: string | null; event_type?: string; conversions: number; attributed: number; unattributed: number; expired: number; billed: number; value: number; foreign_currency: number };

export type Transaction = { id: number; type: string; amount: number; balance_after: number; currency: string; subject: { type: string; id: number | null } | null; description: string; created_at: string };

export type User = { id: number; username: string; nickname: string; email: string; advertisement_id: number | null; role: string };

export type VerifiedClick = { code: number; message: string; data: { url: string; click_id: string } };

export type Withdrawal = { id: number; amount: number; fee: number; tax: number; arrival_amount: number; currency: string; payment_method: 'BANK' | 'USDT' | 'PAYPAL' | 'PAXUM'; channel: 'BANK' | 'USDT' | 'PAYPAL' | 'PAXUM'; account: string | null; bank_card_id: number | null; status: 'PENDING' | 'RISK_HOLD' | 'APPROVED' | 'PROCESSING' | 'UNKNOWN' | 'PAID' | 'FAILED' | 'RETURNED' | 'REJECTED' | 'CANCELLED'; reasons: ({ code: string; field: string | null; note: string | null })[]; cancellable: boolean; not_before: string | null; reference: string | null; paid_at: string | null; version: number; created_at: string; updated_at: string };

export type Zone = { id: number; site_id: number; name: string; zone_key: string; type: 'BANNER' | 'NATIVE' | 'VIDEO' | 'POPUP' | 'REWARDED' | 'RESPONSIVE' | 'TEXT' | 'FLOAT' | 'INTERSTITIAL' | 'COUPLET' | 'EXIT_INTENT'; ad_type: 'BANNER' | 'NATIVE' | 'VIDEO' | 'POPUP' | 'REWARDED' | 'RESPONSIVE' | 'TEXT' | 'FLOAT' | 'INTERSTITIAL' | 'COUPLET' | 'EXIT_INTENT'; ad_format_id: number | null; zone_type_id: number | null; size_id: number | null; width: number; height: number; position: string; device: 'ALL' | 'DESKTOP' | 'MOBILE' | 'TABLET' | 'TV'; pricing_types: string; floor_price_cpc: number; floor_price_cpm: number; refresh: number; trigger: { type: 'LOAD' | 'DELAY' | 'SCROLL' | 'CLICK'; delay_seconds: number; scroll_percent: number } | null; frequency: { impressions: number; window_seconds: number } | null; popup: { position: 'CENTER' | 'TOP' | 'BOTTOM' | 'LEFT' | 'RIGHT'; overlay: boolean; close_button: boolean; close_delay_seconds: number } | null; couplet: { min_screen_width: number; offset_top: number; offset_side: number; close_button: boolean } | null; rewarded: { watch_seconds: number; skippable_after_seconds: number; reward_amount: number; reward_type: string } | null; reward_callback_url: string | null; status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED'; audit_status: 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED' | 'SUSPENDED'; audit_reasons: (ReviewReason)[]; delivery_status: 'ELIGIBLE' | 'LIMITED' | 'NOT_ELIGIBLE' | 'PENDING' | 'PAUSED' | 'ENDED'; delivery_reasons: (string)[]; version: number; created_at: string; updated_at: string };

export type ZoneCode = { zone_key: string; script: string; iframe: string; vast_url: string; request_url: string };

export type ZonePreview = { fill: 'house' | 'none'; html: string; frames: ({ display: string; html: string })[]; url: string };

export interface Routes {
  'POST /api/advertiser/auth/login': {
    body: { username: string; password: string };
    answer: Session;
  };
  'POST /api/advertiser/auth/register': {
    body: { email: string; password: string; username?: string; nickname?: string | null; mobile?: string | null; company_name?: string | null; contact_name?: string | null; industry?: string | null };
    answer: Session;
  };
  'POST /api/advertiser/auth/forgot-password': {
    body: { email: string };
    answer: Record<string, never>;
  };
  'POST /api/advertiser/auth/reset-password': {
    body: { token: string; new_password: string; confirm_password: string };
    answer: Record<string, never>;
  };
  'GET /api/advertiser/auth/profile': {
    answer: AdvertiserProfile;
  };
  'PUT /api/advertiser/auth/profile': {
    headers?: { 'If-Match'?: string };
    body?: { nickname?: string | null; mobile?: string | null; company_name?: string | null; contact_name?: string | null; industry?: string | null };
    answer: AdvertiserProfile;
  };
  'POST /api/advertiser/auth/logout': {
    answer: Record<string, never>;
  };
  'POST /api/advertiser/auth/password': {
    body: { old_password: string; new_password: string; confirm_password: string };
    answer: Session;
  };
  'GET /api/advertiser/campaigns/{id}/stats': {
    path: { id: number };
    query?: { start_date?: string; end_date?: string; group_by?: string; timezone?: string };
    answer: SpendReport;
  };
  'GET /api/advertiser/adgroups/{id}/stats': {
    path: { id: number };
    query?: { start_date?: string; end_date?: string; group_by?: string; timezone?: string };
    answer: SpendReport;
  };
  'GET /api/advertiser/ads/{id}/stats': {
    path: { id: number };
    query?: { start_date?: string; end_date?: string; group_by?: string; timezone?: string };
    answer: SpendReport;
  };
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
    body: { name: string; size_id?: number | null; width?: number | null; height?: number | null; image_media_id?: number | null; image_media_id_2?: number | null; video_media_id?: number | null; icon_media_id?: number | null; html5_media_id?: number | null; html_code?: string | null; vast_xml?: string | null; vast_url?: string | null; click_url?: string | null; creative_type?: 'image' | 'native' | 'text' | 'html' | 'html5' | 'rich_media' | 'video' | 'vast'; type?: 'IMAGE' | 'NATIVE' | 'TEXT' | 'HTML' | 'RICH_MEDIA' | 'VIDEO'; save_as_draft?: boolean };
    answer: Creative;
  };
  'PUT /api/advertiser/creatives/{id}': {
    path: { id: number };
    headers?: { 'If-Match'?: string };
    body?: { name?: string; size_id?: number | null; width?: number | null; height?: number | null; image_media_id?: number | null; image_media_id_2?: number | null; video_media_id?: number | null; icon_media_id?: number | null; html5_media_id?: number | null; html_code?: string | null; vast_xml?: string | null; vast_url?: string | null; click_url?: string | null };
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
  'POST /api/advertiser/creatives/upload': {
    body: FormData;
    answer: Media;
  };
  'POST /api/advertiser/creatives/upload-video': {
    body: FormData;
    answer: Media;
  };
  'GET /api/advertiser/creatives/{id}/revisions': {
    path: { id: number };
    query?: { page?: number; page_size?: number };
    answer: { items: (CreativeRevision)[]; total: number; page: number; page_size: number; total_pages: number };
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
  'GET /api/advertiser/media': {
    query?: { page?: number; page_size?: number; keyword?: string; type?: 'IMAGE' | 'VIDEO' | 'HTML5'; source?: 'UPLOAD' | 'AI'; start_date?: string; end_date?: string };
    answer: { items: (Media)[]; total: number; page: number; page_size: number; total_pages: number };
  };
  'POST /api/advertiser/media/ai-image': {
    headers?: { 'Idempotency-Key'?: string };
    body: { prompt: string; n?: number; tone?: 'neutral' | 'friendly' | 'formal' | 'urgent' | 'playful'; width?: number; height?: number; aspect_ratio?: '1:1' | '16:9' | '9:16' | '4:3' | '3:4' | '1.91:1'; source_media_id?: number | null };
    answer: Accepted;
  };
  'POST /api/advertiser/media/ai-video': {
    headers?: { 'Idempotency-Key'?: string };
    body: { prompt: string; n?: number; tone?: 'neutral' | 'friendly' | 'formal' | 'urgent' | 'playful'; width?: number; height?: number; aspect_ratio?: '1:1' | '16:9' | '9:16' | '4:3' | '3:4' | '1.91:1'; source_media_id?: number | null; duration_s?: number };
    answer: Accepted;
  };
  'POST /api/advertiser/media/ai-copy': {
    headers?: { 'Idempotency-Key'?: string };
    body: { prompt: string; n?: number; tone?: 'neutral' | 'friendly' | 'formal' | 'urgent' | 'playful'; language?: string };
    answer: Accepted;
  };
  'POST /api/advertiser/media/upload': {
    body: FormData;
    answer: Media;
  };
  'GET /api/advertiser/media/{id}': {
    path: { id: number };
    answer: Media;
  };
  'DELETE /api/advertiser/media/{id}': {
    path: { id: number };
    answer: { id: number; status: 'ARCHIVED' };
  };
  'GET /api/advertiser/deposits/balance': {
    answer: AdvertiserBalance;
  };
  'GET /api/advertiser/deposits/transactions': {
    query?: { page?: number; page_size?: number; cursor?: number; type?: 'DEPOSIT' | 'SPEND' };
    answer: { items: (Transaction)[]; total: number; page: number; page_size: number; total_pages: number; next_cursor: number | null };
  };
  'GET /api/advertiser/deposits': {
    query?: { page?: number; page_size?: number; status?: 'PENDING' | 'CONFIRMING' | 'REVIEW' | 'PAID' | 'CANCELLED' | 'EXPIRED' | 'REFUNDED' | 'FAILED'; payment_method?: 'BANK' | 'USDT' | 'ALIPAY' | 'WECHAT' | 'OFFLINE'; start_date?: string; end_date?: string };
    answer: { items: (Deposit)[]; total: number; page: number; page_size: number; total_pages: number };
  };
  'POST /api/advertiser/deposits': {
    headers?: { 'Idempotency-Key'?: string };
    body: { amount: number; payment_method: 'BANK' | 'USDT' | 'ALIPAY' | 'WECHAT' | 'OFFLINE' };
    answer: Deposit;
  };
  'GET /api/advertiser/deposits/{id}': {
    path: { id: number };
    answer: Deposit;
  };
  'POST /api/advertiser/deposits/{id}/cancel': {
    path: { id: number };
    headers?: { 'Idempotency-Key'?: string };
    answer: Deposit;
  };
  'GET /api/advertiser/trackers': {
    query?: { page?: number; page_size?: number; keyword?: string; type?: 'PIXEL' | 'POSTBACK' | 'JS' | 'IMPORT'; status?: 'ACTIVE' | 'PAUSED' | 'ARCHIVED' };
    answer: { items: (Tracker)[]; total: number; page: number; page_size: number; total_pages: number };
  };
  'POST /api/advertiser/trackers': {
    headers?: { 'Idempotency-Key'?: string };
    body: { name: string; type?: 'PIXEL' | 'POSTBACK' | 'JS' | 'IMPORT'; event_type?: 'CUSTOM' | 'PURCHASE' | 'LEAD' | 'SIGNUP' | 'SUBSCRIBE' | 'INSTALL' | 'DEPOSIT' | 'ADD_TO_CART' | 'PAGE_VIEW'; count_mode?: 'ONE' | 'EVERY'; require_sig?: boolean; conversion_value?: number; attribution_window?: number; postback_url?: string | null; pixel_code?: string | null };
    answer: Tracker;
  };
  'GET /api/advertiser/trackers/{id}': {
    path: { id: number };
    answer: Tracker;
  };
  'PUT /api/advertiser/trackers/{id}': {
    path: { id: number };
    headers?: { 'If-Match'?: string };
    body?: { name?: string; type?: 'PIXEL' | 'POSTBACK' | 'JS' | 'IMPORT'; event_type?: 'CUSTOM' | 'PURCHASE' | 'LEAD' | 'SIGNUP' | 'SUBSCRIBE' | 'INSTALL' | 'DEPOSIT' | 'ADD_TO_CART' | 'PAGE_VIEW'; count_mode?: 'ONE' | 'EVERY'; require_sig?: boolean; conversion_value?: number; attribution_window?: number; postback_url?: string | null; pixel_code?: string | null; status?: 'ACTIVE' | 'PAUSED' };
    answer: Tracker;
  };
  'DELETE /api/advertiser/trackers/{id}': {
    path: { id: number };
    headers?: { 'If-Match'?: string };
    answer: { id: number; status: 'ARCHIVED' };
  };
  'GET /api/advertiser/trackers/{id}/code': {
    path: { id: number };
    answer: TrackerCode;
  };
  'POST /api/advertiser/trackers/{id}/regenerate-code': {
    path: { id: number };
    headers?: { 'Idempotency-Key'?: string };
    answer: TrackerCode;
  };
  'GET /api/advertiser/trackers/{id}/conversions': {
    path: { id: number };
    query?: { page?: number; page_size?: number; cursor?: number; status?: 'ACCEPTED' | 'UNATTRIBUTED' | 'EXPIRED' | 'BILLED' | 'UNBILLED' };
    answer: { items: (Conversion)[]; total: number; page: number; page_size: number; total_pages: number; next_cursor: number | null };
  };
  'GET /api/advertiser/trackers/{id}/stats': {
    path: { id: number };
    query?: { start_date?: string; end_date?: string; group_by?: string; timezone?: string };
    answer: TrackerStats;
  };
  'GET /api/advertiser/trackers/{id}/postbacks': {
    path: { id: number };
    query?: { page?: number; page_size?: number; status?: 'PENDING' | 'DELIVERED' | 'DEAD' };
    answer: { items: (Postback)[]; total: number; page: number; page_size: number; total_pages: number };
  };
  'GET /api/advertiser/trackers/{id}/postback-secret': {
    path: { id: number };
    answer: PostbackSecret;
  };
  'POST /api/advertiser/trackers/{id}/postbacks/{postback_id}/retry': {
    path: { id: number; postback_id: string };
    headers?: { 'Idempotency-Key'?: string };
    answer: Postback;
  };
  'GET /api/advertiser/statistics/export': {
    query?: { start_date?: string; end_date?: string; group_by?: string; timezone?: string; campaign_id?: number; format?: 'csv' | 'xlsx' | 'jsonl' };
    answer: Accepted;
  };
  'GET /api/advertiser/statistics/exports/{id}/file': {
    path: { id: number };
    answer: Record<string, never>;
  };
  'GET /api/advertiser/statistics/report': {
    query?: { start_date?: string; end_date?: string; group_by?: string; timezone?: string; campaign_id?: number };
    answer: SpendReport;
  };
  'GET /api/advertiser/statistics/campaigns': {
    query?: { start_date?: string; end_date?: string; group_by?: string; timezone?: string; campaign_id?: number };
    answer: SpendReport;
  };
  'GET /api/advertiser/statistics/region': {
    query?: { start_date?: string; end_date?: string; group_by?: string; timezone?: string; campaign_id?: number };
    answer: SpendReport;
  };
  'GET /api/advertiser/statistics/hourly': {
    query?: { start_date?: string; end_date?: string; group_by?: string; timezone?: string; campaign_id?: number };
    answer: SpendReport;
  };
  'GET /api/advertiser/statistics/device': {
    query?: { start_date?: string; end_date?: string; group_by?: string; timezone?: string; campaign_id?: number };
    answer: SpendReport;
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
  'GET /api/advertiser/kyc': {
    answer: Kyc;
  };
  'POST /api/advertiser/kyc': {
    headers?: { 'Idempotency-Key'?: string };
    body: { entity_type: 'PERSONAL' | 'BUSINESS'; legal_name: string; country: 'AD' | 'AE' | 'AF' | 'AG' | 'AI' | 'AL' | 'AM' | 'AO' | 'AQ' | 'AR' | 'AS' | 'AT' | 'AU' | 'AW' | 'AX' | 'AZ' | 'BA' | 'BB' | 'BD' | 'BE' | 'BF' | 'BG' | 'BH' | 'BI' | 'BJ' | 'BL' | 'BM' | 'BN' | 'BO' | 'BQ' | 'BR' | 'BS' | 'BT' | 'BV' | 'BW' | 'BY' | 'BZ' | 'CA' | 'CC' | 'CD' | 'CF' | 'CG' | 'CH' | 'CI' | 'CK' | 'CL' | 'CM' | 'CN' | 'CO' | 'CR' | 'CU' | 'CV' | 'CW' | 'CX' | 'CY' | 'CZ' | 'DE' | 'DJ' | 'DK' | 'DM' | 'DO' | 'DZ' | 'EC' | 'EE' | 'EG' | 'EH' | 'ER' | 'ES' | 'ET' | 'FI' | 'FJ' | 'FK' | 'FM' | 'FO' | 'FR' | 'GA' | 'GB' | 'GD' | 'GE' | 'GF' | 'GG' | 'GH' | 'GI' | 'GL' | 'GM' | 'GN' | 'GP' | 'GQ' | 'GR' | 'GS' | 'GT' | 'GU' | 'GW' | 'GY' | 'HK' | 'HM' | 'HN' | 'HR' | 'HT' | 'HU' | 'ID' | 'IE' | 'IL' | 'IM' | 'IN' | 'IO' | 'IQ' | 'IR' | 'IS' | 'IT' | 'JE' | 'JM' | 'JO' | 'JP' | 'KE' | 'KG' | 'KH' | 'KI' | 'KM' | 'KN' | 'KP' | 'KR' | 'KW' | 'KY' | 'KZ' | 'LA' | 'LB' | 'LC' | 'LI' | 'LK' | 'LR' | 'LS' | 'LT' | 'LU' | 'LV' | 'LY' | 'MA' | 'MC' | 'MD' | 'ME' | 'MF' | 'MG' | 'MH' | 'MK' | 'ML' | 'MM' | 'MN' | 'MO' | 'MP' | 'MQ' | 'MR' | 'MS' | 'MT' | 'MU' | 'MV' | 'MW' | 'MX' | 'MY' | 'MZ' | 'NA' | 'NC' | 'NE' | 'NF' | 'NG' | 'NI' | 'NL' | 'NO' | 'NP' | 'NR' | 'NU' | 'NZ' | 'OM' | 'PA' | 'PE' | 'PF' | 'PG' | 'PH' | 'PK' | 'PL' | 'PM' | 'PN' | 'PR' | 'PS' | 'PT' | 'PW' | 'PY' | 'QA' | 'RE' | 'RO' | 'RS' | 'RU' | 'RW' | 'SA' | 'SB' | 'SC' | 'SD' | 'SE' | 'SG' | 'SH' | 'SI' | 'SJ' | 'SK' | 'SL' | 'SM' | 'SN' | 'SO' | 'SR' | 'SS' | 'ST' | 'SV' | 'SX' | 'SY' | 'SZ' | 'TC' | 'TD' | 'TF' | 'TG' | 'TH' | 'TJ' | 'TK' | 'TL' | 'TM' | 'TN' | 'TO' | 'TR' | 'TT' | 'TV' | 'TW' | 'TZ' | 'UA' | 'UG' | 'UM' | 'US' | 'UY' | 'UZ' | 'VA' | 'VC' | 'VE' | 'VG' | 'VI' | 'VN' | 'VU' | 'WF' | 'WS' | 'XK' | 'YE' | 'YT' | 'ZA' | 'ZM' | 'ZW'; document_number: string; document_expires_on?: string | null; document_ids: (number)[] };
    answer: Accepted;
  };
  'POST /api/advertiser/kyc/documents': {
    body: FormData;
    answer: KycDocument;
  };
  'POST /api/publisher/auth/login': {
    body: { username: string; password: string };
    answer: Session;
  };
  'POST /api/publisher/auth/register': {
    body: { email: string; password: string; username?: string; nickname?: string | null; mobile?: string | null; company_name?: string | null; contact_name?: string | null; industry?: string | null; site_url?: string | null };
    answer: Session;
  };
  'POST /api/publisher/auth/forgot-password': {
    body: { email: string };
    answer: Record<string, never>;
  };
  'POST /api/publisher/auth/reset-password': {
    body: { token: string; new_password: string; confirm_password: string };
    answer: Record<string, never>;
  };
  'GET /api/publisher/auth/profile': {
    answer: PublisherProfile;
  };
  'PUT /api/publisher/auth/profile': {
    headers?: { 'If-Match'?: string };
    body?: { nickname?: string | null; mobile?: string | null; company_name?: string | null; contact_name?: string | null; industry?: string | null; site_url?: string | null };
    answer: PublisherProfile;
  };
  'POST /api/publisher/auth/logout': {
    answer: Record<string, never>;
  };
  'POST /api/publisher/auth/password': {
    body: { old_password: string; new_password: string; confirm_password: string };
    answer: Session;
  };
  'GET /api/publisher/sites/{id}/stats': {
    path: { id: number };
    query?: { start_date?: string; end_date?: string; group_by?: string; timezone?: string };
    answer: RevenueReport;
  };
  'GET /api/publisher/zones/{id}/stats': {
    path: { id: number };
    query?: { start_date?: string; end_date?: string; group_by?: string; timezone?: string };
    answer: RevenueReport;
  };
  'GET /api/publisher/sites': {
    query?: { page?: number; page_size?: number; keyword?: string; status?: 'ACTIVE' | 'PAUSED' | 'ARCHIVED'; audit_status?: 'PENDING' | 'APPROVED' | 'REJECTED' | 'SUSPENDED'; start_date?: string; end_date?: string };
    answer: { items: (Site)[]; total: number; page: number; page_size: number; total_pages: number };
  };
  'POST /api/publisher/sites': {
    headers?: { 'Idempotency-Key'?: string };
    body: { domain?: string | null; app_package?: string | null; url?: string | null; description?: string | null; industry_id?: number | null; icp?: string | null; name: string; media_type?: 'WEB' | 'APP' | 'MINI_PROGRAM' };
    answer: Site;
  };
  'GET /api/publisher/sites/{id}': {
    path: { id: number };
    answer: Site;
  };
  'PUT /api/publisher/sites/{id}': {
    path: { id: number };
    headers?: { 'If-Match'?: string };
    body?: { domain?: string | null; app_package?: string | null; url?: string | null; description?: string | null; industry_id?: number | null; icp?: string | null; name?: string; media_type?: 'WEB' | 'APP' | 'MINI_PROGRAM' };
    answer: Site;
  };
  'DELETE /api/publisher/sites/{id}': {
    path: { id: number };
    headers?: { 'If-Match'?: string };
    answer: { id: number; status: 'ARCHIVED' };
  };
  'POST /api/publisher/sites/{id}/toggle': {
    path: { id: number };
    headers?: { 'Idempotency-Key'?: string };
    answer: Site;
  };
  'POST /api/publisher/sites/{id}/submit-audit': {
    path: { id: number };
    headers?: { 'Idempotency-Key'?: string };
    answer: Site;
  };
  'GET /api/publisher/sites/{id}/verify-code': {
    path: { id: number };
    answer: SiteVerifyCode;
  };
  'GET /api/publisher/sites/{id}/ads-txt': {
    path: { id: number };
    answer: SiteAdsTxt;
  };
  'POST /api/publisher/sites/{id}/verify': {
    path: { id: number };
    headers?: { 'Idempotency-Key'?: string };
    body: { method: string };
    answer: Accepted;
  };
  'GET /api/publisher/zones': {
    query?: { page?: number; page_size?: number; site_id?: number; type?: 'BANNER' | 'NATIVE' | 'VIDEO' | 'POPUP' | 'REWARDED' | 'RESPONSIVE' | 'TEXT' | 'FLOAT' | 'INTERSTITIAL' | 'COUPLET' | 'EXIT_INTENT'; status?: 'ACTIVE' | 'PAUSED' | 'ARCHIVED'; audit_status?: 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED'; keyword?: string };
    answer: { items: (Zone)[]; total: number; page: number; page_size: number; total_pages: number };
  };
  'POST /api/publisher/zones': {
    headers?: { 'Idempotency-Key'?: string };
    body: { ad_type?: 'BANNER' | 'NATIVE' | 'VIDEO' | 'POPUP' | 'REWARDED' | 'RESPONSIVE' | 'TEXT' | 'FLOAT' | 'INTERSTITIAL' | 'COUPLET' | 'EXIT_INTENT'; type?: 'BANNER' | 'NATIVE' | 'VIDEO' | 'POPUP' | 'REWARDED' | 'RESPONSIVE' | 'TEXT' | 'FLOAT' | 'INTERSTITIAL' | 'COUPLET' | 'EXIT_INTENT'; ad_format_id?: number | null; zone_type_id?: number | null; size_id?: number | null; width?: number; height?: number; position?: string; device?: 'ALL' | 'DESKTOP' | 'MOBILE' | 'TABLET' | 'TV'; pricing_types?: string; floor_price_cpc?: number; floor_price_cpm?: number; refresh?: number; trigger?: { type?: 'LOAD' | 'DELAY' | 'SCROLL' | 'CLICK'; delay_seconds?: number; scroll_percent?: number }; frequency?: { impressions?: number; window_seconds?: number }; popup?: { position?: 'CENTER' | 'TOP' | 'BOTTOM' | 'LEFT' | 'RIGHT'; overlay?: boolean; close_button?: boolean; close_delay_seconds?: number }; couplet?: { min_screen_width?: number; offset_top?: number; offset_side?: number; close_button?: boolean }; rewarded?: { watch_seconds?: number; skippable_after_seconds?: number; reward_amount?: number; reward_type?: string }; reward_callback_url?: string | null; name: string; site_id: number; save_as_draft?: boolean };
    answer: Zone;
  };
  'GET /api/publisher/zones/options': {
    answer: { items: (AdFormat)[] };
  };
  'GET /api/publisher/zones/{id}': {
    path: { id: number };
    answer: Zone;
  };
  'PUT /api/publisher/zones/{id}': {
    path: { id: number };
    headers?: { 'If-Match'?: string };
    body?: { ad_type?: 'BANNER' | 'NATIVE' | 'VIDEO' | 'POPUP' | 'REWARDED' | 'RESPONSIVE' | 'TEXT' | 'FLOAT' | 'INTERSTITIAL' | 'COUPLET' | 'EXIT_INTENT'; type?: 'BANNER' | 'NATIVE' | 'VIDEO' | 'POPUP' | 'REWARDED' | 'RESPONSIVE' | 'TEXT' | 'FLOAT' | 'INTERSTITIAL' | 'COUPLET' | 'EXIT_INTENT'; ad_format_id?: number | null; zone_type_id?: number | null; size_id?: number | null; width?: number; height?: number; position?: string; device?: 'ALL' | 'DESKTOP' | 'MOBILE' | 'TABLET' | 'TV'; pricing_types?: string; floor_price_cpc?: number; floor_price_cpm?: number; refresh?: number; trigger?: { type?: 'LOAD' | 'DELAY' | 'SCROLL' | 'CLICK'; delay_seconds?: number; scroll_percent?: number }; frequency?: { impressions?: number; window_seconds?: number }; popup?: { position?: 'CENTER' | 'TOP' | 'BOTTOM' | 'LEFT' | 'RIGHT'; overlay?: boolean; close_button?: boolean; close_delay_seconds?: number }; couplet?: { min_screen_width?: number; offset_top?: number; offset_side?: number; close_button?: boolean }; rewarded?: { watch_seconds?: number; skippable_after_seconds?: number; reward_amount?: number; reward_type?: string }; reward_callback_url?: string | null; name?: string; site_id?: number };
    answer: Zone;
  };
  'DELETE /api/publisher/zones/{id}': {
    path: { id: number };
    headers?: { 'If-Match'?: string };
    answer: { id: number; status: 'ARCHIVED' };
  };
  'POST /api/publisher/zones/{id}/toggle': {
    path: { id: number };
    headers?: { 'Idempotency-Key'?: string };
    answer: Zone;
  };
  'POST /api/publisher/zones/{id}/submit-audit': {
    path: { id: number };
    headers?: { 'Idempotency-Key'?: string };
    answer: Zone;
  };
  'GET /api/publisher/zones/{id}/code': {
    path: { id: number };
    answer: ZoneCode;
  };
  'GET /api/publisher/zones/{id}/preview': {
    path: { id: number };
    query?: { fill?: 'house' | 'none' };
    answer: ZonePreview;
  };
  'GET /api/publisher/statistics/export': {
    query?: { start_date?: string; end_date?: string; group_by?: string; timezone?: string; site_id?: number; zone_id?: number; format?: 'csv' | 'xlsx' | 'jsonl' };
    answer: Accepted;
  };
  'GET /api/publisher/statistics/exports/{id}/file': {
    path: { id: number };
    answer: Record<string, never>;
  };
  'GET /api/publisher/statistics/report': {
    query?: { start_date?: string; end_date?: string; group_by?: string; timezone?: string; site_id?: number; zone_id?: number };
    answer: RevenueReport;
  };
  'GET /api/publisher/statistics/sites': {
    query?: { start_date?: string; end_date?: string; group_by?: string; timezone?: string; site_id?: number; zone_id?: number };
    answer: RevenueReport;
  };
  'GET /api/publisher/statistics/zones': {
    query?: { start_date?: string; end_date?: string; group_by?: string; timezone?: string; site_id?: number; zone_id?: number };
    answer: RevenueReport;
  };
  'GET /api/publisher/statistics/region': {
    query?: { start_date?: string; end_date?: string; group_by?: string; timezone?: string; site_id?: number; zone_id?: number };
    answer: RevenueReport;
  };
  'GET /api/publisher/statistics/hourly': {
    query?: { start_date?: string; end_date?: string; group_by?: string; timezone?: string; site_id?: number; zone_id?: number };
    answer: RevenueReport;
  };
  'GET /api/publisher/statistics/device': {
    query?: { start_date?: string; end_date?: string; group_by?: string; timezone?: string; site_id?: number; zone_id?: number };
    answer: RevenueReport;
  };
  'GET /api/publisher/withdrawals/balance': {
    answer: PublisherBalance;
  };
  'GET /api/publisher/withdrawals/transactions': {
    query?: { page?: number; page_size?: number; cursor?: number };
    answer: { items: (Transaction)[]; total: number; page: number; page_size: number; total_pages: number; next_cursor: number | null };
  };
  'GET /api/publisher/withdrawals/payment-methods': {
    answer: { items: (PaymentMethod)[] };
  };
  'GET /api/publisher/withdrawals/bank-cards': {
    answer: { items: (BankCard)[] };
  };
  'POST /api/publisher/withdrawals/bank-cards': {
    headers?: { 'Idempotency-Key'?: string };
    body: { account_holder: string; account_type?: 'PERSONAL' | 'BUSINESS'; country: string; currency: string; bank_name?: string | null; branch_name?: string | null; iban?: string | null; account_number?: string | null; swift_bic?: string | null; routing_number?: string | null; sort_code?: string | null; cnaps_code?: string | null; is_default?: boolean };
    answer: BankCard;
  };
  'DELETE /api/publisher/withdrawals/bank-cards/{id}': {
    path: { id: number };
    headers?: { 'If-Match'?: string };
    answer: { id: number; status: 'ARCHIVED' };
  };
  'GET /api/publisher/withdrawals': {
    query?: { page?: number; page_size?: number; status?: 'PENDING' | 'RISK_HOLD' | 'APPROVED' | 'PROCESSING' | 'UNKNOWN' | 'PAID' | 'FAILED' | 'RETURNED' | 'REJECTED' | 'CANCELLED'; payment_method?: 'BANK' | 'USDT' | 'PAYPAL' | 'PAXUM'; start_date?: string; end_date?: string };
    answer: { items: (Withdrawal)[]; total: number; page: number; page_size: number; total_pages: number };
  };
  'POST /api/publisher/withdrawals': {
    headers?: { 'Idempotency-Key'?: string };
    body: { amount: number; payment_method?: 'BANK' | 'USDT' | 'PAYPAL' | 'PAXUM'; channel?: 'BANK' | 'USDT' | 'PAYPAL' | 'PAXUM'; account_info?: string | null; bank_info?: { bank_card_id?: number | null; account_holder?: string; account_type?: 'PERSONAL' | 'BUSINESS'; country?: string; currency?: string; bank_name?: string | null; branch_name?: string | null; iban?: string | null; account_number?: string | null; swift_bic?: string | null; routing_number?: string | null; sort_code?: string | null; cnaps_code?: string | null } | null };
    answer: Withdrawal;
  };
  'GET /api/publisher/withdrawals/{id}': {
    path: { id: number };
    answer: Withdrawal;
  };
  'POST /api/publisher/withdrawals/{id}/cancel': {
    path: { id: number };
    headers?: { 'Idempotency-Key'?: string };
    answer: Withdrawal;
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
  'GET /api/publisher/kyc': {
    answer: Kyc;
  };
  'POST /api/publisher/kyc': {
    headers?: { 'Idempotency-Key'?: string };
    body: { entity_type: 'PERSONAL' | 'BUSINESS'; legal_name: string; country: 'AD' | 'AE' | 'AF' | 'AG' | 'AI' | 'AL' | 'AM' | 'AO' | 'AQ' | 'AR' | 'AS' | 'AT' | 'AU' | 'AW' | 'AX' | 'AZ' | 'BA' | 'BB' | 'BD' | 'BE' | 'BF' | 'BG' | 'BH' | 'BI' | 'BJ' | 'BL' | 'BM' | 'BN' | 'BO' | 'BQ' | 'BR' | 'BS' | 'BT' | 'BV' | 'BW' | 'BY' | 'BZ' | 'CA' | 'CC' | 'CD' | 'CF' | 'CG' | 'CH' | 'CI' | 'CK' | 'CL' | 'CM' | 'CN' | 'CO' | 'CR' | 'CU' | 'CV' | 'CW' | 'CX' | 'CY' | 'CZ' | 'DE' | 'DJ' | 'DK' | 'DM' | 'DO' | 'DZ' | 'EC' | 'EE' | 'EG' | 'EH' | 'ER' | 'ES' | 'ET' | 'FI' | 'FJ' | 'FK' | 'FM' | 'FO' | 'FR' | 'GA' | 'GB' | 'GD' | 'GE' | 'GF' | 'GG' | 'GH' | 'GI' | 'GL' | 'GM' | 'GN' | 'GP' | 'GQ' | 'GR' | 'GS' | 'GT' | 'GU' | 'GW' | 'GY' | 'HK' | 'HM' | 'HN' | 'HR' | 'HT' | 'HU' | 'ID' | 'IE' | 'IL' | 'IM' | 'IN' | 'IO' | 'IQ' | 'IR' | 'IS' | 'IT' | 'JE' | 'JM' | 'JO' | 'JP' | 'KE' | 'KG' | 'KH' | 'KI' | 'KM' | 'KN' | 'KP' | 'KR' | 'KW' | 'KY' | 'KZ' | 'LA' | 'LB' | 'LC' | 'LI' | 'LK' | 'LR' | 'LS' | 'LT' | 'LU' | 'LV' | 'LY' | 'MA' | 'MC' | 'MD' | 'ME' | 'MF' | 'MG' | 'MH' | 'MK' | 'ML' | 'MM' | 'MN' | 'MO' | 'MP' | 'MQ' | 'MR' | 'MS' | 'MT' | 'MU' | 'MV' | 'MW' | 'MX' | 'MY' | 'MZ' | 'NA' | 'NC' | 'NE' | 'NF' | 'NG' | 'NI' | 'NL' | 'NO' | 'NP' | 'NR' | 'NU' | 'NZ' | 'OM' | 'PA' | 'PE' | 'PF' | 'PG' | 'PH' | 'PK' | 'PL' | 'PM' | 'PN' | 'PR' | 'PS' | 'PT' | 'PW' | 'PY' | 'QA' | 'RE' | 'RO' | 'RS' | 'RU' | 'RW' | 'SA' | 'SB' | 'SC' | 'SD' | 'SE' | 'SG' | 'SH' | 'SI' | 'SJ' | 'SK' | 'SL' | 'SM' | 'SN' | 'SO' | 'SR' | 'SS' | 'ST' | 'SV' | 'SX' | 'SY' | 'SZ' | 'TC' | 'TD' | 'TF' | 'TG' | 'TH' | 'TJ' | 'TK' | 'TL' | 'TM' | 'TN' | 'TO' | 'TR' | 'TT' | 'TV' | 'TW' | 'TZ' | 'UA' | 'UG' | 'UM' | 'US' | 'UY' | 'UZ' | 'VA' | 'VC' | 'VE' | 'VG' | 'VI' | 'VN' | 'VU' | 'WF' | 'WS' | 'XK' | 'YE' | 'YT' | 'ZA' | 'ZM' | 'ZW'; document_number: string; document_expires_on?: string | null; document_ids: (number)[] };
    answer: Accepted;
  };
  'POST /api/publisher/kyc/documents': {
    body: FormData;
    answer: KycDocument;
  };
  'POST /api/admin/auth/login': {
    body: { username: string; password: string };
    answer: Session;
  };
  'GET /api/admin/auth/profile': {
    answer: OperatorProfile;
  };
  'PUT /api/admin/auth/profile': {
    headers?: { 'If-Match'?: string };
    body?: { nickname?: string | null };
    answer: OperatorProfile;
  };
  'POST /api/admin/auth/logout': {
    answer: Record<string, never>;
  };
  'POST /api/admin/auth/password': {
    body: { old_password: string; new_password: string; confirm_password: string };
    answer: Session;
  };
  'GET /api/admin/advertisers': {
    query?: { page?: number; page_size?: number; keyword?: string; status?: 'ACTIVE' | 'SUSPENDED' };
    answer: { items: (AdvertiserOverview)[]; total: number; page: number; page_size: number; total_pages: number };
  };
  'GET /api/admin/advertisers/{id}': {
    path: { id: number };
    answer: AdvertiserOverview;
  };
  'GET /api/admin/publishers': {
    query?: { page?: number; page_size?: number; keyword?: string; status?: 'ACTIVE' | 'SUSPENDED' };
    answer: { items: (PublisherOverview)[]; total: number; page: number; page_size: number; total_pages: number };
  };
  'GET /api/admin/publishers/{id}': {
    path: { id: number };
    answer: PublisherOverview;
  };
  'POST /api/admin/advertisers/{id}/suspend': {
    path: { id: number };
    headers?: { 'Idempotency-Key'?: string };
    body?: { reason?: string };
    answer: AdvertiserOverview;
  };
  'POST /api/admin/advertisers/{id}/restore': {
    path: { id: number };
    headers?: { 'Idempotency-Key'?: string };
    body?: { reason?: string };
    answer: AdvertiserOverview;
  };
  'POST /api/admin/publishers/{id}/suspend': {
    path: { id: number };
    headers?: { 'Idempotency-Key'?: string };
    body?: { reason?: string };
    answer: PublisherOverview;
  };
  'POST /api/admin/publishers/{id}/restore': {
    path: { id: number };
    headers?: { 'Idempotency-Key'?: string };
    body?: { reason?: string };
    answer: PublisherOverview;
  };
  'GET /api/admin/tasks': {
    query?: { page?: number; page_size?: number; kind?: 'campaign_review' | 'adgroup_review' | 'ad_review' | 'creative_review' | 'site_review' | 'zone_review' | 'kyc_review' | 'deposit_review' | 'deposit_second_approval' | 'withdrawal_review' | 'withdrawal_second_approval' | 'payout_unknown' | 'suspense'; status?: 'open' | 'decided' | 'void'; assignee?: string };
    answer: { items: (Task)[]; total: number; page: number; page_size: number; total_pages: number };
  };
  'GET /api/admin/tasks/{id}': {
    path: { id: number };
    answer: TaskPage;
  };
  'POST /api/admin/tasks/{id}/assign': {
    path: { id: number };
    headers?: { 'Idempotency-Key'?: string };
    body?: { assignee_id?: number | null };
    answer: TaskPage;
  };
  'POST /api/admin/tasks/{id}/decision': {
    path: { id: number };
    headers?: { 'Idempotency-Key'?: string };
    body: { decision: string; reasons?: ({ code: string; field?: string; note?: string })[]; note?: string; evidence_media_id?: number };
    answer: TaskPage;
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
  'GET /api/admin/kyc/{id}': {
    path: { id: number };
    answer: KycRound;
  };
  'GET /api/admin/kyc/documents/{id}': {
    path: { id: number };
    answer: Record<string, never>;
  };
  'GET /api/admin/deposits': {
    query?: { page?: number; page_size?: number; advertiser_id?: number; status?: 'PENDING' | 'CONFIRMING' | 'REVIEW' | 'PAID' | 'CANCELLED' | 'EXPIRED' | 'REFUNDED' | 'FAILED'; payment_method?: 'BANK' | 'USDT' | 'ALIPAY' | 'WECHAT' | 'OFFLINE'; reference?: string };
    answer: { items: (OperatorDeposit)[]; total: number; page: number; page_size: number; total_pages: number };
  };
  'GET /api/admin/deposits/{id}': {
    path: { id: number };
    answer: DepositWithReceipts;
  };
  'POST /api/admin/deposits/{id}/receipts': {
    path: { id: number };
    headers?: { 'Idempotency-Key'?: string };
    body: { amount: number; reference: string; received_at?: string; evidence_media_id?: number };
    answer: Receipt;
  };
  'GET /api/admin/withdrawals': {
    query?: { page?: number; page_size?: number; publisher_id?: number; status?: 'PENDING' | 'RISK_HOLD' | 'APPROVED' | 'PROCESSING' | 'UNKNOWN' | 'PAID' | 'FAILED' | 'RETURNED' | 'REJECTED' | 'CANCELLED'; payment_method?: 'BANK' | 'USDT' | 'PAYPAL' | 'PAXUM'; start_date?: string; end_date?: string };
    answer: { items: (OperatorWithdrawal)[]; total: number; page: number; page_size: number; total_pages: number };
  };
  'GET /api/admin/withdrawals/{id}': {
    path: { id: number };
    answer: OperatorWithdrawal;
  };
  'POST /api/admin/withdrawals/{id}/return': {
    path: { id: number };
    headers?: { 'Idempotency-Key'?: string };
    body: { reference: string };
    answer: OperatorWithdrawal;
  };
  'GET /api/admin/withdrawals/{id}/payout-file': {
    path: { id: number };
    answer: Record<string, never>;
  };
  'GET /api/admin/ledger/accounts': {
    query?: { page?: number; page_size?: number; keyword?: string; owner_type?: 'ADVERTISER' | 'PUBLISHER'; owner_id?: number };
    answer: { items: (LedgerAccount)[]; total: number; page: number; page_size: number; total_pages: number };
  };
  'GET /api/admin/ledger/transfers': {
    query?: { page?: number; page_size?: number; cursor?: number; account_id?: number; batch_id?: number; type?: string };
    answer: { items: (LedgerTransfer)[]; total: number; page: number; page_size: number; total_pages: number; next_cursor: number | null };
  };
  'GET /api/admin/books': {
    answer: Books;
  };
  'GET /api/admin/settings': {
    answer: { items: (Setting)[] };
  };
  'PUT /api/admin/settings/{key}': {
    path: { key: string };
    headers?: { 'If-Match'?: string };
    body: { value: unknown };
    answer: Setting;
  };
  'GET /api/admin/events': {
    query?: { track_id?: string; request_id?: string; click_id?: string };
    answer: EventTrace;
  };
  'GET /api/admin/audit-log': {
    query?: { page?: number; page_size?: number; cursor?: number; actor_id?: number; action?: string; subject_type?: string; subject_id?: number };
    answer: { items: (AuditEntry)[]; total: number; page: number; page_size: number; total_pages: number; next_cursor: number | null };
  };
}
