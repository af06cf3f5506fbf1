import { insertRow } from '../make/row.ts';
import { placeOf } from '../../../db/sealed-columns.ts';
import { nextId } from '../../../db/next-id.ts';
import { runner } from '../../../db/postgres.ts';
import { randomBytes } from 'node:crypto';
import { createActivities } from '../../../activities/index.ts';
import type { TestApp } from '../app.ts';
import type { TestDatabase } from '../database.ts';
import { image } from '../images.ts';
import { testProviders } from '../providers.ts';
import { CARD, carryToBank, ibanOf, passKyc, ripenCards } from '../payouts.ts';
import { MEMBER_ROLES, type MemberRole } from '../../../domain/member.ts';
import { OPERATOR_ROLES, type OperatorRole } from '../../../domain/operator.ts';
import type { Objects } from './catalogue.ts';
import type { RawAnswer, RawClient } from './client.ts';
import { makeMember, makeOperator } from '../make/account.ts';
import { fundAdvertiser, fundPublisher } from '../make/money.ts';
import { payIn } from '../make/paid-in.ts';
import { activityDeps } from '../settlement.ts';

export interface Tenant {
  /** Bearer tokens. */
  advertiser: string;
  publisher: string;
  objects: Objects;
  zoneKey: string;
  trackingCode: string;
}

const PASSWORD = 'storm proof words 7';

