import { byLetter, letterTo } from './accounts.ts';
import { approved, fileForm, idOf, SHOP_DOMAIN, type Task, wordOf, type World } from './world.ts';
import { until } from '../until.ts';
import { inlineOf, wrapperTo } from '../vast-documents.ts';

const adv = '/api/advertiser';
const pub = '/api/publisher';
const desk = '/api/admin';

/** Reports of both sides, once settlement has judged what was reported. */
export async function walkReports(world: World): Promise<void> {
  const { walk, tokens } = world;
  await walk.step('settlement', () => settled(world));
  for (const [side, names, token] of [
    [adv, ['report', 'campaigns', 'region', 'hourly', 'device'], tokens.advertiser],
    [pub, ['report', 'sites', 'zones', 'region', 'hourly', 'device', 'removed'], tokens.publisher],
  ] as const) {
    for (const name of names) {
      await walk.step(`${side} ${name}`, async () => {
        await walk.ask(`GET ${side}/statistics/${name}`, { token });
      });
    }
    await walk.step(`${side} export`, async () => {
      await walk.ask(`GET ${side}/statistics/export`, { token, query: { format: 'csv' } });
    });
  }
  for (const [route, name, token] of [
    [`${adv}/campaigns`, 'campaigns cpm', tokens.advertiser],
    [`${adv}/adgroups`, 'adgroups cpm', tokens.advertiser],
    [`${adv}/ads`, 'ads cpm', tokens.advertiser],
    [`${adv}/trackers`, 'tracker', tokens.advertiser],
    [`${pub}/sites`, 'site', tokens.publisher],
    [`${pub}/zones`, 'zone banner', tokens.publisher],
  ] as const) {
    await walk.step(`${route} stats`, async () => {
      await walk.ask(`GET ${route}/:id/stats`, { id: idOf(world, name), token });
    });
  }
  await walk.step('days of a campaign', async () => {
    const id = idOf(world, 'campaigns cpm');
    await walk.ask(`GET ${adv}/campaigns/:id/delivery-days`, { id, token: tokens.advertiser });
    await walk.ask(`GET ${adv}/campaigns/:id/zone-reach`, { id, token: tokens.advertiser });
  });
  await walk.step('conversions of a tracker', async () => {
    const id = idOf(world, 'tracker');
    await walk.ask(`GET ${adv}/trackers/:id/conversions`, { id, token: tokens.advertiser });
  });
  await walk.step('postbacks', () => postbacks(world));
  await walk.step('held conversions', () => heldConversions(world));
}

/** As they are held where a campaign pays for them; here none does, so they are held by hand. */
async function heldConversions(world: World): Promise<void> {
  const { walk, tokens, platform } = world;
  const token = tokens.advertiser;
  const decided = await until('four conversions to be decided', async () => {
    const { items } = await walk.ask<{ items: { id: number; status: string }[] }>(
      `GET ${adv}/conversions`,
      { token },
    );
    const ids = items.filter(({ status }) => status === 'UNBILLED').map(({ id }) => id);
    return ids.length >= 4 ? ids : undefined;
  });
  await platform.pool.query(`UPDATE conversions SET status = 'PENDING' WHERE public_id = ANY($1)`, [
    decided,
  ]);
  const [first = 0, second = 0, third = 0, fourth = 0] = decided;
  await walk.ask(`GET ${adv}/conversions/:id`, { id: first, token });
  await walk.ask(`POST ${adv}/conversions/:id/approve`, { id: first, token });
  const reason = 'No such order';
  await walk.ask(`POST ${adv}/conversions/:id/reject`, { id: second, token, body: { reason } });
  await walk.ask(`POST ${adv}/conversions/bulk`, {
    token,
    body: { action: 'reject', ids: [third], reason },
  });
  const csv = Buffer.from(`id,decision,reason\n${fourth},reject,${reason}\n`);
  await walk.ask(`POST ${adv}/conversions/decisions`, {
    token,
    form: fileForm(csv, { name: 'decisions.csv', type: 'text/csv' }),
  });
}

