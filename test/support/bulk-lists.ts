import type pg from 'pg';

/** Who owns rows of every list. */
export interface ListOwners {
  advertiserId: number;
  publisherId: number;
  operatorId: number;
  /** Of every kind of thing, the one with this id belongs to these owners, in a new database. */
  thingId: number;
}

/**
 * Every listed table with that many rows over some owners of each side, in SQL. Triggers and foreign
 * keys are left out for the time: a ledger of 100,000 transfers is posted row by row otherwise.
 */
export async function seedLists(
  pool: pg.Pool,
  { rows, owners }: { rows: number; owners: number },
): Promise<ListOwners> {
  const client = await pool.connect();
  try {
    await client.query(`SET session_replication_role = replica; SET statement_timeout = '5min'`);
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      PLAIN_INDEXES,
    );
    for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
    for (const statement of STATEMENTS) {
      const filled = statement
        .replaceAll('$rows', String(rows))
        .replaceAll('$owners', String(owners));
      for (const part of filled.includes('$from') ? partsOf(filled, rows) : [filled]) {
        await client.query(part);
      }
    }
    for (const { definition } of indexes) await client.query(definition);
    await client.query('RESET session_replication_role');
    await client.query('VACUUM ANALYZE');
  } finally {
    client.release(true);
  }
  const { rows: found } = await pool.query<Record<string, string>>(
    `SELECT (SELECT min(id) FROM accounts WHERE kind = 'ADVERTISER') AS advertiser,
       (SELECT min(id) FROM accounts WHERE kind = 'PUBLISHER') AS publisher,
       (SELECT min(id) FROM operators) AS operator`,
  );
  return {
    advertiserId: Number(found[0]?.['advertiser']),
    publisherId: Number(found[0]?.['publisher']),
    operatorId: Number(found[0]?.['operator']),
    thingId: owners,
  };
}

/** Of no constraint: made when the rows are there, which costs a third of keeping them row by row. */
const PLAIN_INDEXES = `
  SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
  FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
  WHERE t.relnamespace = 'public'::regnamespace AND t.relkind = 'r' AND NOT t.relispartition
    AND NOT i.indisunique
    AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)`;

/**
 * Short transactions: settlement of every database of the server waits for the oldest one, and
 * other tests run beside this.
 */
function partsOf(statement: string, rows: number): string[] {
  const parts = Math.ceil(rows / PART_ROWS);
  return Array.from({ length: parts }, (_, part) =>
    statement
      .replaceAll('$from', String(part * PART_ROWS + 1))
      .replaceAll('$to', String(Math.min((part + 1) * PART_ROWS, rows))),
  );
}

const PART_ROWS = 10_000;
/** Rows are spread over three months of creation, and over the words of their columns. */
const AT = `now() - (i % 90) * interval '1 day'`;
const ADVERTISER = `(SELECT min(id) FROM accounts WHERE kind = 'ADVERTISER') + i % $owners`;
const PUBLISHER = `(SELECT min(id) FROM accounts WHERE kind = 'PUBLISHER') + i % $owners`;
const STATUS = `(ARRAY['ACTIVE','ACTIVE','ACTIVE','PAUSED'])[1 + i % 4]`;
const AUDIT = `(ARRAY['APPROVED','APPROVED','PENDING','REJECTED'])[1 + i % 4]`;
const EACH = 'FROM generate_series($from, $to) i';

