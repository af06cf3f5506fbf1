import pg from 'pg';

/**
 * What takes days elsewhere is over the same day here, so that one sees a payout to its end; whoever sets
 * them otherwise is heeded.
 */
const SHORT: Readonly<Record<string, number>> = {
  'payout.maturity_days': 0,
  'payout.cooling_off_seconds': 60,
};

export const SHORT_WAITS =
  'Development: earnings mature the same day, a new payout account and an approved payout wait a minute each.';

export async function shortenWaits(postgresUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    // Settings that govern money, and nobody here to approve them (0250-repairs.sql).
    await client.query(`SET adplatform.repairs = 'on'`);
    for (const [key, value] of Object.entries(SHORT)) {
      await client.query(
        'INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING',
        [key, JSON.stringify(value)],
      );
    }
  } finally {
    await client.end();
  }
}
