import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createUpkeepActivities } from '../../activities/upkeep/upkeep.ts';
import { createOutbound } from '../../activities/providers/outbound.ts';
import { runner } from '../../db/postgres.ts';
import { runBooks } from '../../db/queries/books.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { chart } from '../../domain/ledger/chart.ts';
import type { VerifyMethod } from '../../domain/lifecycle/site.ts';
import { domainTransferWorkflowId } from '../../workflows/contracts/domain-transfer.ts';
import { type Caller, dataOf } from '../support/call.ts';
import { flowDesk } from '../support/flow-desk.ts';
import type { TestFlows } from '../support/flows.ts';
import { captureHistory } from '../support/histories.ts';
import { type Listener, startListener } from '../support/listener.ts';
import { makeOperator, makePublisher } from '../support/make/account.ts';
import { balanceOf, fundPublisher, UNIT } from '../support/make/money.ts';
import { makeSite, makeZone } from '../support/make/place.ts';
import { passKyc } from '../support/payouts.ts';
import { interfereAtRefusal } from '../support/refused-step.ts';
import { createStand, type FlowStand } from '../support/stand.ts';
import { eventually, until } from '../support/until.ts';

type Site = RecordOf<'sites'>;

/** Whose a domain is: squatters, thieves, races, and what a transfer takes and leaves. */
let stand: FlowStand;
let flows: TestFlows;
let server: Listener;
let operator: number;
let holder: { id: number; caller: Caller };
let claimant: { id: number; caller: Caller };
/** A step that a machine lost is tried again after its minute (workflows/policies.ts), and then it comes. */
const LOOK_WITHIN_MS = 100_000;
/** Files by host and path. */
let pages: Record<string, { type: string; body: string }> = {};
const devHosts = new Map<string, string>();
const FILE = '/.well-known/adplatform.txt';

beforeAll(async () => {
  stand = await createStand({
    flows: { PAYOUT_SANDBOX_DIR: mkdtempSync(path.join(tmpdir(), 'payouts-')) },
  });
  ({ flows } = stand);
  server = await startListener((req, res) => {
    const page = pages[`${req.headers.host}${req.url}`];
    if (page === undefined) res.writeHead(404, { 'content-type': 'text/plain' }).end();
    else res.writeHead(200, { 'content-type': page.type }).end(page.body);
  });
  flows.deps.providers.outbound = createOutbound({
    baseUrl: 'https://ads.platform.example',
    devHosts,
    devTxt: new Map(),
  });
  operator = (await makeOperator(stand.database.db, 'REVIEWER')).id;
}, 120_000);
afterAll(async () => {
  await stand?.close();
  await server?.close();
});
beforeEach(async () => {
  pages = {};
  const [a, b] = [await makePublisher(stand.database.db), await makePublisher(stand.database.db)];
  holder = { id: a.id, caller: stand.as('publisher', a.id) };
  claimant = { id: b.id, caller: stand.as('publisher', b.id) };
  await notice(0);
});
afterEach(async () => {
  const checks = await runBooks(runner(stand.database.db));
  expect(checks.filter((check) => !check.ok)).toEqual([]);
});

const desk = flowDesk(() => stand);
const { query, put, handle, stateOf, reset } = desk;
const notice = async (hours: number): Promise<void> =>
  await put('site.transfer_notice_hours', hours);

/** Where it lives, so that it is looked at. */
function at(domain: string): string {
  devHosts.set(domain, server.host);
  return domain;
}
const verified = async (publisherId: number, fields: Partial<Site> = {}): Promise<Site> => {
  const site = await makeSite(stand.database.db, publisherId, { verifyMethod: 'FILE', ...fields });
  at(site.domain ?? '');
  return site;
};
const claimed = async (publisherId: number, domain: string): Promise<Site> =>
  await makeSite(stand.database.db, publisherId, {
    domain: at(domain),
    verifyStatus: 'UNVERIFIED',
    auditStatus: 'PENDING',
  });