const STATEMENTS = [
  `INSERT INTO accounts (kind, username, email, password_hash, contact_name, company_name, created_at)
   SELECT 'ADVERTISER', 'buyer_' || i, 'buyer' || i || '@lists.example', '-', 'x', 'Company ' || i, ${AT} ${EACH}`,
  `INSERT INTO accounts (kind, username, email, password_hash, contact_name, company_name, created_at)
   SELECT 'PUBLISHER', 'seller_' || i, 'seller' || i || '@lists.example', '-', 'x', 'Company ' || i, ${AT} ${EACH}`,
  `INSERT INTO operators (username, email, password_hash, role) VALUES ('lists', 'lists@lists.example', '-', 'ADMIN')`,
  `INSERT INTO trackers (advertiser_id, name, tracking_code, status, created_at)
   SELECT ${ADVERTISER}, 'Tracker ' || i, 'lists_' || i, ${STATUS}, ${AT} ${EACH}`,
  `INSERT INTO campaigns (advertiser_id, name, ad_type, bid_nanos, status, audit_status, created_at)
   SELECT ${ADVERTISER}, 'Campaign ' || i, 'BANNER', 1, ${STATUS}, ${AUDIT}, ${AT} ${EACH}`,
  `INSERT INTO ad_groups (advertiser_id, campaign_id, name, status, audit_status, created_at)
   SELECT ${ADVERTISER}, i, 'Group ' || i, ${STATUS}, ${AUDIT}, ${AT} ${EACH}`,
  `INSERT INTO creatives (advertiser_id, name, status, audit_status, approved_revision, created_at)
   SELECT ${ADVERTISER}, 'Creative ' || i, ${STATUS}, ${AUDIT}, 1, ${AT} ${EACH}`,
  `INSERT INTO creative_revisions (creative_id, revision, audit_status) SELECT i, 1, ${AUDIT} ${EACH}`,
  `INSERT INTO ads (advertiser_id, campaign_id, adgroup_id, creative_id, name, status, audit_status, approved_revision, created_at)
   SELECT ${ADVERTISER}, i, i, i, 'Ad ' || i, ${STATUS}, ${AUDIT}, 1, ${AT} ${EACH}`,
  `INSERT INTO ad_revisions (ad_id, revision, creative_id, audit_status) SELECT i, 1, i, ${AUDIT} ${EACH}`,
  `INSERT INTO media (advertiser_id, type, name, mime, bytes, sha256, path, created_at)
   SELECT ${ADVERTISER}, 'IMAGE', 'Picture ' || i, 'image/png', 1, md5(i::text), 'x', ${AT} ${EACH}`,
  `INSERT INTO deposits (advertiser_id, amount_nanos, payment_method, reference, status, expires_at, created_at)
   SELECT ${ADVERTISER}, 1, (ARRAY['BANK','USDT','ALIPAY','WECHAT','OFFLINE'])[1 + i % 5], 'LISTS' || i, (ARRAY['PENDING','PAID','CANCELLED'])[1 + i % 3], now(), ${AT} ${EACH}`,
  `INSERT INTO deposit_receipts (deposit_id, amount_nanos, provider, provider_reference, received_at)
   SELECT i, 1, 'bank', 'lists' || i, ${AT} ${EACH}`,
  `INSERT INTO conversions (tracker_id, advertiser_id, publisher_id, campaign_id, dedupe_key, event_type, status, held_at, click_id, created_at)
   SELECT $owners * (1 + i % $owners), ${ADVERTISER}, ${PUBLISHER}, i, 'lists' || i, 'LEAD', (ARRAY['BILLED','UNBILLED','ACCEPTED','PENDING'])[1 + i % 4], CASE WHEN i % 4 = 3 THEN now() END, 'c' || i, ${AT} ${EACH}`,
  `INSERT INTO sites (publisher_id, name, domain, verify_token, status, audit_status, created_at)
   SELECT ${PUBLISHER}, 'Site ' || i, 'lists' || i || '.example', 'x', ${STATUS}, ${AUDIT}, ${AT} ${EACH}`,
  `INSERT INTO zones (publisher_id, site_id, name, zone_key, status, audit_status, created_at)
   SELECT ${PUBLISHER}, i, 'Zone ' || i, 'lists_' || i, ${STATUS}, ${AUDIT}, ${AT} ${EACH}`,
  `INSERT INTO withdrawals (publisher_id, amount_nanos, arrival_nanos, channel, status, created_at)
   SELECT ${PUBLISHER}, 1, 1, (ARRAY['BANK','USDT','PAYPAL','PAXUM'])[1 + i % 4], (ARRAY['PENDING','PAID','REJECTED'])[1 + i % 3], ${AT} ${EACH}`,
  `INSERT INTO operations (account_id, kind, subject_type, subject_id, workflow_id, status, created_at)
   SELECT CASE WHEN i % 2 = 0 THEN ${ADVERTISER} ELSE ${PUBLISHER} END, (ARRAY['report_export','site_verification','ai_image'])[1 + i % 3], 'export', i, 'lists' || i,
     (ARRAY['succeeded','failed','queued'])[1 + i % 3], ${AT} ${EACH}`,
  `INSERT INTO tasks (kind, status, subject_type, subject_id, account_id, summary, decisions, required_role, workflow_id, dedupe_key, opened_at)
   SELECT 'creative_review', CASE WHEN i % 10 = 0 THEN 'open' ELSE 'decided' END, 'creative', i, ${ADVERTISER}, 'x', '["approve"]', 'REVIEWER',
     'lists' || i, 'lists' || i, ${AT} ${EACH}`,
  `INSERT INTO audit_log (actor_type, actor_id, action, subject_type, subject_id, created_at, account_id)
   SELECT CASE WHEN i % 2 = 0 THEN 'ACCOUNT' ELSE 'OPERATOR' END,
     CASE WHEN i % 2 = 1 THEN 1 + i % 5 WHEN (i / $owners) % 2 = 0 THEN ${ADVERTISER} ELSE ${PUBLISHER} END, (ARRAY['task.decide','setting.put','account.suspend'])[1 + i % 3], (ARRAY['task','setting','advertiser'])[1 + i % 3], i, ${AT},
     CASE WHEN i % 2 = 0 THEN ${ADVERTISER} ELSE ${PUBLISHER} END ${EACH}`,
  `INSERT INTO notifications (account_id, kind, subject_type, subject_id, read_at, created_at)
   SELECT CASE WHEN i % 2 = 0 THEN ${ADVERTISER} ELSE ${PUBLISHER} END, (ARRAY['review_decided','deposit_paid','export_ready'])[1 + i % 3],
     'campaign', i, CASE WHEN i % 10 > 0 THEN now() END, ${AT} ${EACH}`,
  `INSERT INTO webhook_endpoints (account_id, url, kinds, sealed_secret, created_at)
   SELECT CASE WHEN (i / $owners) % 2 = 1 THEN ${ADVERTISER} ELSE ${PUBLISHER} END, 'https://lists.example', '[]', '-', ${AT} ${EACH}`,
  `INSERT INTO webhook_deliveries (endpoint_id, account_id, event_id, kind, body, status, next_attempt_at, created_at)
   SELECT e, CASE WHEN (e / $owners) % 2 = 1 THEN ${ADVERTISER.replace('i %', 'e %')} ELSE ${PUBLISHER.replace('i %', 'e %')} END, 'lists' || i, 'deposit_paid', '{}',
     CASE WHEN i % 10 = 0 THEN 'PENDING' ELSE 'DELIVERED' END, CASE WHEN i % 10 = 0 THEN now() END, ${AT}
   FROM (SELECT i, $owners * (1 + i % $owners) AS e ${EACH}) each`,
  `INSERT INTO bank_statements (account, format, sha256, line_count, added_count, outgoing_count, operator_id, created_at)
   SELECT 'main', 'CSV', md5(i::text), 1, 1, 0, (SELECT min(id) FROM operators), ${AT} ${EACH}`,
  `INSERT INTO bank_statement_lines (statement_id, account, line, booked_on, amount_nanos, currency, reference, order_reference, receipt_id, created_at)
   SELECT $owners * (1 + i % 400), 'main', 1, current_date, 1, 'USD', 'lists' || i, 'LISTS' || i, CASE WHEN i % 3 = 0 THEN i END, ${AT} ${EACH}`,
  `INSERT INTO approvals (kind, subject, account_id, amount_nanos, state, alone, maker_id, created_at)
   SELECT (ARRAY['deposit_credit','withdrawal','setting','money_term'])[1 + i % 4], i::text, CASE WHEN i % 2 = 0 THEN ${ADVERTISER} ELSE ${PUBLISHER} END, 1,
     CASE WHEN i % 10 = 0 THEN 'PROPOSED' ELSE (ARRAY['APPLIED','REFUSED','VOID'])[1 + i % 3] END, true, (SELECT min(id) FROM operators), ${AT} ${EACH}`,
  `INSERT INTO factor_recoveries (kind, person_type, person_id, account_id, not_before, created_at)
   SELECT 'PUBLISHER', 'ACCOUNT', i, ${PUBLISHER}, now() + interval '3 days', ${AT} ${EACH}`,
  `UPDATE factor_recoveries SET status = (ARRAY['LAPSED','REFUSED','VOID'])[1 + id % 3], ended_at = now() WHERE id % 10 > 0`,
  // One of a scope at a time: those that are in force are of a publisher each, far from the few who own lists.
  `INSERT INTO money_terms (kind, publisher_id, country, ppm, basis, effective_from, status, created_at)
   SELECT k, CASE WHEN k = 'SHARE' THEN CASE WHEN i % 4 = 0 THEN 1000 + i ELSE ${PUBLISHER} END END,
     CASE WHEN k = 'TAX' THEN (ARRAY['FR','PT','DE','NZ','US','AT','IE'])[1 + i % 7] END, 1, CASE WHEN k = 'TAX' THEN 'x' END, ${AT},
     CASE WHEN i % 4 = 0 AND k = 'SHARE' THEN 'APPROVED' WHEN i % 10 = 5 THEN 'PENDING' ELSE (ARRAY['REJECTED','VOID'])[1 + i % 2] END,
     ${AT} FROM (SELECT i, CASE WHEN i % 3 = 1 THEN 'TAX' ELSE 'SHARE' END AS k ${EACH}) each`,
  // More accounts than the chart has.
  'ALTER TABLE ledger_accounts DROP CONSTRAINT ledger_accounts_chart',
  `INSERT INTO ledger_accounts (code, currency, owner_type, owner_id)
   SELECT 'adv:' || (${ADVERTISER}) || ':lists' || i, 'USD', 'ADVERTISER', ${ADVERTISER} ${EACH}`,
  `INSERT INTO ledger_accounts (code, currency, owner_type, owner_id)
   SELECT 'adv:' || id || ':available', 'USD', 'ADVERTISER', id FROM accounts WHERE kind = 'ADVERTISER' ORDER BY id LIMIT $owners`,
  `INSERT INTO ledger_accounts (code, currency, owner_type, owner_id)
   SELECT 'pub:' || id || ':available', 'USD', 'PUBLISHER', id FROM accounts WHERE kind = 'PUBLISHER' ORDER BY id LIMIT $owners`,
  `INSERT INTO saved_views (person_type, person_id, page, name, state, is_shared)
   SELECT (ARRAY['ACCOUNT','MEMBER'])[1 + i % 2], i, 'campaigns', 'View ' || i, '{}', true ${EACH}`,
  `INSERT INTO report_schedules (person_type, person_id, account_id, name, group_by, filter, period, timezone, format,
     frequency, hour, next_run_at)
   SELECT 'ACCOUNT', i, ${ADVERTISER}, 'Report ' || i, 'date', '{}', 'YESTERDAY', 'UTC', 'csv', 'DAILY', 8, ${AT} ${EACH}`,
  `INSERT INTO ledger_batches (idempotency_key, kind) SELECT 'lists' || i, 'billing' ${EACH}`,
  `INSERT INTO ledger_transfers (batch_id, currency, debit_id, credit_id, amount_nanos, type, subject_type, subject_id,
     debit_balance_after_nanos, credit_balance_after_nanos, created_at)
   SELECT i, 'USD', a.debit, a.credit, 1, (ARRAY['SPEND','EARNING','PLATFORM_FEE'])[1 + i % 3], 'campaign', i, 1, 1, ${AT}
   FROM generate_series($from, $to) i JOIN (SELECT row_number() OVER (ORDER BY d.id) - 1 AS n, d.id AS debit, c.id AS credit
     FROM ledger_accounts d JOIN ledger_accounts c ON c.owner_id = d.owner_id + $rows AND c.code LIKE 'pub:%:available'
     WHERE d.code LIKE 'adv:%:available') a ON a.n = i % $owners`,
] as const;
