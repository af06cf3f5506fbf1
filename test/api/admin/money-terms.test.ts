import { tellSharesOfAll } from '../../../activities/publisher/share-notices.ts';
import { createSettlementActivities } from '../../../activities/tracking/settlement.ts';
import { createUpkeepActivities } from '../../../activities/upkeep/upkeep.ts';
import { violatedConstraint } from '../../../db/postgres.ts';
import type { TestDatabase } from '../../support/database.ts';
import { faultsOf } from '../../support/call.ts';
import { makeOperator, makePublisher } from '../../support/make/account.ts';
import { makeLine } from '../../support/make/line.ts';
import { fundPublisher, UNIT } from '../../support/make/money.ts';
import { makePastTerm } from '../../support/make/term.ts';
import { CARD, ibanOf, passKyc, ripenCards } from '../../support/payouts.ts';
import { activityDeps, append, eventOf } from '../../support/settlement.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** Shares and taxes by their day (interface 5.21). */
let stand: Stand;
let database: TestDatabase;
let maker: number;
let checker: number;
let cards = 0;

interface Term {
  id: number;
  approval_id: number;
  status: string;
  percent: number;
  in_force: boolean;
  from: string | null;
  until: string | null;
}

beforeAll(async () => {
  stand = await createStand({ realTime: true });
  ({ database } = stand);
  maker = (await makeOperator(database.db, 'FINANCE')).id;
  checker = (await makeOperator(database.db, 'FINANCE')).id;
});
afterAll(async () => await stand?.close());

const DAY_MS = 86_400_000;
const BEGAN = Date.now();
/** The UTC day so many days from now: 0 is today. */
const dayIn = (days: number): string => new Date(BEGAN + days * DAY_MS).toISOString().slice(0, 10);
const beginIn = (days: number): string => `${dayIn(days)}T00:00:00.000Z`;
const as = (operatorId: number) => stand.as('admin', operatorId);
const propose = async (body: object, operatorId = maker) =>
  await as(operatorId).post('/money-terms', {
    kind: 'SHARE',
    percent: 80,
    from: dayIn(2),
    ...body,
  });
/** By its approval: the id of that, not of the term. */
const approve = async (approvalId: number, operatorId = checker) =>
  await as(operatorId).post(`/approvals/${approvalId}/approve`, {});
const refuse = async (approvalId: number, operatorId = checker) =>
  await as(operatorId).post(`/approvals/${approvalId}/refuse`, { note: 'Not as agreed' });
async function termOf(id: number): Promise<Term | undefined> {
  const answer = await as(maker).get('/money-terms?page_size=100');
  return (answer.body.data as { items: Term[] }).items.find((term) => term.id === id);
}

async function agreed(body: object): Promise<Term> {
  const proposed = await propose(body);
  expect([proposed.status, faultsOf(proposed)]).toEqual([201, []]);
  const { id, approval_id: approvalId } = proposed.body.data as Term;
  const answer = await approve(approvalId);
  expect([answer.status, answer.body.data]).toMatchObject([200, { state: 'APPLIED' }]);
  return (await termOf(id)) as Term;
}

async function termsOf(publisherId: number): Promise<Term[]> {
  const answer = await as(maker).get(`/money-terms?publisher_id=${publisherId}&page_size=100`);
  return (answer.body.data as { items: Term[] }).items;
}
const newPublisher = async (): Promise<number> => (await makePublisher(database.db)).id;

/** What the application is refused, whatever code it runs: the constraint, or PostgreSQL's code. */
async function refusedToApplication(statement: string, values: unknown[]): Promise<string> {
  const refusal: unknown = await database.appPool.query(statement, values).then(
    () => 'nothing',
    (error: unknown) => error,
  );
  const { code } = refusal as { code?: string };
  return violatedConstraint(refusal) ?? code ?? String(refusal);
}