/** An advertiser and a publisher with one of everything, made over HTTP like anybody's. */
export async function makeTenant(database: TestDatabase, client: RawClient): Promise<Tenant> {
  const { pool } = database;
  const word = `t${randomBytes(5).toString('hex')}`;
  const advertiser = await register(client, 'advertiser', word);
  const publisher = await register(client, 'publisher', word);
  const make = async (path: string, body: unknown): Promise<number> =>
    await madeBy(client, { token: advertiser.token, path: `/api/advertiser/${path}`, body });
  const media = await upload(client, advertiser.token);
  const tracker = await insertTracker(database, advertiser.id, word);
  const conversion = await insertConversion(database, advertiser.id, tracker);
  const campaign = await make('campaigns', {
    name: 'Storm campaign',
    ad_type: 'BANNER',
    pricing_model: 'CPM',
    bid: 1,
    landing_url: 'https://shop.example/',
  });
  const adgroup = await make('adgroups', { campaign_id: campaign, name: 'Storm group' });
  const creative = await make('creatives', { name: 'Storm creative', image_media_id: media });
  const ad = await make('ads', { adgroup_id: adgroup, creative_id: creative, name: 'Storm ad' });
  const deposit = await make('deposits', { amount: 50, payment_method: 'BANK' });
  const publish = async (path: string, body: unknown): Promise<number> =>
    await madeBy(client, { token: publisher.token, path: `/api/publisher/${path}`, body });
  const site = await publish('sites', { name: 'Storm site', domain: `${word}.example.com` });
  const operation = await publish(`sites/${site}/verify`, { method: 'FILE' });
  // Reviews and verifications are flows; here only what they leave is needed.
  await pool.query(
    `UPDATE sites SET audit_status = 'APPROVED', verify_status = 'VERIFIED' WHERE id = $1`,
    [site],
  );
  await passKyc(database, publisher.id);
  await fundPublisher(database.db, publisher.id, 1_000_000_000_000_000n);
  const bankCard = await publish('withdrawals/bank-cards', { ...CARD, iban: ibanOf(publisher.id) });
  await ripenCards(database, publisher.id);
  const withdrawal = await publish('withdrawals', { amount: 150, payment_method: 'BANK' });
  await carryToBank(database, withdrawal);
  const zone = await publish('zones', { name: 'Storm zone', site_id: site, ad_type: 'BANNER' });
  const invite = { email: `${word}-member@example.com`, role: 'VIEWER' };
  const member = await publish('members', invite);
  const advertiserMember = await make('members', invite);
  const view = { page: 'reports', name: 'Storm', state: { columns: [] } };
  const savedView = await publish('saved-views', view);
  const advertiserSavedView = await make('saved-views', view);
  const daily = {
    name: 'Storm',
    group_by: 'date',
    period: 'YESTERDAY',
    timezone: 'UTC',
    frequency: 'DAILY',
    hour: 8,
  };
  const reportSchedule = await publish('report-schedules', daily);
  const advertiserReportSchedule = await make('report-schedules', daily);
  const hook = { url: 'https://storm.example.com/hooks', kinds: ['review_decided'] };
  const webhook = await publish('webhooks', hook);
  const advertiserWebhook = await make('webhooks', hook);
  const zones = await pool.query<{ zone_key: string }>(
    `UPDATE zones SET audit_status = 'APPROVED' WHERE id = $1 RETURNING zone_key`,
    [zone],
  );
  for (const [table, id] of [
    ['campaigns', campaign],
    ['ad_groups', adgroup],
    ['ads', ad],
    ['creatives', creative],
  ] as const) {
    await pool.query(`UPDATE ${table} SET audit_status = 'APPROVED' WHERE id = $1`, [id]);
  }
  await pool.query('UPDATE creatives SET approved_revision = 1 WHERE id = $1', [creative]);
  await pool.query(
    `WITH approved AS (UPDATE ads SET approved_revision = latest_revision WHERE creative_id = $1 RETURNING id)
     UPDATE ad_revisions r SET audit_status = 'APPROVED' FROM approved WHERE r.ad_id = approved.id`,
    [creative],
  );
  await pool.query(
    `UPDATE creative_revisions SET audit_status = 'APPROVED' WHERE creative_id = $1`,
    [creative],
  );
  await fundAdvertiser(database.db, advertiser.id, 1_000_000_000_000n);
  const kycDocument = await upload(client, publisher.token, '/api/publisher/kyc/documents');
  const papers = '/api/advertiser/kyc/documents';
  const advertiserKycDocument = await upload(client, advertiser.token, papers);
  const kyc = await insertKyc(database, { accountId: publisher.id, kycDocument, word });
  const advertiserOperation = await insertOperation(database, advertiser.id, word);
  const receipt = await payIn(database, advertiser.id, 'BANK', 1);
  const receiptEvidence = await insertEvidence(database);
  const bankStatement = await insertStatement(database);
  const reversal = await insertReversal(database);
  const balanceRefund = await insertBalanceRefund(database, advertiser.id);
  const exported = await insertExport(database, advertiser.id);
  const factors = await insertLogins(database, {
    advertiser: advertiser.id,
    publisher: publisher.id,
  });
  // Whoever carries it to the bank has let it through.
  const { rows: approvals } = await database.pool.query<{ id: string }>(
    `SELECT max(id) AS id FROM approvals WHERE kind = 'withdrawal' AND subject = $1`,
    [String(withdrawal)],
  );
  const task = await insertTask(database, { creative, accountId: advertiser.id, word });
  const told = await insertTold(database, {
    advertiser: advertiser.id,
    publisher: publisher.id,
    tracker,
    webhook,
    advertiserWebhook,
  });
  return {
    advertiser: advertiser.token,
    publisher: publisher.token,
    zoneKey: zones.rows[0]?.zone_key ?? '',
    trackingCode: `trk_${word}`,
    objects: {
      campaign,
      adgroup,
      ad,
      creative,
      media,
      tracker,
      conversion,
      deposit,
      site,
      zone,
      operation,
      export: exported,
      advertiserOperation,
      kyc,
      kycDocument,
      advertiserKycDocument,
      task,
      withdrawal,
      bankCard,
      member,
      advertiserMember,
      savedView,
      reportSchedule,
      advertiserReportSchedule,
      // Nobody's: an operator's own is no tenant's.
      operatorReportSchedule: reportSchedule,
      advertiserSavedView,
      // Nobody's: an operator's own is not a tenant's.
      operatorSavedView: savedView,
      webhook,
      advertiserWebhook,
      advertiser: advertiser.id,
      publisher: publisher.id,
      receipt,
      receiptEvidence,
      bankStatement,
      reversal,
      balanceRefund,
      factorRecovery: await insertRecovery(database, publisher.id),
      approval: Number(approvals[0]?.id),
      // Nobody's, as the rest of the desk.
      operator: (await makeOperator(database.db, 'SUPPORT')).id,
      operatorInvitation: await insertInvitation(database),
      ...factors,
      ...told,
    },
  };
}

