import type { Logger } from 'pino';
import { createEventSpool } from './event-spool.ts';

/**
 * Conversion pixels that came while PostgreSQL was away. A page's image is answered and never sent
 * again, so what it reported waits on the local disk until it can be recorded.
 */
export interface PixelSpool<Report> {
  /** Resolves when the report is on the disk; rejects when it is not. */
  keep(report: Report): Promise<void>;
  close(): Promise<void>;
}

export interface PixelSpoolOptions<Report> {
  dir: string;
  log: Logger;
  /** Must be idempotent per report. */
  record: (report: Report) => Promise<void>;
  /** Whether a failure passes by itself; a report that fails in another way is set aside, and told. */
  isPassing: (error: unknown) => boolean;
}

const REPLAY_EVERY_MS = 1_000;

/** `Report` must survive JSON. Replays what a killed process left behind, too. */
export function createPixelSpool<Report>(options: PixelSpoolOptions<Report>): PixelSpool<Report> {
  const { log, record } = options;
  const spool = createEventSpool<Report>(options);
  let replaying: Promise<void> | undefined;

  const recordOrSetAside = async (report: Report): Promise<void> => {
    try {
      await record(report);
    } catch (error) {
      if (options.isPassing(error)) throw error;
      log.error({ err: error }, 'a spooled conversion pixel is in quarantine');
      await spool.quarantine(report, String(error));
    }
  };
  const replay = async (): Promise<void> => {
    try {
      if (await spool.isEmpty()) return;
      const rows = await spool.drain(async (reports) => {
        for (const report of reports) await recordOrSetAside(report);
      });
      if (rows > 0) log.info({ rows }, 'spooled conversion pixels were recorded');
    } catch (error) {
      log.debug({ err: error }, 'spooled conversion pixels wait');
    } finally {
      replaying = undefined;
    }
  };
  const timer = setInterval(() => {
    replaying ??= replay();
  }, REPLAY_EVERY_MS).unref();

  return {
    keep: async (report) => await spool.write([report]),
    close: async () => {
      clearInterval(timer);
      await replaying;
      await spool.close();
    },
  };
}