const file = (host: string, code: string): void => {
  pages[`${host}${FILE}`] = { type: 'text/plain', body: code };
};
const sellers = (host: string, ...ids: number[]): void => {
  const body = ids.map((id) => `ads.platform.example, pub-${id}, DIRECT`).join('\n');
  pages[`${host}/ads.txt`] = { type: 'text/plain', body };
};
const verify = async (site: Site, method: VerifyMethod = 'FILE'): Promise<string> => {
  const { publisherId, id: siteId } = site;
  const ask = { siteId, publisherId, method, retryAfterSeconds: [] };
  await flows.activities.requestSiteVerification(ask);
  await site.reload();
  const done = await flows.resultOf(`site-verify:${siteId}:${site.verifyRound}`);
  await site.reload();
  return (done as { state: string }).state;
};
const transferOf = async (site: Site) =>
  await stand.database.db.models.domainTransfers.findOne({
    where: { claimantSiteId: site.id },
    order: [['id', 'DESC']],
    rejectOnEmpty: true,
  });
const ends = async (site: Site): Promise<unknown> =>
  await flows.resultOf(domainTransferWorkflowId((await transferOf(site)).id));
const statusOf = async (site: Site) => {
  await site.reload();
  return [site.verifyStatus, site.auditStatus, site.status];
};
const lettersTo = async (accountId: number): Promise<string[]> =>
  (
    await query<{ kind: string }>('SELECT kind FROM mails WHERE account_id = $1 ORDER BY id', [
      accountId,
    ])
  ).map(({ kind }) => kind);
const toldTo = async (accountId: number): Promise<string[]> =>
  (
    await query<{ kind: string }>(
      'SELECT kind FROM notifications WHERE account_id = $1 ORDER BY id',
      [accountId],
    )
  ).map(({ kind }) => kind);
const openTask = async (site: Site) =>
  await until('a person to be asked', async () => {
    const workflowId = domainTransferWorkflowId((await transferOf(site)).id);
    const [row] = await query<{ id: string; findings: { code: string }[] }>(
      `SELECT id, findings FROM tasks WHERE workflow_id = $1 AND status = 'open'`,
      [workflowId],
    );
    return row && { id: Number(row.id), codes: row.findings.map(({ code }) => code) };
  });
const decide = async (taskId: number, decision: 'approve' | 'reject') =>
  await stand.as('admin', operator).post(`/tasks/${taskId}/decision`, {
    decision,
    reasons: decision === 'reject' ? [{ code: 'NOT_THE_OWNER' }] : [],
  });

test('a squatter claims ten domains first · the real owner verifies each at once', async () => {
  const domains = Array.from({ length: 10 }, (_, n) => `squat-${n}-${claimant.id}.example`);
  for (const domain of domains) {
    const squat = await holder.caller.post('/sites', { name: 'Mine', domain });
    expect(squat.status).toBe(201);
  }
  for (const domain of domains) {
    const made = await claimant.caller.post('/sites', { name: 'Really mine', domain: at(domain) });
    expect(made.status).toBe(201);
    const { id } = dataOf(made) as { id: number };
    const site = await stand.database.db.models.sites.findByPk(id, { rejectOnEmpty: true });
    file(domain, site.verifyToken);
    expect([domain, await verify(site)]).toEqual([domain, 'VERIFIED']);
  }
  // The squatter's proof is not there, so it verifies nothing and asks for nothing.
  const [squatted] = await query<{ id: string }>('SELECT id FROM sites WHERE publisher_id = $1', [
    holder.id,
  ]);
  const site = await stand.database.db.models.sites.findByPk(Number(squatted?.id), {
    rejectOnEmpty: true,
  });
  expect(await verify(site)).toBe('FAILED');
  expect(await query('SELECT 1 FROM domain_transfers WHERE claimant_id = $1', [holder.id])).toEqual(
    [],
  );
});

test('a thief’s tag in a comment, a paragraph or an attribute · asks for nothing', async () => {
  const mine = await verified(holder.id);
  const domain = mine.domain ?? '';
  const thief = await claimed(claimant.id, domain);
  const tag = `<meta name="adplatform-verification" content="${thief.verifyToken}">`;
  for (const body of [
    `<html><head></head><body><p>Nice! ${tag}</p></body></html>`,
    `<html><head><!-- ${tag} --></head><body></body></html>`,
    `<html><head><meta property="og:description" content='${tag}'></head></html>`,
    `<html><head><title>${tag}</title></head><body><div id="comments">${tag}</div></body></html>`,
  ]) {
    pages[`${domain}/`] = { type: 'text/html', body };
    expect(await verify(thief, 'META')).toBe('FAILED');
  }
  expect(
    await query('SELECT 1 FROM domain_transfers WHERE claimant_site_id = $1', [thief.id]),
  ).toEqual([]);
  expect(await statusOf(mine)).toEqual(['VERIFIED', 'APPROVED', 'ACTIVE']);
});

