import type { Cuttable } from '../support/cuttable.ts';
import { until } from '../support/until.ts';
import { beginFlow, type CrashStand, ended, runClean } from './flow-crashes.ts';
import { FLOW_SUBJECTS, type FlowSubject } from './flow-subjects.ts';
import { startOperators } from './people.ts';
import { differences, type Struck } from './strikes.ts';

export interface Away {
  /** Flows that were asked for while it was away. */
  begun: number;
  /** Questions that were answered while it was away. */
  decided: number;
  /** From its return until all of them had ended. */
  caughtUpMs: number;
  /** From flows that nobody disturbed. */
  differences: object[];
}

/** More than are in a minute: it is not people who are waited for behind it. */
const ASKED_MEANWHILE = 400;

/**
 * Cuts Temporal off while `meanwhile` has one flow after another asked for, and while people answer what
 * was asked before. Behind it nothing is done by hand.
 */
export async function awayFor(
  stand: CrashStand,
  wire: Cuttable,
  meanwhile: (begin: () => Promise<void>) => Promise<void>,
): Promise<Away> {
  const names = Object.keys(FLOW_SUBJECTS);
  const clean = await runClean(stand, names);
  const struck: Struck[] = [];
  const subjects: FlowSubject[] = [];
  const beginOf = async (name: string, point: string): Promise<void> => {
    const subject = await beginFlow(stand, name);
    subjects.push(subject);
    struck.push({ name, point, subject });
  };
  for (const name of names) await beginOf(name, 'begun before');
  const asked = subjects.filter(({ decision }) => decision !== null).length;
  const count = async (statement: string): Promise<number> => {
    const flows = subjects.map(({ workflowId }) => workflowId);
    const { rows } = await stand.platform.pool.query<{ count: string }>(statement, [flows]);
    return Number(rows[0]?.count);
  };
  await until({ what: 'all questions are asked', withinMs: 180_000 }, async () => {
    const open = `SELECT count(*) FROM tasks WHERE status = 'open' AND workflow_id = ANY($1)`;
    return (await count(open)) === asked;
  });
  wire.cut();
  const operators = startOperators(stand, subjects, ASKED_MEANWHILE);
  try {
    await until({ what: 'people have answered', withinMs: 180_000 }, async () => {
      const pending = `SELECT count(*) FROM task_decisions d JOIN tasks t ON t.id = d.task_id
        WHERE d.status = 'PENDING' AND t.workflow_id = ANY($1)`;
      return (await count(pending)) === asked;
    });
    let begun = 0;
    await meanwhile(async () => {
      await beginOf(names[begun % names.length] ?? '', 'begun meanwhile');
      begun += 1;
    });
    const returnedAt = Date.now();
    wire.mend();
    for (const subject of subjects) await ended(stand, subject);
    return {
      begun,
      decided: asked,
      caughtUpMs: Date.now() - returnedAt,
      differences: await differences(stand, clean, struck),
    };
  } finally {
    wire.mend();
    await operators.stop();
  }
}
