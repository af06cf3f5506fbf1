import { Context } from '@temporalio/activity';
import type { Transaction } from 'sequelize';
import { withPartitions } from '../../db/events/event-inbox.ts';
import { inTransaction, runner } from '../../db/postgres.ts';
import {
  BILLS_CONVERSIONS,
  clicksNamed,
  countedOf,
  lockClicksNamed,
  lockDecidable,
  lockDue,
  lockUndecided,
  lockHeldOfClicks,
  trackersOf,
} from '../../db/queries/conversions.ts';
import { loadSettings } from '../../db/settings.ts';
import type { ConversionRow } from '../../db/tables/conversion.ts';
import { dayOf } from '../../domain/tracking/utc-day.ts';
import type { ActivityDeps } from '../deps.ts';
import { pause } from '../core/pause.ts';
import {
  acceptConversions,
  type Attributed,
  bills,
  dropConversions,
  rejectUndecided,
  settleUnattributed,
} from './conversion-moves.ts';
import { decideBy, holdConversions, notifyHeld, suspicionsOf } from './conversion-holds.ts';
import { judgeAttribution, splitCounted } from './conversion-judging.ts';

/** Reports of one transaction. */
const BATCH_MAX = 500;

export interface ConversionLap {
  decided: number;
  /** Whose window has ended, or in whose time nobody decided. */
  released: number;
}

export interface KeepConversionsInput {
  runForMs: number;
  /** Pause between looks when there is nothing to do. */
  tickMs: number;
}

export function createConversionDecisionActivities(deps: ActivityDeps) {
  /** `run` adds to `days` those of the events that it appends, so that missing partitions are made. */
  const inOne = async (
    run: (tx: Transaction, days: Set<string>) => Promise<number>,
  ): Promise<number> => {
    const days = new Set([dayOf(Date.now())]);
    return await withPartitions(
      runner(deps.db),
      () => days,
      async () => await inTransaction(deps.db, async (tx) => await run(tx, days)),
    );
  };

  /**
   * interface 4.14: decides what was reported, once its click was judged. Idempotent by the row's status,
   * which moves in the transaction that appends its event and queues its call; several may run at once.
   */
  const decideConversions = async (): Promise<number> =>
    await inOne(async (tx, days) => {
      const rows = await lockDecidable(runner(deps.db, tx), BATCH_MAX);
      for (const { createdAt } of rows) days.add(dayOf(createdAt.getTime()));
      if (rows.length > 0) await decide(deps, tx, rows);
      return rows.length;
    });

  /** Held ones whose window has ended and of which nothing new is suspicious are accepted. */
  const releaseConversions = async (): Promise<number> =>
    await inOne(async (tx) => {
      const rows = await lockDue(runner(deps.db, tx), BATCH_MAX);
      if (rows.length > 0) await release(deps, tx, rows);
      return rows.length;
    });

  /** Doubted ones that nobody decided in time are rejected, and their advertiser is told. */
  const lapseConversions = async (): Promise<number> =>
    await inOne(async (tx) => {
      const sql = runner(deps.db, tx);
      const rows = await lockUndecided(sql, BATCH_MAX);
      if (rows.length === 0) return 0;
      const attributed = await attributedOf(deps, tx, rows);
      await rejectUndecided(sql, attributed);
      await notifyHeld(deps, tx, attributed, 'conversions_undecided');
      return rows.length;
    });

  return {
    decideConversions,
    releaseConversions,
    lapseConversions,

    /** Decides and releases until `runForMs` has passed. */
    async keepConversions({ runForMs, tickMs }: KeepConversionsInput): Promise<ConversionLap> {
      const context = Context.current();
      const lap: ConversionLap = { decided: 0, released: 0 };
      const until = Date.now() + runForMs;
      while (Date.now() < until && !context.cancellationSignal.aborted) {
        context.heartbeat(lap);
        const decided = await decideConversions();
        const released = (await releaseConversions()) + (await lapseConversions());
        lap.decided += decided;
        lap.released += released;
        if (decided + released < BATCH_MAX) await pause(tickMs, context.cancellationSignal);
      }
      return lap;
    },
  };
}