test('two that prove one domain at once · one has it, the other has to ask the first', async () => {
  await notice(24);
  for (let round = 0; round < 3; round += 1) {
    const domain = `race-${round}-${claimant.id}.example`;
    const both = [await claimed(holder.id, domain), await claimed(claimant.id, `www.${domain}`)];
    sellers(domain, holder.id, claimant.id);
    at(domain);
    const states = await Promise.all(both.map(async (site) => await verify(site, 'ADS_TXT')));
    expect(states.toSorted()).toEqual(['HELD', 'VERIFIED']);
    const loser = both[states.indexOf('HELD')];
    const winner = both[states.indexOf('VERIFIED')];
    if (loser === undefined || winner === undefined) throw new Error('one of each');
    expect(await transferOf(loser)).toMatchObject({ status: 'NOTICE', holderSiteId: winner.id });
  }
});

test('the holder’s proof is gone · the domain moves, what was earned and is being paid stays', async () => {
  const mine = await verified(holder.id);
  const domain = mine.domain ?? '';
  await makeZone(stand.database.db, mine);
  await passKyc(stand.database, holder.id);
  await fundPublisher(stand.database.db, holder.id, 500n * UNIT);
  const { withdrawalId } = await flows.activities.requestWithdrawal({
    publisherId: holder.id,
    amountNanos: 200n * UNIT,
    channel: 'PAYPAL',
    accountInfo: 'ada@example.com',
    bank: null,
    kycUrl: '',
    requestId: 'test',
  });
  const money = async () => ({
    free: await balanceOf(stand.database, chart.publisherWithdrawable(holder.id)),
    theirs: await balanceOf(stand.database, chart.publisherWithdrawable(claimant.id)),
    of: await query('SELECT publisher_id, amount_nanos FROM withdrawals WHERE id = $1', [
      withdrawalId,
    ]),
  });
  const before = await money();
  const theirs = await claimed(claimant.id, domain);
  file(domain, theirs.verifyToken);
  expect(await verify(theirs)).toBe('HELD');
  expect(await ends(theirs)).toBe('MOVED');
  expect(await transferOf(theirs)).toMatchObject({
    status: 'MOVED',
    claimantOutcome: 'PROOF_FOUND',
    holderOutcome: 'TOKEN_NOT_FOUND',
  });
  expect((await statusOf(theirs))[0]).toBe('VERIFIED');
  const code = mine.verifyToken;
  expect((await statusOf(mine)).slice(0, 2)).toEqual(['UNVERIFIED', 'PENDING']);
  expect(mine.verifyToken).not.toBe(code);
  expect(await money()).toEqual(before);
  expect(await toldTo(holder.id)).toEqual(
    expect.arrayContaining(['domain_contested', 'domain_moved']),
  );
  expect(await lettersTo(holder.id)).toEqual(
    expect.arrayContaining(['domain_contested', 'domain_moved']),
  );
  await captureHistory(
    flows.client,
    { workflowId: domainTransferWorkflowId((await transferOf(theirs)).id) },
    'domainTransferWorkflow.moved',
  );
  // The old proof, put back, proves nothing any more: it asks for nothing and takes nothing.
  file(domain, code);
  expect(await verify(mine)).toBe('FAILED');
});

