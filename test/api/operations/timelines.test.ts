import { readFileSync } from 'node:fs';
import { depositWorkflowId } from '../../../workflows/contracts/deposit.ts';
import { STAGES } from '../../../workflows/contracts/stages.ts';
import type { Caller } from '../../support/call.ts';
import { makeOperator, makePublisher } from '../../support/make/account.ts';
import { setByOwner } from '../../support/by-owner.ts';
import { payIn } from '../../support/make/paid-in.ts';
import { createStand, type FlowStand } from '../../support/stand.ts';
import { eventually } from '../../support/until.ts';

let stand: FlowStand;
let advertiser: Caller;
let finance: Caller;

beforeAll(async () => {
  stand = await createStand({ flows: {} });
  advertiser = await stand.newAdvertiser();
  finance = stand.as('admin', (await makeOperator(stand.database.db, 'FINANCE')).id);
}, 90_000);

afterAll(async () => {
  await stand?.close();
}, 60_000);

interface Step {
  step: string;
  words: string;
  state: string;
  turn: string;
  until: string | null;
  due_at: string | null;
  ahead: number | null;
  task_id: number | null;
  note: string | null;
}

const timelineOf = async (who: Caller, type: string, id: number): Promise<Step[]> => {
  const answer = await who.get(`/timeline?subject_type=${type}&subject_id=${id}`);
  expect(answer.status).toBe(200);
  return (answer.body.data as { timeline: Step[] }).timeline;
};

const order = async (): Promise<{ id: number; expires_at: string }> => {
  const answer = await advertiser.post('/deposits', { amount: 500, payment_method: 'BANK' });
  expect(answer.status).toBe(201);
  return answer.body.data as { id: number; expires_at: string };
};

const pay = async (id: number, amount: number, reference: string): Promise<void> => {
  const body = { amount, reference };
  expect((await finance.post(`/deposits/${id}/receipts`, body)).status).toBeLessThan(300);
};

it('an order without money · waits for its owner until it expires', async () => {
  const { id, expires_at: expires } = await order();
  const steps = await timelineOf(advertiser, 'deposit', id);
  expect(steps.map(({ step, state }) => [step, state])).toEqual([
    ['submitted', 'DONE'],
    ['money', 'NOW'],
  ]);
  expect(steps[1]).toMatchObject({ turn: 'OWNER', due_at: expires, words: STAGES.money.words });
});

it('two orders in question · the second is told that one is ahead of it, and then that none is', async () => {
  const [first, second] = [await order(), await order()];
  await pay(first.id, 400, 'T-1');
  await eventually(async () => {
    expect((await timelineOf(advertiser, 'deposit', first.id)).at(-1)?.step).toBe('decision');
  });
  await pay(second.id, 400, 'T-2');
  const waiting = await eventually(async () => {
    const last = (await timelineOf(advertiser, 'deposit', second.id)).at(-1);
    expect(last).toMatchObject({ step: 'decision', state: 'NOW', turn: 'FINANCE', ahead: 1 });
    return last;
  });
  expect(waiting?.due_at).not.toBeNull();
  expect(waiting?.task_id).toBeNull();
  const shown = (await timelineOf(finance, 'deposit', first.id)).at(-1);
  const reject = { decision: 'reject', reasons: [{ code: 'WRONG_AMOUNT' }] };
  expect((await finance.post(`/tasks/${shown?.task_id}/decision`, reject)).status).toBe(200);
  // Its money is still here: a person sends a wire back.
  const back = await eventually(async () => {
    const last = (await timelineOf(finance, 'deposit', first.id)).at(-1);
    expect(last).toMatchObject({ step: 'returning', state: 'NOW', turn: 'FINANCE' });
    expect(last?.task_id).not.toBe(shown?.task_id);
    return last;
  });
  const sent = { decision: 'sent_back', reasons: [], note: 'T-1-BACK' };
  expect((await finance.post(`/tasks/${back?.task_id}/decision`, sent)).status).toBe(200);
  expect(await stand.flows.resultOf(depositWorkflowId(first.id))).toBe('REFUNDED');
  const after = await timelineOf(advertiser, 'deposit', first.id);
  expect(after.at(-1)).toMatchObject({ step: 'ended', state: 'DONE', note: 'REFUNDED' });
  expect(after.every(({ state }) => state === 'DONE')).toBe(true);
  expect((await timelineOf(advertiser, 'deposit', second.id)).at(-1)?.ahead).toBe(0);
});

