import { runner } from '../../../db/postgres.ts';
import { runBooks } from '../../../db/queries/books.ts';
import { notification, statusReport } from '../../support/bank-files.ts';
import { type BankOrders, bankOrders, readBankFile as read } from '../../support/bank-orders.ts';
import { approvedByOwner } from '../../support/by-owner.ts';
import type { TestDatabase } from '../../support/database.ts';
import { makeOperator } from '../../support/make/account.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** Several payouts in one file to the bank: each is paid once, whoever makes and takes files at the same time. */
let stand: Stand;
let database: TestDatabase;
let orders: BankOrders;
let clerk: number;
let another: number;

beforeAll(async () => {
  stand = await createStand();
  ({ database } = stand);
  orders = bankOrders(stand);
  clerk = (await makeOperator(database.db, 'FINANCE')).id;
  another = (await makeOperator(database.db, 'FINANCE')).id;
});
beforeEach(async () => await orders.anotherPublisher());
afterAll(async () => {
  const broken = (await runBooks(runner(database.db))).filter((check) => !check.ok);
  await stand?.close();
  expect(broken).toEqual([]);
});

const requested = async (of: { amount?: bigint } = {}) => await orders.requested(of);
const waiting = async (amount = 200n) => await orders.waiting(amount);
const chosen = async (...ids: number[]) => await orders.chosen(...ids);
const desk = (operator = clerk) => stand.as('admin', operator);
const make = async (ids: number[], operator = clerk) =>
  await desk(operator).post('/withdrawals/payout-files', await chosen(...ids));
const take = async (id: number, operator = clerk) =>
  await desk(operator).get(`/withdrawals/${id}/payout-file`);
const faultsOf = ({ body }: Awaited<ReturnType<typeof make>>): string[] =>
  (body.data as { errors: { message: string }[] }).errors.map(({ message }) => message);
const publisherOf = async (id: number) =>
  ((await desk().get(`/withdrawals/${id}`)).body.data as { publisher_id: number }).publisher_id;
const stageOf = async (id: number) =>
  ((await desk().get(`/withdrawals/${id}`)).body.data as { stage: string }).stage;

