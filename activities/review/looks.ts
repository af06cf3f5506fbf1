import { runner } from '../../db/postgres.ts';
import { flag } from '../../db/schema/column.ts';
import { readRow, select } from '../../db/schema/selection.ts';
import { LOOK_LASTS_MS, type LookedAt } from '../../domain/looked-at.ts';
import { recordAudit } from '../core/audit.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';

export interface Look {
  viewer: { id: number; requestId: string };
  subject: { type: LookedAt; id: number };
}

const SEEN = select({
  already: flag().of(`EXISTS (
    SELECT FROM audit_log WHERE subject_type = $1 AND subject_id = $2 AND action = $3
      AND actor_type = 'OPERATOR' AND actor_id = $4
      AND created_at > now() - make_interval(secs => $5))`),
});

export function createLookActivities({ db }: Pick<ActivityDeps, 'db'>) {
  return {
    /** Writes down who looked at identity or bank data; a look that goes on is written once. */
    async recordLook({ viewer, subject }: Look): Promise<void> {
      await runStep(db, 'look.record', async (tx) => {
        const action = `${subject.type}.view`;
        const seen = await readRow(runner(db, tx), SEEN, `SELECT ${SEEN.list}`, [
          subject.type,
          subject.id,
          action,
          viewer.id,
          LOOK_LASTS_MS / 1_000,
        ]);
        if (seen?.already === true) return;
        await recordAudit(db, tx, {
          actor: { type: 'OPERATOR', id: viewer.id },
          action,
          subject,
          requestId: viewer.requestId,
        });
      });
    },
  };
}
