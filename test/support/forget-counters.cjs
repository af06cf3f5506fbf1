const { createClient } = require('redis');

/** Redis has sixteen databases: five of its own for each of three workers, in turn (database.ts). */
const DATABASES = 5;
const WORKERS = 3;

/**
 * Counters are kept under ids of rows, which are the same in every test: what the files before this one have left
 * in this worker's databases would count as its own, and be over a limit within the same minute.
 */
module.exports = async function forgetCounters() {
  const { REDIS_URL, JEST_WORKER_ID = '1' } = process.env;
  if (REDIS_URL === undefined || REDIS_URL === '') return;
  const first = 1 + ((Number(JEST_WORKER_ID) - 1) % WORKERS) * DATABASES;
  const client = await createClient({ url: REDIS_URL }).connect();
  try {
    for (let database = first; database < first + DATABASES; database += 1) {
      await client.sendCommand(['SELECT', String(database)]);
      const keys = await client.sendCommand(['KEYS', 'adp:*']);
      if (keys.length > 0) await client.sendCommand(['DEL', ...keys]);
    }
  } finally {
    client.destroy();
  }
};