/** A call that nobody took for seven hours and more; here its time is passed by hand. */
async function postbacks(world: World): Promise<void> {
  const { walk, tokens, platform } = world;
  const token = tokens.advertiser;
  const id = idOf(world, 'tracker');
  const call = await until('a call of the postback_url', async () => {
    const { items } = await walk.ask<{ items: { id: number }[] }>(
      `GET ${adv}/trackers/:id/postbacks`,
      { id, token },
    );
    return items[0];
  });
  await platform.pool.query(
    `UPDATE postbacks SET status = 'DEAD', next_attempt_at = NULL WHERE id = $1`,
    [call.id],
  );
  await walk.ask(`POST ${adv}/trackers/:id/postbacks/:postback_id/retry`, {
    id,
    token,
    params: { postback_id: call.id },
  });
}

async function settled({ walk, tokens }: World): Promise<void> {
  await until({ what: 'settlement has judged an impression', withinMs: 60_000 }, async () => {
    const { totals } = await walk.ask<{ totals: { impressions: number } }>(
      `GET ${adv}/statistics/report`,
      { token: tokens.advertiser },
    );
    return totals.impressions > 0;
  });
}

/** What operators read and decide beside the reviews on the way. */
export async function walkDesk(world: World): Promise<void> {
  const { walk, tokens } = world;
  const token = tokens.admin;
  await walk.step('what was not billed', async () => {
    await walk.ask('GET /api/admin/held-conversions', { token });
    await walk.ask('GET /api/admin/statistics/report', { token });
    await walk.ask('GET /api/admin/unbilled-events', { token });
    await walk.ask('GET /api/admin/unbilled-events/latest', { token });
  });
  await walk.step('tasks', () => tasks(world));
  await walk.step('what accounts run', () => inventory(world));
  await walk.step('accounts', () => accounts(world));
  for (const side of ['advertiser', 'publisher'] as const) {
    await walk.step(`${side} review-reasons`, async () => {
      await walk.ask(`GET /api/${side}/review-reasons`, { token: tokens[side] });
      const [subject_type, name] =
        side === 'advertiser' ? ['creative', 'creative'] : ['site', 'site'];
      await walk.ask(`GET /api/${side}/timeline`, {
        token: tokens[side],
        query: { subject_type, subject_id: idOf(world, name) },
      });
    });
  }
  for (const [route, query] of [
    ['review-reasons', { kind: 'zone_review' }],
    ['health', {}],
    ['search', { q: 'Gazette' }],
    ['operations', { page_size: 5 }],
    ['timeline', { subject_type: 'site', subject_id: idOf(world, 'site') }],
    ['ledger/accounts', { page_size: 5 }],
    ['ledger/transfers', { page_size: 5 }],
    ['books', {}],
    ['settings', {}],
    ['notifications', { page_size: 5 }],
    ['audit-log', { page_size: 5 }],
  ] as const) {
    await walk.step(route, async () => {
      await walk.ask(`GET ${desk}/${route}`, { token, query });
    });
  }
  await walk.step('notifications are read', async () => {
    await walk.ask(`POST ${desk}/notifications/read`, { token, body: { until: 1 } });
  });
  await walk.step('sealed payloads', () => sealedPayloads(world));
  await walk.step('a reversal', () => reversal(world));
  await walk.step('a refund of balance', () => balanceRefund(world));
  await walk.step('shares and taxes', () => moneyTerms(world));
  await walk.step('one operation', async () => {
    await walk.ask(`GET ${desk}/operations/:id`, { id: idOf(world, 'publisher operation'), token });
  });
  await walk.step('setting', async () => {
    await walk.ask(`PUT ${desk}/settings/:key`, {
      token,
      params: { key: 'ad.click_dedup_seconds' },
      body: { value: 300 },
    });
  });
  await walk.step('operators', async () => {
    const id = await newOperator(world);
    await walk.ask(`POST ${desk}/operators/:id/end-sessions`, { id, token });
    const reason = 'Another desk';
    const role = { role: 'SUPPORT', reason };
    await walk.ask(`POST ${desk}/operators/:id/role`, { id, token, body: role });
    await walk.ask(`POST ${desk}/operators/:id/suspend`, { id, token, body: { reason } });
    await walk.ask(`POST ${desk}/operators/:id/restore`, { id, token, body: { reason } });
    await walk.ask(`GET ${desk}/operators`, { token });
  });
  await walk.step('lost factors', async () => await lostFactors(world));
  await walk.step('approvals', async () => await approvals(world));
  await walk.step('event', async () => {
    const track_id = wordOf(world, 'track id');
    await walk.ask(`GET ${desk}/events`, { token, query: { track_id } });
  });
}

