import { runBooks } from '../../db/queries/books.ts';
import { differences, runClean, startCrashStand, strikeAll, strikesOf } from './flow-crashes.ts';
import { FLOW_SUBJECTS } from './flow-subjects.ts';
import { until } from '../support/until.ts';
import { isReady, killService } from './services.ts';

/** What dies beside the worker, in turn: nothing, and each part once in a while. */
const BESIDE = ['none', 'none', 'api', 'temporal', 'none', 'none', 'postgres'] as const;

/**
 * `npm run faults -- flows`: the worker dies before and after every step of every flow, the API, Temporal
 * and PostgreSQL with it at some of them. Afterwards nothing may differ from flows that were left alone.
 */
export async function runFlows(): Promise<boolean> {
  const stand = await startCrashStand();
  try {
    const clean = await runClean(stand, Object.keys(FLOW_SUBJECTS));
    const strikes = clean.flatMap(strikesOf);
    const paidBefore = stand.paid();
    const beside = new Map<string, number>();
    let at = 0;
    const struck = await strikeAll(stand, strikes, async ({ name, point }) => {
      const part = BESIDE[at % BESIDE.length] ?? 'none';
      at += 1;
      beside.set(part, (beside.get(part) ?? 0) + 1);
      console.log(`${at}/${strikes.length} ${name}: worker killed ${point}, beside it ${part}`);
      if (part === 'api') {
        await stand.platform.api.kill('SIGKILL');
        await stand.platform.api.restart();
      } else if (part !== 'none') await killService(part);
      await until(
        { what: 'the platform is ready again', withinMs: 60_000 },
        async () => await isReady(stand.platform.baseUrl),
      );
    });
    const found = await differences(stand, clean, struck);
    for (const each of found) console.error(`VIOLATION ${JSON.stringify(each)}`);
    const sent = struck.filter(
      ({ subject }) => subject.end === 'PAID' && subject.type === 'withdrawal',
    );
    const paid = stand.paid() - paidBefore;
    if (paid !== sent.length) console.error(`VIOLATION ${sent.length} to pay, ${paid} paid`);
    const broken = (await runBooks(stand.platform.pool)).filter(({ ok }) => !ok);
    for (const check of broken) console.error(`BOOKS ${check.name}: ${check.figure}`);
    console.log(
      `${struck.length} kills at ${strikes.length} points of ${clean.length} flows, beside the worker ` +
        `${JSON.stringify(Object.fromEntries(beside))}: ${found.length} differences`,
    );
    return found.length === 0 && broken.length === 0 && paid === sent.length;
  } finally {
    await stand.close();
  }
}