describe('unused balance that goes back', () => {
  const LIMIT = 1_000;
  const ask = async (amount: number): Promise<number> => {
    const body = { advertiser_id: advertiser.id, amount, reason: 'They stop' };
    const answer = await finance.post('/balance-refunds', body);
    expect(answer.status).toBeLessThan(300);
    return (answer.body.data as { id: number }).id;
  };
  const steps = async (who: Caller, id: number) =>
    (await timelineOf(who, 'balance_refund', id)).map(({ step, state, turn, note }) =>
      [step, state, turn, note].join(' '),
    );

  beforeAll(async () => {
    await setByOwner(stand.database, 'deposit.second_approval_above', LIMIT);
    await payIn(stand.database, advertiser.id, 'BANK', LIMIT + 100);
  });

  it('by wire · waits for whoever sends it, and ends when it was', async () => {
    const id = await ask(40);
    const asked = await eventually(async () => {
      const last = (await timelineOf(finance, 'balance_refund', id)).at(-1);
      expect(last).toMatchObject({ step: 'returning', state: 'NOW', turn: 'FINANCE' });
      return last;
    });
    expect(asked?.due_at).not.toBeNull();
    // Its owner sees the same, and no task of ours.
    const own = (await timelineOf(advertiser, 'balance_refund', id)).at(-1);
    expect(own).toMatchObject({ step: 'returning', state: 'NOW', task_id: null });
    const sent = { decision: 'sent_back', reasons: [], note: 'OUT-1' };
    expect((await finance.post(`/tasks/${asked?.task_id}/decision`, sent)).status).toBe(200);
    expect(await steps(advertiser, id)).toEqual([
      'submitted DONE OWNER ',
      'returning DONE PROVIDER ',
      'returning DONE FINANCE sent_back',
      'ended DONE PLATFORM RETURNED',
    ]);
  });

  it('above the limit · waits for a second person, and ends where that one refuses', async () => {
    const id = await ask(LIMIT + 1);
    expect(await steps(finance, id)).toEqual([
      'submitted DONE OWNER ',
      'second_approval NOW FINANCE ',
    ]);
    const { approval_id: approval } = (await finance.get(`/balance-refunds/${id}`)).body.data as {
      approval_id: number;
    };
    const other = stand.as('admin', (await makeOperator(stand.database.db, 'FINANCE')).id);
    const refused = await other.post(`/approvals/${approval}/refuse`, { note: 'They owe us' });
    expect(refused.status).toBe(200);
    expect(await steps(advertiser, id)).toEqual([
      'submitted DONE OWNER ',
      'second_approval DONE FINANCE ',
      'ended DONE PLATFORM KEPT',
    ]);
  });

  it('of another account · is none of theirs', async () => {
    const id = await ask(1);
    const stranger = await stand.newAdvertiser();
    const answer = await stranger.get(`/timeline?subject_type=balance_refund&subject_id=${id}`);
    expect(answer.status).toBe(422);
  });
});

it('of another account, or of nothing · is refused alike', async () => {
  const { id } = await order();
  const stranger = await stand.newAdvertiser();
  const publisher = stand.as('publisher', (await makePublisher(stand.database.db)).id);
  for (const who of [stranger, publisher]) {
    const answer = await who.get(`/timeline?subject_type=deposit&subject_id=${id}`);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ data: { errors: [{ field: 'subject_id' }] } });
  }
  const none = await advertiser.get('/timeline?subject_type=deposit&subject_id=999999');
  expect(none.status).toBe(422);
  const odd = await advertiser.get('/timeline?subject_type=account&subject_id=1');
  expect(odd.status).toBe(422);
});

it("the console's English · is word for word what Temporal's pages say", () => {
  const texts = readFileSync('web/console/texts/timeline.ts', 'utf8');
  const english = texts.slice(0, texts.indexOf('  zh: {'));
  const missing = Object.entries(STAGES).filter(
    ([name, { words }]) =>
      !english.includes(`${name}: '${words}'`) && !english.includes(`${name}: "${words}"`),
  );
  expect(missing).toEqual([]);
});