/** Invited, invited again, come in by the second letter; another is invited no more. Answers who came. */
async function newOperator(world: World): Promise<number> {
  const { walk, tokens, platform } = world;
  const { admin: token } = tokens;
  const email = 'clerk@example.com';
  const invite = async (body: object) =>
    await walk.ask<{ id: number }>(`POST ${desk}/operator-invitations`, { token, body });
  const { id } = await invite({ username: 'walk_clerk', email, role: 'FINANCE' });
  await letterTo(world, email);
  // Ten minutes between two letters to one address are passed by hand.
  await platform.pool.query(
    `UPDATE operator_invitations SET invited_at = invited_at - interval '10 minutes' WHERE id = $1`,
    [id],
  );
  await walk.ask(`POST ${desk}/operator-invitations/:id/resend`, { id, token });
  const invitation = await letterTo(world, email, 2);
  await walk.ask(`POST ${desk}/auth/invitation`, { body: { token: invitation } });
  const { user } = await walk.ask<{ user: { id: number } }>(`POST ${desk}/auth/accept-invitation`, {
    body: { token: invitation, name: 'Cleo Desk', password: 'walk-In-the-rain-9' },
  });
  await byLetter(world, 'admin', email, 3);
  const other = await invite({ username: 'nobody', email: 'nobody@example.com', role: 'SUPPORT' });
  await walk.ask(`POST ${desk}/operator-invitations/:id/take-back`, { id: other.id, token });
  await walk.ask(`GET ${desk}/operator-invitations`, { token, query: { status: 'TAKEN_BACK' } });
  return user.id;
}

/** As somebody asks who knows the password (walk/logins.ts); one is vouched for, one is refused. */
async function lostFactors({ walk, tokens, platform }: World): Promise<void> {
  const { rows } = await platform.pool.query<{ id: string }>(
    `INSERT INTO factor_recoveries (kind, person_type, person_id, account_id, not_before)
     SELECT kind, 'ACCOUNT', id, id, now() + interval '3 days' FROM accounts ORDER BY id LIMIT 2 RETURNING id`,
  );
  const [first = 0, second = 0] = rows.map(({ id }) => Number(id));
  const token = tokens.admin;
  await walk.ask(`POST ${desk}/factor-recoveries/:id/vouch`, {
    id: first,
    token,
    body: { proof: 'IN_PERSON', note: 'Came by with the passport' },
  });
  await walk.ask(`POST ${desk}/factor-recoveries/:id/refuse`, {
    id: second,
    token,
    body: { note: 'Nobody answered' },
  });
  await walk.ask(`GET ${desk}/factor-recoveries`, { token, query: { status: 'WAITING' } });
}