describe('shares', () => {
  test('nothing agreed · a publisher asks · earns what all do, from the beginning', async () => {
    const answer = await stand
      .as('publisher', await newPublisher())
      .get('/withdrawals/revenue-share');
    expect(answer.body.data).toEqual({ percent: 70, is_own: false, since: null, next: null });
  });

  test('a share · proposed and approved by another · stands in the history and before its publisher', async () => {
    const publisherId = await newPublisher();
    const term = await agreed({
      publisher_id: publisherId,
      percent: 82.5,
      note: 'A year’s contract',
    });
    expect(term).toMatchObject({
      status: 'APPROVED',
      percent: 82.5,
      in_force: false,
      from: beginIn(2),
      until: null,
    });
    const owner = stand.as('publisher', publisherId);
    expect((await owner.get('/withdrawals/revenue-share')).body.data).toEqual({
      percent: 70,
      is_own: false,
      since: null,
      next: { percent: 82.5, from: beginIn(2) },
    });
    const other = stand.as('publisher', await newPublisher());
    expect((await other.get('/withdrawals/revenue-share')).body.data).toMatchObject({ next: null });
  });

  test('a share · agreed for one publisher · is told and written to them, and to nobody before or else', async () => {
    const publisherId = await newPublisher();
    const owner = stand.as('publisher', publisherId);
    const other = stand.as('publisher', await newPublisher());
    const told = async (of = owner): Promise<unknown> =>
      (await of.get('/notifications?kind=share_agreed')).body.data;
    const proposed = await propose({ publisher_id: publisherId, percent: 82.5 });
    const { approval_id: approvalId } = proposed.body.data as Term;
    await refuse(approvalId);
    await agreed({ percent: 71, from: dayIn(40) });
    expect(await told()).toMatchObject({ items: [] });
    const { id } = await agreed({ publisher_id: publisherId, percent: 82.5 });
    expect(await told()).toMatchObject({
      items: [
        {
          params: { percent: 82.5, from: dayIn(2) },
          text: `From ${dayIn(2)} on you earn 82.5% of what advertisers pay`,
        },
      ],
    });
    expect(await told(other)).toMatchObject({ items: [] });
    const { rows } = await database.pool.query(`SELECT kind FROM mails WHERE account_id = $1`, [
      publisherId,
    ]);
    expect(rows).toEqual([{ kind: 'notice' }]);
    // Approved twice, by two who pressed at once, it is told once.
    expect((await approve((await termOf(id))?.approval_id ?? 0)).status).toBe(409);
    expect(await told()).toMatchObject({ items: [{}] });
  });

  test('a share for everybody · is told and written once to whom it changes · a round that fails leaves the rest to the next', async () => {
    const [first, second, third, own, later] = [
      await newPublisher(),
      await newPublisher(),
      await newPublisher(),
      await newPublisher(),
      await newPublisher(),
    ];
    // One has a share of their own on that day, one only from a later day on.
    await agreed({ publisher_id: own, percent: 82.5, from: dayIn(49) });
    await agreed({ publisher_id: later, percent: 82.5, from: dayIn(51) });
    await agreed({ percent: 64, from: dayIn(50) });
    // The same height from a later day on is no news.
    await agreed({ percent: 64, from: dayIn(52) });
    const after = await newPublisher();
    const saidTo = async (publisherId: number): Promise<string[]> => {
      const answer = await stand
        .as('publisher', publisherId)
        .get('/notifications?kind=share_agreed&page_size=100');
      return (answer.body.data as { items: { text: string }[] }).items
        .map(({ text }) => text)
        .filter((text) => text.includes(' 64% '));
    };
    const all = async (): Promise<string[][]> =>
      await Promise.all([first, second, third, own, later, after].map(saidTo));
    expect(await all()).toEqual([[], [], [], [], [], []]);

    await database.pool.query(
      `ALTER TABLE notifications ADD CONSTRAINT falls CHECK (account_id <> ${third}) NOT VALID`,
    );
    const deps = activityDeps(database);
    await expect(tellSharesOfAll(deps, 2)).rejects.toThrow('falls');
    await database.pool.query('ALTER TABLE notifications DROP CONSTRAINT falls');
    const said = [`From ${dayIn(50)} on you earn 64% of what advertisers pay`];
    expect(await saidTo(third)).toEqual([]);
    const upkeep = createUpkeepActivities(deps);
    expect((await upkeep.runUpkeep()).sharesTold).toBeGreaterThan(0);
    expect((await upkeep.runUpkeep()).sharesTold).toBe(0);
    expect(await all()).toEqual([said, said, said, [], said, []]);
    const { rows } = await database.pool.query(
      `SELECT count(*)::int AS letters FROM mails WHERE account_id = $1 AND kind = 'notice'`,
      [first],
    );
    expect(rows).toEqual([{ letters: 1 }]);
  });

  test('terms of one publisher · agreed in any order · each lasts until the next, one of the same day takes its place', async () => {
    const publisherId = await newPublisher();
    for (const [days, percent] of [
      [6, 60],
      [3, 30],
      [9, 90],
      [6, 66],
    ] as const) {
      await agreed({ publisher_id: publisherId, percent, from: dayIn(days) });
    }
    const terms = await termsOf(publisherId);
    const shown = terms.map(({ status, percent, from, until }) => [status, percent, from, until]);
    expect(shown.filter(([status]) => status === 'APPROVED')).toEqual([
      ['APPROVED', 90, beginIn(9), null],
      ['APPROVED', 66, beginIn(6), beginIn(9)],
      ['APPROVED', 30, beginIn(3), beginIn(6)],
    ]);
    expect(shown.filter(([status]) => status === 'VOID')).toMatchObject([
      ['VOID', 60, beginIn(6), beginIn(9)],
    ]);
  });

  test('eight of different days and scopes · approved at once · none overlaps, none is lost', async () => {
    const publisherId = await newPublisher();
    const proposed = await Promise.all(
      [2, 3, 4, 5, 6, 7, 7, 8].map(
        async (days) =>
          await propose({ publisher_id: publisherId, percent: days, from: dayIn(days) }),
      ),
    );
    const ids = proposed.map(({ body }) => (body.data as Term).approval_id);
    const answers = await Promise.all(ids.map(async (id) => await approve(id)));
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200));
    const terms = (await termsOf(publisherId)).filter(({ status }) => status === 'APPROVED');
    expect(terms.map(({ from, until }) => [from, until]).toReversed()).toEqual(
      [2, 3, 4, 5, 6, 7, 8].map((days) => [beginIn(days), days === 8 ? null : beginIn(days + 1)]),
    );
  });

  test('one proposal · approved and rejected by many at once · is decided once', async () => {
    const { body } = await propose({ publisher_id: await newPublisher() });
    const { id, approval_id: approvalId } = body.data as Term;
    const answers = await Promise.all([
      approve(approvalId),
      approve(approvalId),
      refuse(approvalId),
      approve(approvalId),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409, 409,
    ]);
    const isRefused = answers[2]?.status === 200;
    expect((await termOf(id))?.status).toBe(isRefused ? 'REJECTED' : 'APPROVED');
  });

  test('whoever proposed it · approves it · is refused, and may withdraw it', async () => {
    const { body } = await propose({ publisher_id: await newPublisher() });
    const { id, approval_id: approvalId } = body.data as Term;
    expect((await approve(approvalId, maker)).status).toBe(409);
    const { username } = await database.db.models.operators.findByPk(maker, {
      rejectOnEmpty: true,
    });
    const shown = await as(checker).get(`/approvals/${approvalId}`);
    expect(shown.body.data).toMatchObject({
      content: expect.arrayContaining([{ name: 'recorded_by', value: username }]) as unknown,
    });
    const withdrawn = await as(maker).post(`/approvals/${approvalId}/withdraw`, {});
    expect(withdrawn.body.data).toMatchObject({ state: 'VOID' });
    expect((await termOf(id))?.status).toBe('REJECTED');
    expect((await approve(approvalId)).status).toBe(409);
  });

  test('an operator whom the maker has made · approves · counts as the maker', async () => {
    const { body } = await propose({ publisher_id: await newPublisher() });
    const { rows } = await database.pool.query<{ id: string }>(
      `INSERT INTO operators (username, email, password_hash, role, created_by)
       VALUES ('puppet', 'puppet@example.com', 'no login', 'FINANCE', $1) RETURNING id`,
      [maker],
    );
    const puppet = Number(rows[0]?.id);
    expect((await approve((body.data as Term).approval_id, puppet)).status).toBe(409);
  });

  test.each([
    ['today', 0],
    ['yesterday', -1],
    ['six years on', 2_200],
  ])('a share · from %s · is refused and named', async (_name, days) => {
    const answer = await propose({ publisher_id: await newPublisher(), from: dayIn(days) });
    expect([answer.status, faultsOf(answer)]).toEqual([422, [expect.stringMatching(/^from /)]]);
  });

  test('a proposal · its day has come meanwhile · is not approved any more', async () => {
    // Past the guard, as the tables' owner: as if it had been proposed the day before.
    await database.pool.query('ALTER TABLE money_terms DISABLE TRIGGER money_terms_guard');
    const { rows } = await database.pool.query<{ id: string }>(
      `INSERT INTO money_terms (kind, publisher_id, ppm, effective_from, maker_id)
       VALUES ('SHARE', $1, 800000, $2, $3) RETURNING id`,
      [await newPublisher(), beginIn(0), maker],
    );
    await database.pool.query('ALTER TABLE money_terms ENABLE TRIGGER money_terms_guard');
    const id = Number(rows[0]?.id);
    const answer = await approve((await termOf(id))?.approval_id ?? 0);
    expect([answer.status, answer.body.message]).toEqual([
      409,
      expect.stringContaining('day has come'),
    ]);
    expect((await termOf(id))?.status).toBe('PENDING');
    // Nor by the application's own hand, past every line of code.
    const stolen = `UPDATE approvals SET state = 'APPROVED', checker_id = $2
      WHERE kind = 'money_term' AND subject = $1::text`;
    expect(await refusedToApplication(stolen, [id, checker])).toBe('money_terms_to_come');
  });

  test('wrong fields · all at once · each is named', async () => {
    const answer = await propose({
      country: 'DE',
      entity_type: 'PERSONAL',
      basis: 'x',
      from: dayIn(0),
    });
    expect(faultsOf(answer)).toEqual([
      'basis exclusive',
      'country exclusive',
      'entity_type exclusive',
      'from to_come',
    ]);
    const others: [object, string][] = [
      [{ percent: 33.333_33 }, 'percent'],
      [{ percent: 101 }, 'percent'],
      [{ publisher_id: 999_999 }, 'publisher_id'],
      [{ kind: 'TAX', percent: 51, basis: 'x' }, 'percent'],
      [{ kind: 'TAX', country: 'ZZ', percent: 5, basis: 'x' }, 'country'],
      [{ kind: 'TAX', country: 'DE', percent: 5 }, 'basis'],
    ];
    for (const [body, field] of others) {
      expect(faultsOf(await propose(body))).toEqual([expect.stringMatching(`^${field} `)]);
    }
  });

  test.each(['REVIEWER', 'SUPPORT'] as const)(
    '%s · and a publisher · have no say',
    async (role) => {
      const { id } = await makeOperator(database.db, role);
      expect((await propose({}, id)).status).toBe(403);
      expect((await as(id).get('/money-terms')).status).toBe(403);
      const { token } = { token: stand.issue('publisher', await newPublisher()) };
      expect((await stand.bearing('admin', token).get('/api/admin/money-terms')).status).toBe(403);
    },
  );
});