describe('both prove it', () => {
  test.each([
    ['approve', 'MOVED', 'VERIFIED', 'UNVERIFIED'],
    ['reject', 'REFUSED', 'UNVERIFIED', 'VERIFIED'],
  ] as const)('a person says %s · %s', async (decision, status, theirState, myState) => {
    const domain = `both-${decision}-${claimant.id}.example`;
    const mine = await verified(holder.id, { domain, verifyMethod: 'ADS_TXT' });
    const theirs = await claimed(claimant.id, domain);
    sellers(domain, holder.id, claimant.id);
    expect(await verify(theirs, 'ADS_TXT')).toBe('HELD');
    const task = await openTask(theirs);
    expect(task.codes).toEqual(['CLAIMANT_PROVES', 'HOLDER_PROVES']);
    expect((await statusOf(mine))[0]).toBe('VERIFIED');
    const shown = dataOf(await stand.as('admin', operator).get(`/tasks/${task.id}`));
    expect(shown['detail']).toMatchObject({
      transfer: { domain, claimant_id: claimant.id, holder_id: holder.id, status: 'DISPUTED' },
    });
    expect((await decide(task.id, decision)).status).toBeLessThan(300);
    expect(await ends(theirs)).toBe(status);
    expect([(await statusOf(theirs))[0], (await statusOf(mine))[0]]).toEqual([theirState, myState]);
    // Whoever lost reads so.
    const [loser, news] =
      decision === 'approve' ? [holder, 'domain_moved'] : [claimant, 'domain_refused'];
    expect(await toldTo(loser.id)).toContain(news);
    // Both heard of the dispute, the claimant of its beginning, and the holder that the domain stays.
    expect(await toldTo(claimant.id)).toEqual(
      expect.arrayContaining(['domain_asked', 'domain_disputed']),
    );
    const kept = decision === 'reject' ? ['domain_kept'] : [];
    expect(await toldTo(holder.id)).toEqual(
      expect.arrayContaining(['domain_contested', 'domain_disputed', ...kept]),
    );
    expect((await toldTo(holder.id)).includes('domain_kept')).toBe(decision === 'reject');
    if (decision === 'reject') {
      await captureHistory(
        flows.client,
        { workflowId: domainTransferWorkflowId((await transferOf(theirs)).id) },
        'domainTransferWorkflow.disputed',
      );
    }
  });
});

test('the holder objects · a person is asked at once; nobody else may object, and nobody twice', async () => {
  await notice(24);
  const mine = await verified(holder.id);
  const theirs = await claimed(claimant.id, mine.domain ?? '');
  file(mine.domain ?? '', theirs.verifyToken);
  expect(await verify(theirs)).toBe('HELD');
  const side = async (who: Caller, site: Site) =>
    (dataOf(await who.get(`/sites/${site.id}`)) as { transfer: unknown }).transfer;
  expect(await side(holder.caller, mine)).toMatchObject({ role: 'HOLDER', status: 'NOTICE' });
  expect(await side(claimant.caller, theirs)).toMatchObject({ role: 'CLAIMANT', status: 'NOTICE' });

  const text = 'Ours since 2009';
  expect((await claimant.caller.post(`/sites/${mine.id}/transfer/object`, { text })).status).toBe(
    404,
  );
  expect((await claimant.caller.post(`/sites/${theirs.id}/transfer/object`, { text })).status).toBe(
    409,
  );
  const said = await holder.caller.post(`/sites/${mine.id}/transfer/object`, { text });
  expect([said.status, dataOf(said)['transfer']]).toMatchObject([
    200,
    { objected_at: expect.any(String) },
  ]);
  expect((await holder.caller.post(`/sites/${mine.id}/transfer/object`, { text })).status).toBe(
    409,
  );
  const task = await openTask(theirs);
  expect(task.codes).toEqual(['CLAIMANT_PROVES', 'HOLDER_UNPROVEN', 'HOLDER_OBJECTS']);
  expect((await statusOf(mine))[0]).toBe('VERIFIED');
  await decide(task.id, 'reject');
  expect(await ends(theirs)).toBe('REFUSED');
  // Who asked reads it on the site until it is for another name; its holder has nothing to answer any more.
  expect(await side(holder.caller, mine)).toBeNull();
  const { domain } = mine;
  const refused = { role: 'CLAIMANT', status: 'REFUSED', domain };
  expect(await side(claimant.caller, theirs)).toMatchObject(refused);
  expect((await claimant.caller.post(`/sites/${theirs.id}/transfer/withdraw`, {})).status).toBe(
    409,
  );
  const put = await claimant.caller.put(`/sites/${theirs.id}`, { domain: `other-${domain}` });
  expect([put.status, dataOf(put)['transfer']]).toEqual([200, null]);
});

