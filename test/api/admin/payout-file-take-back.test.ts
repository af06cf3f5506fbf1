import { randomUUID } from 'node:crypto';
import { runner } from '../../../db/postgres.ts';
import { runBooks } from '../../../db/queries/books.ts';
import { readMoneyWaits } from '../../../db/queries/money-waits.ts';
import { listOldFilesAtBank } from '../../../db/queries/payout-file-take-backs.ts';
import { notification, statusReport } from '../../support/bank-files.ts';
import { type BankOrders, bankOrders, readBankFile } from '../../support/bank-orders.ts';
import { dataOf } from '../../support/call.ts';
import type { TestDatabase } from '../../support/database.ts';
import { makeOperator } from '../../support/make/account.ts';
import { insertRow } from '../../support/make/row.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/**
 * A bank file that somebody has, and that the bank did not take (interface 4.12): its orders go out again, in another
 * file and under the same names, and whatever says that the bank has it after all stops that.
 */
let stand: Stand;
let database: TestDatabase;
let orders: BankOrders;
let clerk: number;
let second: number;

beforeAll(async () => {
  stand = await createStand({ realTime: true });
  ({ database } = stand);
  orders = bankOrders(stand);
  clerk = (await makeOperator(database.db, 'FINANCE')).id;
  second = (await makeOperator(database.db, 'FINANCE')).id;
});
beforeEach(async () => await orders.anotherPublisher());
afterAll(async () => {
  const broken = (await runBooks(runner(database.db))).filter((check) => !check.ok);
  await stand?.close();
  expect(broken).toEqual([]);
});

const desk = (operator = clerk) => stand.as('admin', operator);
const make = async (ids: number[]) =>
  await desk().post('/withdrawals/payout-files', await orders.chosen(...ids));
const take = async (id: number, operator = clerk) =>
  await desk(operator).get(`/withdrawals/${id}/payout-file`);
const slip = async (operator = clerk): Promise<number> =>
  await insertRow(database, 'receipt_evidence', {
    operator_id: operator,
    path: randomUUID(),
    mime: 'application/pdf',
    bytes: 1,
    sha256: randomUUID(),
    name: 'portal.pdf',
  });
const ask = async (id: number, operator = clerk, evidence?: number) =>
  await desk(operator).post(`/withdrawals/${id}/payout-file/take-back`, {
    reason: 'The portal takes no such debtor',
    evidence_id: evidence ?? (await slip(operator)),
  });
type Asked = Awaited<ReturnType<typeof ask>>;
const approvalOf = ({ headers }: Asked): string =>
  String(headers['location']).replace('/api/admin', '');
const agree = async (asked: Asked, operator = second) =>
  await desk(operator).post(`${approvalOf(asked)}/approve`);
const pageOf = async (id: number) =>
  dataOf(await desk().get(`/withdrawals/${id}`)) as {
    status: string;
    stage: string;
    payout: { file_name: string | null; bank_status: string | null };
    evidence: { said: string; file: { name: string } }[];
    file_take_back: {
      orders: string[];
      refusal: string | null;
      approval_id: number | null;
      earlier: {
        reference: string;
        approval_id: number;
        bank_has_it_at: string | null;
      }[];
    };
  };

/** A file of several that somebody carried off. */
async function handedOut(count = 2): Promise<{ ids: number[]; id: number; reference: string }> {
  const ids: number[] = [];
  for (let each = 0; each < count; each += 1) ids.push(await orders.waiting());
  const { reference } = dataOf(await make(ids)) as { reference: string };
  const [id = 0] = ids;
  expect((await take(id)).status).toBe(200);
  return { ids, id, reference };
}
async function takenBack(count = 2) {
  const file = await handedOut(count);
  expect((await agree(await ask(file.id))).status).toBe(200);
  return file;
}
const tell = async (report: string) =>
  await desk().upload('/payout-status-files', Buffer.from(report), 'bank.xml');
const remarksOf = (told: Awaited<ReturnType<typeof tell>>) =>
  (dataOf(told) as { remarks: { reference: string; outcome: string }[] }).remarks.map(
    ({ reference, outcome }) => `${reference} ${outcome}`,
  );
const ofFile = (reference: string, status: string) =>
  statusReport([], `<OrgnlMsgId>${reference}</OrgnlMsgId><GrpSts>${status}</GrpSts>`);

