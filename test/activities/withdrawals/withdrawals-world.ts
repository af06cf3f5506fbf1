import { randomUUID } from 'node:crypto';
import { createActivities } from '../../../activities/index.ts';
import type { BankAccount } from '../../../activities/withdrawals/payout-accounts.ts';
import { chart } from '../../../domain/ledger/chart.ts';
import { makeAdvertiser, makeOperator, makePublisher } from '../../support/make/account.ts';
import { balanceOf, UNIT } from '../../support/make/money.ts';
import { byWorkers, type Person, pick, unlessRefused, Watch } from '../../support/model.ts';
import { CARD, ibanOf, passKyc } from '../../support/payouts.ts';
import {
  approveReversal,
  bill,
  type Billed,
  previewReversal,
  reverseAll,
  TODAY,
} from '../../support/reversals.ts';
import { Desk } from './withdrawals-desk.ts';
import {
  type Asked,
  type Channel,
  type Command,
  endsBy,
  ends,
  LOOKS_MAX,
  type Weather,
} from './withdrawals-model.ts';
import type { Stand } from './withdrawals-stand.ts';

const FUNDS = 1_000_000;
const CENT = UNIT / 100n;

/** Everything of one course, asked for by the platform's own steps, as its flows would call them. */
export class World {
  readonly stand: Stand;
  readonly publishers: number[];
  readonly persons: Person[];
  readonly asks: Asked[] = [];
  readonly billed: Billed[] = [];
  readonly reversed = new Set<string>();
  readonly desk = new Desk(this);
  readonly watch = new Watch();
  commands = 0;
  readonly #advertiserId: number;
  readonly steps: ReturnType<typeof createActivities>;

  private constructor(
    stand: Stand,
    of: { publishers: number[]; advertiserId: number; persons: Person[] },
  ) {
    this.stand = stand;
    this.publishers = of.publishers;
    this.persons = of.persons;
    this.#advertiserId = of.advertiserId;
    this.steps = createActivities(stand.deps);
  }

  static async begin(stand: Stand): Promise<World> {
    const { db } = stand.database;
    const publishers = [(await makePublisher(db)).id, (await makePublisher(db)).id];
    for (const id of publishers) await passKyc(stand.database, id);
    const { id: advertiserId } = await makeAdvertiser(db, { balance: FUNDS });
    const persons: Person[] = [];
    for (let made = 0; made < 3; made += 1) {
      persons.push({
        id: (await makeOperator(db, 'FINANCE')).id,
        role: 'FINANCE',
      });
    }
    const world = new World(stand, { publishers, advertiserId, persons });
    for (let side = 0; side < 4; side += 1) {
      await world.#earn({ do: 'earn', side, price: 2_000n * UNIT, share: 700_000 });
    }
    await world.steps.matureEarnings();
    return world;
  }

  weather({ paypal, paxum }: Weather): void {
    this.stand.sandboxes.paypal.behave(paypal);
    this.stand.sandboxes.paxum.behave(paxum);
  }

  async run(each: Command): Promise<void> {
    this.commands += 1;
    if (each.do === 'earn') return await this.#earn(each);
    if (each.do === 'mature') return void (await this.steps.matureEarnings());
    if (each.do === 'reverse') return await this.#reverse(each);
    if (each.do === 'ask') return await this.#ask(each);
    const of = pick(this.asks, each.of);
    if (of === undefined) return;
    switch (each.do) {
      case 'cancel':
        return await this.#cancel(of);
      case 'lap':
        return await this.lap(of, each.workers);
      case 'late_send':
        if (!of.isScheduled) return;
        return void (await byWorkers(each.workers, async () => await this.#send(of)));
      case 'ask_person':
        return await this.steps.askAboutPayout({ withdrawalId: of.id });
      case 'decide':
        return await this.desk.decide(of, each);
      case 'carry':
        return await this.desk.carry(of, each);
      case 'return':
        return await this.desk.giveBack(of, this.person(each.by));
      case 'agree_return':
        return await this.desk.agreeToGiveBack(of, this.person(each.by));
    }
  }

  person(at: number): Person {
    return pick(this.persons, at) as Person;
  }

  async #earn({ side, price, share }: Extract<Command, { do: 'earn' }>): Promise<void> {
    const event = {
      id: randomUUID(),
      advertiserId: this.#advertiserId,
      publisherId: this.publishers[side % 2] ?? 0,
      shard: (side >> 1) % 2,
      priceNanos: price,
      publisherNanos: (price * BigInt(share)) / 1_000_000n,
    };
    await bill(this.stand.database, `model:${event.id}`, [event]);
    this.billed.push(event);
  }

  /** Two operators at once may name the same events: whoever is later takes back the rest. */
  async #reverse({ from, count }: { from: number; count: number }): Promise<void> {
    const named = this.billed.slice(from % (this.billed.length + 1)).slice(0, count);
    if (named.length === 0) return;
    const [maker, checker] = [this.person(0), this.person(1)];
    const asked = await previewReversal(this.stand.deps, {
      source: 'EVENTS',
      scope: { day: TODAY, event_ids: named.map(({ id }) => id) },
      makerId: maker.id,
    });
    for (const { id } of named) this.reversed.add(id);
    if (asked.status === 'EMPTY') return;
    await approveReversal(this.stand.database, asked.reversalId, checker.id);
    await byWorkers(
      1 + (count % 2),
      async () => await reverseAll(this.stand.deps, asked.reversalId),
    );
  }