describe('the database · whatever the application says', () => {
  const OF_TERM = `WHERE kind = 'money_term'
    AND subject = (SELECT id::text FROM money_terms WHERE publisher_id = $1::bigint)`;
  test.each<[string, string, string]>([
    [
      'begins with an approved term',
      `INSERT INTO money_terms (kind, publisher_id, ppm, effective_from, status, maker_id, checker_id)
       VALUES ('SHARE', $1, 990000, now() + interval '9 days', 'APPROVED', $2, $3)`,
      '23000',
    ],
    [
      'proposes for yesterday',
      `INSERT INTO money_terms (kind, publisher_id, ppm, effective_from, maker_id)
       SELECT 'SHARE', $1::bigint, 990000, (current_date - 1)::timestamp AT TIME ZONE 'UTC', $2::bigint WHERE $3::bigint > 0`,
      'money_terms_to_come',
    ],
    [
      'proposes for an hour of a day',
      `INSERT INTO money_terms (kind, publisher_id, ppm, effective_from, maker_id)
       SELECT 'SHARE', $1::bigint, 990000, (current_date + 3)::timestamp AT TIME ZONE 'UTC' + interval '5 hours', $2::bigint WHERE $3::bigint > 0`,
      'money_terms_to_come',
    ],
    [
      'proposes for nobody’s sake',
      `INSERT INTO money_terms (kind, publisher_id, ppm, effective_from)
       SELECT 'SHARE', $1::bigint, 990000, (current_date + 3)::timestamp AT TIME ZONE 'UTC' WHERE $2::bigint + $3::bigint > 0`,
      '23000',
    ],
    [
      'approves past the approval',
      `UPDATE money_terms SET status = 'APPROVED', checker_id = $3::bigint
       WHERE publisher_id = $1::bigint AND $2::bigint > 0`,
      '42501',
    ],
    [
      'approves as the maker',
      `UPDATE approvals SET state = 'APPROVED', checker_id = $2::bigint ${OF_TERM} AND $3::bigint > 0`,
      'four_eyes',
    ],
    [
      'approves as nobody',
      `UPDATE approvals SET state = 'APPROVED' ${OF_TERM} AND $2::bigint + $3::bigint > 0`,
      'approval_roles',
    ],
    [
      'uses the approval up',
      `UPDATE approvals SET state = 'APPLIED', checker_id = $3::bigint ${OF_TERM} AND $2::bigint > 0`,
      '23000',
    ],
    [
      'asks once more in another name',
      `INSERT INTO approvals (kind, subject, maker_id) SELECT 'money_term', id::text, $3::bigint
       FROM money_terms WHERE publisher_id = $1::bigint AND $2::bigint > 0`,
      'approvals_one_live',
    ],
    [
      'raises a proposal as it approves it',
      `UPDATE money_terms SET ppm = 990000 WHERE publisher_id = $1::bigint AND $2::bigint + $3::bigint > 0`,
      '42501',
    ],
    [
      'raises what is in force',
      `UPDATE money_terms SET ppm = 990000 WHERE publisher_id IS NULL AND kind = 'SHARE' AND $1::bigint + $2::bigint + $3::bigint > 0`,
      '42501',
    ],
    [
      'unmakes terms',
      `DELETE FROM money_terms WHERE $1::bigint + $2::bigint + $3::bigint > 0`,
      '42501',
    ],
    [
      'writes by the old name',
      `INSERT INTO publisher_shares (publisher_id, share_ppm, effective_from) SELECT $1::bigint, 990000, now() WHERE $2::bigint + $3::bigint > 0`,
      '42501',
    ],
  ])('%s · is refused', async (_name, statement, refusal) => {
    const publisherId = await newPublisher();
    await propose({ publisher_id: publisherId });
    expect(await refusedToApplication(statement, [publisherId, maker, checker])).toBe(refusal);
  });

  test('a proposal · rewritten even by the owner · is not what was asked for, and stays', async () => {
    const { body } = await propose({ publisher_id: await newPublisher() });
    const { id, approval_id: approvalId } = body.data as Term;
    const raise = 'UPDATE money_terms SET ppm = 990000 WHERE id = $1';
    await expect(database.pool.query(raise, [id])).rejects.toMatchObject({ code: '23000' });
    await database.pool.query('ALTER TABLE money_terms DISABLE TRIGGER money_terms_guard');
    await database.pool.query(raise, [id]);
    await database.pool.query('ALTER TABLE money_terms ENABLE TRIGGER money_terms_guard');
    expect((await approve(approvalId)).status).toBe(409);
    expect((await termOf(id))?.status).toBe('PENDING');
  });

  test('two terms of one scope · that overlap · are refused even to the owner', async () => {
    const publisherId = await newPublisher();
    const term = { kind: 'SHARE', publisherId, ppm: 1, from: new Date(0) } as const;
    await makePastTerm(database, term);
    const again = makePastTerm(database, { ...term, from: new Date(DAY_MS) });
    await expect(again).rejects.toMatchObject({ constraint: 'money_terms_one_at_a_time' });
  });
});

