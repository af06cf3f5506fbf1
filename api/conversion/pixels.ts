import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Activities } from '../../activities/index.ts';
import type { ConversionReport } from '../../activities/tracking/conversion-report.ts';
import { createPixelSpool, type PixelSpool } from '../../db/events/pixel-spool.ts';
import { DomainError } from '../../domain/errors.ts';
import { asRefusal } from '../http/errors.ts';

/** A report as it lies on the disk: money as decimal text, and when it really came. */
interface KeptReport {
  report: Omit<ConversionReport, 'valueNanos' | 'reportedAt'>;
  valueNanos: string | null;
  reportedAt: string;
}

export interface PixelConversions {
  /** Keeps a report for later. Rejects when the disk fails as well. */
  keep(report: ConversionReport): Promise<void>;
  close(): Promise<void>;
}

/** Pixels wait on the local disk and are recorded once PostgreSQL is back. */
export function createPixelConversions(options: {
  /** Where they wait: a folder of their own. */
  dir: string;
  activities: Pick<Activities, 'recordConversion'>;
  log: Logger;
  clock: () => Date;
}): PixelConversions {
  const { activities, log, clock } = options;
  const spool: PixelSpool<KeptReport> = createPixelSpool({
    dir: options.dir,
    log,
    isPassing: (error) => asRefusal(error).token === 'unavailable',
    record: async (kept) => {
      try {
        await activities.recordConversion({
          ...kept.report,
          valueNanos: kept.valueNanos === null ? undefined : BigInt(kept.valueNanos),
          reportedAt: new Date(kept.reportedAt),
        });
      } catch (error) {
        // Refused for what it says (an unknown code): it would be refused for ever.
        if (!(error instanceof DomainError)) throw error;
        log.info({ err: error }, 'a spooled conversion pixel was refused');
      }
    },
  });
  return {
    keep: async ({ valueNanos, ...report }) => {
      await spool.keep({
        report: { ...report, reportId: report.reportId ?? randomUUID() },
        valueNanos: valueNanos?.toString() ?? null,
        reportedAt: clock().toISOString(),
      });
    },
    close: () => spool.close(),
  };
}