async function insertInvitation(database: TestDatabase): Promise<number> {
  const username = `invited_${randomBytes(4).toString('hex')}`;
  return await insertRow(database, 'operator_invitations', {
    username,
    email: `${username}@example.com`,
    role: 'SUPPORT',
    token_hash: username,
    invited_by: (await makeOperator(database.db, 'SUPPORT')).id,
    invited_at: new Date(),
    expires_at: new Date(Date.now() + 86_400_000),
  });
}

/** One operator of each role, with a token. */
export async function makeOperators(testApp: TestApp): Promise<Record<OperatorRole, string>> {
  const made = await Promise.all(
    OPERATOR_ROLES.map(async (role) => {
      const username = `${role.toLowerCase()}_${randomBytes(4).toString('hex')}`;
      const email = `${username}@example.com`;
      const { id } = await testApp.activities.createOperator({
        username,
        email,
        password: PASSWORD,
        role,
      });
      return [role, testApp.issue('admin', id)] as const;
    }),
  );
  return Object.fromEntries(made) as Record<OperatorRole, string>;
}

/** One member of each role in the tenant's two accounts, with a token. */
export async function makeMembers(
  { db }: TestDatabase,
  testApp: TestApp,
  { objects }: Tenant,
): Promise<Record<'advertiser' | 'publisher', Record<MemberRole, string>>> {
  const tokensOf = async (realm: 'advertiser' | 'publisher') => {
    const id = objects[realm];
    const kind = realm === 'advertiser' ? ('ADVERTISER' as const) : ('PUBLISHER' as const);
    const made = await Promise.all(
      MEMBER_ROLES.map(async (role) => {
        const member = await makeMember(db, { id, kind }, role);
        return [role, testApp.issue(realm, id, member.id)] as const;
      }),
    );
    return Object.fromEntries(made) as Record<MemberRole, string>;
  };
  return { advertiser: await tokensOf('advertiser'), publisher: await tokensOf('publisher') };
}

function dataOf(answer: RawAnswer): Record<string, unknown> {
  const { data } = answer.json ?? {};
  if (answer.status >= 300 || data === undefined) {
    throw new Error(`${answer.request.path}: ${answer.status} ${answer.bytes.toString('utf8')}`);
  }
  return data;
}

async function register(
  client: RawClient,
  realm: 'advertiser' | 'publisher',
  word: string,
): Promise<{ token: string; id: number }> {
  const data = dataOf(
    await client.send({
      method: 'POST',
      path: `/api/${realm}/auth/register`,
      body: {
        email: `${word}-${realm}@example.com`,
        password: PASSWORD,
        contact_name: 'Storm',
        company_name: 'Storm Ltd',
      },
    }),
  );
  const { id } = data['user'] as { id: number };
  return { token: String(data['token']), id };
}

async function madeBy(
  client: RawClient,
  { token, path, body }: { token: string; path: string; body: unknown },
): Promise<number> {
  const data = dataOf(await client.send({ method: 'POST', path, token, body }));
  const { id, operation } = data as { id?: number; operation?: { id: number } };
  return operation?.id ?? id ?? 0;
}

const BOUNDARY = 'storm-boundary';

/** A multipart body of one file. */
export function multipart(bytes: Buffer, { name = 'file', filename = 'a.png' } = {}): Buffer {
  return Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\n` +
        'Content-Type: image/png\r\n\r\n',
    ),
    bytes,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
}

export const MULTIPART = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };

async function upload(
  client: RawClient,
  token: string,
  path = '/api/advertiser/media/upload',
): Promise<number> {
  const answer = await client.send({
    method: 'POST',
    path,
    token,
    headers: MULTIPART,
    body: multipart(await image('png', { width: 300, height: 250 })),
  });
  return Number(dataOf(answer)['id']);
}

async function insertTracker(
  { db }: TestDatabase,
  advertiserId: number,
  word: string,
): Promise<number> {
  const tracker = await db.models.trackers.create({
    advertiserId,
    name: 'Storm tracker',
    trackingCode: `trk_${word}`,
  });
  return tracker.id;
}

/** One that was decided. */
async function insertConversion(
  { pool }: TestDatabase,
  advertiserId: number,
  tracker: number,
): Promise<number> {
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO conversions (tracker_id, advertiser_id, dedupe_key, event_type, status)
     VALUES ($1, $2, 'tx:storm', 'LEAD', 'REJECTED') RETURNING public_id AS id`,
    [tracker, advertiserId],
  );
  return Number(rows[0]?.id);
}