test('the notice · is waited for; asked no more, it ends, and the holder keeps all', async () => {
  await notice(24);
  const mine = await verified(holder.id);
  const theirs = await claimed(claimant.id, mine.domain ?? '');
  file(mine.domain ?? '', theirs.verifyToken);
  expect(await verify(theirs)).toBe('HELD');
  // A signal by hand wakes the flow, and changes nothing before its time.
  const workflowId = domainTransferWorkflowId((await transferOf(theirs)).id);
  const flow = flows.client.workflow.getHandle(workflowId);
  await eventually(async () => await flow.signal('wake'));
  await eventually(async () => {
    const { events } = await flow.fetchHistory();
    const looks = events?.filter((each) => Boolean(each.activityTaskCompletedEventAttributes));
    expect(looks?.length).toBeGreaterThan(0);
  });
  expect((await transferOf(theirs)).status).toBe('NOTICE');
  expect((await statusOf(mine))[0]).toBe('VERIFIED');
  const asked = `/sites/${theirs.id}/transfer/withdraw`;
  expect((await holder.caller.post(asked)).status).toBe(404);
  expect((await claimant.caller.post(asked)).status).toBe(200);
  expect((await claimant.caller.post(asked)).status).toBe(409);
  expect(await flows.resultOf(workflowId)).toBe('WITHDRAWN');
  expect(await toldTo(holder.id)).toEqual(['domain_contested', 'domain_kept']);
  await captureHistory(flows.client, { workflowId }, 'domainTransferWorkflow.withdrawn');
  expect((await statusOf(mine))[0]).toBe('VERIFIED');
  // Its site is archived while it asks: the same.
  expect(await verify(theirs)).toBe('HELD');
  expect((await claimant.caller.delete(`/sites/${theirs.id}`)).status).toBe(200);
  expect(await ends(theirs)).toBe('WITHDRAWN');
});

test('the claimant’s own proof is gone at the second look · the domain stays', async () => {
  await notice(24);
  const mine = await verified(holder.id);
  const theirs = await claimed(claimant.id, mine.domain ?? '');
  file(mine.domain ?? '', theirs.verifyToken);
  expect(await verify(theirs)).toBe('HELD');
  pages = {};
  await holder.caller.post(`/sites/${mine.id}/transfer/object`, { text: 'Planted' });
  expect(await ends(theirs)).toBe('REFUSED');
  expect((await statusOf(mine))[0]).toBe('VERIFIED');
  expect((await statusOf(theirs))[0]).toBe('UNVERIFIED');
});

test('a domain and its www. · are one, both ways; a proof of the domain is one of its www.', async () => {
  await notice(24);
  const mine = await verified(holder.id, { domain: `www.two-${holder.id}.example` });
  const bare = await claimed(claimant.id, `two-${holder.id}.example`);
  file(bare.domain ?? '', bare.verifyToken);
  expect(await verify(bare)).toBe('HELD');
  expect(await transferOf(bare)).toMatchObject({ holderSiteId: mine.id, domain: bare.domain });

  const other = await verified(holder.id, { domain: `three-${holder.id}.example` });
  const www = await claimed(claimant.id, `www.${other.domain}`);
  file(www.domain ?? '', www.verifyToken);
  expect(await verify(www)).toBe('HELD');

  // Its own www., with the code on the domain itself.
  const own = await claimed(holder.id, `www.${other.domain}`);
  file(other.domain ?? '', own.verifyToken);
  expect(await verify(own)).toBe('VERIFIED');
});

test('a third one verified the domain meanwhile · has notice of its own before anything moves', async () => {
  await notice(24);
  const mine = await verified(holder.id);
  const domain = mine.domain ?? '';
  const theirs = await claimed(claimant.id, domain);
  sellers(domain, claimant.id);
  expect(await verify(theirs, 'ADS_TXT')).toBe('HELD');
  const third = await makePublisher(stand.database.db);
  await query(`UPDATE sites SET verify_status = 'LAPSED' WHERE id = $1`, [mine.id]);
  const newer = await makeSite(stand.database.db, third.id, { domain, verifyMethod: 'ADS_TXT' });
  await stand.database.pool.query(
    'UPDATE domain_transfers SET due_at = now() WHERE claimant_site_id = $1',
    [theirs.id],
  );
  const workflowId = domainTransferWorkflowId((await transferOf(theirs)).id);
  // Its flow begins once the message of its start is delivered.
  const flow = flows.client.workflow.getHandle(workflowId);
  await eventually(async () => await flow.signal('wake'));
  // That it looked is what must come; what it then found was committed before it says so.
  const lookEnds = async () => {
    const { events } = await flow.fetchHistory();
    return events?.find((each) => Boolean(each.activityTaskCompletedEventAttributes));
  };
  await until({ what: 'the flow has looked', withinMs: LOOK_WITHIN_MS }, lookEnds);
  expect(await transferOf(theirs)).toMatchObject({ status: 'NOTICE', holderId: third.id });
  expect(await lettersTo(third.id)).toEqual(['domain_contested']);
  expect((await statusOf(newer))[0]).toBe('VERIFIED');
}, 150_000);