/** Looked for and cancelled: what the walk has billed stays billed. */
async function reversal(world: World): Promise<void> {
  const { walk, tokens, platform } = world;
  const token = tokens.finance;
  const route = 'GET /api/admin/reversals/:id';
  const zone_id = idOf(world, 'zone banner');
  const now = Date.now();
  const [from, to] = [now - 3_600_000, now - 1_000].map((ms) => new Date(ms).toISOString());
  const { id } = await walk.ask<{ id: number }>('POST /api/admin/reversals', {
    token,
    body: { source: 'TRAFFIC', reason: 'INVALID_TRAFFIC', note: 'A farm', from, to, zone_id },
  });
  await until('the events were looked for', async () => {
    const { status } = await walk.ask<{ status: string }>(route, { id, token });
    return status === 'PREPARING' ? undefined : true;
  });
  // Also where the walk has billed nothing there.
  await platform.pool.query(`UPDATE reversals SET status = 'PREVIEW' WHERE id = $1`, [id]);
  await walk.ask(route, { id, token });
  await walk.ask('GET /api/admin/reversals', { token });
  await walk.ask('POST /api/admin/reversals/:id/cancel', { id, token });
}

/** A little of what was paid in goes back, by whichever way it came. */
async function balanceRefund({ walk, tokens }: World): Promise<void> {
  const token = tokens.finance;
  const { id: advertiser_id } = await walk.ask<{ id: number }>(`GET ${adv}/auth/profile`, {
    token: tokens.advertiser,
  });
  const amount = 0.5;
  await walk.ask(`GET ${desk}/advertisers/:id/refundable`, {
    id: advertiser_id,
    token,
    query: { amount: String(amount) },
  });
  const { id } = await walk.ask<{ id: number }>(`POST ${desk}/balance-refunds`, {
    token,
    body: { advertiser_id, amount, reason: 'They paid too much' },
  });
  await walk.ask(`GET ${desk}/balance-refunds/:id`, { id, token });
  await walk.ask(`GET ${desk}/balance-refunds`, { token, query: { advertiser_id } });
}

/** One is agreed on by two operators, one is withdrawn. */
async function moneyTerms({ walk, tokens }: World): Promise<void> {
  const token = tokens.finance;
  const from = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const proposal = { kind: 'TAX', country: 'NZ', percent: 5, from, basis: 'A treaty' };
  const propose = async (body: object): Promise<number> => {
    const term = await walk.ask<{ approval_id: number }>('POST /api/admin/money-terms', {
      token,
      body,
    });
    return term.approval_id;
  };
  const id = await propose(proposal);
  await walk.ask(`POST ${desk}/approvals/:id/approve`, { id, token: tokens.admin });
  const other = await propose({ kind: 'SHARE', percent: 71, from });
  await walk.ask(`POST ${desk}/approvals/:id/withdraw`, { id: other, token });
  await walk.ask('GET /api/admin/money-terms', { token });
}

