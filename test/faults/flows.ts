import { runBooks } from '../../db/queries/books.ts';
import { runClean, startCrashStand } from './flow-crashes.ts';
import { FLOW_SUBJECTS } from './flow-subjects.ts';
import { plantFaults } from './planted.ts';
import {
  abreast,
  BEFORE_PROVIDER,
  differences,
  isAskedAgain,
  secondsSince,
  type Strike,
  strikeAll,
  strikesOf,
  type Struck,
  type Victim,
} from './strikes.ts';

/** Of worker, services (API, Temporal and PostgreSQL in turn at one stop), api, temporal, postgres. */
const VICTIMS = (process.env['FLOW_VICTIMS'] ?? 'worker,services').split(',') as Victim[];
const TOGETHER = Number(process.env['FLOW_TOGETHER'] ?? 32);
/** Names of FLOW_SUBJECTS with commas between them; empty: all. */
const NAMES = (process.env['FLOW_NAMES'] ?? '').split(',').filter((name) => name !== '');
/** A regular expression that points match, as `sendPayout|provider`. */
const POINTS = new RegExp(process.env['FLOW_POINTS'] ?? '');
/** The run's own trial: with `1` faults are planted, which it has to find, and to end non-zero. */
const PLANTS = process.env['FLOW_PLANT'] === '1';

/**
 * `npm run faults -- flows`: the worker dies before and after every step of every flow; and API, Temporal and
 * PostgreSQL die in turn while every flow stands there. Afterwards nothing may differ from flows that were left alone.
 */
export async function runFlows(): Promise<boolean> {
  const startedAt = Date.now();
  const stand = await startCrashStand();
  try {
    console.log(`stand: ${secondsSince(startedAt)} s`);
    const cleanAt = Date.now();
    // What was never sent ends like a flow of its own, whatever is chosen.
    const clean = await runClean(stand, Object.keys(FLOW_SUBJECTS));
    const chosen = clean.filter(({ name }) => NAMES.length === 0 || NAMES.includes(name));
    const points = abreast(chosen.map(strikesOf)).filter(({ point }) => POINTS.test(point));
    if (points.length === 0) throw new Error('FLOW_NAMES and FLOW_POINTS leave nothing to strike');
    console.log(`${clean.length} flows left alone: ${secondsSince(cleanAt)} s`);
    const paidBefore = stand.paid();
    if (PLANTS) await plantFaults(stand);
    const struck: Struck[] = [];
    for (const victim of VICTIMS) {
      const victimAt = Date.now();
      let wavesEndedAt = victimAt;
      let kills = 0;
      const strikes = victim === 'worker' ? points : points.map(standing);
      const told = await strikeAll(stand, strikes, {
        victim,
        together: TOGETHER,
        told: (wave) => {
          kills += 1;
          wavesEndedAt = Date.now();
          console.log(
            `${victim} killed, ${wave.struck} flows between steps, ${wave.left} to come; ` +
              `begun in ${wave.beginSeconds} s, struck in ${wave.strikeSeconds} s`,
          );
        },
      });
      struck.push(...told);
      const late = told.filter(
        ({ point, like }) => like !== undefined && point !== BEFORE_PROVIDER.point,
      ).length;
      console.log(
        `${victim}: ${kills} kills at ${strikes.length} points of ${chosen.length} flows, ` +
          `${told.length} flows ended, ${late} of them given back as never sent; ` +
          `${secondsSince(victimAt)} s, ${secondsSince(wavesEndedAt)} of them until the last had ended`,
      );
    }
    const lookedAt = Date.now();
    const all = await differences(stand, clean, struck);
    const found = all.filter((each) => !isAskedAgain(each));
    for (const each of found) console.error(`VIOLATION ${JSON.stringify(each)}`);
    const sent = struck.filter(
      ({ subject }) => subject.end === 'PAID' && subject.type === 'withdrawal',
    );
    const paid = stand.paid() - paidBefore;
    if (paid !== sent.length) console.error(`VIOLATION ${sent.length} to pay, ${paid} paid`);
    const refunds = stand.refunds();
    const isOnceEach = refunds.every((times) => times === 1);
    if (!isOnceEach)
      console.error(`VIOLATION sent back so often, of each payment: ${refunds.join(' ')}`);
    const broken = (await runBooks(stand.platform.pool)).filter(({ ok }) => !ok);
    for (const check of broken) console.error(`BOOKS ${check.name}: ${check.figure}`);
    console.log(
      `${struck.length} flows, ${paid} payments, ${refunds.length} sent back: ${found.length} differences, ${broken.length} books broken; ` +
        `of ${all.length - found.length} a person was asked more than once; ` +
        `looked at in ${secondsSince(lookedAt)} s, ${secondsSince(startedAt)} s in all`,
    );
    return found.length + broken.length === 0 && paid === sent.length && isOnceEach;
  } finally {
    await stand.close();
  }
}

/** Nobody dies in the call: the worker stands still before it, and makes it. */
const standing = ({ name, point }: Strike): Strike => ({ name, point });