  async #ask(each: Extract<Command, { do: 'ask' }>): Promise<void> {
    const publisherId = pick(this.publishers, each.publisher) ?? 0;
    const there = await balanceOf(this.stand.database, chart.publisherWithdrawable(publisherId));
    const amountNanos = (there / BigInt(each.parts) / CENT) * CENT;
    await byWorkers(each.times, async () => await this.#askFor(publisherId, amountNanos, each));
  }

  async #askFor(
    publisherId: number,
    amountNanos: bigint,
    { channel, mark }: { channel: Channel; mark: string },
  ): Promise<void> {
    const isBank = channel === 'BANK';
    const tag = mark === '' ? '' : `+${mark}`;
    const made = await unlessRefused(
      this.steps.requestWithdrawal({
        publisherId,
        amountNanos,
        channel,
        accountInfo: isBank ? null : `p${publisherId}${tag}@example.com`,
        bank: isBank ? { account: bankAccountOf(publisherId) } : null,
        kycUrl: '',
        requestId: 'model',
      }),
    );
    if (made === undefined) return;
    this.asks.push({
      id: made.withdrawalId,
      publisherId,
      channel,
      mark: isBank ? '' : mark,
      amountNanos,
      end: null,
      approvedBy: new Set(),
      failedBy: new Set(),
      isScheduled: false,
      sending: new Set(),
      desk: null,
      isBooked: false,
      returns: [],
    });
  }

  async #cancel(of: Asked): Promise<void> {
    const { id: withdrawalId, publisherId } = of;
    const command = { withdrawalId, publisherId, requestId: 'model' };
    const done = this.steps.cancelWithdrawal(command).then(() => true);
    if ((await unlessRefused(done)) === true) ends(of, 'CANCELLED');
  }

  /** What its flow does next, by so many workers that have read the same. */
  async lap(of: Asked, workers: number): Promise<void> {
    const key = { withdrawalId: of.id };
    const steps = this.steps;
    const state = await steps.readWithdrawal(key);
    await byWorkers(workers, async () => {
      switch (state.next) {
        case 'review':
          return void (await steps.reviewWithdrawal({
            ...key,
            round: state.round,
          }));
        case 'cool':
          return void (await steps.beginPayout(key));
        case 'send':
          return await this.#send(of);
        case 'lost':
          return await steps.markPayoutLost(key);
        case 'look':
          return await (state.looks < LOOKS_MAX
            ? this.look(of, state.looks)
            : steps.askAboutPayout(key));
        case 'ask':
          return await steps.askAboutPayout(key);
        case 'decision':
          return state.looks === undefined ? undefined : await this.look(of, state.looks);
        case 'closed':
      }
    });
  }

  async #send(of: Asked): Promise<void> {
    of.isScheduled = true;
    const sending = unlessRefused(this.steps.sendPayout({ withdrawalId: of.id }));
    of.sending.add(sending);
    endsBy(of, await sending);
    of.sending.delete(sending);
  }

  async look(of: Asked, looks: number | null): Promise<void> {
    endsBy(of, await this.steps.lookUpPayout({ withdrawalId: of.id, looks }));
  }

  /** By the provider's, or the bank's, own account. */
  isPaid(of: Asked): boolean {
    if (of.channel === 'BANK') return of.isBooked;
    return of.mark !== FAILS[of.channel] && this.sentTo(of).length > 0;
  }

  /** What its provider was made to pay for it, by the provider's own account. */
  sentTo(of: Asked): string[] {
    const { paypal, paxum } = this.stand.sandboxes;
    const key = `WD-${of.id}`;
    if (of.channel === 'PAYPAL') {
      return paypal.batches.filter((each) => each.key === key).map(({ value }) => value);
    }
    return paxum.transfers.filter(({ reference }) => reference === key).map(({ amount }) => amount);
  }
}

/** The mark of a payee to whom nothing gets, as each wallet knows it. */
const FAILS = { PAYPAL: 'bounce', PAXUM: 'declined' } as const;

const bankAccountOf = (publisherId: number): BankAccount => ({
  accountHolder: CARD.account_holder,
  accountType: 'PERSONAL',
  country: CARD.country,
  currency: CARD.currency,
  bankName: CARD.bank_name,
  branchName: null,
  iban: ibanOf(publisherId),
  accountNumber: null,
  swiftBic: CARD.swift_bic,
  routingNumber: null,
  sortCode: null,
  cnapsCode: null,
});