describe('one file for several payouts', () => {
  it('made · holds each once, its sums right, and is what each of them gives out', async () => {
    const ids = [await waiting(200n), await waiting(300n), await waiting(150n)];
    const made = await make(ids);
    expect([made.status, made.body.data]).toMatchObject([
      201,
      { payments: 3, total: 635, currency: 'USD', repeated: false },
    ]);
    const { reference } = made.body.data as { reference: string };
    const file = await take(ids[0] ?? 0);
    const { GrpHdr, PmtInf } = read(file.text);
    expect(file.headers['content-disposition']).toContain(`pain.001-${reference}.xml`);
    expect(GrpHdr).toMatchObject({ MsgId: reference, NbOfTxs: '3', CtrlSum: '635.00' });
    expect(PmtInf).toMatchObject({ PmtInfId: reference, NbOfTxs: '3', CtrlSum: '635.00' });
    expect(PmtInf.BtchBookg).toBe('false');
    expect(
      PmtInf.CdtTrfTxInf.map(({ PmtId, Amt }) => [PmtId.EndToEndId, Amt.InstdAmt['#text']]),
    ).toEqual([
      [`WD-${ids[0]}`, '195.00'],
      [`WD-${ids[1]}`, '295.00'],
      [`WD-${ids[2]}`, '145.00'],
    ]);
    expect((await take(ids[2] ?? 0, another)).text).toBe(file.text);
    const { rows } = await database.pool.query<{ action: string; of: string }>(
      `SELECT action, subject_type AS of FROM audit_log WHERE action LIKE 'payout_file.%'
       AND (subject_id = ANY ($1) OR subject_type = 'payout_file') ORDER BY id`,
      [ids],
    );
    expect(rows.map(({ action, of }) => `${action} ${of}`)).toEqual([
      'payout_file.make payout_file',
      ...Array.from({ length: 6 }, () => 'payout_file.download withdrawal'),
    ]);
  });

  it('asked for again, or twice at once · is the same file, written once', async () => {
    const ids = [await waiting(), await waiting()];
    const answers = await Promise.all([make(ids), make(ids, another), make(ids)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 201]);
    await take(ids[1] ?? 0);
    const again = await make(ids, another);
    expect([again.status, (again.body.data as { repeated: boolean }).repeated]).toEqual([
      200,
      true,
    ]);
    const named = [...answers, again].map(({ body }) => (body.data as { id: number }).id);
    expect(new Set(named).size).toBe(1);
  });

  it('two people with one payout in common · it goes out in one of the two files alone', async () => {
    const [a, both, b] = [await waiting(), await waiting(), await waiting()];
    const answers = await Promise.all([make([a, both]), make([both, b], another)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    const taken = [await take(a), await take(b)];
    const [file, ...more] = taken.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    expect(taken.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([200, 409]);
    expect(file?.text.match(new RegExp(`<EndToEndId>WD-${both}<`, 'g'))).toHaveLength(1);
    // What was left without the other may still go out, and what went out may not again.
    const left = taken[0]?.status === 409 ? a : b;
    expect(faultsOf(await make([left, both]))).toEqual([
      expect.stringMatching(`WD-${both} was handed out already, in pain.001-PF-\\d+.xml`),
    ]);
    expect((await make([left])).status).toBe(201);
    expect(read((await take(left)).text).GrpHdr.NbOfTxs).toBe('1');
  });

  it('a publisher is suspended · what nobody has carried yet waits, what may be at the bank is given again', async () => {
    const [carried, waits] = [await waiting(), await waiting()];
    const { text } = await take(carried);
    const admin = stand.as('admin', (await makeOperator(database.db, 'ADMIN')).id);
    const account = `/publishers/${await publisherOf(waits)}`;
    expect((await admin.post(`${account}/suspend`, { reason: 'Bought traffic.' })).status).toBe(
      200,
    );
    const words = `WD-${waits} waits: its publisher is suspended.`;
    expect(faultsOf(await make([waits]))).toEqual([expect.stringContaining(words)]);
    const refused = await take(waits);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      409,
      expect.stringContaining(words),
    ]);
    expect((await take(carried)).text).toBe(text);
    expect((await admin.post(`${account}/restore`, {})).status).toBe(200);
    expect((await make([waits])).status).toBe(201);
    expect((await take(waits)).status).toBe(200);
  });

  it('each that is not as it was chosen · is named, and nothing of the file is made', async () => {
    const [fine, own, failed, unapproved, changed] = [
      await waiting(),
      await waiting(),
      await waiting(),
      await requested({ amount: 5_000n }),
      await waiting(),
    ];
    expect((await take(own)).status).toBe(200);
    await database.pool.query(
      `UPDATE payouts SET bank_status = 'REFUSED' WHERE withdrawal_id = $1`,
      [failed],
    );
    const { payouts } = await chosen(fine, own, failed, unapproved);
    const ask = [...payouts, { id: changed, version: 1 }, { id: 987_654, version: 1 }];
    const answer = await desk().post('/withdrawals/payout-files', { payouts: ask });
    expect([answer.status, faultsOf(answer)]).toEqual([
      422,
      [
        `WD-${own} was handed out already, in pain.001-WD-${own}.xml: carry that one.`,
        `The bank has refused WD-${failed}.`,
        `WD-${unapproved} waits for no bank file: it is PENDING.`,
        `WD-${changed} has changed since it was chosen.`,
        'No such withdrawal.',
      ],
    ]);
    const { rows } = await database.pool.query(
      'SELECT file_id FROM payouts WHERE withdrawal_id = ANY ($1) AND file_id IS NOT NULL',
      [[fine, own, failed, changed]],
    );
    expect(rows).toEqual([]);
  });

  it('one whose account cannot be opened · nothing is half done', async () => {
    const ids = [await waiting(), await waiting()];
    const { rows: before } = await database.pool.query('SELECT id FROM payout_files');
    await database.pool.query('ALTER TABLE withdrawals DISABLE TRIGGER withdrawals_terms');
    await database.pool.query(`UPDATE withdrawals SET sealed_account = 'lost' WHERE id = $1`, [
      ids[1],
    ]);
    await database.pool.query('ALTER TABLE withdrawals ENABLE TRIGGER withdrawals_terms');
    expect((await make(ids)).status).toBe(409);
    const { rows } = await database.pool.query('SELECT id FROM payout_files');
    expect(rows).toEqual(before);
    // Its own file is as it was written.
    expect((await take(ids[0] ?? 0)).text).toContain(`<MsgId>WD-${ids[0]}</MsgId>`);
  });

  it('one of it has failed · the file is handed out no more, and the rest goes out anew', async () => {
    const [failed, rest] = [await waiting(), await waiting()];
    await make([failed, rest]);
    await database.pool.query(
      `UPDATE payouts SET bank_status = 'REFUSED' WHERE withdrawal_id = $1`,
      [failed],
    );
    expect((await take(rest)).body.message).toBe(`The bank has refused WD-${failed}.`);
    expect((await make([rest])).status).toBe(201);
    expect((await take(rest)).status).toBe(200);
  });

  it('one of it was said to be paid · the file is at the bank, and nobody carries it there again', async () => {
    const [paid, rest] = [await waiting(), await waiting()];
    await make([paid, rest]);
    await take(paid);
    const isNow = async (state: string): Promise<void> => {
      await database.pool.query('UPDATE payouts SET state = $1 WHERE withdrawal_id = $2', [
        state,
        paid,
      ]);
    };
    await isNow('SETTLED');
    const said = [(await take(paid)).body.message, (await take(rest)).body.message];
    // The books are looked at once more at the end.
    await isNow('FILE');
    const words = `WD-${paid} is paid: its file is not carried to the bank again.`;
    expect(said).toEqual([words, words]);
  });

  it('the bank books what was given back · is told to finance, once, and is no mere end', async () => {
    const id = await waiting();
    await take(id);
    const isNow = async (state: string): Promise<void> => {
      await database.pool.query(
        `UPDATE payouts SET state = $1, bank_status = NULL WHERE withdrawal_id = $2`,
        [state, id],
      );
    };
    await isNow('REJECTED');
    const report = (day: string) =>
      notification({ reference: `WD-${id}`, amount: '195.00' }).replace('2026-02-03', day);
    const outcomes: unknown[] = [];
    for (const day of ['2026-02-03', '2026-02-04']) {
      const answer = await desk().upload('/payout-status-files', Buffer.from(report(day)), 'b.xml');
      const { remarks } = answer.body.data as { remarks: { outcome: string }[] };
      outcomes.push(...remarks.map(({ outcome }) => outcome));
    }
    const news = (await desk(another).get('/notifications?page_size=100')).body.data as {
      items: { kind: string; subject: { id: number } }[];
    };
    await isNow('FILE');
    expect(outcomes).toEqual(['GIVEN_BACK', 'GIVEN_BACK']);
    expect(
      news.items.filter(({ kind, subject }) => kind === 'paid_after_failed' && subject.id === id),
    ).toHaveLength(1);
  });

  it('what was handed out · the database lets nobody put it into another file', async () => {
    const [id, other] = [await waiting(), await waiting()];
    await make([id]);
    await take(id);
    await make([other]);
    await expect(
      database.pool.query(
        `UPDATE payouts SET file_id = (SELECT file_id FROM payouts WHERE withdrawal_id = $2)
         WHERE withdrawal_id = $1`,
        [id, other],
      ),
    ).rejects.toThrow('was handed out');
  });

  it('the bank speaks of the whole file · of each order in it, and of no file that nobody took', async () => {
    const ids = [await waiting(), await waiting()];
    const { reference } = (await make(ids)).body.data as { reference: string };
    const report = statusReport([], `<OrgnlMsgId>${reference}</OrgnlMsgId><GrpSts>ACCP</GrpSts>`);
    const tell = async () =>
      await desk().upload('/payout-status-files', Buffer.from(report), 'bank.xml');
    expect((await tell()).status).toBe(422);
    await take(ids[0] ?? 0);
    const told = await tell();
    expect([told.status, (told.body.data as { remarks: unknown }).remarks]).toMatchObject([
      201,
      ids.map((id) => ({
        withdrawal_id: id,
        reference: `WD-${id}`,
        status: 'TAKEN',
        outcome: 'NOTED',
      })),
    ]);
    expect((await take(ids[1] ?? 0)).body.message).toBe(
      `The bank has WD-${ids[0]}: its file is not carried there again.`,
    );
  });

  it.each([
    ['none', { payouts: [] }],
    [
      'one twice',
      {
        payouts: [
          { id: 1, version: 1 },
          { id: 1, version: 1 },
        ],
      },
    ],
    ['no versions', { payouts: [{ id: 1 }] }],
    ['what is no payout', { payouts: [null] }],
  ])('%s · 422', async (_name, body) => {
    expect((await desk().post('/withdrawals/payout-files', body)).status).toBe(422);
  });
});

describe('the board', () => {
  it('counts and sums each stage as its filter lists it, and says since when', async () => {
    const before = await stages();
    const [review, cooling, ready, carried] = [
      await requested({ amount: 200n }),
      await requested({ amount: 300n }),
      await waiting(400n),
      await waiting(500n),
    ];
    await approvedByOwner(database, cooling);
    await take(carried);
    const stood = [review, cooling, ready, carried];
    expect(await Promise.all(stood.map(stageOf))).toEqual([
      'REVIEW',
      'COOLING',
      'BANK_FILE',
      'AT_BANK',
    ]);
    const after = await stages();
    for (const [stage, arrives] of [
      ['REVIEW', 195],
      ['COOLING', 295],
      ['BANK_FILE', 395],
      ['AT_BANK', 495],
    ] as const) {
      const [was, is] = [before.get(stage), after.get(stage)];
      expect([stage, (is?.count ?? 0) - (was?.count ?? 0)]).toEqual([stage, 1]);
      expect((is?.arrival_amount ?? 0) - (was?.arrival_amount ?? 0)).toBe(arrives);
      const listed = await desk().get(`/withdrawals?stage=${stage}&page_size=100`);
      const { items, total } = listed.body.data as {
        items: { id: number; stage: string; stage_since: string }[];
        total: number;
      };
      expect([total, new Set(items.map((each) => each.stage))]).toEqual([
        is?.count,
        new Set([stage]),
      ]);
      expect(items.map((each) => each.id)).toContain(stood[STOOD.indexOf(stage)]);
      const oldest = items.map((each) => each.stage_since).toSorted()[0];
      expect(oldest).toBe(is?.since);
    }
  });
});

const STOOD = ['REVIEW', 'COOLING', 'BANK_FILE', 'AT_BANK'];
interface Stood {
  stage: string;
  count: number;
  arrival_amount: number;
  since: string;
}
async function stages(): Promise<Map<string, Stood>> {
  const { items } = (await desk().get('/withdrawals/stages')).body.data as {
    items: Stood[];
  };
  return new Map(items.map((each) => [each.stage, each]));
}