test('a claim that nobody proves · lapses after its days, with the words; one that is looked for or approved stays', async () => {
  const old = await claimed(claimant.id, `old-${claimant.id}.example`);
  const young = await claimed(claimant.id, `young-${claimant.id}.example`);
  const approved = await claimed(claimant.id, `approved-${claimant.id}.example`);
  await query(`UPDATE sites SET audit_status = 'APPROVED' WHERE id = $1`, [approved.id]);
  await stand.database.pool.query(
    `UPDATE sites SET claimed_at = now() - interval '31 days' WHERE id = ANY($1)`,
    [[old.id, approved.id]],
  );
  const upkeep = createUpkeepActivities(flows.deps);
  expect((await upkeep.runUpkeep()).claimsLapsed).toBe(1);
  expect((await upkeep.runUpkeep()).claimsLapsed).toBe(0);
  expect((await statusOf(old))[2]).toBe('ARCHIVED');
  expect((await statusOf(young))[2]).toBe('ACTIVE');
  expect((await statusOf(approved))[2]).toBe('ACTIVE');
  expect(await toldTo(claimant.id)).toEqual(['site_claim_lapsed']);
  const shown = dataOf(await claimant.caller.get(`/sites/${young.id}`));
  expect(shown['claim_lapses_at']).toEqual(expect.any(String));
});

describe('in Temporal, on a transfer', () => {
  test('whose holder has notice · cancel, terminate, reset · it waits on, the domain is where it was, and no second letter', async () => {
    await notice(24);
    const mine = await verified(holder.id);
    const theirs = await claimed(claimant.id, mine.domain ?? '');
    file(mine.domain ?? '', theirs.verifyToken);
    expect(await verify(theirs)).toBe('HELD');
    const before = await transferOf(theirs);
    const workflowId = domainTransferWorkflowId(before.id);
    await eventually(async () => expect(await stateOf(workflowId)).toBe('RUNNING'));
    for (const interfere of [desk.cancel, desk.terminate, reset]) {
      await interfere(workflowId);
      expect(await stateOf(workflowId)).toBe('RUNNING');
      expect((await transferOf(theirs)).toJSON()).toEqual(before.toJSON());
      expect(await statusOf(mine)).toEqual(['VERIFIED', 'APPROVED', 'ACTIVE']);
      expect(await lettersTo(holder.id)).toEqual(['domain_contested']);
    }
  });

  test('whose look is refused · cancel, terminate, reset · a person is asked, told once, nothing moves; then it does', async () => {
    const mine = await verified(holder.id);
    const theirs = await claimed(claimant.id, mine.domain ?? '');
    file(mine.domain ?? '', theirs.verifyToken);
    const workflowId = await interfereAtRefusal(stand, desk, {
      step: 'lookAtTransfer',
      isAskedAnew: true,
      begin: async () => {
        expect(await verify(theirs)).toBe('HELD');
        return domainTransferWorkflowId((await transferOf(theirs)).id);
      },
      rows: async () => [
        (await transferOf(theirs)).toJSON(),
        await statusOf(mine),
        await lettersTo(holder.id),
      ],
    });
    await expect(flows.resultOf(workflowId)).resolves.toBe('MOVED');
    expect(await lettersTo(holder.id)).toEqual(['domain_contested', 'domain_moved']);
  });

  test('that a person is asked about · cancel, terminate, reset · the same question, nothing was decided, and then it is', async () => {
    const mine = await verified(holder.id, { verifyMethod: 'ADS_TXT' });
    const theirs = await claimed(claimant.id, mine.domain ?? '');
    sellers(mine.domain ?? '', holder.id, claimant.id);
    expect(await verify(theirs, 'ADS_TXT')).toBe('HELD');
    const asked = await openTask(theirs);
    const workflowId = domainTransferWorkflowId((await transferOf(theirs)).id);
    await desk.cancel(workflowId);
    await desk.terminate(workflowId);
    await until('it looks at its rows', async () => {
      const { historyLength, raw } = await handle(workflowId).describe();
      return historyLength > 6 && (raw.pendingActivities ?? []).length === 0;
    });
    await reset(workflowId);
    expect(await openTask(theirs)).toEqual(asked);
    expect(await transferOf(theirs)).toMatchObject({ status: 'DISPUTED' });
    expect((await decide(asked.id, 'approve')).status).toBe(200);
    expect(await ends(theirs)).toBe('MOVED');
  });
});
