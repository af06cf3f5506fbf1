import { runBooks } from '../../db/queries/books.ts';
import { runClean, startCrashStand } from './flow-crashes.ts';
import { FLOW_SUBJECTS } from './flow-subjects.ts';
import {
  abreast,
  BEFORE_PROVIDER,
  differences,
  isAskedAgain,
  type Strike,
  strikeAll,
  strikesOf,
  type Struck,
  type Victim,
} from './strikes.ts';

const VICTIMS = (process.env['FLOW_VICTIMS'] ?? 'worker,api,temporal,postgres').split(
  ',',
) as Victim[];
const TOGETHER = Number(process.env['FLOW_TOGETHER'] ?? 20);

/**
 * `npm run faults -- flows`: the worker dies before and after every step of every flow, and so do the API, Temporal
 * and PostgreSQL while every flow stands there. Afterwards nothing may differ from flows that were left alone.
 */
export async function runFlows(): Promise<boolean> {
  const stand = await startCrashStand();
  try {
    const clean = await runClean(stand, Object.keys(FLOW_SUBJECTS));
    const points = abreast(clean.map(strikesOf));
    const paidBefore = stand.paid();
    const struck: Struck[] = [];
    for (const victim of VICTIMS) {
      const startedAt = Date.now();
      let kills = 0;
      const strikes = victim === 'worker' ? points : points.map(standing);
      const told = await strikeAll(stand, strikes, {
        victim,
        together: TOGETHER,
        told: (wave) => {
          kills += 1;
          console.log(`${victim} killed, ${wave.struck} flows between steps, ${wave.left} to come`);
        },
      });
      struck.push(...told);
      const late = told.filter(
        ({ point, like }) => like !== undefined && point !== BEFORE_PROVIDER.point,
      ).length;
      const seconds = Math.round((Date.now() - startedAt) / 1_000);
      console.log(
        `${victim}: ${kills} kills at ${strikes.length} points of ${clean.length} flows, ` +
          `${told.length} flows ended, ${late} of them given back as never sent; ${seconds} s`,
      );
    }
    const all = await differences(stand, clean, struck);
    const found = all.filter((each) => !isAskedAgain(each));
    for (const each of found) console.error(`VIOLATION ${JSON.stringify(each)}`);
    const sent = struck.filter(
      ({ subject }) => subject.end === 'PAID' && subject.type === 'withdrawal',
    );
    const paid = stand.paid() - paidBefore;
    if (paid !== sent.length) console.error(`VIOLATION ${sent.length} to pay, ${paid} paid`);
    const broken = (await runBooks(stand.platform.pool)).filter(({ ok }) => !ok);
    for (const check of broken) console.error(`BOOKS ${check.name}: ${check.figure}`);
    console.log(
      `${struck.length} flows, ${paid} payments: ${found.length} differences, ${broken.length} books broken; ` +
        `of ${all.length - found.length} a person was asked more than once`,
    );
    return found.length === 0 && broken.length === 0 && paid === sent.length;
  } finally {
    await stand.close();
  }
}

/** Nobody dies in the call: the worker stands still before it, and makes it. */
const standing = ({ name, point }: Strike): Strike => ({ name, point });