/** A round that was decided, so that a new one may begin. */
async function insertKyc(
  { pool }: TestDatabase,
  of: { accountId: number; kycDocument: number; word: string },
): Promise<number> {
  const id = await nextId(pool, 'kyc_applications');
  const column = 'kyc_applications.document_number_sealed';
  const sealed = testProviders().sealer.seal('C01X00T47', placeOf(column, of.accountId, id));
  await pool.query(
    `INSERT INTO kyc_applications (id, account_id, round, status, entity_type, legal_name, country,
       document_number_sealed, document_number_tail, document_ids, workflow_id)
     VALUES ($5, $1, 1, 'REJECTED', 'PERSONAL', 'Anna Storm', 'DE', $2, 'T47', ARRAY[$3::bigint], $4)`,
    [of.accountId, sealed, of.kycDocument, `kyc-${of.word}`, id],
  );
  return id;
}

/** Of an operator; its file is never read. */
async function insertEvidence({ db }: TestDatabase): Promise<number> {
  const word = randomBytes(16).toString('hex');
  const { id: operatorId } = await makeOperator(db, 'FINANCE');
  const { id } = await db.models.receiptEvidence.create({
    sha256: word,
    mime: 'image/png',
    bytes: 1,
    path: word,
    operatorId,
  });
  return id;
}

async function insertStatement({ db }: TestDatabase): Promise<number> {
  const { id: operatorId } = await makeOperator(db, 'FINANCE');
  const { id } = await db.models.bankStatements.create({
    account: 'Storm bank',
    format: 'CSV',
    sha256: randomBytes(16).toString('hex'),
    lineCount: 0,
    addedCount: 0,
    outgoingCount: 0,
    operatorId,
  });
  return id;
}

async function insertReversal({ db }: TestDatabase): Promise<number> {
  const { id: makerId } = await makeOperator(db, 'FINANCE');
  const { id } = await db.models.reversals.create({
    source: 'BATCH',
    scope: { batch_id: 1 },
    reason: 'BILLING_ERROR',
    note: 'Storm',
    makerId,
  });
  return id;
}

/** One of a cent, that waits for a person to send it. */
async function insertBalanceRefund(database: TestDatabase, advertiserId: number): Promise<number> {
  await payIn(database, advertiserId, 'BANK', 5);
  const { id: operatorId } = await makeOperator(database.db, 'FINANCE');
  const activities = createActivities(activityDeps(database));
  const { balanceRefundId } = await activities.requestBalanceRefund({
    advertiserId,
    amountNanos: 10_000_000n,
    reason: 'Storm',
    operatorId,
    requestId: 'storm',
  });
  return balanceRefundId;
}

/** One that is over. */
async function insertRecovery({ pool }: TestDatabase, accountId: number): Promise<number> {
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO factor_recoveries (kind, person_type, person_id, account_id, not_before)
     VALUES ('PUBLISHER', 'ACCOUNT', $1, $1, now() + interval '3 days') RETURNING id`,
    [accountId],
  );
  await pool.query(
    `UPDATE factor_recoveries SET status = 'LAPSED', ended_at = now() WHERE id = $1`,
    [rows[0]?.id],
  );
  return Number(rows[0]?.id);
}

async function insertOperation(
  { db }: TestDatabase,
  accountId: number,
  word: string,
): Promise<number> {
  const { id } = await db.models.operations.create({ accountId, kind: 'storm', workflowId: word });
  return id;
}

/** One that is still being written: there is nothing to load yet. */
async function insertExport({ pool }: TestDatabase, accountId: number): Promise<number> {
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO report_exports (account_id, ask, ask_hash, format, file_name)
     VALUES ($1, '{"parts": []}', 'storm', 'csv', 'storm.csv') RETURNING id`,
    [accountId],
  );
  return Number(rows[0]?.id);
}