async function decide(
  deps: ActivityDeps,
  tx: Transaction,
  rows: readonly ConversionRow[],
): Promise<void> {
  const sql = runner(deps.db, tx);
  const clickIds = unique(rows.flatMap(({ clickId }) => clickId ?? []));
  const clicks = await lockClicksNamed(sql, clickIds);
  const trackers = await trackersOf(sql, unique(rows.flatMap(({ trackerId }) => trackerId ?? [])));
  const judged = judgeAttribution(rows, { clicks, trackers });
  await settleUnattributed(sql, judged.unattributed);

  const held = await lockHeldOfClicks(sql, clickIds);
  const counted = await countedOf(sql, clickIds);
  const { counting, before, superseded } = splitCounted(judged.attributed, { counted, held });
  await dropConversions(deps, tx, judged.refused);
  await dropConversions(deps, tx, before);
  await dropConversions(
    deps,
    tx,
    superseded.map((conversion) => ({
      conversion,
      click: undefined,
      tracker: undefined,
      reason: 'REPORTED_BY_SERVER' as const,
      latencySeconds: conversion.latencySeconds,
    })),
  );

  const waiting = counting.filter(mustWait);
  await acceptConversions(
    deps,
    tx,
    counting.filter((each) => !mustWait(each)),
  );
  const settings = await loadSettings(sql);
  await holdConversions(deps, tx, waiting, settings);
}

/** What its server did not sign and what would cost it something is its advertiser's to look at first. */
const mustWait = ({ conversion, click }: Attributed): boolean =>
  !conversion.isSigned && bills({ conversion, click }) && BILLS_CONVERSIONS.has(click.pricingModel);

/** With their clicks and trackers, which stay when they are old. */
async function attributedOf(
  deps: ActivityDeps,
  tx: Transaction,
  rows: readonly ConversionRow[],
): Promise<Attributed[]> {
  const sql = runner(deps.db, tx);
  const clicks = await clicksNamed(sql, unique(rows.flatMap(({ clickId }) => clickId ?? [])));
  const trackers = await trackersOf(sql, unique(rows.flatMap(({ trackerId }) => trackerId ?? [])));
  return rows.flatMap((conversion): Attributed[] => {
    const click = clicks.get(conversion.clickId ?? '');
    const tracker = conversion.trackerId === null ? undefined : trackers.get(conversion.trackerId);
    return click === undefined
      ? []
      : [{ conversion, click, tracker, latencySeconds: conversion.latencySeconds ?? 0 }];
  });
}

async function release(
  deps: ActivityDeps,
  tx: Transaction,
  rows: readonly ConversionRow[],
): Promise<void> {
  const sql = runner(deps.db, tx);
  const attributed = await attributedOf(deps, tx, rows);
  const unsigned = attributed.filter(({ conversion }) => !conversion.isSigned);
  // What came after it may show it to be one of many.
  const findings = await suspicionsOf(sql, unsigned, await loadSettings(sql));
  const isClean = ({ conversion }: Attributed): boolean =>
    (findings.get(conversion.id) ?? []).length === 0;
  await acceptConversions(deps, tx, attributed.filter(isClean));
  const doubted = attributed.filter((each) => !isClean(each));
  const settings = await loadSettings(sql);
  for (const { conversion, tracker } of doubted) {
    const days = tracker?.validationDays ?? settings['conversion.validation_days'];
    const until = new Date(decideBy(conversion, days, settings));
    await deps.db.models.conversions.update(
      { findings: findings.get(conversion.id) ?? [], dueAt: null, decideBy: until },
      { where: { id: conversion.id }, transaction: tx },
    );
  }
  await notifyHeld(deps, tx, doubted);
}

const unique = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];
