import type { EventOptions } from './settlement.ts';
import { append, eventOf } from './settlement.ts';
import type { Platform } from './platform.ts';
import type { Line } from './make/line.ts';
import { until } from './until.ts';

/**
 * Impressions of this line as if pages had shown its ad, put where beacons put them; ends when the
 * platform's own settlement has judged them all.
 */
export async function show(
  { db, pool }: Pick<Platform, 'db' | 'pool'>,
  line: Line,
  views: readonly EventOptions[],
): Promise<void> {
  const events = views.map((view) => eventOf(line, view));
  await append({ db, pool } as Parameters<typeof append>[0], ...events);
  const ids = events.map(({ id }) => id);
  await until(`${ids.length} events are settled`, async () => {
    const { rows } = await pool.query<{ count: string }>(
      'SELECT count(*) FROM events WHERE id = ANY($1::uuid[])',
      [ids],
    );
    return Number(rows[0]?.count) === ids.length;
  });
}
