import { runBooks } from '../../db/queries/books.ts';
import { serviceUrl } from '../support/database.ts';
import { cuttable } from '../support/cuttable.ts';
import { pause } from '../support/until.ts';
import { awayFor } from './temporal-away.ts';
import { startCrashStand } from './flow-crashes.ts';

const AWAY_MS = 60_000;

/** `npm run faults -- away`: no Temporal for a minute, while people go on. */
export async function runAway(): Promise<boolean> {
  const wire = await cuttable(`http://${serviceUrl('TEMPORAL_ADDRESS')}`);
  const stand = await startCrashStand({ TEMPORAL_ADDRESS: new URL(wire.url).host });
  try {
    const told = await awayFor(stand, wire, async (begin) => {
      const until = Date.now() + AWAY_MS;
      while (Date.now() < until) {
        await begin();
        await pause(100, 'people do not all come at once');
      }
    });
    const broken = (await runBooks(stand.platform.pool)).filter(({ ok }) => !ok);
    console.log(
      `Temporal away for ${AWAY_MS / 1_000} s: ${told.begun} flows asked for meanwhile, ${told.decided} decisions, ` +
        `all ended ${told.caughtUpMs} ms after it came back, ${told.differences.length} differences, ${broken.length} books broken`,
    );
    for (const each of told.differences) console.error(`VIOLATION ${JSON.stringify(each)}`);
    return told.differences.length === 0 && broken.length === 0;
  } finally {
    await stand.close();
    await wire.close();
  }
}