/** As a page of Temporal's asks for what the platform has sealed. */
async function sealedPayloads({ walk, tokens, platform }: World): Promise<void> {
  const route = 'POST /api/admin/codec/pass';
  await walk.ask(route, { token: tokens.admin });
  const given = await fetch(`${platform.baseUrl}/api/admin/codec/pass`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${tokens.admin}` },
  });
  const [cookie = ''] = given.headers.getSetCookie().map((each) => each.split(';', 1)[0] ?? '');
  await walk.ask('POST /codec/decode', {
    headers: { Cookie: cookie, Origin: platform.env['TEMPORAL_UI_URL'] ?? '' },
    body: { payloads: [{ metadata: { encoding: 'anNvbi9wbGFpbg==' }, data: 'IlBBSUQi' }] },
  });
}

/** A setting that governs money is asked for three times: approved, refused, and asked for no more. */
async function approvals({ walk, tokens }: World): Promise<void> {
  const ask = async (value: number): Promise<number> => {
    await walk.ask(`PUT ${desk}/settings/:key`, {
      token: tokens.admin,
      params: { key: 'deposit.minimum.USDT' },
      body: { value },
    });
    const { items } = await walk.ask<{ items: { id: number }[] }>(`GET ${desk}/approvals`, {
      token: tokens.finance,
      query: { state: 'PROPOSED', kind: 'setting' },
    });
    return items[0]?.id ?? 0;
  };
  const token = tokens.finance;
  const first = await ask(11);
  await walk.ask(`GET ${desk}/approvals/:id`, { id: first, token });
  await walk.ask(`POST ${desk}/approvals/:id/approve`, { id: first, token });
  const body = { note: 'Ten is enough.' };
  await walk.ask(`POST ${desk}/approvals/:id/refuse`, { id: await ask(12), token, body });
  await walk.ask(`POST ${desk}/approvals/:id/withdraw`, { id: await ask(13), token: tokens.admin });
}

/** A new creative's task. */
async function taskOf({ walk, tokens }: World, body: object): Promise<Task> {
  const { id } = await walk.ask<{ id: number }>(`POST ${adv}/creatives`, {
    token: tokens.advertiser,
    body,
  });
  return await until('a task of the creative', async () => {
    const { items } = await walk.ask<{ items: Task[] }>(`GET ${desk}/tasks`, {
      token: tokens.reviewer,
      query: { status: 'open', kind: 'creative_review' },
    });
    return items.find(({ subject }) => subject.id === id);
  });
}

/** Of a wrapper: the shop's server names where the film is. */
async function film(world: World): Promise<void> {
  const { walk, tokens, sites } = world;
  const at = `http://${SHOP_DOMAIN}`;
  sites.pages.set('/film.xml', { type: 'application/xml', body: inlineOf(`${at}/film.mp4`) });
  const body = { name: 'Boat film of a shop', creative_type: 'vast' };
  const task = await taskOf(world, { ...body, vast_xml: wrapperTo(`${at}/film.xml`) });
  await walk.ask(`POST ${desk}/tasks/:id/film`, { id: task.id, token: tokens.reviewer });
}

async function tasks(world: World): Promise<void> {
  const { walk, tokens } = world;
  const token = tokens.reviewer;
  await film(world);
  const task = await taskOf(world, {
    name: 'Boat in the rain',
    creative_type: 'image',
    image_media_id: idOf(world, 'image'),
  });
  await walk.ask(`GET ${desk}/tasks/:id`, { id: task.id, token });
  await walk.ask(`GET ${desk}/tasks/counts`, { token });
  await walk.ask(`POST ${desk}/tasks/:id/claim`, { id: task.id, token });
  await walk.ask(`POST ${desk}/tasks/:id/notes`, {
    id: task.id,
    token,
    body: { text: 'The picture is hard to read on a phone' },
  });
  await walk.ask(`POST ${desk}/tasks/:id/release`, { id: task.id, token });
  await walk.ask(`POST ${desk}/tasks/claim-next`, { token, body: { kinds: ['creative_review'] } });
  await walk.ask(`GET ${desk}/tasks/:id/assignees`, { id: task.id, token });
  await walk.ask(`POST ${desk}/tasks/:id/assign`, {
    id: task.id,
    token,
    body: { assignee_id: null },
  });
  await walk.ask(`POST ${desk}/tasks/:id/decision`, {
    id: task.id,
    token,
    body: { decision: 'reject', reasons: [{ code: 'OTHER', note: 'Not to be read' }] },
  });
}

/** A site is taken back into review and approved once more, as things stood. */
async function inventory(world: World): Promise<void> {
  const { walk, tokens } = world;
  const token = tokens.reviewer;
  const subject = { subject_type: 'site', subject_id: idOf(world, 'site') };
  const { account_id: id } = await walk.ask<{ account_id: number }>(`GET ${desk}/inventory/item`, {
    token,
    query: subject,
  });
  await walk.ask(`GET ${desk}/publishers/:id/inventory`, { id, token });
  const creative = { subject_type: 'creative', subject_id: idOf(world, 'creative') };
  const { account_id } = await walk.ask<{ account_id: number }>(`GET ${desk}/inventory/item`, {
    token,
    query: creative,
  });
  await walk.ask(`GET ${desk}/advertisers/:id/inventory`, {
    id: account_id,
    token,
    query: { subject_type: 'creative' },
  });
  await walk.ask(`POST ${desk}/inventory/recall`, {
    token,
    body: { ...subject, note: 'Its domain is said to be sold' },
  });
  await approved(world, 'GET /api/publisher/sites/:id', {
    type: 'site',
    id: subject.subject_id,
    token: tokens.publisher,
  });
  for (const move of ['suspend', 'restore'] as const) {
    // One after the other: only what is suspended is restored.
    await walk.ask(`POST ${desk}/inventory/sites/:id/${move}`, {
      token,
      id: subject.subject_id,
      body: { note: 'Its pages hid our ads' },
    });
  }
}

/** On accounts that nothing else needs. */
async function accounts({ walk, tokens }: World): Promise<void> {
  const token = tokens.admin;
  for (const side of ['advertiser', 'publisher'] as const) {
    const { user } = await walk.ask<{ user: { id: number } }>(`POST /api/${side}/auth/register`, {
      body: { email: `passing@${side}.example.com`, password: 'correct horse battery 9' },
    });
    const { id } = user;
    await walk.ask(`GET ${desk}/${side}s`, { token, query: { keyword: 'passing' } });
    await walk.ask(`GET ${desk}/${side}s/:id`, { id, token });
    const body = { reason: 'Asked for by the owner' };
    await walk.ask(`POST ${desk}/${side}s/:id/end-sessions`, { id, token });
    await walk.ask(`POST ${desk}/${side}s/:id/suspend`, { id, token, body });
    await walk.ask(`POST ${desk}/${side}s/:id/restore`, { id, token, body });
    await walk.ask(`POST ${desk}/${side}s/:id/hold-papers`, { id, token, body });
    await walk.ask(`POST ${desk}/${side}s/:id/release-papers`, { id, token, body });
    await walk.ask(`GET ${desk}/${side}s/:id/history`, { id, token });
    await walk.ask(`GET ${desk}/${side}s/:id/related`, { id, token });
    await walk.ask(`GET ${desk}/${side}s/:id/members`, { id, token });
  }
}

/** More lines than an answer holds at once; an old day, so that no other report sees them. */
const EXPORT_LINES = 60_000;
const EXPORT_DAY = '2026-03-01';

/** interface 4.5: a large report becomes an operation, whose file its owner loads. */
export async function walkExports(world: World): Promise<void> {
  for (const side of ['advertiser', 'publisher'] as const) {
    await world.walk.step(`${side} large export`, () => largeExport(world, side));
  }
}

async function largeExport(world: World, side: 'advertiser' | 'publisher'): Promise<void> {
  const { walk, tokens, platform } = world;
  const token = tokens[side];
  const [table, columns, thing] =
    side === 'advertiser'
      ? ['rollup_ad_hours', 'advertiser_id, campaign_id, adgroup_id, creative_id, ad_id', 'ad']
      : ['rollup_zone_hours', 'publisher_id, site_id, zone_id', 'zone'];
  const fixed = side === 'advertiser' ? '1, 1, 1,' : '1,';
  await platform.pool.query(
    `INSERT INTO ${table} (hour, ${columns}, impressions)
     SELECT '${EXPORT_DAY}T00:00Z'::timestamptz + (i % 24) * interval '1 hour', $1, ${fixed} 1 + i / 24, 10
     FROM generate_series(0, $2::int - 1) i`,
    [idOf(world, side), EXPORT_LINES],
  );
  const day = { start_date: EXPORT_DAY, end_date: EXPORT_DAY };
  const { operation } = await walk.ask<{ operation: { id: number } }>(
    `GET /api/${side}/statistics/export`,
    { token, query: { ...day, group_by: `hour,${thing}`, format: 'jsonl' } },
  );
  const id = await until({ what: 'the file is written', withinMs: 60_000 }, async () => {
    const { result } = await walk.ask<{ result: { url: string } | null }>(
      `GET /api/${side}/operations/:id`,
      { id: operation.id, token },
    );
    return /exports\/(\d+)\//.exec(result?.url ?? '')?.[1];
  });
  await walk.ask(`GET /api/${side}/statistics/exports/:id/file`, { id: Number(id), token });
}