/** A factor that is not confirmed, so that it asks for nothing, and a session of another browser. */
async function insertLogins(
  { db }: TestDatabase,
  ids: { advertiser: number; publisher: number },
): Promise<
  Record<`${'advertiserF' | 'f' | 'operatorF'}actor`, number> &
    Record<`${'advertiserS' | 's' | 'operatorS'}ession`, number>
> {
  const made = async (personId: number) => {
    const person = { personType: 'ACCOUNT' as const, personId };
    const factorId = await nextId(runner(db), 'factors');
    const factor = await db.models.factors.create({
      id: factorId,
      ...person,
      kind: 'TOTP',
      name: 'Storm',
      sealedSecret: testProviders().sealer.seal(
        'JBSWY3DPEHPK3PXP',
        placeOf('factors.sealed_secret', 'ACCOUNT', personId, factorId),
      ),
    });
    const now = new Date();
    const session = await db.models.sessions.create({
      ...person,
      tokenId: randomBytes(16).toString('hex'),
      device: 'CHROME · LINUX',
      network: '198.51.100.0/24',
      createdAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + 7_200_000),
    });
    return { factor: factor.id, session: session.id };
  };
  const [mine, theirs] = [await made(ids.publisher), await made(ids.advertiser)];
  return {
    ...mine,
    advertiserFactor: theirs.factor,
    advertiserSession: theirs.session,
    // Nobody's: an operator's own is not a tenant's.
    operatorFactor: mine.factor,
    operatorSession: mine.session,
  };
}

/** What is told to an account and by it: notices, calls of its webhooks and its tracker, a test of that. */
async function insertTold(
  { db }: TestDatabase,
  of: Record<'advertiser' | 'publisher' | 'tracker' | 'webhook' | 'advertiserWebhook', number>,
): Promise<
  Record<
    | 'notification'
    | 'advertiserNotification'
    | 'trackerTest'
    | 'postback'
    | 'delivery'
    | 'advertiserDelivery',
    number
  >
> {
  const { notifications, webhookDeliveries, trackerTests, postbacks } = db.models;
  const notice = async (accountId: number): Promise<number> =>
    (await notifications.create({ accountId, kind: 'review_decided' })).id;
  const delivery = async (accountId: number, endpointId: number): Promise<number> => {
    const eventId = randomBytes(16).toString('hex');
    const kind = 'review_decided' as const;
    return (await webhookDeliveries.create({ accountId, endpointId, eventId, kind, body: '{}' }))
      .id;
  };
  const owned = { trackerId: of.tracker, advertiserId: of.advertiser };
  const expiresAt = new Date(Date.now() + 3_600_000);
  const clickId = randomBytes(16).toString('hex');
  const test = await trackerTests.create({ ...owned, clickId, expiresAt });
  const call = await postbacks.create({ ...owned, testId: test.id, url: 'https://storm.example/' });
  return {
    notification: await notice(of.publisher),
    advertiserNotification: await notice(of.advertiser),
    trackerTest: test.id,
    postback: call.id,
    delivery: await delivery(of.publisher, of.webhook),
    advertiserDelivery: await delivery(of.advertiser, of.advertiserWebhook),
  };
}

async function insertTask(
  { db }: TestDatabase,
  about: { creative: number; accountId: number; word: string },
): Promise<number> {
  const task = await db.models.tasks.create({
    kind: 'creative_review',
    subjectType: 'creative',
    subjectId: about.creative,
    accountId: about.accountId,
    summary: 'Storm creative',
    decisions: ['approve', 'reject'],
    requiredRole: 'REVIEWER',
    workflowId: `review-${about.word}`,
    dedupeKey: `review-${about.word}`,
  });
  return task.id;
}