test('settlement · across the instant at which a share changes · bills each event at its own, to the nano', async () => {
  const line = await makeLine(database);
  await agreed({ publisher_id: line.publisherId, percent: 33.3333, from: dayIn(2) });
  await agreed({ publisher_id: line.publisherId, percent: 66.6667, from: dayIn(3) });
  const at = (days: number, ms: number): Date => new Date(Date.parse(beginIn(days)) + ms);
  const moments = [at(2, -1), at(2, 0), at(3, -1), at(3, 0)];
  const days = moments.map((moment) => moment.toISOString().slice(0, 10));
  for (const day of days) {
    await database.pool.query('SELECT ensure_event_partitions($1::date, 1)', [day]);
  }
  const events = moments.map((moment) => eventOf(line, { at: moment, priceNanos: 999_999_999n }));
  await append(database, ...events);
  const { settleBatch } = createSettlementActivities(activityDeps(database));
  while ((await settleBatch({ shard: 0 })).events > 0);
  const { rows } = await database.pool.query<{ id: string; nanos: string }>(
    'SELECT id, publisher_nanos AS nanos FROM events WHERE id = ANY($1)',
    [events.map(({ id }) => id)],
  );
  const earned = new Map(rows.map(({ id, nanos }) => [id, nanos]));
  expect(events.map(({ id }) => earned.get(id))).toEqual([
    '699999999',
    '333332999',
    '333332999',
    '666666999',
  ]);
});