describe('by two persons', () => {
  it('asked, agreed · every order waits for a file again, under its own name in one of another name', async () => {
    const { ids, id, reference } = await handedOut();
    const asked = await ask(id);
    expect([asked.status, (await pageOf(ids[1] ?? 0)).file_take_back]).toMatchObject([
      202,
      {
        orders: ids.map((each) => `WD-${each}`),
        refusal: 'ASKED',
        earlier: [],
      },
    ]);
    // Nothing has changed yet: the file is still given out.
    expect((await pageOf(id)).stage).toBe('AT_BANK');
    expect((await agree(asked)).status).toBe(200);
    const page = await pageOf(ids[1] ?? 0);
    expect(page).toMatchObject({
      status: 'PROCESSING',
      stage: 'BANK_FILE',
      evidence: [{ said: 'file_not_taken', file: { name: 'portal.pdf' } }],
      file_take_back: {
        refusal: 'NO_FILE',
        approval_id: null,
        earlier: [{ reference }],
      },
    });
    const made = await make(ids);
    const again = (dataOf(made) as { reference: string }).reference;
    expect([made.status, again === reference]).toEqual([201, false]);
    const { GrpHdr, PmtInf } = readBankFile((await take(id)).text);
    expect([GrpHdr.MsgId, PmtInf.PmtInfId]).toEqual([again, again]);
    expect(PmtInf.CdtTrfTxInf.map(({ PmtId }) => PmtId.EndToEndId)).toEqual(
      ids.map((each) => `WD-${each}`),
    );
    const { rows } = await database.pool.query<{ action: string }>(
      `SELECT action FROM audit_log WHERE subject_type = 'withdrawal' AND subject_id = $1
       AND action LIKE 'payout_file.%' ORDER BY id`,
      [ids[1]],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      'payout_file.download',
      'payout_file.take_back_request',
      'payout_file.take_back',
      'payout_file.download',
    ]);
  });

  it('the second person is shown the file, its orders, the sum and the evidence', async () => {
    const { ids, id, reference } = await handedOut();
    const asked = await ask(id);
    const { subject, content, evidence } = dataOf(await desk(second).get(approvalOf(asked))) as {
      subject: string;
      evidence: { id: number; name: string }[];
      content: { name: string; value: string }[];
    };
    expect(subject).toBe(reference);
    const [file] = evidence;
    expect(evidence).toMatchObject([{ name: 'portal.pdf', mime: 'application/pdf' }]);
    expect(content).toContainEqual({ name: 'evidence_id', value: String(file?.id) });
    expect(Object.fromEntries(content.map(({ name, value }) => [name, value]))).toMatchObject({
      file: `pain.001-${reference}.xml`,
      orders: ids.map((each) => `WD-${each}`).join(', '),
      arrival: '390',
      why: 'The portal takes no such debtor',
    });
  });

  it('alone, or by whoever was made by the one who asked · refused, and the file stays', async () => {
    const { id } = await handedOut();
    const asked = await ask(id);
    expect((await agree(asked, clerk)).status).toBe(409);
    const { id: puppet } = await makeOperator(database.db, 'FINANCE');
    await database.pool.query('ALTER TABLE operators DISABLE TRIGGER operators_origin');
    await database.pool.query('UPDATE operators SET created_by = $2 WHERE id = $1', [
      puppet,
      clerk,
    ]);
    await database.pool.query('ALTER TABLE operators ENABLE TRIGGER operators_origin');
    expect((await agree(asked, puppet)).status).toBe(409);
    expect((await pageOf(id)).stage).toBe('AT_BANK');
  });

  it("evidence of another's, or none · 422", async () => {
    const { id } = await handedOut();
    expect((await ask(id, clerk, await slip(second))).status).toBe(422);
    const bare = await desk().post(`/withdrawals/${id}/payout-file/take-back`, {
      reason: 'Why',
    });
    expect(bare.status).toBe(422);
  });

  it('two agree at once, and once more · it is taken back once', async () => {
    const { id, reference } = await handedOut();
    const asked = await ask(id);
    const third = (await makeOperator(database.db, 'FINANCE')).id;
    const answers = await Promise.all([agree(asked), agree(asked, third)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect((await agree(asked)).status).toBe(409);
    expect((await pageOf(id)).file_take_back.earlier.map((each) => each.reference)).toEqual([
      reference,
    ]);
  });

  it('asked for twice at once · one question', async () => {
    const { ids, id } = await handedOut();
    const answers = await Promise.all([ask(id), ask(ids[1] ?? 0, second)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409]);
  });

  it('while it is agreed, another makes a file of one · whichever is first, each is in one file that goes out', async () => {
    const { ids, id } = await handedOut();
    const asked = await ask(id);
    await Promise.all([agree(asked), make([id])]);
    await make(ids);
    const taken = await Promise.all(ids.map(async (each) => await take(each)));
    const files = new Set(taken.filter(({ status }) => status === 200).map(({ text }) => text));
    for (const each of ids) {
      const carried = [...files].filter((text) => text.includes(`<EndToEndId>WD-${each}<`));
      expect(carried.length).toBeLessThan(2);
    }
  });
});

describe('refused', () => {
  it.each([
    [
      'a booking names an order of it',
      'SPOKEN',
      async (_reference: string, id: number) =>
        await tell(notification({ reference: `WD-${id}`, amount: '195.00' })),
    ],
    [
      'the bank has it',
      'SPOKEN',
      async (reference: string) => await tell(ofFile(reference, 'ACCP')),
    ],
    [
      'the bank looks at it',
      'SPOKEN',
      async (reference: string) => await tell(ofFile(reference, 'RCVD')),
    ],
    [
      'somebody has said that one failed',
      'ANSWERED',
      async (_reference: string, id: number) =>
        await database.pool.query(
          `INSERT INTO approvals (kind, subject, maker_id) VALUES ('payout_failed', $1, $2)`,
          [String(id), clerk],
        ),
    ],
  ])('%s · for the whole file, before it is asked and before it is agreed', async (...row) => {
    const [, reason, happens] = row;
    const { ids, id, reference } = await handedOut();
    const asked = await ask(id);
    await happens(reference, ids[1] ?? 0);
    expect((await agree(asked)).status).toBe(409);
    const again = await ask(id);
    expect([again.status, again.body.data]).toMatchObject([409, { reason }]);
    expect((await pageOf(id)).file_take_back).toMatchObject({
      refusal: reason,
      earlier: [],
    });
  });

  it('what nobody has, what is no payout, or is paid otherwise · by name', async () => {
    const fresh = await orders.waiting();
    const answer = await ask(fresh);
    expect([answer.status, answer.body.data]).toMatchObject([409, { reason: 'NO_FILE' }]);
    expect((await ask(987_654)).status).toBe(404);
    expect((await ask(await orders.requested())).status).toBe(404);
  });

  it('the application without an approval, or by one that is used · the database refuses', async () => {
    const { id, reference } = await handedOut();
    const asked = await ask(id);
    const approval = Number(approvalOf(asked).split('/').pop());
    const insert = `INSERT INTO payout_file_take_backs (reference, approval_id) VALUES ($1, $2)`;
    const { appPool } = database;
    await expect(appPool.query(insert, [reference, approval])).rejects.toThrow('no approval');
    expect((await agree(asked)).status).toBe(200);
    await expect(appPool.query(insert, ['PF-987', approval])).rejects.toThrow('no approval');
    await expect(
      appPool.query(
        `UPDATE payouts SET file_id = (SELECT id FROM payout_files WHERE external_ref = $2),
           file_taken_at = now() WHERE withdrawal_id = $1`,
        [id, reference],
      ),
    ).rejects.toThrow('was taken back');
  });
});

describe('after it', () => {
  it("an order's own file · is never given out again, and its next is one of another name", async () => {
    const id = await orders.waiting();
    expect((await take(id)).status).toBe(200);
    expect((await agree(await ask(id))).status).toBe(200);
    expect((await take(id)).body.message).toBe(
      'The bank file of its own was taken back: put it into a new one.',
    );
    expect((await pageOf(id)).payout.file_name).toBeNull();
    expect((await make([id])).status).toBe(201);
    expect(readBankFile((await take(id)).text).GrpHdr.MsgId).toMatch(/^PF-/);
  });

  it('the bank refuses the old one late · the new one goes out; it refuses that · each is asked', async () => {
    const { ids, id, reference } = await takenBack();
    const again = (dataOf(await make(ids)) as { reference: string }).reference;
    expect(remarksOf(await tell(ofFile(reference, 'RJCT')))).toEqual(
      ids.map((each) => `WD-${each} OLD_FILE`),
    );
    expect((await take(id)).status).toBe(200);
    expect((await pageOf(id)).payout.bank_status).toBeNull();
    expect(remarksOf(await tell(ofFile(again, 'RCVD')))).toEqual(
      ids.map((each) => `WD-${each} NOTED`),
    );
  });

  it.each(['before', 'after'])(
    'the bank has the old one after all, told %s a new one is made · no other goes out',
    async (when) => {
      const { ids, id, reference } = await takenBack();
      if (when === 'after') await make(ids);
      expect(remarksOf(await tell(ofFile(reference, 'ACSP')))).toEqual(
        ids.map((each) => `WD-${each} NOTED`),
      );
      if (when === 'before') expect((await make(ids)).status).toBe(422);
      expect((await take(id)).status).toBe(409);
    },
  );

  it('the bank books one of the old file · it is paid, and goes out no more', async () => {
    const { ids, id } = await takenBack();
    await make(ids);
    await tell(notification({ reference: `WD-${id}`, amount: '195.00' }));
    expect((await pageOf(id)).status).toBe('PAID');
    expect((await take(ids[1] ?? 0)).status).toBe(409);
    expect((await make([ids[1] ?? 0])).status).toBe(201);
    const { text } = await take(ids[1] ?? 0);
    expect(text).not.toContain(`WD-${id}<`);
  });
});

describe('the bank has the old file after all', () => {
  const board = async () =>
    (
      dataOf(await desk().get('/withdrawals/stages')) as {
        old_files: { reference: string; withdrawal_ids: number[] }[];
      }
    ).old_files;
  const newsOf = async (reference: string, operator = clerk) =>
    (
      dataOf(await desk(operator).get('/notifications?page_size=100')) as {
        items: { kind: string; subject: object; text: string }[];
      }
    ).items.filter(
      ({ kind, text }) => kind === 'old_file_at_bank' && text.includes(`${reference},`),
    );
  const counted = async () =>
    (await readMoneyWaits(runner(database.db), new Date())).oldFilesAtBank;
  const later = async (reference: string) =>
    (await listOldFilesAtBank(runner(database.db), new Date(Date.now() + 90_000_000))).some(
      (file) => file.reference === reference,
    );

  it('told · at the upload, on the board, on each page, by one notice and a figure; told again · no second', async () => {
    const before = await counted();
    const { ids, id, reference } = await takenBack();
    expect(await newsOf(reference)).toEqual([]);
    const report = ofFile(reference, 'ACSP');
    const told = dataOf(await tell(report)) as {
      remarks: { old_file: string | null }[];
    };
    expect(told.remarks.map((each) => each.old_file)).toEqual([reference, reference]);
    await tell(report);
    await tell(ofFile(reference, 'ACSC'));
    expect(await board()).toContainEqual(
      expect.objectContaining({ reference, withdrawal_ids: ids }),
    );
    for (const each of ids) {
      const [back] = (await pageOf(each)).file_take_back.earlier;
      expect(back?.bank_has_it_at).toEqual(expect.any(String));
    }
    expect(await newsOf(reference)).toMatchObject([{ subject: { type: 'withdrawal', id } }]);
    const { id: admin } = await makeOperator(database.db, 'ADMIN');
    const { id: reviewer } = await makeOperator(database.db, 'REVIEWER');
    // Who was made since is told of nothing before; a reviewer never.
    expect([await newsOf(reference, admin), await newsOf(reference, reviewer)]).toEqual([[], []]);
    expect(await counted()).toBe(before + 1);
    expect(await later(reference)).toBe(true);
  });

  it('only refuses, or looks at it · nothing is raised', async () => {
    const { id, reference } = await takenBack();
    await tell(ofFile(reference, 'RCVD'));
    const told = dataOf(await tell(ofFile(reference, 'RJCT'))) as {
      remarks: { old_file: string | null }[];
    };
    expect(told.remarks.map((each) => each.old_file)).toEqual([null, null]);
    expect((await pageOf(id)).file_take_back.earlier).toMatchObject([{ bank_has_it_at: null }]);
    expect((await board()).map((file) => file.reference)).not.toContain(reference);
    expect(await newsOf(reference)).toEqual([]);
  });

  it('refuses it in the end, as finance asked by telephone · over; its news stays', async () => {
    const { id, reference } = await takenBack();
    await tell(ofFile(reference, 'ACTC'));
    expect((await board()).map((file) => file.reference)).toContain(reference);
    await tell(ofFile(reference, 'CANC'));
    expect((await board()).map((file) => file.reference)).not.toContain(reference);
    expect((await pageOf(id)).file_take_back.earlier).toMatchObject([{ bank_has_it_at: null }]);
    expect(await newsOf(reference)).toHaveLength(1);
  });

  it('what it has is booked · named for a day, then over', async () => {
    const { ids, reference } = await takenBack(1);
    await tell(ofFile(reference, 'ACSC'));
    await tell(notification({ reference: `WD-${ids[0]}`, amount: '195.00' }));
    expect((await board()).map((file) => file.reference)).toContain(reference);
    expect(await later(reference)).toBe(false);
  });
});
