import type * as yup from 'yup';
import type { ReversalParties, ReversalParty, ShownReversal } from '../../db/queries/reversals.ts';
import { REVERSAL_STATUSES } from '../../domain/lifecycle/reversal.ts';
import { presentAmount } from '../../domain/money.ts';
import { REVERSAL_REASONS, REVERSAL_SOURCES } from '../../domain/reversal.ts';
import {
  dateOrNull,
  idOf,
  idOrNullOf,
  listOf,
  money,
  oneOf,
  record,
  time,
  timeOrNull,
  whole,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';

/** Counted events and their money: `fee` is what is left of the spend. */
const sumShape = () =>
  record({ events: whole().min(0), spend: money(), earnings: money(), fee: money() });

const reversalFields = {
  id: idOf(),
  source: oneOf(REVERSAL_SOURCES),
  /** What was asked for; null is what the source does not take or what was left open. */
  scope: record({
    from: timeOrNull(),
    to: timeOrNull(),
    publisher_id: idOrNullOf(),
    site_id: idOrNullOf(),
    zone_id: idOrNullOf(),
    batch_id: idOrNullOf(),
    day: dateOrNull(),
    event_ids: listOf(words()),
  }),
  reason: oneOf(REVERSAL_REASONS),
  note: words(),
  status: oneOf(REVERSAL_STATUSES),
  /** What the preview found. */
  found: sumShape(),
  /** What has been taken back so far. */
  reversed: sumShape(),
  /** Events of the stretch whose facts are past their keeping time. */
  factless: whole().min(0),
  content_hash: wordsOrNull(),
  made_by: words(),
  made_by_id: idOf(),
  decided_by: wordsOrNull(),
  /** The open question to a second person. */
  task_id: idOrNullOf(),
  failure: wordsOrNull(),
  created_at: time(),
  decided_at: timeOrNull(),
  ended_at: timeOrNull(),
};
export const reversalShape = record(reversalFields, 'Reversal');

const partyShape = () =>
  record({
    id: idOf(),
    name: words(),
    events: whole().min(0),
    amount: money(),
    /** All that it has here now; below zero is a debt. */
    balance: money(),
  });

export const reversalPageShape = record(
  {
    ...reversalFields,
    /** Largest sums first, at most 50 of each side. */
    advertisers: listOf(partyShape()),
    publishers: listOf(partyShape()),
    reasons: listOf(
      record({ reason: words(), events: whole().min(0), spend: money(), earnings: money() }),
    ),
    timeline: listOf(record({ at: time(), phase: words(), note: words().optional() })),
  },
  'ReversalPage',
);

const presentSum = (events: number, priceNanos: bigint, publisherNanos: bigint) => ({
  events,
  spend: presentAmount(priceNanos),
  earnings: presentAmount(publisherNanos),
  fee: presentAmount(priceNanos - publisherNanos),
});

export function presentReversal(row: ShownReversal): yup.InferType<typeof reversalShape> {
  const { scope } = row;
  return {
    id: row.id,
    source: row.source,
    scope: {
      from: scope.from ?? null,
      to: scope.to ?? null,
      publisher_id: scope.publisher_id ?? null,
      site_id: scope.site_id ?? null,
      zone_id: scope.zone_id ?? null,
      batch_id: scope.batch_id ?? null,
      day: scope.day ?? null,
      event_ids: scope.event_ids ?? [],
    },
    reason: row.reason,
    note: row.note,
    status: row.status,
    found: presentSum(row.events, row.priceNanos, row.publisherNanos),
    reversed: presentSum(row.reversedEvents, row.reversedPriceNanos, row.reversedPublisherNanos),
    factless: row.factless,
    content_hash: row.contentHash,
    made_by: row.maker,
    made_by_id: row.makerId,
    decided_by: row.checker,
    task_id: row.taskId,
    failure: row.failure,
    created_at: row.createdAt.toISOString(),
    decided_at: row.decidedAt?.toISOString() ?? null,
    ended_at: row.endedAt?.toISOString() ?? null,
  };
}

const presentParty = (party: ReversalParty) => ({
  id: party.accountId,
  name: party.name,
  events: party.events,
  amount: presentAmount(party.nanos),
  balance: presentAmount(party.balanceNanos),
});

export function presentReversalPage(
  row: ShownReversal,
  { advertisers, publishers, reasons }: ReversalParties,
): yup.InferType<typeof reversalPageShape> {
  return {
    ...presentReversal(row),
    advertisers: advertisers.map(presentParty),
    publishers: publishers.map(presentParty),
    reasons: reasons.map(({ reason, events, priceNanos, publisherNanos }) => ({
      reason,
      events,
      spend: presentAmount(priceNanos),
      earnings: presentAmount(publisherNanos),
    })),
    timeline: (row.timeline ?? []).map(({ at, phase, note }) => ({
      at,
      phase,
      ...(note === undefined ? {} : { note }),
    })),
  };
}