describe('tax', () => {
  interface Method {
    payment_method: string;
    tax_percent: number;
    tax_reason: object | null;
  }
  async function newSeller(country: string, entity: 'PERSONAL' | 'BUSINESS'): Promise<number> {
    const id = await newPublisher();
    await passKyc(database, id);
    await database.pool.query(
      `INSERT INTO kyc_applications (account_id, round, status, entity_type, legal_name, country,
         document_number_sealed, document_number_tail, document_ids, workflow_id)
       VALUES ($1::bigint, 1, 'APPROVED', $2, 'Ada', $3, '', '', '{}', 'kyc:' || $1::bigint)`,
      [id, entity, country],
    );
    return id;
  }
  const taxOf = async (publisherId: number) => {
    const answer = await stand.as('publisher', publisherId).get('/withdrawals/payment-methods');
    const [{ tax_percent: percent, tax_reason: reason } = { tax_percent: -1, tax_reason: null }] = (
      answer.body.data as { items: Method[] }
    ).items;
    return { percent, reason };
  };
  const past = (scope: { country?: string; entityType?: 'PERSONAL' | 'BUSINESS' }, ppm: number) =>
    makePastTerm(database, { kind: 'TAX', ...scope, ppm, from: new Date(0) });

  test('a publisher · the nearest term of their country and entity type · is withheld, else the setting', async () => {
    const seller = await newSeller('US', 'BUSINESS');
    expect(await taxOf(seller)).toEqual({ percent: 0, reason: null });
    await past({ entityType: 'BUSINESS' }, 10_000);
    expect(await taxOf(seller)).toMatchObject({ percent: 1, reason: { entity_type: 'BUSINESS' } });
    await past({ country: 'US' }, 20_000);
    expect(await taxOf(seller)).toMatchObject({ percent: 2, reason: { country: 'US' } });
    await past({ country: 'US', entityType: 'BUSINESS' }, 30_000);
    expect(await taxOf(seller)).toEqual({
      percent: 3,
      reason: { country: 'US', entity_type: 'BUSINESS', basis: 'A law of the test' },
    });
    expect(await taxOf(await newSeller('FR', 'PERSONAL'))).toEqual({ percent: 0, reason: null });
  });

  test('a withdrawal · its term ends after the request · keeps the tax and the reason of its own moment', async () => {
    await past({ country: 'AT', entityType: 'PERSONAL' }, 100_000);
    const seller = await newSeller('AT', 'PERSONAL');
    await fundPublisher(database.db, seller, 1_000n * UNIT);
    const owner = stand.as('publisher', seller);
    cards += 1;
    await owner.post('/withdrawals/bank-cards', { ...CARD, iban: ibanOf(cards) });
    await ripenCards(database, seller);
    const asked = await owner.post('/withdrawals', { amount: 200, payment_method: 'BANK' });
    const reason = { country: 'AT', entity_type: 'PERSONAL', basis: 'A law of the test' };
    expect([asked.status, asked.body.data]).toMatchObject([
      201,
      { tax: 20, arrival_amount: 175, tax_reason: reason },
    ]);
    await database.pool.query('ALTER TABLE money_terms DISABLE TRIGGER money_terms_guard');
    await database.pool.query(
      `UPDATE money_terms SET effective_until = now() WHERE country = 'AT'`,
    );
    await database.pool.query('ALTER TABLE money_terms ENABLE TRIGGER money_terms_guard');
    expect(await taxOf(seller)).toEqual({ percent: 0, reason: null });
    const { id } = asked.body.data as { id: number };
    expect((await owner.get(`/withdrawals/${id}`)).body.data).toMatchObject({
      tax: 20,
      tax_reason: reason,
    });
  });
});
