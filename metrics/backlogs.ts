import { Gauge, type Registry } from 'prom-client';
import { BACKLOG_COUNTED_MAX, readEventBacklog } from '../db/events/event-backlog.ts';
import { readBacklogs } from '../db/queries/backlogs.ts';
import { readBookChecks } from '../db/queries/book-checks.ts';
import { BOOK_NAMES } from '../db/queries/books.ts';
import { readFlowFindings } from '../db/queries/flow-findings.ts';
import { readMoneyWaits } from '../db/queries/money-waits.ts';
import { oldestDueSchedule } from '../db/queries/report-schedules.ts';
import type { SqlRunner } from '../db/sql-runner.ts';

const GAUGES = {
  adp_outbox_waiting: 'Messages that were not delivered yet',
  adp_outbox_oldest_seconds: 'Age of the oldest message that was not delivered',
  adp_outbox_dead: 'Messages that were given up within a day',
  adp_events_waiting: `Events that settlement has not judged, at most ${BACKLOG_COUNTED_MAX} a shard`,
  adp_events_oldest_seconds: 'Age of the oldest event that settlement has not judged',
  adp_tasks_open: 'Questions to operators',
  adp_tasks_overdue: 'Questions to operators past their time',
  adp_approvals_waiting: 'Approvals of money that wait for a second person',
  adp_approvals_oldest_seconds: 'Since when the oldest of them waits',
  adp_mails_waiting: 'Letters that no mail server has taken',
  adp_conversions_doubted: 'Held conversions with findings, which wait for their advertiser',
  adp_conversions_late: 'Those of them that have waited for half of their time',
  adp_payouts_unknown: 'Payouts of which nobody knows what became of them',
  adp_payouts_unknown_oldest_seconds: 'Since when the oldest of them is not known',
  adp_payouts_unsent: 'Payouts that were tried and have not left',
  adp_payouts_unsent_oldest_seconds: 'Since when the oldest of them is to be paid',
  adp_payouts_unfunded: 'Those of them that an account or wallet of ours is too empty for',
  adp_payout_old_files_at_bank: 'Bank files that were taken back and that the bank has',
  adp_chain_age_seconds: 'Since when the chain that was longest not read stands still',
  adp_clicks_overdue_seconds: 'How late the expiry of clicks is',
  adp_report_schedules_overdue_seconds: 'How late the scheduled report is that is longest due',
  adp_books_broken: 'Invariants of the books that do not hold',
  adp_books_unchecked: 'Invariants of the books that nobody has looked at',
  adp_books_age_seconds: 'Since when the invariant that was longest not looked at was not',
  adp_flows_astray: 'Flows and rows that do not agree and cannot be healed',
  adp_reconciler_age_seconds: 'Since when rows and flows were last held against each other',
} as const;
type Figures = Record<keyof typeof GAUGES, number>;

/** What waits, read from the rows when Prometheus asks: all processes that ask say the same. */
export function measureBacklogs(
  registry: Registry,
  { sql, shards, clock }: { sql: SqlRunner; shards: number; clock: () => Date },
): void {
  // One reading for all of them, made by the first that is asked; the others wait for it, so that none
  // tells what was so at the scrape before.
  let reading: Promise<Figures> | undefined;
  const figures = async (): Promise<Figures> => {
    reading ??= readFigures().finally(() => {
      reading = undefined;
    });
    return await reading;
  };
  for (const name of Object.keys(GAUGES) as (keyof typeof GAUGES)[]) {
    new Gauge({
      name,
      help: GAUGES[name],
      registers: [registry],
      async collect() {
        this.set((await figures())[name]);
      },
    });
  }
  const readFigures = async (): Promise<Figures> => {
    const now = clock();
    const [waits, events, money, books, flows, reportsDueAt] = await Promise.all([
      readBacklogs(sql, now),
      readEventBacklog(sql, shards),
      readMoneyWaits(sql, now),
      readBookChecks(sql, BOOK_NAMES),
      readFlowFindings(sql, now),
      oldestDueSchedule(sql, now),
    ]);
    const ageOf = (at: Date | null): number =>
      at === null ? 0 : Math.max(0, (now.getTime() - at.getTime()) / 1_000);
    return {
      adp_outbox_waiting: waits.outboxWaiting,
      adp_outbox_oldest_seconds: ageOf(waits.outboxOldestAt),
      adp_outbox_dead: waits.outboxDead,
      adp_events_waiting: events.waiting,
      adp_events_oldest_seconds: ageOf(events.oldestAt),
      adp_tasks_open: waits.tasksOpen,
      adp_tasks_overdue: waits.tasksOverdue,
      adp_approvals_waiting: waits.approvalsWaiting,
      adp_approvals_oldest_seconds: ageOf(waits.approvalsOldestAt),
      adp_mails_waiting: waits.mailsWaiting,
      adp_conversions_doubted: waits.conversionsDoubted,
      adp_conversions_late: waits.conversionsLate,
      adp_payouts_unknown: money.payoutsUnknown,
      adp_payouts_unknown_oldest_seconds: ageOf(money.unknownSince),
      adp_payouts_unsent: money.payoutsUnsent,
      adp_payouts_unsent_oldest_seconds: ageOf(money.unsentSince),
      adp_payouts_unfunded: money.payoutsUnfunded,
      adp_payout_old_files_at_bank: money.oldFilesAtBank,
      adp_chain_age_seconds: ageOf(money.chainReadAt),
      adp_clicks_overdue_seconds: ageOf(money.clickDueAt),
      adp_report_schedules_overdue_seconds: ageOf(reportsDueAt),
      adp_books_broken: books.broken,
      adp_books_unchecked: BOOK_NAMES.length - books.checked,
      adp_books_age_seconds: ageOf(books.oldestAt),
      adp_flows_astray: flows.raised,
      adp_reconciler_age_seconds: ageOf(flows.checkedAt),
    };
  };
}
