import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { reportBytes } from '../../activities/reports/report-file.ts';
import { reportRows } from './report-rows.ts';

/** A process of its own: writes workbooks of so many rows, and tells its peak memory after each. */
for (const rows of process.argv.slice(2).map(Number)) {
  await pipeline(
    Readable.from(
      reportBytes({
        format: 'xlsx',
        side: 'advertiser',
        groupBy: ['date', 'campaign'],
        state: { timezone: 'UTC', settledAt: null, endsAt: new Date() },
        batches: reportRows(rows),
      }),
    ),
    createWriteStream('/dev/null'),
  );
  process.stdout.write(`${process.resourceUsage().maxRSS}\n`);
}
